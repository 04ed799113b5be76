//! Templates: `<prefix>gesv` stands for `sgesv`, `dgesv`, `cgesv` and `zgesv`.
//!
//! Purpose: write out each routine of a `.pyf.src` once for each entry of its lists.
//! Invariant: text outside of routines is unchanged, apart from the definitions that it contains.
//! Reason: NumPy's build tools expand templates before f2py reads them, so the rest of the reader
//! sees signature files only.

use std::collections::BTreeMap;

/// Lists that every template may use without a definition.
const KNOWN: [(&str, &str); 8] = [
    ("_c", "s,d,c,z"),
    ("_t", "real,double precision,complex,double complex"),
    ("prefix", "s,d,c,z"),
    ("ftype", "real,double precision,complex,double complex"),
    ("ctype", "float,double,complex_float,complex_double"),
    ("ftypereal", "real,double precision,real,double precision"),
    ("ctypereal", "float,double,float,double"),
    ("rt", "real,double precision,real,double precision"),
];

/// Lists by their names.
type Lists = BTreeMap<String, Vec<String>>;

/// Expands a template whose includes are already part of it.
pub(super) fn expand(text: &str) -> String {
    let mut lists: Lists =
        KNOWN.iter().map(|(name, list)| ((*name).to_owned(), entries(list))).collect();
    let mut out = String::new();
    let mut routine: Option<String> = None;
    for line in text.split_inclusive('\n') {
        match &mut routine {
            None if starts_routine(line) => routine = Some(line.to_owned()),
            None => {
                each_pattern(line, |pattern| define(pattern, &mut lists));
                out.push_str(line);
            }
            Some(body) => {
                body.push_str(line);
                if ends_routine(line) {
                    repeat(body, &lists, &mut out);
                    routine = None;
                }
            }
        }
    }
    out.push_str(routine.as_deref().unwrap_or_default());
    out
}

fn starts_routine(line: &str) -> bool {
    let line = line.trim_start();
    ["subroutine", "function"].iter().any(|word| {
        let rest = line.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word));
        rest.is_some() && !line[word.len()..].starts_with(super::text::is_part)
    })
}

fn ends_routine(line: &str) -> bool {
    let line = line.trim_start();
    let end = line.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("end"));
    end && starts_routine(&line[3..])
}

/// Appends a routine once for each entry of its first list. Lists of another length are errors,
/// which the later phases report where the `<` is.
fn repeat(routine: &str, lists: &Lists, out: &mut String) {
    let mut lists = lists.clone();
    let mut first = None;
    each_pattern(routine, |pattern| {
        define(pattern, &mut lists);
        if first.is_none() {
            first = list(pattern, &lists).map(|list| list.len());
        }
    });
    for index in 0..first.unwrap_or(1) {
        let mut rest = routine;
        while let Some((before, pattern, after)) = next_pattern(rest) {
            out.push_str(&unescaped(before));
            match list(pattern, &lists).filter(|list| list.len() == first.unwrap_or(1)) {
                Some(list) => out.push_str(&unescaped(&list[index])),
                None => {
                    out.push('<');
                    out.push_str(&unescaped(pattern));
                    out.push('>');
                }
            }
            rest = after;
        }
        out.push_str(&unescaped(rest));
    }
}

fn each_pattern(text: &str, mut visit: impl FnMut(&str)) {
    let mut rest = text;
    while let Some((_, pattern, after)) = next_pattern(rest) {
        visit(pattern);
        rest = after;
    }
}

/// The text before `<pattern>`, the pattern, and the text after it. `<` and `>` are also operators
/// of C, so that a pattern is a name, a list, or a named list.
fn next_pattern(text: &str) -> Option<(&str, &str, &str)> {
    let bytes = text.as_bytes();
    let is_escaped = |at: usize| at > 0 && bytes[at - 1] == b'\\';
    let opens = text.match_indices('<').map(|(at, _)| at).filter(|at| !is_escaped(*at));
    for open in opens {
        let inside = text[open + 1..]
            .char_indices()
            .find(|(at, c)| *c == '\n' || (matches!(c, '<' | '>') && !is_escaped(open + 1 + at)));
        let Some((length, '>')) = inside else { continue };
        let pattern = &text[open + 1..open + 1 + length];
        let list = pattern.split_once('=').map_or(pattern, |(_, list)| list);
        let is_pattern = is_name(pattern.trim())
            || (list.contains(',')
                && !pattern.starts_with('=')
                && pattern.split_once('=').is_none_or(|(name, _)| is_name(name.trim()))
                && !list.contains(['=', '&', '|', ';']));
        if is_pattern {
            return Some((&text[..open], pattern, &text[open + length + 2..]));
        }
    }
    None
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn define(pattern: &str, lists: &mut Lists) {
    if let Some((name, list)) = pattern.split_once('=') {
        lists.insert(name.trim().to_owned(), entries(list));
    }
}

/// The list that a pattern stands for.
fn list(pattern: &str, lists: &Lists) -> Option<Vec<String>> {
    match pattern.split_once('=') {
        Some((_, list)) => Some(entries(list)),
        None if pattern.contains(',') => Some(entries(pattern)),
        None => lists.get(pattern.trim()).cloned(),
    }
}

/// The entries of a list: `\0` repeats the first one, and `\,` is a comma within an entry.
fn entries(list: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut escaped = false;
    for c in list.chars() {
        match c {
            ',' if !escaped => found.push(String::new()),
            _ => found.last_mut().into_iter().for_each(|entry| entry.push(c)),
        }
        escaped = c == '\\';
    }
    let found: Vec<String> = found.iter().map(|entry| entry.trim().to_owned()).collect();
    let repeated = |entry: &String| {
        let index: Option<usize> = entry.strip_prefix('\\').and_then(|text| text.parse().ok());
        index.and_then(|index| found.get(index)).unwrap_or(entry).clone()
    };
    found.iter().map(repeated).collect()
}

fn unescaped(text: &str) -> String {
    text.replace("\\,", ",").replace("\\<", "<").replace("\\>", ">")
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn each_entry_is_a_routine() {
        let text = "! <real=float,double,\\0>\nsubroutine <s,d,x>f(n)\n  <real> n = <(1\\,0),2,\\1>\n  \
                    for(i=0;i\\<n;) check(0<=n && n>1)\nend subroutine <s,d,x>f\nend\n";
        let one = |name: &str, real: &str, value: &str| {
            format!(
                "subroutine {name}f(n)\n  {real} n = {value}\n  for(i=0;i<n;) check(0<=n && \
                 n>1)\nend subroutine {name}f\n"
            )
        };
        let all = [one("s", "float", "(1,0)"), one("d", "double", "2"), one("x", "float", "2")];
        assert_eq!(expand(text), format!("! <real=float,double,\\0>\n{}end\n", all.concat()));
    }

    #[test]
    fn lists_of_other_lengths_and_unknown_names_remain() {
        let text = "subroutine <s,d>f(<a,b,c>, <what>)\nend subroutine\n";
        let expected = "subroutine sf(<a,b,c>, <what>)\nend subroutine\nsubroutine df(<a,b,c>, \
                        <what>)\nend subroutine\n";
        assert_eq!(expand(text), expected);
        assert_eq!(expand("subroutine f(<s,d>"), "subroutine f(<s,d>");
    }
}
