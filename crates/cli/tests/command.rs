//! The command from the perspective of a person or a script: exit codes, streams, JSON.

// Tests may read and write files.
#![allow(clippy::disallowed_methods)]

use std::path::Path;
use std::process::{Command, Output};

const GOOD: &str = "[module]\nname = \"roots\"\nheaders = [\"<math.h>\"]\n\n[function.root]\n\
                    doc = \"Square root.\"\nproto = \"double sqrt(double x)\"\n";
const BAD: &str = "[module]\nname = \"roots\"\n\n[function.root]\n\
                   proto = \"double f(double *x, duoble y)\"\n\n[function.other]\n\
                   proto = \"void g(double *x)\"\n";

fn fishplate(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fishplate"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts")
}

fn folder_with(interface: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("roots.toml"), interface).expect("a file can be written");
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn check_says_that_all_is_well() {
    let folder = folder_with(GOOD);
    let output = fishplate(folder.path(), &["check", "roots.toml"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "roots.toml: 1 function, no errors\n");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn check_takes_several_files() {
    let folder = folder_with(GOOD);
    std::fs::write(folder.path().join("bad.toml"), BAD).expect("a file can be written");
    let output = fishplate(folder.path(), &["check", "roots.toml", "bad.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "roots.toml: 1 function, no errors\n");
    assert!(text(&output.stderr).contains("errors in bad.toml"));
    let output = fishplate(folder.path(), &["--json", "check", "roots.toml", "bad.toml"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&value["ok"], &value["functions"]), (&false.into(), &1.into()));
    assert_eq!(value["diagnostics"][0]["file"], "bad.toml");
}

#[test]
fn a_file_that_is_no_interface_is_refused_by_its_name() {
    let folder = folder_with(GOOD);
    std::fs::write(folder.path().join("roots.c"), "double f(double x);\n").expect("written");
    for (name, what) in [("roots.c", "a source file"), ("roots.hpp", "a header of C++")] {
        let output = fishplate(folder.path(), &["check", name]);
        assert_eq!(output.status.code(), Some(1));
        let printed = text(&output.stderr);
        assert!(printed.contains(&format!("`{name}` is {what}, not an interface")), "{printed}");
        assert!(printed.contains("1 error in"), "{printed}");
    }
}

#[test]
fn lua_and_python_are_distinguished() {
    let folder = folder_with(GOOD);
    for more in [&["--host", "python"][..], &["--python", "python3"]] {
        let arguments = [&["build", "roots.toml", "--lua", "lua5.4"], more].concat();
        let output = fishplate(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("--lua"), "{}", text(&output.stderr));
    }
    // An option for a Lua alone selects the host.
    let output = fishplate(folder.path(), &["build", "roots.toml", "--lua", "lua9"]);
    assert!(text(&output.stderr).contains("`lua9` is no Lua"), "{}", text(&output.stderr));
}

#[test]
fn check_reports_all_mistakes_at_once_and_fails() {
    let folder = folder_with(BAD);
    let output = fishplate(folder.path(), &["check", "roots.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
    let printed = text(&output.stderr);
    assert!(printed.contains("error[FP0202]") && printed.contains("error[FP0301]"), "{printed}");
    assert!(printed.contains("roots.toml:5:") && printed.contains("roots.toml:8:"), "{printed}");
    assert!(!printed.contains('\u{1b}'), "no colours outside a terminal: {printed}");
}

#[test]
fn json_is_one_value_on_standard_output() {
    let folder = folder_with(BAD);
    let output = fishplate(folder.path(), &["--json", "check", "roots.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["ok"], false);
    assert_eq!(value["diagnostics"][0]["code"], "FP0202");
    assert_eq!(value["diagnostics"][0]["primary"]["span"]["line"], 5);
}

#[test]
fn exit_codes_separate_usage_from_interface_errors() {
    let folder = folder_with(GOOD);
    assert_eq!(fishplate(folder.path(), &["chekc", "roots.toml"]).status.code(), Some(2));
    let missing = fishplate(folder.path(), &["check", "none.toml"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("cannot read none.toml"));
}

#[test]
fn emit_writes_source_only() {
    let folder = folder_with(GOOD);
    let output = fishplate(folder.path(), &["emit", "roots.toml", "--host", "python", "-o", "c"]);
    assert_eq!(output.status.code(), Some(0));
    for name in ["roots_python.c", "fishplate_python.h", "roots.pyi"] {
        assert!(folder.path().join("c").join(name).is_file(), "{name}");
    }
}

#[test]
fn emit_never_overwrites_foreign_files() {
    let folder = folder_with(GOOD);
    let stub = folder.path().join("roots.pyi");
    std::fs::write(&stub, "def root(x: float) -> float: ...\n").expect("a file can be written");
    let output = fishplate(folder.path(), &["emit", "roots.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("not generated by Fishplate"));
    let kept = std::fs::read_to_string(&stub).expect("it is still there");
    assert_eq!(kept, "def root(x: float) -> float: ...\n");
}

#[test]
fn explain_knows_its_functions() {
    let folder = folder_with(GOOD);
    let output = fishplate(folder.path(), &["explain", "roots.toml", "root"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("call     sqrt"));
    let unknown = fishplate(folder.path(), &["explain", "roots.toml", "square"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(text(&unknown.stderr).contains("it has root"));
}

#[test]
fn explain_knows_every_diagnostic() {
    let folder = folder_with(GOOD);
    for code in ["FP0303", "fp0303"] {
        let output = fishplate(folder.path(), &["explain", code]);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
        let page = text(&output.stdout);
        assert!(page.starts_with("FP0303: an undefined name in an expression\n\n"), "{page}");
        assert!(
            page.contains("    # wrong.toml\n") && page.contains("    # right.toml\n"),
            "{page}"
        );
    }
    let output = fishplate(folder.path(), &["--json", "explain", "FP0303"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["heading"], "FP0303: an undefined name in an expression");
    assert!(value["text"].as_str().is_some_and(|text| text.contains("```toml")));

    let unknown = fishplate(folder.path(), &["explain", "FP303"]);
    assert_eq!((unknown.status.code(), text(&unknown.stdout)), (Some(1), String::new()));
    let printed = "error: unknown diagnostic FP303; did you mean FP0303: an undefined name";
    assert!(text(&unknown.stderr).starts_with(printed), "{}", text(&unknown.stderr));
    let unknown = fishplate(folder.path(), &["--json", "explain", "FP303"]);
    let value: serde_json::Value = serde_json::from_slice(&unknown.stdout).expect("JSON");
    assert_eq!((&value["ok"], unknown.status.code()), (&false.into(), Some(1)));

    let both = fishplate(folder.path(), &["explain", "FP0303", "root"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(text(&both.stderr).contains("FP0303 is a diagnostic"), "{}", text(&both.stderr));
}

#[test]
fn init_writes_once_and_its_draft_checks() {
    let folder = folder_with(GOOD);
    let header = "double sqrt(double x); int gets(char *s);";
    std::fs::write(folder.path().join("plain.h"), header).expect("a file can be written");
    let output = fishplate(folder.path(), &["init", "plain.h", "--name", "first"]);
    assert_eq!(text(&output.stdout), "first.toml\n");
    assert!(text(&output.stderr).starts_with("1 function guessed, 1 left out"));
    assert_eq!(fishplate(folder.path(), &["check", "first.toml"]).status.code(), Some(0));
    let again = fishplate(folder.path(), &["init", "plain.h", "--name", "first"]);
    assert_eq!(again.status.code(), Some(1));
    let hint =
        "name another file with --out, or add what is new to this one with --update first.toml";
    let refused = format!("error: first.toml is there already: {hint}\n");
    // The functions of a draft that is not written are not counted.
    assert_eq!(text(&again.stderr), refused);
    let update = fishplate(folder.path(), &["init", "--update", "first.toml"]);
    let unchanged = "first.toml names every function of its headers; nothing was changed\n";
    assert!(text(&update.stderr).starts_with(unchanged), "{}", text(&update.stderr));
    let shown = fishplate(folder.path(), &["init", "plain.h", "--out", "-", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    assert_eq!((&value["ok"], &value["functions"]), (&true.into(), &1.into()));
    assert_eq!(
        value["left_out"][0]["reason"],
        "the parameter `s` is a string buffer with no known size"
    );
    let nothing = fishplate(folder.path(), &["init", "plain.h", "--only", "sq", "--out", "-"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(text(&nothing.stderr).contains("error[FP0403]"));
    assert_eq!(
        fishplate(folder.path(), &["init", "plain.h", "--only", "("]).status.code(),
        Some(2)
    );
}

#[test]
fn init_names_the_schema_that_is_there() {
    let folder = folder_with("");
    std::fs::write(folder.path().join("plain.h"), "double sqrt(double x);").expect("written");
    let schema = fishplate(folder.path(), &["schema"]).stdout;
    std::fs::write(folder.path().join("interface.schema.json"), schema).expect("written");
    std::fs::create_dir_all(folder.path().join("src/deep")).expect("a folder can be made");
    for (out, line) in [
        ("first.toml", "#:schema ./interface.schema.json\n\n"),
        ("src/deep/first.toml", "#:schema ../../interface.schema.json\n\n"),
    ] {
        let output = fishplate(folder.path(), &["init", "plain.h", "-o", out]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let draft = std::fs::read_to_string(folder.path().join(out)).expect("it is there");
        assert!(draft.starts_with(line), "{draft}");
        assert_eq!(fishplate(folder.path(), &["check", out]).status.code(), Some(0));
        let output = fishplate(folder.path(), &["init", "plain.h", "--update", out]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let updated = std::fs::read_to_string(folder.path().join(out)).expect("it is there");
        assert_eq!(updated.matches("#:schema").count(), 1);
    }
}

#[test]
fn annotations_are_a_header_of_empty_macros() {
    let folder = folder_with(GOOD);
    let output = fishplate(folder.path(), &["init", "--annotations"]);
    assert_eq!(text(&output.stdout), "fishplate.h\n");
    let header = std::fs::read_to_string(folder.path().join("fishplate.h")).expect("it is there");
    assert!(header.contains("#define FP_OUT\n"));
    let header = "#include \"fishplate.h\"\ndouble sqrt(double x FP_DEFAULT(2));";
    std::fs::write(folder.path().join("root.h"), header).expect("a file can be written");
    assert_eq!(fishplate(folder.path(), &["check", "root.h"]).status.code(), Some(0));
}

#[test]
fn help_teaches() {
    let folder = folder_with(GOOD);
    for arguments in [&["--help"][..], &["build", "--help"], &["explain", "--help"]] {
        let output = fishplate(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(
            text(&output.stdout).contains("fishplate build stats.toml")
                || text(&output.stdout).contains("fishplate explain stats.toml")
        );
    }
}

#[test]
fn schema_is_json_schema() {
    let folder = folder_with(GOOD);
    let output = fishplate(folder.path(), &["schema"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(value["$schema"].as_str().is_some_and(|schema| schema.contains("json-schema.org")));
}

const CONFIGURATION: &str = "[MODULE roots]\nincludes: <math.h>\nellipses: none\n\n[KERNEL root]\n\
                             prototypes: double sqrt(double x);\ninput: x\n";

#[test]
fn convert_prints_or_writes_an_interface() {
    let folder = folder_with("");
    let configuration = folder.path().join("roots-kernels.cfg");
    std::fs::write(&configuration, CONFIGURATION).expect("a file can be written");
    let interface = "[module]\nedition = 1\nname    = \"roots\"\nheaders = [\"<math.h>\"]\n\n[function.root]\n\
                     proto = \"double sqrt(double x)\"\n";
    let printed = fishplate(folder.path(), &["convert", "roots-kernels.cfg"]);
    assert_eq!((text(&printed.stdout), printed.status.code()), (interface.to_owned(), Some(0)));

    let written =
        fishplate(folder.path(), &["convert", "roots-kernels.cfg", "--out", "converted.toml"]);
    assert_eq!(
        (text(&written.stdout), written.status.code()),
        ("converted.toml\n".into(), Some(0))
    );
    let there = std::fs::read_to_string(folder.path().join("converted.toml")).expect("written");
    assert_eq!(there, interface);

    // An existing file is not overwritten.
    let refused =
        fishplate(folder.path(), &["--json", "convert", "roots-kernels.cfg", "-o", "roots.toml"]);
    let value: serde_json::Value = serde_json::from_slice(&refused.stdout).expect("JSON");
    assert_eq!(refused.status.code(), Some(1));
    assert!(value["error"].as_str().is_some_and(|error| error.contains("roots.toml is there")));
    assert_eq!(
        (&value["interface"], &value["file"]),
        (&interface.into(), &serde_json::Value::Null)
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("roots.toml")).expect("there"), "");
}

#[test]
fn convert_reports_errors_and_writes_nothing() {
    let folder = folder_with("");
    let configuration = folder.path().join("roots-kernels.cfg");
    let wrong = CONFIGURATION.replace("input: x", "input: y");
    std::fs::write(&configuration, wrong).expect("a file can be written");
    let output = fishplate(folder.path(), &["convert", "roots-kernels.cfg", "-o", "new.toml"]);
    assert_eq!((text(&output.stdout), output.status.code()), (String::new(), Some(1)));
    assert!(text(&output.stderr).contains("error[FP0609]"));
    assert!(!folder.path().join("new.toml").exists());
}

fn lua(script: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("script.lua"), script).expect("a file can be written");
    fishplate(folder.path(), &[&["lua"], arguments].concat())
}

#[test]
fn lua_gives_a_script_its_arguments() {
    let script = "#!/usr/bin/lua\nprint(arg[0], arg[1], #arg, ..., arg[-1])";
    let output = lua(script, &["script.lua", "--json", "--explain"]);
    assert_eq!(text(&output.stderr), "");
    assert_eq!(text(&output.stdout), "script.lua\t--json\t2\t--json\tlua\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn lua_has_wrap_and_the_modules_beside_a_script() {
    let script = "assert(require 'wrap' == wrap and require 'cwrap' == wrap)\n\
                  print(debug.getinfo(1).short_src, package.path:find('?.lua', 1, true) ~= nil)\n\
                  assert(not pcall(require, 'lfs'))";
    let output = lua(script, &["script.lua"]);
    assert_eq!(text(&output.stdout), "script.lua\ttrue\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn lua_shows_an_error_with_its_traceback() {
    let output = lua("local function f() error('no good') end\nf()\n", &["script.lua"]);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stderr);
    assert!(
        printed.starts_with("fishplate lua: script.lua:1: no good\nstack traceback:"),
        "{printed}"
    );
    assert!(printed.contains("script.lua:2: in "), "{printed}");

    for (script, printed) in [
        ("error({})", "(error object is a table value)"),
        ("error(nil)", "(error object is a nil value)"),
        ("local = 1", "script.lua:1: "),
    ] {
        let output = lua(script, &["script.lua"]);
        assert_eq!(output.status.code(), Some(1), "{script}");
        assert!(text(&output.stderr).contains(printed), "{}", text(&output.stderr));
    }
    let output = lua("", &["none.lua"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot open none.lua"));
    assert_eq!(lua("", &[]).status.code(), Some(2));
    assert_eq!(lua("os.exit(7)", &["script.lua"]).status.code(), Some(7));
}

#[test]
fn lua_explains_unreachable_overloads() {
    let script = "local i = require('wrap').CInterface.new()\n\
                  i:wrap('f', 'f', {{name = 'int'}}, 'g', {{name = 'long'}})\n";
    let output = lua(script, &["--explain", "script.lua"]);
    assert_eq!(
        text(&output.stderr),
        "f: list 2 (g: long) is never reached: those before it take the same calls\n"
    );
    assert_eq!(output.status.code(), Some(0));
}
