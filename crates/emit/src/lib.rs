//! The parts of C output that all hosts share.
//!
//! Purpose: C files with named sections, names that cannot clash, expressions over a call's
//! variables, and the trait that a host implements.
//! Invariant: depends on C, but on no host.
//! Reason: a new host then consists of its own calls and tables only.

mod adapter;
mod agreement;
mod bases;
mod callback;
mod called;
mod constants;
mod ctype;
mod derived;
mod destructor;
mod divided;
mod dtypes;
mod enums;
mod expression;
mod failures;
mod file;
mod fragments;
mod host;
mod identifiers;
mod include;
mod namer;
mod names;
mod out_pointers;
mod passed;
mod retention;
mod stored;
mod structs;
mod units;
mod unpacked;
mod user_data;

pub use agreement::returned_object;
pub use agreement::{confirm, parameter_declaration, result_declaration, typed_result};
pub use agreement::{declared_type, lacks_const};
pub(crate) use agreement::{result_type, returned_type};
pub use bases::define_bases;
pub(crate) use callback::OuterName;
pub use callback::{
    OuterHead, OuterNames, callback_argument, callback_head, callback_variables, clear_value,
    declare_callback, failed_element, fill_struct, print_error_code, store_outer_scope,
    success_code,
};
pub use called::{callback_data, kept_until};
pub use constants::constants;
pub use ctype::{assigned, c_type, cast, class_word, declaration, zero};
pub use destructor::destroyed;
pub use divided::{DividedRuntime, divide};
pub use dtypes::{dtype_code, dtype_to_allocate, dtypes, dtypes_of};
pub use enums::{enum_class, enums};
pub use expression::{Scope, dimension, is_integer_arithmetic, value};
pub use failures::{catch, define_outcome, failed, failed_status, named_exceptions};
pub use file::{Body, CFile, Section, negated};
pub use fragments::surround;

pub use host::{About, Emitted, FileRole, Host, OutputFile, Package, extension};
pub use identifiers::{compare_object, no_object, restored, stored, typed_no_object};
pub use include::{include, source_name};
pub use namer::Namer;
pub use names::{Assignment, Names, Setting};
pub use out_pointers::{OutPointerNames, define_nested_type, nested_type};
pub use retention::{declare_key, key_arguments, set_key};
pub use stored::{define_allocator, initialised, new_object};
pub use structs::{struct_class, structs};
pub use user_data::{define_setter, pass_user_data, put_user_data};

/// The name by which a generated file says that it is one, near its start.
pub const GENERATOR: &str = "Fishplate";

/// True when a file with this text was written by us, so that writing it again loses nothing.
pub fn is_generated(text: &str) -> bool {
    text.trim().is_empty() || text.lines().take(3).any(|line| line.contains(GENERATOR))
}

/// The files with these paths from the source that names them, as one string, with an empty line between.
#[macro_export]
macro_rules! joined {
    ($first:literal, $($file:literal),+ $(,)?) => {
        concat!(include_str!($first), $("\n", include_str!($file)),+)
    };
}

/// A C string literal.
pub fn c_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for byte in text.bytes() {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'?' => out.push_str("\\?"), // no trigraphs
            0x20..=0x7e => out.push(byte as char),
            _ => {
                // Octal escapes take three digits at most, so what follows cannot join them.
                out.push_str(&format!("\\{byte:03o}"));
            }
        }
    }
    out.push('"');
    out
}

/// Text that is safe inside a C comment.
pub fn c_comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_hold_any_text() {
        assert_eq!(c_string("a\"b\\c\n??="), r#""a\"b\\c\n\?\?=""#);
        assert_eq!(c_string("é1"), r#""\303\2511""#);
    }

    #[test]
    fn comments_do_not_end_early() {
        assert_eq!(c_comment("a */ b /* c"), "a * / b / * c");
    }
}
