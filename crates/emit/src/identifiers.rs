//! Objects as the runtime stores them: by a pointer.
//!
//! Purpose: C that converts between an object, which may be an integer or any pointer in C, and the pointer in its handle.
//! Invariant: a value that is not an object is NULL, every other one is not, and each is restored unchanged.
//! Reason: locks, lifetimes and destructors of handles are written once, for pointers.

use crate::c_type;
use fishplate_model::CType;

/// C for the stored pointer of an object; C++ converts other pointers to it by itself.
pub fn stored(ctype: &CType, object: &str) -> String {
    match ctype.invalid_identifier() {
        Some(invalid) => format!("FP_STORED({object}, ({})({invalid}))", c_type(ctype)),
        None => object.to_owned(),
    }
}

/// C for the object with this stored pointer.
pub fn restored(ctype: &CType, pointer: &str) -> String {
    let spelled = c_type(ctype);
    match ctype.invalid_identifier() {
        Some(invalid) => format!("FP_RESTORED({spelled}, {pointer}, {invalid})"),
        None => format!("({spelled}){pointer}"),
    }
}

/// C for no object, of the type of objects.
pub fn typed_no_object(ctype: &CType) -> String {
    match ctype.invalid_identifier() {
        Some(invalid) => format!("({})({invalid})", c_type(ctype)),
        None => "NULL".to_owned(),
    }
}

/// The same in messages.
pub fn no_object(ctype: &CType) -> &str {
    ctype.invalid_identifier().unwrap_or("NULL")
}

/// C that is true if this is an object; `equals` is `!=`, and `==` for the opposite.
pub fn compare_object(ctype: &CType, object: &str, equals: &str) -> String {
    match ctype.invalid_identifier() {
        Some(invalid) => format!("{object} {equals} ({})({invalid})", c_type(ctype)),
        None => format!("{object} {equals} NULL"),
    }
}
