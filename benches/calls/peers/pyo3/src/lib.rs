use numpy::{
    PyArray1, PyArrayLike1, PyArrayLike2, PyArrayMethods, PyReadwriteArray1, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::borrow::Cow;

mod kernels {
    extern "C" {
        pub fn add(a: f64, b: f64) -> f64;
        pub fn total(n: usize, x: *const f64) -> f64;
        pub fn scale(n: usize, x: *mut f64, k: f64);
        pub fn double_it(n: usize, x: *const f64, y: *mut f64);
        pub fn trace2(n: usize, a: *const f64) -> f64;
        pub fn matvec(m: usize, n: usize, a: *const f64, x: *const f64, y: *mut f64);
    }
}

fn vector<'a>(x: &'a PyArrayLike1<'_, f64>) -> Cow<'a, [f64]> {
    match x.as_slice() {
        Ok(values) => Cow::Borrowed(values),
        Err(_) => Cow::Owned(x.as_array().iter().copied().collect()),
    }
}

/// The values in C order: `as_slice` would take a Fortran-ordered matrix too.
fn matrix<'a>(a: &'a PyArrayLike2<'_, f64>) -> Cow<'a, [f64]> {
    match a.as_slice() {
        Ok(values) if a.is_c_contiguous() => Cow::Borrowed(values),
        _ => Cow::Owned(a.as_array().iter().copied().collect()),
    }
}

#[pyfunction]
fn add(a: f64, b: f64) -> f64 {
    unsafe { kernels::add(a, b) }
}

#[pyfunction]
fn total(x: PyArrayLike1<'_, f64>) -> f64 {
    let x = vector(&x);
    unsafe { kernels::total(x.len(), x.as_ptr()) }
}

#[pyfunction]
fn scale(mut x: PyReadwriteArray1<'_, f64>, k: f64) -> PyResult<()> {
    let x = x.as_slice_mut()?;
    unsafe { kernels::scale(x.len(), x.as_mut_ptr(), k) };
    Ok(())
}

#[pyfunction]
fn double_it<'py>(py: Python<'py>, x: PyArrayLike1<'py, f64>) -> Bound<'py, PyArray1<f64>> {
    let x = vector(&x);
    unsafe {
        let y = PyArray1::new(py, x.len(), false);
        kernels::double_it(x.len(), x.as_ptr(), y.data());
        y
    }
}

#[pyfunction]
fn trace2(a: PyArrayLike2<'_, f64>) -> PyResult<f64> {
    let [m, n] = [a.shape()[0], a.shape()[1]];
    if m != n {
        return Err(PyValueError::new_err("a must be square"));
    }
    let a = matrix(&a);
    Ok(unsafe { kernels::trace2(n, a.as_ptr()) })
}

#[pyfunction]
fn matvec<'py>(
    py: Python<'py>,
    a: PyArrayLike2<'py, f64>,
    x: PyArrayLike1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let [m, n] = [a.shape()[0], a.shape()[1]];
    let (a, x) = (matrix(&a), vector(&x));
    if n != x.len() {
        return Err(PyValueError::new_err("x must be as long as a is wide"));
    }
    unsafe {
        let y = PyArray1::new(py, m, false);
        kernels::matvec(m, n, a.as_ptr(), x.as_ptr(), y.data());
        Ok(y)
    }
}

#[pymodule]
mod calls_pyo3 {
    #[pymodule_export]
    use super::{add, double_it, matvec, scale, total, trace2};
}
