//! Order statistics: the Rust functions, and their C ABI.
//!
//! Invariant: no panic crosses into C, which would end the program. Each function of the ABI runs
//! below [`guarded`], which turns every failure into a return code and stores the message for
//! [`order_message`].

use std::cell::RefCell;
use std::ffi::{c_char, c_int, CString};
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
use std::slice;
use std::sync::Once;

// ---- Safe Rust
// -----------------------------------------------------------------------------------

/// The value at `k` if `x` were sorted.
fn nth(x: &[f64], k: usize) -> Result<f64, String> {
    if x.iter().any(|value| value.is_nan()) {
        return Err("NaN has no place in an order".to_owned());
    }
    let mut sorted = x.to_vec();
    sorted.sort_by(f64::total_cmp);
    // Panics where k is out of bounds, as slices do.
    Ok(sorted[k])
}

fn median(x: &[f64]) -> Result<f64, String> {
    let last = x.len().checked_sub(1).ok_or("the median of nothing")?;
    Ok((nth(x, last / 2)? + nth(x, last.div_ceil(2))?) / 2.0)
}

// ---- The C ABI: order.h
// ----------------------------------------------------------------------------

const DONE: c_int = 0;
const REFUSED: c_int = 1;
const PANICKED: c_int = 2;

thread_local! {
    static MESSAGE: RefCell<CString> = RefCell::default();
}

fn keep(message: String) {
    let without_nul = message.replace('\0', "\u{fffd}");
    MESSAGE.with(|kept| *kept.borrow_mut() = CString::new(without_nul).unwrap_or_default());
}

/// # Safety
/// `x` points to `n` numbers; if `n` is 0, anywhere, which C allows and a slice does not.
unsafe fn numbers<'a>(n: usize, x: *const f64) -> &'a [f64] {
    if n == 0 {
        &[]
    } else {
        slice::from_raw_parts(x, n)
    }
}

/// Runs `body`, stores its result in `to`, and returns a return code.
fn guarded(to: &mut f64, body: impl FnOnce() -> Result<f64, String>) -> c_int {
    static HOOK: Once = Once::new();
    // The caller reports a panic: nothing is printed.
    HOOK.call_once(|| set_hook(Box::new(|panic| keep(panic.to_string()))));
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => {
            *to = value;
            DONE
        }
        Ok(Err(message)) => {
            keep(message);
            REFUSED
        }
        Err(_) => PANICKED,
    }
}

/// # Safety
/// `x` points to `n` numbers, `value` to one.
#[no_mangle]
pub unsafe extern "C" fn order_nth(n: usize, x: *const f64, k: usize, value: *mut f64) -> c_int {
    let (x, value) = (numbers(n, x), &mut *value);
    guarded(value, || nth(x, k))
}

/// # Safety
/// `x` points to `n` numbers, `value` to one.
#[no_mangle]
pub unsafe extern "C" fn order_median(n: usize, x: *const f64, value: *mut f64) -> c_int {
    let (x, value) = (numbers(n, x), &mut *value);
    guarded(value, || median(x))
}

/// The message of the last failed call on this thread: UTF-8, and valid until the next one fails.
#[no_mangle]
pub extern "C" fn order_message() -> *const c_char {
    MESSAGE.with(|kept| kept.borrow().as_ptr())
}
