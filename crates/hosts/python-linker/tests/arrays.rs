//! Ops that were written for Theano's tensors and numbers, on the built-in types.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod support;

use fishplate_model::Language;
use fishplate_python_linker::types::{DType, Scalar, Tensor};
use fishplate_python_linker::{FragmentOp, FragmentType, Linked, link, ops};
use std::sync::Arc;
use support::{Module, TextOp, compilers_for, golden, program};

fn vector(dtype: DType) -> Arc<dyn FragmentType> {
    Arc::new(Tensor { dtype, shape: vec![None] })
}

/// As an op's author would write it: the output's memory is reused if it fits.
fn axpy() -> Arc<dyn FragmentOp> {
    Arc::new(TextOp {
        name: "axpy",
        code: r#"
            npy_intp n = PyArray_DIMS(%(x)s)[0];
            if (PyArray_DIMS(%(y)s)[0] != n) {
                PyErr_Format(PyExc_ValueError, "lengths differ: %zd, %zd",
                             (Py_ssize_t)n, (Py_ssize_t)PyArray_DIMS(%(y)s)[0]);
                %(fail)s;
            }
            if (%(z)s == NULL || PyArray_DIMS(%(z)s)[0] != n) {
                Py_XDECREF(%(z)s);
                %(z)s = (PyArrayObject *)PyArray_SimpleNew(1, &n, NPY_FLOAT64);
                if (%(z)s == NULL) {
                    %(fail)s;
                }
            }
            dtype_%(x)s *z = (dtype_%(x)s *)PyArray_DATA(%(z)s);
            for (npy_intp i = 0; i < n; i++) {
                z[i] = %(w)s * *(dtype_%(x)s *)PyArray_GETPTR1(%(x)s, i)
                     + *(dtype_%(y)s *)PyArray_GETPTR1(%(y)s, i);
            }
            "#,
        version: Some(1),
        ..TextOp::default()
    })
}

fn run(linked: &Linked, script: &str) {
    for language in [Language::C, Language::Cxx] {
        let c = linked.print(language);
        for compiler in compilers_for(language) {
            let Some(module) = Module::new(&c, compiler, &[]) else { return };
            module.run(&format!("import numpy as np\n{script}"));
        }
    }
}

#[test]
fn an_op_on_arrays() {
    let vector = vector(DType::Float64);
    let float: Arc<dyn FragmentType> = Arc::new(Scalar(DType::Float64));
    let mut f = program("axpy2");
    let x = f.input("x", &vector);
    let y = f.input("y", &vector);
    let a = f.input("a", &float);
    let t = f.apply(&axpy(), &[x, y, a], "t", &vector);
    let z = f.apply(&axpy(), &[t, y, a], "z", &vector);
    f.output(z);
    let linked = link(&f.program).unwrap();
    golden("axpy.c", &linked.print(Language::C).source);
    run(
        &linked,
        "failed = []
f = linked.instantiate((), (np.asarray, np.asarray, float), lambda e, block: failed.append(block))
x, y = np.arange(10.), np.arange(10.)[::-1]
expected = 2 * (2 * x + y) + y
first = f(x, y, 2.0)
assert first.tolist() == expected.tolist()
second = f(x, y, 1)
assert first is not second and first.tolist() == expected.tolist()
assert sys.getrefcount(first) == 2
assert f([1.0, 2.0], [3.0, 4.0], 2.0).tolist() == [13.0, 20.0]
def raises(kind, text, *args):
    counts = [sys.getrefcount(arg) for arg in args]
    try:
        f(*args)
    except kind as error:
        assert str(error) == text, error
    else:
        assert False
    assert counts == [sys.getrefcount(arg) for arg in args]
for _ in range(50):
    raises(ValueError, 'lengths differ: 10, 3', x, np.ones(3), 2.0)
    raises(TypeError, 'expected an array of float64 and rank 1, got float32 and rank 1',
           x, x.astype('f4'), 2.0)
    raises(TypeError, 'expected an array of float64 and rank 1, got float64 and rank 2',
           x, np.ones((2, 2)), 2.0)
    raises(TypeError, 'expected an array of float64 that is aligned and in native byte order',
           x, x.astype('>f8'), 2.0)
g = linked.instantiate(())
for bad, text in [([1.0], 'expected an ndarray, got list'), (None, 'expected an ndarray, got NoneType')]:
    try:
        g(x, bad, 2.0)
    except TypeError as error:
        assert str(error) == text
    else:
        assert False
import threading
wrong = []
def work(n):
    x = np.full(n, float(n))
    for _ in range(300):
        if f(x, x, 2.0)[0] != 7.0 * n:
            wrong.append(n)
threads = [threading.Thread(target=work, args=(n + 1,)) for n in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert wrong == []
",
    );
}

#[test]
fn numbers_of_every_dtype() {
    let copy: Arc<dyn FragmentOp> =
        Arc::new(TextOp { name: "copy", code: "%(z)s = %(x)s;", ..TextOp::default() });
    let mut f = program("f");
    for dtype in DType::ALL {
        let ty: Arc<dyn FragmentType> = Arc::new(Scalar(dtype));
        let x = f.input(dtype.name(), &ty);
        let z = f.apply(&copy, &[x], "z", &ty);
        f.output(z);
    }
    run(
        &link(&f.program).unwrap(),
        "f = linked.instantiate(())
names = 'bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128'.split()
types = dict(bool=bool, int64=int, float64=float, complex128=complex)
values = [np.dtype(name).type(name != 'bool' and 3 + 0 * i or True) for i, name in enumerate(names)]
for given in (values, [np.array(v) for v in values], [v.item() for v in values]):
    results = f(*given)
    for name, value, result in zip(names, values, results):
        assert type(result) is types.get(name, np.dtype(name).type), (name, type(result))
        assert result == value, (name, result)
def refused(kind, place, value):
    given = list(values)
    given[place] = value
    try:
        f(*given)
    except kind as error:
        return str(error)
    raise AssertionError((place, value))
assert refused(TypeError, 1, 3.5) == 'expected int8, got float'
assert refused(TypeError, 9, np.float64(3)) == 'expected float32, got numpy.float64'
assert refused(TypeError, 10, 'x') == 'expected float64, got str'
assert refused(TypeError, 0, 1) == 'expected bool, got int'
assert refused(TypeError, 10, np.ones(1)) == 'expected float64, got numpy.ndarray'
refused(OverflowError, 1, 1000)
assert f(*values[:10], 2, *values[11:])[10] == 2.0
",
    );
}

#[test]
fn copies_views_and_shapes() {
    let matrix: Arc<dyn FragmentType> =
        Arc::new(Tensor { dtype: DType::Float32, shape: vec![None, Some(3)] });
    let shape: Arc<dyn FragmentType> = vector(DType::Int64);
    let size: Arc<dyn FragmentType> = Arc::new(Scalar(DType::Int64));
    let mut f = program("f");
    let x = f.input("x", &matrix);
    let mut add = |op: ops::TypeOp, ty: &Arc<dyn FragmentType>| {
        let op: Arc<dyn FragmentOp> = Arc::new(op);
        let z = f.apply(&op, &[x], "z", ty);
        f.output(z);
    };
    add(ops::deep_copy_array(), &matrix);
    add(ops::view_array(), &matrix);
    add(ops::shape_array(), &shape);
    add(ops::shape_i_array(1), &size);
    let linked = link(&f.program).unwrap();
    run(
        &linked,
        "f = linked.instantiate(())
x = np.arange(6, dtype='f4').reshape(3, 2).T[:, :]
copy, view, shape, size = f(x)
assert (copy == x).all() and not np.shares_memory(copy, x) and view is x
assert shape.tolist() == [2, 3] and shape.dtype == np.int64 and size == 3
del view
assert sys.getrefcount(x) == 2
",
    );
    let mut g = program("g");
    let x = g.input("x", &shape);
    let op: Arc<dyn FragmentOp> = Arc::new(ops::shape_i_array(1));
    let z = g.apply(&op, &[x], "z", &size);
    g.output(z);
    run(
        &link(&g.program).unwrap(),
        "try:
    linked.instantiate(())(np.ones(3, int))
except TypeError as error:
    assert str(error) == 'the array has no dimension 1'
else:
    assert False
",
    );
}

#[test]
fn sizes_that_the_type_knows() {
    let matrix: Arc<dyn FragmentType> =
        Arc::new(Tensor { dtype: DType::Float32, shape: vec![None, Some(3)] });
    let size: Arc<dyn FragmentType> = Arc::new(Scalar(DType::Int64));
    let rows: Arc<dyn FragmentOp> = Arc::new(TextOp {
        name: "rows",
        code: "%(z)s = PyArray_DIM(%(x)s, 0);",
        ..TextOp::default()
    });
    let mut f = program("f");
    let x = f.input("x", &matrix);
    let z = f.apply(&rows, &[x], "z", &size);
    f.output(z);
    run(
        &link(&f.program).unwrap(),
        "f = linked.instantiate(())
assert f(np.ones((5, 3), 'f4')) == 5
try:
    f(np.ones((3, 2), 'f4'))
except TypeError as error:
    assert str(error) == 'expected an array of size 3 in dimension 1, got 2'
else:
    assert False
",
    );
}

#[test]
fn an_output_that_no_op_makes() {
    let vector = vector(DType::Float64);
    let nothing: Arc<dyn FragmentOp> =
        Arc::new(TextOp { name: "nothing", code: ";", ..TextOp::default() });
    let mut f = program("f");
    let x = f.input("x", &vector);
    let z = f.apply(&nothing, &[x], "z", &vector);
    f.output(z);
    run(
        &link(&f.program).unwrap(),
        "try:
    linked.instantiate(())(np.ones(3))
except RuntimeError as error:
    assert str(error) == 'an op did not make its output'
else:
    assert False
",
    );
}
