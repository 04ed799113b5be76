//! The order of the code for variables and nodes, and of the cleanup after each failure.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod support;

use fishplate_model::Language;
use fishplate_python_linker::{FragmentOp, FragmentType, Needs, link};
use std::sync::Arc;
use support::{Module, TextOp, TextType, compilers_for, number, program};

/// Records each action in the list `sys.log`, and fails as `sys.fails` specifies.
const NOTE: &str = r#"
static int note(const char *what)
{
    PyObject *type, *value, *traceback, *text, *fails;
    int failing;
    PyErr_Fetch(&type, &value, &traceback);
    text = PyUnicode_FromString(what);
    PyList_Append(PySys_GetObject("log"), text);
    fails = PySys_GetObject("fails");
    failing = PyUnicode_Compare(text, fails) == 0;
    Py_DECREF(text);
    PyErr_Restore(type, value, traceback);
    if (failing) {
        PyErr_SetString(PyExc_ValueError, what);
    }
    return failing;
}
"#;

fn needs() -> Needs {
    Needs { support_code: vec![NOTE.to_owned()], ..Needs::default() }
}

fn recorded() -> Arc<dyn FragmentType> {
    Arc::new(TextType {
        name: "recorded",
        declare: "PyObject *%(name)s;",
        init: r#"%(name)s = NULL; if (note("init %(name)s")) { %(fail)s }"#,
        extract: r#"%(name)s = NULL; if (note("extract %(name)s")) %(fail)s
            %(name)s = py_%(name)s; Py_INCREF(%(name)s);"#,
        sync: r#"if (note("sync %(name)s")) { %(fail)s }
            Py_XDECREF(py_%(name)s); py_%(name)s = %(name)s; Py_INCREF(%(name)s);"#,
        cleanup: r#"note("cleanup %(name)s"); Py_XDECREF(%(name)s);"#,
        needs: needs(),
        version: Some(1),
        ..TextType::default()
    })
}

fn op(name: &'static str) -> Arc<dyn FragmentOp> {
    Arc::new(TextOp {
        name,
        code: r#"
            Py_XDECREF(%(z)s);
            %(z)s = PyNumber_Add(%(x)s, %(y)s);
            if (%(z)s == NULL) { %(fail)s }
            if (note("code %(name)s")) { %(fail)s }"#,
        cleanup: r#"note("cleanup %(name)s");"#,
        needs: needs(),
        version: Some(1),
        ..TextOp::default()
    })
}

/// Tries every place of failure, and compares the log with the rules.
const EVERY_FAILURE: &str = "
class Value:
    def __init__(self, value):
        self.value = value
    def __add__(self, other):
        return Value(self.value + other.value)

def call(fails):
    sys.log, sys.fails = [], fails
    where = []
    x, y = Value(1), Value(2)
    counts = sys.getrefcount(x), sys.getrefcount(y), sys.getrefcount(constant)
    try:
        try:
            result = f(x, y).value
        finally:
            assert counts == (sys.getrefcount(x), sys.getrefcount(y), sys.getrefcount(constant))
    except ValueError as error:
        assert str(error) == fails, error
        return None
    return result

def made(log):
    return [step.split() for step in log]

constant = Value(100)
sys.log, sys.fails = [], ''
f = linked.instantiate(orphans())
start = sys.log
sys.log = []
assert call('') == 1 + 2 + 100 + 1, call('')
full = sys.log
assert full == SUCCESS, full
for step in full:
    if step.startswith('cleanup'):
        continue
    assert call(step) is None
    log = sys.log
    at = full.index(step)
    begun = full[:at + 1]
    assert log[:at + 1] == begun, (step, log)
    # The steps that began are reverted in reverse, and nothing is synced after a failure.
    undone = log[at + 1:]
    if step.startswith('sync'):
        assert undone == [s for s in full[at + 1:] if not s.startswith('sync')], (step, undone)
    else:
        want = ['cleanup ' + s.split()[1] for s in reversed(begun)]
        assert undone == want, (step, undone, want)
    # Nothing of the failure is left behind.
    assert call('') == 104 and sys.log == full
";

const SUCCESS_IN_C: [&str; 17] = [
    "extract V0",
    "extract V1",
    "init V2",
    "init V3",
    "init V4",
    "code node_0",
    "code node_1",
    "code node_2",
    "cleanup node_2",
    "cleanup node_1",
    "cleanup node_0",
    "sync V4",
    "cleanup V4",
    "cleanup V3",
    "cleanup V2",
    "cleanup V1",
    "cleanup V0",
];

#[test]
fn failures_undo_finished_steps() {
    let recorded = recorded();
    let mut f = program("f");
    let [x, y] = ["x", "y"].map(|name| f.input(name, &recorded));
    let a = f.apply(&op("first"), &[x, y], "a", &recorded);
    let b = f.apply(&op("second"), &[a, a], "b", &recorded);
    let c = f.apply(&op("third"), &[b, x], "c", &recorded);
    f.output(c);
    let linked = link(&f.program).unwrap();
    assert_eq!(linked.language(), Language::C);
    let script = format!("SUCCESS = {SUCCESS_IN_C:?}\norphans = tuple\n{EVERY_FAILURE}")
        .replace("1 + 2 + 100 + 1", "7")
        .replace("== 104", "== 7");
    for language in [Language::C, Language::Cxx] {
        let c = linked.print(language);
        for compiler in compilers_for(language) {
            let Some(module) = Module::new(&c, compiler, &[]) else { return };
            module.run(&script);
        }
    }
}

#[test]
fn a_constant_is_extracted_once() {
    let recorded = recorded();
    let mut f = program("f");
    let [x, y] = ["x", "y"].map(|name| f.input(name, &recorded));
    let k = f.constant("k", &recorded, number(100.0));
    let a = f.apply(&op("first"), &[x, y], "a", &recorded);
    let b = f.apply(&op("second"), &[a, k], "b", &recorded);
    let c = f.apply(&op("third"), &[b, x], "c", &recorded);
    f.output(c);
    let linked = link(&f.program).unwrap();
    assert_eq!((linked.language(), linked.orphans()), (Language::Cxx, [k].as_slice()));
    // Variables are numbered as they are in the program: here the constant comes third.
    let success: Vec<String> = (SUCCESS_IN_C.iter())
        .map(|step| match step.split_once(" V") {
            Some((what, number)) if number >= "2" => {
                format!("{what} V{}", number.parse::<u32>().unwrap() + 1)
            }
            _ => (*step).to_owned(),
        })
        .collect();
    let script = format!(
        "SUCCESS = {success:?}\norphans = lambda: (constant,)\n{EVERY_FAILURE}
assert start == ['extract V2'], start
sys.log = []
count = sys.getrefcount(constant)
del f
assert sys.log == ['cleanup V2'], sys.log
# The constant, and the tuple that was given: the function held both.
assert sys.getrefcount(constant) < count
sys.log, sys.fails = [], 'extract V2'
where = []
count = sys.getrefcount(constant)
try:
    linked.instantiate((constant,), None, lambda error, block: where.append(block))
except ValueError as error:
    assert str(error) == 'extract V2' and sys.log == ['extract V2', 'cleanup V2'], sys.log
    del error
else:
    assert False
assert len(where) == 1 and sys.getrefcount(constant) == count
"
    );
    let c = linked.print(Language::Cxx);
    for compiler in compilers_for(Language::Cxx) {
        let Some(module) = Module::new(&c, compiler, &[]) else { return };
        module.run(&script);
    }
}
