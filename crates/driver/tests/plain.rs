//! A new host is its folder and a line of the registry: `plain/` is one, and no other file refers
//! to it.
//!
//! Purpose: build its output with a real compiler, call it, and see that features it lacks are
//! refused.
//! Invariant: the host is passed where the registry's hosts are passed.
//! Reason: if a new host needed more than its folder, this test could not compile or not pass.

#[path = "plain/host.rs"]
mod host;
#[path = "plain/print.rs"]
mod print;

use fishplate_driver::{BuildOptions, Installations, build_file, check_file, explain, plan_file};
use fishplate_model::Code;
use host::Plain;
use std::fs;
use std::path::Path;
use std::process::Command;

const INTERFACE: &str = "\
[module]
name    = \"stats\"
headers = [\"stats.h\"]
sources = [\"stats.c\"]

[function.mean]
proto = \"double mean(long n, const double x[n])\"

[function.scaled]
proto = \"status int scaled(long n, const double x[n], double by, out double y[n], hidden int job = 1)\"

[function.add]
proto = \"void add(long n, inplace double x[n], const double y[n], inplace double *total)\"

[function.reversed]
proto = \"void reverse(long n, in out double x[n])\"
";

const HEADER: &str = "\
double mean(long n, const double *x);
int scaled(long n, const double *x, double by, double *y, int job);
void add(long n, double *x, const double *y, double *total);
void reverse(long n, double *x);
";

const SOURCE: &str = "\
#include \"stats.h\"
double mean(long n, const double *x) { double s = 0; for (long i = 0; i < n; i++) s += x[i]; return s / (double)n; }
int scaled(long n, const double *x, double by, double *y, int job)
{ for (long i = 0; i < n; i++) y[i] = x[i] * by * job; return by == 0; }
void add(long n, double *x, const double *y, double *total)
{ for (long i = 0; i < n; i++) { x[i] += y[i]; *total += x[i]; } }
void reverse(long n, double *x)
{ for (long i = 0; i < n / 2; i++) { double t = x[i]; x[i] = x[n - 1 - i]; x[n - 1 - i] = t; } }
";

const MAIN: &str = "\
#include \"stats_plain.h\"
int main(void)
{
    double values[3] = {1, 2, 6}, more[3] = {1, 1, 1}, mean = 0, total = 100;
    fp_array x = {values, \"float64\", 1, {3}}, y = {more, \"float64\", 1, {3}}, made = {0};
    fp_array wrong = {values, \"float32\", 1, {3}}, two = {more, \"float64\", 1, {2}};
    fp_error why = {{0}};
    int ok = stats_mean_checked(&x, &mean, &why);
    printf(\"%d %g\\n\", ok, mean);
    ok = stats_scaled_checked(&x, 2, &made, &why);
    printf(\"%d %g %g %g\\n\", ok, ((double *)made.data)[0], ((double *)made.data)[1], ((double *)made.data)[2]);
    free(made.data);
    ok = stats_scaled_checked(&x, 0, &made, &why);
    printf(\"%d %s\\n\", ok, why.text);
    ok = stats_mean_checked(&wrong, &mean, &why);
    printf(\"%d %s\\n\", ok, why.text);
    ok = stats_add_checked(&x, &two, &total, &why);
    printf(\"%d %s\\n\", ok, why.text);
    ok = stats_add_checked(&x, &y, &total, &why);
    printf(\"%d %g %g\\n\", ok, values[2], total);
    ok = stats_reversed_checked(&x, &made, &why);
    printf(\"%d %g %g\\n\", ok, ((double *)made.data)[0], values[0]);
    free(made.data);
    return 0;
}
";

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a writable folder");
    }
}

#[test]
fn its_output_is_built_and_called() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    write(
        root,
        &[("stats.toml", INTERFACE), ("stats.h", HEADER), ("stats.c", SOURCE), ("main.c", MAIN)],
    );
    let options = BuildOptions {
        file: root.join("stats.toml"),
        host: &Plain,
        installations: Installations::default(),
        out: root.to_owned(),
        stable_abi: false,
    };
    let built = build_file(&options, &mut |_| {});
    assert_eq!(built.diagnostics, []);
    assert_eq!(built.value.expect("a module").path, root.join("stats.so"));
    let emitted = fishplate_driver::emit_file(&options.file, &Plain).value.expect("files");
    for file in &emitted.files {
        write(root, &[(&file.name, &file.contents)]);
    }
    // Exported symbols of modules are hidden, so that the program has the generated unit itself.
    let program = root.join("program");
    let sources = ["main.c", "stats_plain.c", "stats.c"].map(|name| root.join(name));
    let compiled = Command::new("cc")
        .args(["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-I"])
        .arg(root)
        .args(sources)
        .arg("-o")
        .arg(&program)
        .output()
        .expect("a C compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let report = Command::new(program).output().expect("a program");
    assert_eq!(
        String::from_utf8_lossy(&report.stdout),
        "1 3\n1 2 4 12\n0 scaled failed\n0 argument 'x': wanted a 1-D array of float64\n\
         0 argument 'y': dimension 0 is 2, not 3\n1 7 112\n1 7 2\n"
    );
}

/// Each feature that it lacks is refused by name, and never reaches the printer.
#[test]
fn features_that_it_lacks_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("wide.toml");
    let functions = [
        ("strings", "long f(const char *s)"),
        ("arrays of bytes", "void f(long n, const bytes x[n])"),
        ("pointers that C returns", "void f(out own(free) char **s)"),
        ("callbacks", "double f(double (*g)(double x), double x)"),
        ("optional arguments", "double f(double x = 1)"),
        ("arrays in Fortran's order", "void f(long n, fortran const double x[n][n])"),
    ];
    for (feature, proto) in functions {
        let text = format!("[module]\nname = \"wide\"\n\n[function.f]\nproto = \"{proto}\"\n");
        fs::write(&path, text).expect("a writable folder");
        let found = check_file(&path, &Plain);
        let first = found.diagnostics.first().unwrap_or_else(|| panic!("{feature}: {proto}"));
        assert_eq!(first.code, Code::UNSUPPORTED, "{feature}: {}", first.message);
        assert!(first.message.contains(&format!("uses {feature}, ")), "{}", first.message);
        assert!(first.message.contains("plain C") && found.value.is_none());
        let python = check_file(&path, &fishplate_host_python::Python);
        assert_eq!(python.diagnostics, [], "{feature}");
    }
    let declared = [
        ("constants", "[constants]\nvalues = [\"EOF\"]"),
        ("enums", "[enum.E]\nctype = \"enum e\"\nvalues = [\"A\"]"),
        ("overloads", "[function.g]\nproto = [\"double g(double x)\", \"float h(float x)\"]"),
        ("locks", "[function.g]\nproto = \"int g(int x)\"\nthreads = \"module-lock\""),
    ];
    for (feature, table) in declared {
        let text = format!(
            "[module]\nname = \"wide\"\n\n[function.f]\nproto = \"int f(int x)\"\n\n{table}\n"
        );
        fs::write(&path, text).expect("a writable folder");
        let found = check_file(&path, &Plain);
        let refused = found.diagnostics.iter().any(|one| {
            one.code == Code::UNSUPPORTED && one.message.contains(&format!("uses {feature}, "))
        });
        assert!(refused, "{feature}: {:?}", found.diagnostics);
    }
}

#[test]
fn explanations_use_its_words() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), &[("stats.toml", INTERFACE), ("stats.c", SOURCE)]);
    let plan = plan_file(&folder.path().join("stats.toml"), &Plain).value.expect("a plan");
    let text: String = plan.functions.iter().map(|one| explain(one, &Plain)).collect();
    assert!(text.contains("an error") && !text.contains("Python"), "{text}");
}
