//! Roles of variables in the function: inputs that are passed twice or are outputs, literals,
//! unused inputs, parameters, objects that persist between calls.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod support;

use fishplate_model::Language;
use fishplate_python_linker::types::{DType, Scalar};
use fishplate_python_linker::{
    FragmentOp, FragmentType, LinkError, Number, VariableRole, Version, link,
};
use std::sync::Arc;
use support::{Module, TextOp, TextType, compilers, compilers_for, number, program};

fn float() -> TextType {
    TextType {
        name: "float",
        declare: "double %(name)s;",
        init: "%(name)s = 0;",
        extract: "if (%(check)s && !PyFloat_Check(py_%(name)s)) {
                PyErr_SetString(PyExc_TypeError, \"no float\"); %(fail)s
            }
            %(name)s = PyFloat_AS_DOUBLE(py_%(name)s);",
        sync: "Py_XDECREF(py_%(name)s); py_%(name)s = PyFloat_FromDouble(%(name)s);",
        has_literals: true,
        version: Some(1),
        ..TextType::default()
    }
}

fn add() -> Arc<dyn FragmentOp> {
    Arc::new(TextOp {
        name: "add",
        code: "%(z)s = %(x)s + %(y)s;",
        version: Some(2),
        ..TextOp::default()
    })
}

fn run(linked: &fishplate_python_linker::Linked, language: Language, script: &str) {
    let c = linked.print(language);
    for compiler in compilers(&c) {
        // A variable that is not read belongs to the user.
        let flags = ["-Wno-unused-but-set-variable"];
        let Some(module) = Module::new(&c, compiler, &flags) else { return };
        module.run(script);
    }
}

#[test]
fn inputs_twice_unused_and_passed_on() {
    let float: Arc<dyn FragmentType> = Arc::new(float());
    let mut f = program("f");
    let x = f.input("x", &float);
    let y = f.input("y", &float);
    let unused = f.input("unused", &float);
    f.program.inputs.push(x);
    let two = f.constant("two", &float, number(2.0));
    let three = f.constant("three", &float, number(3.0));
    let z = f.apply(&add(), &[x, y], "z", &float);
    let w = f.apply(&add(), &[two, z], "w", &float);
    for output in [z, x, w, z, three] {
        f.output(output);
    }
    let linked = link(&f.program).unwrap();
    assert_eq!(linked.role(unused), &VariableRole::Input);
    assert_eq!(linked.role(two), &VariableRole::Literal("(2.0)".to_owned()));
    // Outputs for the caller are objects, even if C has a literal for them.
    assert_eq!(linked.role(three), &VariableRole::Orphan { orphan: 0 });
    run(
        &linked,
        linked.language(),
        "three = object()
try:
    linked.instantiate(())
except TypeError as error:
    assert str(error) == 'f has 1 constants (0 given)', error
f = linked.instantiate((3.0,))
a, b = 1.0, 10.0
z, x, w, z2, three = f(5.0, b, 0.5, a)
assert (z, x, w, z2, three) == (11.0, 1.0, 13.0, 11.0, 3.0) and x is a and z is z2
# The unused input's type is not asked to check it.
assert f(5.0, b, 0.25, a)[0] == 11.0
",
    );
}

#[test]
fn literals_are_of_their_type() {
    let float32: Arc<dyn FragmentType> = Arc::new(Scalar(DType::Float32));
    let size: Arc<dyn FragmentOp> = Arc::new(TextOp {
        name: "size",
        code: "%(z)s = sizeof %(x)s + 100 * sizeof %(y)s;",
        ..TextOp::default()
    });
    let int64: Arc<dyn FragmentType> = Arc::new(Scalar(DType::Int64));
    let complex: Arc<dyn FragmentType> = Arc::new(Scalar(DType::Complex128));
    let mut f = program("f");
    let a = f.constant("a", &float32, number(0.1));
    let b = f.constant("b", &int64, Number::Integer(i64::MIN.into()));
    let one = f.constant("one", &int64, Number::Integer(1));
    let z = f.apply(&size, &[a, b], "z", &int64);
    let w = f.apply(&add(), &[b, one], "w", &int64);
    f.output(z);
    f.output(w);
    let linked = link(&f.program).unwrap();
    assert!(linked.orphans().is_empty());
    assert_eq!(linked.version(), &Version::ThisProcess);
    let mut c = program("c");
    let k = c.constant("k", &complex, Number::Complex(1.0, 2.0));
    c.output(k);
    assert_eq!(link(&c.program).unwrap().orphans(), [k]);
    let source = linked.print(Language::C).source;
    assert!(
        source.contains("sizeof (0.1f) + 100 * sizeof ((npy_int64)(-9223372036854775807LL - 1))")
    );
    let script = "z, w = linked.instantiate(())(); assert (z, w) == (804, 1 - 2**63), (z, w)";
    let c = linked.print(Language::C);
    for compiler in compilers_for(Language::C) {
        let Some(module) = Module::new(&c, compiler, &[]) else { return };
        module.run(script);
    }
}

#[test]
fn each_state_counts_apart() {
    let float: Arc<dyn FragmentType> = Arc::new(float());
    let count: Arc<dyn FragmentOp> = Arc::new(TextOp {
        name: "count",
        code: "%(z)s = counter_%(name)s++ + bump_%(name)s(0); (void)%(x)s;",
        members: "double counter_%(name)s; double bump_%(name)s(double by) { return by; }",
        init_members: "counter_%(name)s = 0;",
        cleanup_members: "PyList_Append(PySys_GetObject(\"log\"), Py_None);",
        version: Some(1),
        ..TextOp::default()
    });
    let mut f = program("f");
    let x = f.input("x", &float);
    let z = f.apply(&count, &[x], "z", &float);
    let w = f.apply(&count, &[x], "w", &float);
    f.output(z);
    f.output(w);
    let linked = link(&f.program).unwrap();
    assert_eq!(linked.language(), Language::Cxx);
    run(
        &linked,
        Language::C, // members make it C++ all the same
        "sys.log = []
f, g = linked.instantiate(()), linked.instantiate(())
assert [f(1.0) for _ in range(3)] == [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]
assert g(1.0) == (0.0, 0.0) and f(1.0) == (3.0, 3.0)
import threading
threads = [threading.Thread(target=lambda: [f(1.0) for _ in range(5000)]) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert f(1.0) == (40004.0, 40004.0)
del f
assert len(sys.log) == 2
",
    );
}

#[test]
fn one_function_many_threads() {
    // The op releases the GIL, so that calls of one function run concurrently.
    let float: Arc<dyn FragmentType> = Arc::new(float());
    let slow: Arc<dyn FragmentOp> = Arc::new(TextOp {
        name: "slow",
        code: "Py_BEGIN_ALLOW_THREADS
            for (volatile int i = 0; i < 2000; i++) { %(z)s += %(x)s; }
            Py_END_ALLOW_THREADS",
        version: Some(1),
        ..TextOp::default()
    });
    let mut f = program("f");
    let x = f.input("x", &float);
    let a = f.apply(&slow, &[x], "a", &float);
    let b = f.apply(&slow, &[a], "b", &float);
    f.output(b);
    run(
        &link(&f.program).unwrap(),
        Language::C,
        "import threading
f = linked.instantiate(())
wrong = []
def work(x):
    for _ in range(300):
        if f(x) != x * 4e6:
            wrong.append(x)
threads = [threading.Thread(target=work, args=(float(i),)) for i in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert wrong == []
",
    );
}

#[test]
fn versions_and_errors() {
    let float = float();
    let unversioned: Arc<dyn FragmentType> = Arc::new(TextType { version: None, ..float.clone() });
    let other: Arc<dyn FragmentType> =
        Arc::new(TextType { compiler: Some("clang"), ..float.clone() });
    let no_code: Arc<dyn FragmentType> = Arc::new(TextType { declare: "", ..float.clone() });
    let versioned: Arc<dyn FragmentType> = Arc::new(float);
    let link_one = |ty: &Arc<dyn FragmentType>, op: TextOp| {
        let op: Arc<dyn FragmentOp> = Arc::new(op);
        let mut f = program("f");
        let x = f.input("x", ty);
        let z = f.apply(&op, &[x], "z", ty);
        f.output(z);
        link(&f.program)
    };
    let copy =
        TextOp { name: "copy", code: "%(z)s = %(x)s;", version: Some(7), ..TextOp::default() };
    let linked = link_one(&versioned, copy.clone()).unwrap();
    assert_eq!(linked.version(), &Version::Parts(["/", "1", "/", "7"].map(str::to_owned).into()));
    assert_eq!(link_one(&unversioned, copy.clone()).unwrap().version(), &Version::ThisProcess);
    let unversioned_op = TextOp { version: None, ..copy.clone() };
    assert_eq!(link_one(&versioned, unversioned_op).unwrap().version(), &Version::ThisProcess);

    let message = |result: Result<_, LinkError>| result.err().expect("an error").to_string();
    assert_eq!(
        message(link_one(&no_code, copy.clone())),
        "Type of x cannot produce C code: float has no c_declare"
    );
    let op = TextOp { code: "", ..copy.clone() };
    assert_eq!(message(link_one(&versioned, op)), "copy cannot produce C code");
    let op = TextOp { fails: true, ..copy.clone() };
    assert_eq!(message(link_one(&versioned, op)), "copy.c_code in z = copy(x): no mood for code");
    let op = TextOp { compiler: Some("nvcc"), ..copy };
    assert_eq!(
        message(link_one(&other, op)),
        "float asks for the compiler clang, but copy for nvcc: one function has one compiler"
    );

    let mut f = program("f");
    let x = f.variable("x", &versioned);
    let z = f.apply(&add(), &[x, x], "z", &versioned);
    f.output(z);
    assert_eq!(
        message(link(&f.program)),
        "add (node 0) reads x, which is neither an input nor a constant, and which no earlier node computes"
    );
}

#[test]
fn check_input_is_asked_by_clients_and_owner() {
    let float: Arc<dyn FragmentType> = Arc::new(float());
    let blind: Arc<dyn FragmentOp> = Arc::new(TextOp {
        name: "blind",
        code: "%(z)s = %(x)s;",
        no_check_input: true,
        ..TextOp::default()
    });
    for (op, checks) in [(blind, "0"), (add(), "1")] {
        let mut f = program("f");
        let x = f.input("x", &float);
        let z = f.apply(&op, &[x, x], "z", &float);
        f.output(z);
        let source = link(&f.program).unwrap().print(Language::C).source;
        assert!(source.contains(&format!("if ({checks} && !PyFloat_Check(py_V0))")), "{source}");
    }
}

#[test]
fn recycled_outputs_start_from_the_last() {
    let list: Arc<dyn FragmentType> = Arc::new(TextType {
        name: "list",
        declare: "PyObject *%(name)s;",
        init: "%(name)s = PyList_New(0); if (%(name)s == NULL) { %(fail)s }",
        extract: "%(name)s = Py_NewRef(py_%(name)s);",
        sync: "Py_XDECREF(py_%(name)s); py_%(name)s = Py_NewRef(%(name)s);",
        cleanup: "Py_XDECREF(%(name)s);",
        ..TextType::default()
    });
    let float: Arc<dyn FragmentType> = Arc::new(float());
    let append: Arc<dyn FragmentOp> = Arc::new(TextOp {
        name: "append",
        code: "PyObject *number = PyFloat_FromDouble(%(x)s);
            if (number == NULL || PyList_Append(%(z)s, number) < 0) { Py_XDECREF(number); %(fail)s }
            Py_DECREF(number);",
        ..TextOp::default()
    });
    for recycled in [false, true] {
        let mut f = program("f");
        let x = f.input("x", &float);
        let z = f.apply(&append, &[x], "z", &list);
        if recycled {
            f.recycled(z)
        } else {
            f.output(z)
        }
        let linked = link(&f.program).unwrap();
        assert_eq!(
            linked.role(z),
            if recycled { &VariableRole::Recycled } else { &VariableRole::Output }
        );
        let expected = if recycled { "[1.0, 2.0]" } else { "[2.0]" };
        run(
            &linked,
            Language::C,
            &format!("f = linked.instantiate(()); a = f(1.0); assert f(2.0) == {expected}"),
        );
    }
}

#[test]
fn names_may_be_put_together_by_macros() {
    let float: Arc<dyn FragmentType> = Arc::new(TextType {
        needs: fishplate_python_linker::Needs {
            support_code: vec![
                "#define OBJECT(name) py_##name\n#define STORAGE(name) storage_##name".to_owned(),
            ],
            ..fishplate_python_linker::Needs::default()
        },
        ..float()
    });
    let peek: Arc<dyn FragmentOp> = Arc::new(TextOp {
        name: "peek",
        code: "%(z)s = (OBJECT(%(x)s) == *STORAGE(%(x)s)) + (OBJECT(%(z)s) == Py_None);",
        ..TextOp::default()
    });
    let mut f = program("f");
    let x = f.input("x", &float);
    let z = f.apply(&peek, &[x], "z", &float);
    f.output(z);
    run(&link(&f.program).unwrap(), Language::C, "assert linked.instantiate(())(1.0) == 2.0");
}
