//! The meaning of type names in a header.
//!
//! Purpose: resolve the words of a type to a scalar, through any number of typedefs, or explain why
//! that is impossible.
//! Invariant: a name that C itself defines is never looked up in the header.
//! Reason: the preprocessed source contains every typedef, so `[types]` can be omitted; the C
//! compiler confirms the result.

use super::declarator::{Form, Signature};
use super::syntax::Unit;
use crate::prototype::Types;
use fishplate_model::Scalar;

/// The limit on typedefs of typedefs: more than any header has, and an end to a cycle.
const MAX_DEPTH: usize = 64;

/// The names that libraries use for the members of a complex number.
const COMPLEX_MEMBERS: [[&str; 2]; 4] =
    [["re", "im"], ["real", "imag"], ["r", "i"], ["real", "imaginary"]];

/// The meaning of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A number.
    Scalar(Scalar),
    /// Something that cannot be passed, in words: `a struct`.
    Foreign(&'static str),
}

impl<'t> Unit<'t> {
    /// The meaning of these words.
    pub fn meaning(&self, words: &[&str]) -> Meaning {
        let mut words: Vec<&str> = words.to_vec();
        let mut name = "";
        for _ in 0..MAX_DEPTH {
            if let Some(scalar) = Scalar::from_words(&words) {
                return Meaning::Scalar(scalar);
            }
            name = match words.as_slice() {
                ["struct", ..] => {
                    let complex = self.complex_struct(&words, name);
                    return complex.map_or(Meaning::Foreign("a struct"), Meaning::Scalar);
                }
                ["union", ..] => return Meaning::Foreign("a union"),
                ["enum", tag] => {
                    return Meaning::Scalar(self.enums.get(tag).copied().unwrap_or(Scalar::UInt));
                }
                ["void"] => return Meaning::Foreign("`void`"),
                ["__builtin_va_list"] => return Meaning::Foreign("a `va_list`"),
                [name] => *name,
                words if words.contains(&"long") && words.contains(&"double") => {
                    return Meaning::Foreign("a `long double`");
                }
                _ => break,
            };
            let Some(typedef) = self.typedefs.get(name) else { break };
            match &typedef.form {
                Form::Value => {}
                Form::Pointer if typedef.words == ["void"] => {
                    return Meaning::Foreign("a `void` pointer");
                }
                Form::Pointer => return Meaning::Foreign(self.pointer_to(&typedef.words)),
                Form::PointerToPointer | Form::Pointers => {
                    return Meaning::Foreign("a pointer to pointers");
                }
                Form::Array(_) | Form::ArrayPointer => return Meaning::Foreign("an array type"),
                Form::Function => return Meaning::Foreign("a function"),
                Form::FunctionPointer => return Meaning::Foreign("a callback"),
            }
            if let (Some(scalar), [_]) = (typedef.enumeration, typedef.words.as_slice()) {
                return Meaning::Scalar(scalar);
            }
            words.clone_from(&typedef.words);
        }
        Meaning::Foreign("a compiler-specific type")
    }

    /// The complex number that a struct represents, by its name or by those of its two members.
    /// `typedef` is the name that led to it.
    fn complex_struct(&self, words: &[&str], typedef: &str) -> Option<Scalar> {
        let name = words.get(1).copied().unwrap_or(typedef);
        let found = self.structs.get(name).filter(|found| found.is_whole)?;
        let says_complex = [name, typedef].iter().any(|name| {
            let name = name.to_ascii_lowercase();
            ["complex", "cplx", "cmplx"].iter().any(|word| name.contains(word))
        });
        let (part, is_named) = match found.fields.as_slice() {
            [re, im]
                if re.form == Form::Value && im.form == Form::Value && re.words == im.words =>
            {
                let names = [re.name, im.name].map(str::to_ascii_lowercase);
                let is_named = COMPLEX_MEMBERS.iter().any(|pair| names == *pair);
                (&re.words, is_named)
            }
            [parts] if matches!(&parts.form, Form::Array(sizes) if sizes.as_slice() == ["2"]) => {
                (&parts.words, false)
            }
            _ => return None,
        };
        match self.number(part)? {
            _ if !(is_named || says_complex) => None,
            Scalar::Float => Some(Scalar::ComplexFloat),
            Scalar::Double => Some(Scalar::ComplexDouble),
            _ => None,
        }
    }

    /// The words mean a complex number only because a struct looks like one.
    pub fn is_complex_struct(&self, words: &[&str]) -> bool {
        matches!(self.meaning(words), Meaning::Scalar(Scalar::ComplexFloat | Scalar::ComplexDouble))
            && self.named(words).is_some()
    }

    /// True for an enumeration, also by another name: an integer that cannot be a length.
    pub fn is_enumeration(&self, words: &[&str]) -> bool {
        let mut words = words.to_vec();
        for _ in 0..MAX_DEPTH {
            match words.as_slice() {
                ["enum", ..] => return true,
                [name] => match self.typedefs.get(name) {
                    Some(typedef) if typedef.form == Form::Value => {
                        words.clone_from(&typedef.words)
                    }
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// The name denotes a pointer to a `const` type.
    pub fn points_to_const(&self, words: &[&str]) -> bool {
        let mut words = words;
        for _ in 0..MAX_DEPTH {
            let [name] = words else { return false };
            match self.typedefs.get(name) {
                Some(typedef) if typedef.is_const => return true,
                Some(typedef) => words = &typedef.words,
                None => return false,
            }
        }
        false
    }

    /// A pointer of these words and `written` stars has a `const` pointee: by the word before the
    /// star, or by the typedef of a pointer.
    pub fn points_to_const_by(&self, words: &[&str], written: usize, is_const: bool) -> bool {
        written > 0 && is_const || self.points_to_const(words)
    }

    /// A pointer to these words, in terms of a typedef for it.
    fn pointer_to(&self, words: &[&str]) -> &'static str {
        let named = self.named(words);
        let is_open = named.is_some_and(|(key, stars)| {
            stars == 0 && self.structs.contains_key(key.strip_prefix("struct ").unwrap_or(&key))
        });
        match is_open {
            _ if self.function(words).is_some() => "a callback",
            true => "a pointer to a struct",
            false if self.number(words).is_some() => "a pointer",
            false => "an opaque handle",
        }
    }

    /// The function type that these words name, by itself or as a pointer.
    pub fn function<'u>(&'u self, words: &[&str]) -> Option<&'u Signature<'t>> {
        let mut words = words;
        for _ in 0..MAX_DEPTH {
            let [name] = words else { return None };
            let typedef = self.typedefs.get(*name)?;
            match (&typedef.signature, &typedef.form) {
                (Some(signature), _) => return Some(signature),
                (None, Form::Value | Form::Pointer) => words = &typedef.words,
                _ => return None,
            }
        }
        None
    }

    /// The scalar for these words, through typedefs that are not pointers.
    fn number(&self, words: &[&str]) -> Option<Scalar> {
        let mut words = words;
        for _ in 0..MAX_DEPTH {
            match (Scalar::from_words(words), words) {
                (Some(scalar), _) => return Some(scalar),
                (None, ["enum", tag]) => return self.enums.get(tag).copied(),
                (None, [name]) => match self.typedefs.get(name)? {
                    typedef if typedef.form != Form::Value => return None,
                    typedef if typedef.words.len() == 1 && typedef.enumeration.is_some() => {
                        return typedef.enumeration;
                    }
                    typedef => words = &typedef.words,
                },
                _ => return None,
            }
        }
        None
    }

    /// The pointee of a typedef for a pointer to a number or a character: its words, and whether it
    /// is `const`.
    pub fn pointer<'w>(&'w self, words: &'w [&'w str]) -> Option<(Vec<&'w str>, bool)> {
        let mut words = words;
        for _ in 0..MAX_DEPTH {
            let [name] = words else { return None };
            let typedef = self.typedefs.get(name)?;
            match typedef.form {
                Form::Value => words = &typedef.words,
                Form::Pointer => {
                    let is_number = self.number(&typedef.words).is_some();
                    return is_number.then(|| (typedef.words.clone(), typedef.is_const));
                }
                _ => return None,
            }
        }
        None
    }

    /// The name denotes `const char *`.
    pub fn is_text(&self, words: &[&str]) -> bool {
        let mut words = words;
        for _ in 0..MAX_DEPTH {
            let [name] = words else { return false };
            match self.typedefs.get(name) {
                Some(typedef) if typedef.form == Form::Value => words = &typedef.words,
                Some(typedef) if typedef.form == Form::Pointer && typedef.is_const => {
                    return self.meaning(&typedef.words) == Meaning::Scalar(Scalar::Char);
                }
                _ => return false,
            }
        }
        false
    }

    /// The struct, union, enumeration or own type to which these words resolve, and the depth of its
    /// pointers.
    pub fn named(&self, words: &[&str]) -> Option<(String, usize)> {
        let mut words: Vec<&str> = words.to_vec();
        let mut stars = 0;
        for _ in 0..MAX_DEPTH {
            let name = match words.as_slice() {
                ["struct" | "union" | "enum", _] => return Some((words.join(" "), stars)),
                [name] => *name,
                _ => return None,
            };
            let typedef = self.typedefs.get(name)?;
            stars += match typedef.form {
                Form::Value => 0,
                Form::Pointer => 1,
                Form::PointerToPointer => 2,
                _ => return None,
            };
            match (typedef.words.as_slice(), &typedef.form) {
                // The name of a type without typedefs.
                (["struct" | "union" | "enum"], _) | (["void"], Form::Value) => {
                    return Some((name.to_owned(), stars));
                }
                // `typedef void *cmsHPROFILE;`
                (["void"], Form::Pointer) if !typedef.is_const => {
                    return Some((name.to_owned(), stars));
                }
                _ => words.clone_from(&typedef.words),
            }
        }
        None
    }

    /// Every name that prototypes of this header may use, as far as needed.
    pub fn types(&self, wanted: &dyn Fn(&str) -> bool) -> Types {
        let mut types = Types::default();
        for name in self.typedefs.keys().filter(|name| wanted(name)) {
            match self.meaning(&[name]) {
                Meaning::Scalar(scalar) => types.insert(name, scalar),
                Meaning::Foreign(what) => types.insert_foreign(name, what),
            }
        }
        for tag in self.structs.keys() {
            let name = format!("struct {tag}");
            if let (true, Some(scalar)) =
                (wanted(&name), self.complex_struct(&["struct", tag], tag))
            {
                types.insert(&name, scalar);
            }
        }
        for (tag, scalar) in &self.enums {
            let name = format!("enum {tag}");
            if wanted(&name) {
                types.insert(&name, *scalar);
            }
        }
        types
    }
}

#[cfg(test)]
mod tests {
    use super::super::{mask::mask, syntax::parse};
    use super::*;

    #[test]
    fn through_typedefs_to_scalars_or_to_why_not() {
        let source = "typedef unsigned char Byte; typedef Byte Bytef; typedef long double big;\n\
             typedef struct s *handle; typedef a b; typedef b a; typedef int (*cb)(void);\n\
             typedef int function(void); typedef function same, *pointer, **pointers;\n\
             typedef long size_t; typedef double pair[2]; typedef enum { X } color;\n\
             typedef double _Complex z; typedef enum color2 { Y = -1 } color2; \
             typedef void *voidp; typedef struct _MKL { double real, imag; } MKL_Complex16;\n\
             typedef struct { float x; float y; } cuFloatComplex; struct cplx { double v[2]; };\n\
             typedef struct { double x, y; } point; typedef struct { float re; double im; } mixed_complex;";
        let unit = parse(source, &mask(source));
        for (words, meaning) in [
            (&["Bytef"][..], Meaning::Scalar(Scalar::UChar)),
            (&["size_t"], Meaning::Scalar(Scalar::Size)),
            (&["color"], Meaning::Scalar(Scalar::UInt)),
            (&["color2"], Meaning::Scalar(Scalar::Int)),
            (&["enum", "color2"], Meaning::Scalar(Scalar::Int)),
            (&["z"], Meaning::Scalar(Scalar::ComplexDouble)),
            (&["big"], Meaning::Foreign("a `long double`")),
            (&["handle"], Meaning::Foreign("an opaque handle")),
            (&["voidp"], Meaning::Foreign("a `void` pointer")),
            (&["cb"], Meaning::Foreign("a callback")),
            (&["same"], Meaning::Foreign("a function")),
            (&["pointer"], Meaning::Foreign("a callback")),
            (&["pointers"], Meaning::Foreign("a pointer to pointers")),
            (&["pair"], Meaning::Foreign("an array type")),
            (&["struct", "s"], Meaning::Foreign("a struct")),
            (&["MKL_Complex16"], Meaning::Scalar(Scalar::ComplexDouble)),
            (&["cuFloatComplex"], Meaning::Scalar(Scalar::ComplexFloat)),
            (&["struct", "cplx"], Meaning::Scalar(Scalar::ComplexDouble)),
            (&["point"], Meaning::Foreign("a struct")),
            (&["mixed_complex"], Meaning::Foreign("a struct")),
            (&["a"], Meaning::Foreign("a compiler-specific type")),
            (&["unknown"], Meaning::Foreign("a compiler-specific type")),
        ] {
            assert_eq!(unit.meaning(words), meaning, "{words:?}");
        }
        let source = "typedef const char *text; typedef text name; typedef char *room; typedef x y; typedef y x;";
        let unit = parse(source, &mask(source));
        let strings = ["text", "name", "room", "x", "int"].map(|name| unit.is_text(&[name]));
        assert_eq!(strings, [true, true, false, false, false]);
    }
}
