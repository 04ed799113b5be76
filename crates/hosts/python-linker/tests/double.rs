//! The manual's type `Double`, as printed, with ops that add and multiply.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod support;

use fishplate_model::Language;
use fishplate_python_linker::{FragmentOp, FragmentType, Owner, Task, link};
use std::sync::Arc;
use support::{Module, TextOp, TextType, compilers_for, golden, program};

fn double() -> Arc<dyn FragmentType> {
    Arc::new(TextType {
        name: "double",
        declare: "
           double %(name)s;
           ",
        init: "
           %(name)s = 0.0;
           ",
        extract: r#"
           if (!PyFloat_Check(py_%(name)s)) {
               PyErr_SetString(PyExc_TypeError, "expected a float");
               %(fail)s
           }
           %(name)s = PyFloat_AsDouble(py_%(name)s);
           "#,
        sync: r#"
           Py_XDECREF(py_%(name)s);
           py_%(name)s = PyFloat_FromDouble(%(name)s);
           if (!py_%(name)s) {
               printf("PyFloat_FromDouble failed on: %f\n", %(name)s);
               Py_XINCREF(Py_None);
               py_%(name)s = Py_None;
           }
           "#,
        version: Some(1),
        ..TextType::default()
    })
}

fn op(name: &'static str, code: &'static str) -> Arc<dyn FragmentOp> {
    Arc::new(TextOp { name, code, version: Some(1), ..TextOp::default() })
}

#[test]
fn the_manual_s_function() {
    let double = double();
    let mut f = program("f");
    let [x, y, z] = ["x", "y", "z"].map(|name| f.input(name, &double));
    let a = f.apply(&op("add", "%(z)s = %(x)s + %(y)s;"), &[x, y], "a", &double);
    let b = f.apply(&op("mul", "%(z)s = %(x)s * %(y)s;"), &[a, z], "b", &double);
    f.output(b);
    let linked = link(&f.program).unwrap();
    assert_eq!(linked.language(), Language::C);
    let second = linked.position(2).unwrap();
    assert_eq!((second.owner, second.task), (Owner::Variable(y), Task::Extract));
    for language in [Language::C, Language::Cxx] {
        let c = linked.print(language);
        golden(if language == Language::C { "double.c" } else { "double.cpp" }, &c.source);
        for compiler in compilers_for(language) {
            let Some(module) = Module::new(&c, compiler, &[]) else { return };
            module.run(
                "failed = []
f = linked.instantiate((), None, lambda error, block: failed.append((str(error), block)))
assert f(1.0, 2.0, 3.0) == 9.0
x, y, z = map(float, ('1.5', '2.5', '3.5'))
counts = [sys.getrefcount(value) for value in (x, y, z)]
for _ in range(100):
    assert f(x, y, z) == 14.0
    try:
        f(x, 2, z)
    except TypeError as error:
        assert str(error) == 'expected a float'
    else:
        assert False
assert counts == [sys.getrefcount(value) for value in (x, y, z)]
assert failed == [('expected a float', 2)] * 100, failed[:3]
for arguments, keywords in [((1.0,), {}), ((1.0, 2.0, 3.0), {'w': 1.0})]:
    try:
        f(*arguments, **keywords)
    except TypeError as error:
        assert 'f() takes 3 arguments (1 given)' in str(error) or 'takes no keyword arguments' in str(error)
    else:
        assert False
# A filter makes of anything what the type wants.
g = linked.instantiate((), (float, float, None))
assert g(1, '2', 3.0) == 9.0
try:
    g(1, 'two', 3.0)
except ValueError:
    pass
else:
    assert False
",
            );
        }
    }
}
