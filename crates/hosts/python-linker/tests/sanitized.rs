//! Linked functions under AddressSanitizer and UndefinedBehaviorSanitizer: calls that succeed, and calls
//! that fail at each place.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod support;

use fishplate_model::Language;
use fishplate_python_linker::types::{DType, Tensor};
use fishplate_python_linker::{FragmentOp, FragmentType, link, ops};
use std::process::Command;
use std::sync::Arc;
use support::{Module, TextOp, TextType, program};

/// The library that Python must load first.
fn runtime() -> Option<String> {
    let output = Command::new("gcc").arg("-print-file-name=libasan.so").output().ok()?;
    let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    // gcc returns the bare name if it has no such file.
    path.contains('/').then_some(path)
}

/// A type that allocates: leaks and double frees are detected.
fn buffer() -> Arc<dyn FragmentType> {
    Arc::new(TextType {
        name: "buffer",
        declare: "double *%(name)s; size_t %(name)s_size;",
        init: "%(name)s_size = 1; %(name)s = (double *)calloc(1, sizeof(double));
            if (%(name)s == NULL) { PyErr_NoMemory(); %(fail)s }",
        extract: "%(name)s = NULL;
            if (!PyList_Check(py_%(name)s)) { PyErr_SetString(PyExc_TypeError, \"no list\"); %(fail)s }
            %(name)s_size = (size_t)PyList_GET_SIZE(py_%(name)s);
            %(name)s = (double *)malloc((%(name)s_size + 1) * sizeof(double));
            if (%(name)s == NULL) { PyErr_NoMemory(); %(fail)s }
            for (size_t i = 0; i < %(name)s_size; i++) {
                %(name)s[i] = PyFloat_AsDouble(PyList_GET_ITEM(py_%(name)s, (Py_ssize_t)i));
                if (PyErr_Occurred()) { %(fail)s }
            }",
        sync: "Py_XDECREF(py_%(name)s);
            py_%(name)s = PyList_New((Py_ssize_t)%(name)s_size);
            if (py_%(name)s == NULL) { %(fail)s }
            for (size_t i = 0; i < %(name)s_size; i++) {
                if (%(name)s[i] < 0) {
                    PyErr_SetString(PyExc_ValueError, \"negative result\");
                    Py_CLEAR(py_%(name)s);
                    %(fail)s
                }
                PyList_SET_ITEM(py_%(name)s, (Py_ssize_t)i, PyFloat_FromDouble(%(name)s[i]));
            }",
        cleanup: "free(%(name)s);",
        ..TextType::default()
    })
}

#[test]
fn buffers_and_arrays() {
    let Some(runtime) = runtime() else { return };
    let buffer = buffer();
    let add: Arc<dyn FragmentOp> = Arc::new(TextOp {
        name: "add",
        code: "
            if (%(x)s_size != %(y)s_size) {
                PyErr_SetString(PyExc_ValueError, \"lengths differ\");
                %(fail)s
            }
            free(%(z)s);
            %(z)s_size = %(x)s_size;
            %(z)s = (double *)malloc((%(x)s_size + 1) * sizeof(double));
            if (%(z)s == NULL) { PyErr_NoMemory(); %(fail)s }
            for (size_t i = 0; i < %(x)s_size; i++) { %(z)s[i] = %(x)s[i] + %(y)s[i]; }",
        ..TextOp::default()
    });
    let matrix: Arc<dyn FragmentType> =
        Arc::new(Tensor { dtype: DType::Float64, shape: vec![None, None] });
    let copy: Arc<dyn FragmentOp> = Arc::new(ops::deep_copy_array());
    let mut f = program("f");
    let x = f.input("x", &buffer);
    let y = f.input("y", &buffer);
    let m = f.input("m", &matrix);
    let a = f.apply(&add, &[x, y], "a", &buffer);
    let b = f.apply(&add, &[a, y], "b", &buffer);
    let n = f.apply(&copy, &[m], "n", &matrix);
    let o = f.apply(&copy, &[n], "o", &matrix);
    f.output(b);
    f.output(a);
    f.recycled(o);
    let linked = link(&f.program).unwrap();
    let flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let Some(module) = Module::new(&linked.print(Language::C), "gcc", &flags) else { return };
    module.run_with(
        "import numpy as np
f = linked.instantiate(())
m = np.ones((2, 3))
ok = ([1.0, 2.0], [3.0, 4.0], m)
bad = [
    ((1, [1.0], m), TypeError), (([1.0], 1, m), TypeError), (([1.0], [1.0, 2.0], m), ValueError),
    (([1.0], ['x'], m), TypeError), (([-9.0], [1.0], m), ValueError), (([-1.5], [1.0], m), ValueError),
]
for _ in range(50):
    b, a, o = f(*ok)
    assert b == [7.0, 10.0] and a == [4.0, 6.0] and (o == m).all()
    for arguments, kind in bad:
        try:
            f(*arguments)
        except kind:
            pass
        else:
            raise AssertionError(arguments)
counts = sys.getrefcount(m)
del f, o
gc.collect()
assert sys.getrefcount(m) == counts
",
        &[("LD_PRELOAD", &runtime), ("ASAN_OPTIONS", "detect_leaks=0")],
    );
}
