//! Nested values: sequences, tuples and maps of numbers, strings, arrays and of one another.
//!
//! Purpose: the type of such a value, and its *signature*, by which runtimes read a value of the target language.
//! Invariant: a signature has exactly one type.
//! Reason: one kind of argument serves all containers of C++; hosts know neither templates nor adapters.

use crate::{Scalar, ScalarClass};

/// The type of a nested value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nested {
    /// No value: `std::monostate`.
    Nothing,
    /// A number.
    Number(Scalar),
    /// A string.
    String,
    /// An array of numbers, with one dimension.
    Array(Scalar),
    /// A value, or none.
    Optional(Box<Nested>),
    /// Any number of values of one type.
    List(Box<Nested>),
    /// The same, without an order: the target language may pass a set.
    Set(Box<Nested>),
    /// Values of these types.
    Tuple(Vec<Nested>),
    /// Values by keys.
    Map(Box<Nested>, Box<Nested>),
    /// A value of one of these types.
    Variant(Vec<Nested>),
    /// An object of the handle with this name.
    Object(Use, String),
    /// A member of the enum with this name.
    Enum(String),
    /// A struct with this name.
    Struct(String),
    /// An array or a list with exactly so many elements.
    Sized(usize, Box<Nested>),
}

/// How C++ uses an object that it receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It reads or copies the object, or counts a reference to it.
    Passed,
    /// It owns the object from then on.
    Taken,
    /// It stores the address, and the object of which a method returned it retains it.
    Retained,
}

impl Nested {
    /// Its signature, as runtimes read it: `ls` is a list of strings, `msi4` a map from strings to 32-bit integers,
    /// `tf8af8e` a tuple of a number and an array, `vi4se` an integer or a string, `of8` a number or none, `lx5Shape` a
    /// list of objects, `lq5Color` one of members of an enum, `q05Shape4Kind` a member of an enum of a class,
    /// `k3af8` an array of 3 numbers, `loy3Box` a list of objects that C++ takes over, `z3Box` an object that is retained.
    pub fn signature(&self) -> String {
        let sized = |name: &str| format!("{}{name}", name.len());
        self.signature_with(&mut |class| match class.name().split_once('.') {
            Some((of, member)) => format!("0{}{}", sized(of), sized(member)),
            None => sized(class.name()),
        })
    }

    /// The same with the positions of classes in a table in place of their names, and this table: `lx0`.
    pub fn numbered(&self) -> (String, Vec<NestedClass>) {
        let mut all: Vec<NestedClass> = Vec::new();
        let signature = self.signature_with(&mut |class| {
            let at = all.iter().position(|one| *one == class).unwrap_or_else(|| {
                all.push(class);
                all.len() - 1
            });
            at.to_string()
        });
        (signature, all)
    }

    /// The names of the handles whose objects it is, or contains.
    pub fn objects(&self) -> Vec<String> {
        let all = self.numbered().1.into_iter();
        all.filter_map(|one| if let NestedClass::Object(name) = one { Some(name) } else { None })
            .collect()
    }

    /// It is, or contains, an object.
    pub fn has_objects(&self) -> bool {
        !self.objects().is_empty()
    }

    /// It is, or contains, an object that C++ uses so.
    pub fn has_use(&self, used: Use) -> bool {
        self.numbered().0.contains(used.letter())
    }

    fn signature_with(&self, name: &mut dyn FnMut(NestedClass) -> String) -> String {
        let mut all = |parts: &[Nested]| -> String {
            parts.iter().map(|part| part.signature_with(name)).collect()
        };
        match self {
            Nested::Nothing => "n".to_owned(),
            Nested::Number(scalar) => number(*scalar),
            Nested::String => "s".to_owned(),
            Nested::Array(scalar) => format!("a{}", number(*scalar)),
            Nested::Optional(of) => format!("o{}", of.signature_with(name)),
            Nested::List(of) => format!("l{}", of.signature_with(name)),
            Nested::Set(of) => format!("h{}", of.signature_with(name)),
            Nested::Tuple(parts) => format!("t{}e", all(parts)),
            Nested::Map(key, value) => {
                let key = key.signature_with(name);
                format!("m{key}{}", value.signature_with(name))
            }
            Nested::Variant(parts) => format!("v{}e", all(parts)),
            Nested::Object(used, class) => {
                format!("{}{}", used.letter(), name(NestedClass::Object(class.clone())))
            }
            Nested::Enum(class) => format!("q{}", name(NestedClass::Enum(class.clone()))),
            Nested::Struct(class) => format!("r{}", name(NestedClass::Struct(class.clone()))),
            Nested::Sized(count, of) => format!("k{count}{}", of.signature_with(name)),
        }
    }

    /// The type that a signature has.
    pub fn read(signature: &str) -> Option<Nested> {
        let (read, rest) = one(signature)?;
        rest.is_empty().then_some(read)
    }

    /// Its type for people: `list of text`.
    pub fn text(&self) -> String {
        let all = |parts: &[Nested]| parts.iter().map(Nested::text).collect::<Vec<_>>();
        match self {
            Nested::Nothing => "none".to_owned(),
            Nested::Number(scalar) => scalar.dtype_name().to_owned(),
            Nested::String => "string".to_owned(),
            Nested::Array(scalar) => format!("{}[]", scalar.dtype_name()),
            Nested::Optional(of) => format!("{} or none", of.text()),
            Nested::List(of) => format!("list of {}", of.text()),
            Nested::Set(of) => format!("set of {}", of.text()),
            Nested::Tuple(parts) => format!("({})", all(parts).join(", ")),
            Nested::Map(key, value) => format!("map from {} to {}", key.text(), value.text()),
            Nested::Variant(parts) => all(parts).join(" or "),
            Nested::Object(_, class) | Nested::Enum(class) | Nested::Struct(class) => class.clone(),
            Nested::Sized(count, of) => match &**of {
                Nested::Array(scalar) => format!("{}[{count}]", scalar.dtype_name()),
                of => format!("{count}-element {}", of.text()),
            },
        }
    }
}

impl Use {
    /// The letter in signatures.
    fn letter(self) -> char {
        match self {
            Use::Passed => 'x',
            Use::Taken => 'y',
            Use::Retained => 'z',
        }
    }
}

/// A class of the module in a nested value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NestedClass {
    /// The handle with this name.
    Object(String),
    /// The enum with this name.
    Enum(String),
    /// The struct with this name.
    Struct(String),
}

impl NestedClass {
    /// Its name in the target language.
    pub fn name(&self) -> &str {
        match self {
            NestedClass::Object(name) | NestedClass::Enum(name) | NestedClass::Struct(name) => name,
        }
    }
}

/// The class and the size in bytes: `i4`.
fn number(scalar: Scalar) -> String {
    let class = match scalar.class() {
        ScalarClass::Bool => 'b',
        ScalarClass::Signed => 'i',
        ScalarClass::Unsigned => 'u',
        ScalarClass::Float => 'f',
        ScalarClass::Complex => 'c',
    };
    format!("{class}{}", scalar.size())
}

/// The first type in a signature, and the rest.
fn one(text: &str) -> Option<(Nested, &str)> {
    let (first, rest) = text.split_at_checked(1)?;
    let boxed = |text| one(text).map(|(of, rest)| (Box::new(of), rest));
    Some(match first {
        "n" => (Nested::Nothing, rest),
        "s" => (Nested::String, rest),
        "a" => {
            let (scalar, rest) = scalar(rest)?;
            (Nested::Array(scalar), rest)
        }
        "o" => {
            let (of, rest) = boxed(rest)?;
            (Nested::Optional(of), rest)
        }
        "l" => {
            let (of, rest) = boxed(rest)?;
            (Nested::List(of), rest)
        }
        "h" => {
            let (of, rest) = boxed(rest)?;
            (Nested::Set(of), rest)
        }
        "m" => {
            let (key, rest) = boxed(rest)?;
            let (value, rest) = boxed(rest)?;
            (Nested::Map(key, value), rest)
        }
        "t" => {
            let (parts, rest) = several(rest)?;
            (Nested::Tuple(parts), rest)
        }
        "v" => {
            let (parts, rest) = several(rest)?;
            (Nested::Variant(parts), rest)
        }
        "k" => {
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            let (of, after) = boxed(&rest[end..])?;
            (Nested::Sized(rest[..end].parse().ok()?, of), after)
        }
        "x" | "y" | "z" | "q" | "r" => {
            let (name, rest) = match rest.strip_prefix('0') {
                Some(rest) => {
                    let (class, rest) = sized(rest)?;
                    let (member, rest) = sized(rest)?;
                    (format!("{class}.{member}"), rest)
                }
                None => sized(rest).map(|(name, rest)| (name.to_owned(), rest))?,
            };
            let class = match first {
                "x" => Nested::Object(Use::Passed, name),
                "y" => Nested::Object(Use::Taken, name),
                "z" => Nested::Object(Use::Retained, name),
                "q" => Nested::Enum(name),
                _ => Nested::Struct(name),
            };
            (class, rest)
        }
        _ => {
            let (scalar, rest) = scalar(text)?;
            (Nested::Number(scalar), rest)
        }
    })
}

/// A name after its length, and the rest.
fn sized(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    text[end..].split_at_checked(text[..end].parse().ok()?)
}

/// The types up to an `e`.
fn several(mut text: &str) -> Option<(Vec<Nested>, &str)> {
    let mut parts = Vec::new();
    loop {
        if let Some(rest) = text.strip_prefix('e') {
            return Some((parts, rest));
        }
        let (part, rest) = one(text)?;
        parts.push(part);
        text = rest;
    }
}

fn scalar(text: &str) -> Option<(Scalar, &str)> {
    use Scalar::*;
    let end = text.get(1..)?.find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |at| at + 1);
    let (word, rest) = text.split_at(end);
    let all = [
        Bool,
        Int8,
        Int16,
        Int32,
        Int64,
        UInt8,
        UInt16,
        UInt32,
        UInt64,
        Float,
        Double,
        ComplexFloat,
        ComplexDouble,
    ];
    Some((all.into_iter().find(|scalar| number(*scalar) == word)?, rest))
}

#[cfg(test)]
mod tests {
    use super::{Nested, NestedClass};

    #[test]
    fn signatures_are_read_as_they_are_written() {
        for text in [
            "ls",
            "msi4",
            "tf8af8e",
            "vi4se",
            "oltc16b1e",
            "lmslau1",
            "mshf8",
            "vnoac8e",
            "te",
            "tx1Ax12BoxOfDoublese",
            "lk3af8",
            "mq5Coloru4",
            "lr3Vec",
            "msoy3Box",
            "z3Box",
        ] {
            assert_eq!(Nested::read(text).expect(text).signature(), text);
        }
        for text in
            ["", "l", "tf8", "i3", "ss", "a", "as", "ms", "v", "é", "x", "x3", "x9Ab", "k3", "kaf8"]
        {
            assert_eq!(Nested::read(text), None, "{text}");
        }
    }

    #[test]
    fn objects_and_enums_are_numbered_by_their_classes() {
        let nested = Nested::read("tlx1Amsq1Bx1Ae").expect("a signature");
        let classes = vec![NestedClass::Object("A".to_owned()), NestedClass::Enum("B".to_owned())];
        assert_eq!(nested.numbered(), ("tlx0msq1x0e".to_owned(), classes));
    }
}
