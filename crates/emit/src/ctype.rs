//! C types for C compilers.

use crate::no_object;
use fishplate_model::{CType, Scalar, ScalarClass, Type, declared};

/// The type in C and C++: `double complex` needs a header, a typedef is spelled as in its header.
/// The pointee of a `void` pointer is a byte.
pub fn c_type(ctype: &CType) -> &str {
    if ctype.is_void() {
        return Scalar::UChar.c_name();
    }
    let words: Vec<&str> = ctype.spelling.split_whitespace().collect();
    match Scalar::from_words(&words) {
        Some(scalar) => scalar.c_name(),
        None => &ctype.spelling,
    }
}

/// C's own complex type, if the headers have another name for the type, which may be a struct of
/// two floats.
pub fn renamed_complex(ctype: &CType) -> Option<&'static str> {
    let number = ctype.number().filter(|number| number.class() == ScalarClass::Complex)?;
    (c_type(ctype) != number.c_name()).then(|| number.c_name())
}

/// The C expression for the operand converted to this type.
pub fn cast(ctype: &CType, operand: &str) -> String {
    match renamed_complex(ctype) {
        Some(complex) => format!("FP_AS_COMPLEX({}, {complex}, {operand})", c_type(ctype)),
        None => format!("({}){operand}", c_type(ctype)),
    }
}

/// The C expression for a value that is assigned to a variable of this type.
pub fn assigned(ctype: &CType, value: String) -> String {
    if renamed_complex(ctype).is_some() { cast(ctype, &value) } else { value }
}

/// The C initialiser for zero in this type. C++ converts no integer to an enum by itself.
pub fn zero(ctype: &CType) -> String {
    match ctype.what {
        Type::Enum(_) => cast(ctype, "0"),
        Type::Identifier { .. } => cast(ctype, no_object(ctype)),
        _ => assigned(ctype, "0".to_owned()),
    }
}

/// `SIGNED`, `FLOAT`: the word for a class in the names of runtime macros.
pub fn class_word(class: ScalarClass) -> &'static str {
    match class {
        ScalarClass::Bool => "BOOL",
        ScalarClass::Signed => "SIGNED",
        ScalarClass::Unsigned => "UNSIGNED",
        ScalarClass::Float => "FLOAT",
        ScalarClass::Complex => "COMPLEX",
    }
}

/// A declaration of this type: `double x`, `gsl_rng *r`.
pub fn declaration(ctype: &CType, name: &str) -> String {
    if let Some((before, behind)) = ctype.around_name() {
        return format!("{before}{name}{behind}");
    }
    declared(c_type(ctype), name)
}
