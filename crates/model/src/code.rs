//! The identity of each diagnostic.
//!
//! FP01xx: the interface file as TOML. FP02xx: an annotated prototype. FP03xx: the meaning of an
//! interface. FP04xx: C headers. FP05xx: building. FP06xx: an xndtools configuration.
//! `docs/diagnostics.md` explains each; a test compares the two.

use std::fmt;

/// A diagnostic's stable code, such as `FP0301`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code {
    /// The code as it is printed.
    pub id: &'static str,
    /// A short description.
    pub title: &'static str,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

macro_rules! codes {
    ($($name:ident = $id:literal, $title:literal;)*) => {
        impl Code {
            $(#[doc = $title] pub const $name: Code = Code { id: $id, title: $title };)*
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];
        }
    };
}

codes! {
    TOML_SYNTAX = "FP0101", "the file is not valid TOML";
    UNKNOWN_KEY = "FP0102", "an unknown key";
    MISSING_KEY = "FP0103", "a missing required key";
    WRONG_VALUE = "FP0104", "a key has a value of the wrong kind";
    BAD_NAME = "FP0105", "a name that cannot be used in C or in the target language";
    PROTO_SYNTAX = "FP0201", "an annotated prototype cannot be read";
    UNKNOWN_TYPE = "FP0202", "an unknown C type";
    UNSUPPORTED_TYPE = "FP0203", "an unsupported C type";
    BAD_QUALIFIERS = "FP0204", "qualifiers that contradict each other";
    NO_INTENT = "FP0301", "a non-const pointer without an intent";
    INTENT_MISFIT = "FP0302", "an intent that does not fit how the argument is passed";
    UNKNOWN_NAME = "FP0303", "an undefined name in an expression";
    BAD_DIMENSION = "FP0304", "a dimension that cannot be computed";
    CIRCULAR = "FP0305", "a circular dependency between arguments";
    DUPLICATE_NAME = "FP0306", "a duplicate name";
    BAD_DEFAULT = "FP0307", "a default that cannot be used";
    BAD_MEASURE = "FP0308", "len, shape, ndim or size of something that is not an array";
    BAD_RETURNS = "FP0309", "returns names something that is not an output";
    UNREACHABLE = "FP0310", "an overload that no call can reach";
    UNSUPPORTED = "FP0311", "a feature that the target language does not support";
    NO_FILE = "FP0312", "a source, header or folder that does not exist";
    UNSET_VARIABLE = "FP0313", "an environment variable that is not set";
    LOOKS_LIKE_ARRAY = "FP0314", "a pointer to one number that looks like an array";
    BAD_KIND = "FP0315", "a kind that contradicts the layouts C expects";
    NO_OWNER = "FP0316", "C-allocated memory without a specified owner";
    BAD_EXCEPTION = "FP0320", "an exception that Python does not have";
    NEEDS_CXX = "FP0321", "C++ in a module of C";
    NO_STATUS = "FP0322", "a `status` key for a function that does not return a status";
    BAD_CALLBACK = "FP0330", "an unsupported callback";
    PREPROCESSOR = "FP0401", "a header that the C preprocessor rejects";
    HEADER_SYNTAX = "FP0402", "a declaration in a header that cannot be read";
    NO_FUNCTIONS = "FP0403", "a header without usable functions";
    BAD_ANNOTATION = "FP0404", "a misplaced annotation";
    C_COMPILER = "FP0501", "the C compiler rejects the interface or its sources";
    LINKER = "FP0502", "the linker cannot link the module";
    ENVIRONMENT = "FP0503", "a program or file that the build needs is not installed";
    C_WARNING = "FP0504", "a warning of the C compiler about a source";
    NEW_FUNCTIONS = "FP0505", "functions of the headers that the interface does not name";
    CFG_SYNTAX = "FP0601", "an invalid line in a configuration";
    UNKNOWN_SECTION = "FP0602", "an unknown section of a configuration";
    UNKNOWN_SETTING = "FP0603", "an unknown key of a section";
    REPEATED = "FP0604", "a duplicate section or key";
    MISSING_SETTING = "FP0605", "a missing required section or key";
    BAD_SETTING = "FP0606", "an invalid value of a key";
    BAD_TYPEMAP = "FP0607", "a typemap without a type";
    BAD_LIST = "FP0608", "an invalid list of arguments";
    NO_SUCH_ARGUMENT = "FP0609", "a list with an argument that no prototype has";
    UNLISTED = "FP0610", "an argument without an intent";
    CONTRADICTION = "FP0611", "lists that contradict each other";
    PROTOTYPES_DIFFER = "FP0612", "prototypes of one kernel with different arguments";
    KIND_SKIPPED = "FP0613", "a kind that contradicts the layouts";
    LOST_LINE = "FP0614", "a line of C that is a comment here";
    LEFT_OUT = "FP0701", "a routine of a signature file without an equivalent";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(Code::ALL.windows(2).all(|pair| pair[0].id < pair[1].id));
    }
}
