//! The properties of C's types that differ among supported machines.
//!
//! Purpose: the sizes and signs of [`Scalar`](crate::Scalar) on the machine that C is generated for.
//! Invariant: one platform is in force on a thread; without [`Platform::within`] it is that of this program.
//! Reason: every phase asks for sizes, and all of them in the same build must agree; the C compiler confirms them.

use core::cell::Cell;
use core::ffi::{c_char, c_long};

/// The choices of a C implementation. Everything else that Fishplate depends on is equal on all of them: pointers have
/// eight bytes, `int` has four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    /// Whether a plain `char` has a sign.
    pub char_is_signed: bool,
    /// The size of `long` in bytes.
    pub long_size: usize,
}

thread_local! {
    static CURRENT: Cell<Platform> = const { Cell::new(Platform::THIS) };
}

impl Platform {
    /// That of this program.
    pub const THIS: Platform =
        Platform { char_is_signed: c_char::MIN != 0, long_size: size_of::<c_long>() };

    /// The one in force on this thread.
    pub fn current() -> Platform {
        CURRENT.get()
    }

    /// Runs a function for which this platform is in force.
    pub fn within<T>(self, function: impl FnOnce() -> T) -> T {
        struct Restore(Platform);
        impl Drop for Restore {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }
        let _restore = Restore(CURRENT.replace(self));
        function()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Scalar};

    #[test]
    fn types_have_the_sizes_and_signs_of_the_platform() {
        let windows = Platform { char_is_signed: true, long_size: 4 };
        let arm = Platform { char_is_signed: false, long_size: 8 };
        let dtypes = || [Scalar::Char, Scalar::Long, Scalar::ULong].map(Scalar::dtype);
        assert_eq!(windows.within(dtypes), [DType::Int8, DType::Int32, DType::UInt32]);
        assert_eq!(arm.within(dtypes), [DType::UInt8, DType::Int64, DType::UInt64]);
        assert_eq!(Platform::current(), Platform::THIS);
    }
}
