//! Arrays of any dtype: `void *` next to a code for the type of the elements.
//!
//! Purpose: leave out functions that have such a code.
//! Invariant: a `void` pointer with a length is bytes only if no other argument is called a type.
//! Reason: which code means which dtype is in no prototype; bytes of the right number have the wrong meaning.

use super::argument::{Argument, Of};

/// Names of arguments that are the type of elements.
const TYPES: &[&str] = &["dtype", "datatype", "eltype", "elemtype", "typecode", "typenum", "xtype"];

/// The same, of several words.
const LAST_WORDS: &[&str] = &[
    "_dtype",
    "data_type",
    "elem_type",
    "element_type",
    "item_type",
    "type_code",
    "type_num",
    "mem_type",
    "scalar_type",
    "type_id",
];

/// Refuses an array whose dtype another argument has.
pub(super) fn refuse(arguments: &[Argument]) -> Result<(), String> {
    let array = arguments.iter().find(|one| one.of == Of::Void && one.shape.is_some());
    let code = arguments.iter().find(|one| is_type(one));
    match array.zip(code) {
        None => Ok(()),
        Some((array, code)) => Err(format!(
            "`{}` may be an array of any dtype, whose code is `{}`: write a table `[dtypes.NAME]`, and `dtype(NAME)` before the array",
            array.name, code.name
        )),
    }
}

/// An integer or a member of an enum that is called a type.
fn is_type(argument: &Argument) -> bool {
    let name = argument.lower.trim_matches('_');
    let is_called = TYPES.contains(&name) || LAST_WORDS.iter().any(|end| name.ends_with(end));
    is_called && (argument.is_count() || argument.is_enumeration)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{left_out, proto};

    #[test]
    fn bytes_have_no_type() {
        let why = "`x` may be an array of any dtype, whose code is `dtype`: write a table `[dtypes.NAME]`, and \
                   `dtype(NAME)` before the array";
        assert_eq!(left_out("double total(const void *x, int dtype, size_t n);"), why);
        let of_enum =
            "typedef enum { A, B } kind; double total(const void *x, size_t n, kind dtype);";
        assert_eq!(left_out(of_enum), why);
        assert!(
            left_out("int put(size_t size, const void *data, int elem_type);")
                .contains("`elem_type`")
        );
        assert_eq!(
            proto("unsigned sum(const void *data, size_t size, int mode);"),
            "unsigned sum(bytes const void data[size], size_t size, int mode)"
        );
    }
}
