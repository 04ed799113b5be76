//! Tables of the documents that are generated from the source. `UPDATE=1` writes them.

use std::path::Path;

const HEAD: &str = "| Step | Action | Cleanup |\n|---|---|---|\n";

/// The rows of an enum of steps, as rustfmt prints it: documentation and variants are indented by four spaces. `prefix`
/// comes before the names.
fn rows_of_steps(source: &str, name: &str, prefix: &str) -> String {
    let body = source.split(&format!("pub enum {name} {{\n")).nth(1).expect("the enum");
    let mut table = String::new();
    let mut documentation = String::new();
    let lines = body.lines().take_while(|line| *line != "}");
    for line in lines.filter_map(|line| line.strip_prefix("    ")) {
        if let Some(text) = line.strip_prefix("///") {
            documentation.push_str(text.trim());
            documentation.push(if text.is_empty() { '\n' } else { ' ' });
        } else if line.starts_with(|first: char| first.is_ascii_uppercase()) {
            let paragraphs = documentation.lines().map(|one| one.trim().trim_end_matches('.'));
            let paragraphs: Vec<&str> = paragraphs.collect();
            let name = line.split(['(', ' ', ',']).next().unwrap_or(line);
            let action = paragraphs.first().expect("every step is documented");
            let cleanup = paragraphs.iter().find_map(|one| one.strip_prefix("Cleanup:"));
            table.push_str(&format!(
                "| `{prefix}{name}` | {action} |{} |\n",
                cleanup.unwrap_or_default()
            ));
            documentation.clear();
        }
    }
    table
}

#[test]
fn the_table_of_steps_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file of the tree");
    let batches = read("crates/plan/src/batch.rs");
    let table = HEAD.to_owned()
        + &rows_of_steps(&read("crates/plan/src/step.rs"), "Step", "")
        + &rows_of_steps(&batches, "BatchStep", "BatchStep::")
        + &rows_of_steps(&batches, "ItemStep", "ItemStep::")
        + &rows_of_steps(&batches, "FitStep", "FitStep::");
    assert!(table.lines().count() > 20, "{table}");
    let path = "docs/architecture.md";
    let text = read(path);
    let (before, rest) = text.split_once(HEAD).expect("the page has the table");
    let end = rest.find("\n\n").map_or(rest.len(), |end| end + 1);
    let current = format!("{before}{table}{}", &rest[end..]);
    if std::env::var("UPDATE").is_ok_and(|value| value == "1") {
        std::fs::write(root.join(path), current).expect("the page can be written");
    } else {
        assert!(text == current, "{path} is stale: run this test with UPDATE=1\n{table}");
    }
}
