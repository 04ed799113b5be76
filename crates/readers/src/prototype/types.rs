//! The C types that a prototype may use.
//!
//! Purpose: translate the words of a type to a [`CType`], or report how to declare it.
//! Invariant: `[types]` can add names but never changes the meaning of C's own types.
//! Reason: the C compiler compares the prototype with the header, so the spelling is stored along
//! with the meaning.

use super::aliases::Aliases;
use super::cplusplus::Overridable;
use super::lexer::{self, Kind, Token};
use super::qualifiers::Qualifier;
use super::standard;
use super::unpacked::Declared;
use crate::names;
use crate::span_map::SpanMap;
use fishplate_model::{CType, Callback, Code, Diagnostic, Nested, Scalar, Span, Type};
use std::collections::BTreeMap;

/// The beginning of the word for a nested value in the prototype of an adapter, before its signature.
pub(crate) const NESTED: &str = "fp_nested_";

/// How an author declares a type, for hints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Declaration {
    /// `NAME = "int64"` in `[types]`.
    #[default]
    Table,
    /// `NAME: int64` below `typemaps`.
    Typemap,
}

impl Declaration {
    fn example(self, spelling: &str, name: &str) -> String {
        match self {
            Declaration::Table if spelling.contains([' ', ':']) => {
                format!("`\"{spelling}\" = \"{name}\"` in `[types]`")
            }
            Declaration::Table => format!("in `[types]`, such as `{spelling} = \"{name}\"`"),
            Declaration::Typemap => format!("below `typemaps`, such as `{spelling}: {name}`"),
        }
    }
}

/// The types that an interface declares, in addition to C's.
#[derive(Clone, Debug, Default)]
pub struct Types {
    declaration: Declaration,
    /// By their words, one space between: `struct half`. `None` for a faulty declaration.
    names: BTreeMap<String, Option<Scalar>>,
    /// Known types that cannot be passed: `FILE`, "a struct".
    foreign: BTreeMap<String, &'static str>,
    /// The types of enums and structs, by their words.
    classes: BTreeMap<String, Type>,
    /// The types of handles, by their words.
    handles: BTreeMap<String, HandleType>,
    /// The types of callbacks, by their words.
    callbacks: BTreeMap<String, Callback>,
    /// The virtual methods of classes of C++ that may be overridden, by the words of the class.
    overridable: BTreeMap<String, Vec<Overridable>>,
    /// The structs that are unpacked, by their words and by the names of their tables.
    unpacked: BTreeMap<String, Declared>,
    /// The names of C++ for other types.
    aliases: Aliases,
}

/// The C spelling of a handle.
#[derive(Clone, Debug)]
struct HandleType {
    /// The handle's name.
    name: String,
    /// The type is `WORDS *`; else the words are a pointer by themselves.
    star: bool,
    /// A `std::shared_ptr` counts the references to its objects.
    is_counted: bool,
    /// The module allocates its objects.
    is_stored: bool,
    /// The C type, if other handles may have it, too: a `void *` or an integer. The words are the handle's name.
    shared: Option<CType>,
}

impl Types {
    /// No types yet; hints suggest this form of declaration.
    pub fn declared_as(declaration: Declaration) -> Self {
        Types { declaration, ..Types::default() }
    }

    /// Declares that `spelling` (one or more words) is `scalar`.
    pub fn insert(&mut self, spelling: &str, scalar: Scalar) {
        self.names.insert(one_spaced(spelling), Some(scalar));
    }

    /// Declares that `name` is the type of C++ with these tokens.
    pub(crate) fn insert_alias(&mut self, name: &str, tokens: &[Token<'_>]) {
        self.aliases.insert(name, tokens);
    }

    /// Declares that `name` is the pointer that `of` spells.
    pub fn insert_pointer(&mut self, name: &str, of: &str) {
        self.insert_alias(name, &lexer::lex(of, &SpanMap::verbatim(of, 0), &mut Vec::new()));
    }

    /// Replaces such names in one another; returns those that are a part of themselves.
    pub(crate) fn resolve_aliases(&mut self) -> Vec<String> {
        self.aliases.resolve()
    }

    /// The tokens with types in place of their names.
    pub(crate) fn expand<'t>(&'t self, tokens: &[Token<'t>]) -> Vec<Token<'t>> {
        self.aliases.expand(tokens)
    }

    /// The text with types in place of their names.
    pub(crate) fn expand_text(&self, text: &str) -> String {
        self.aliases.expand_text(text)
    }

    /// Declares `spelling` without a meaning: prototypes with it are parsed to find their other
    /// mistakes, but yield no overload.
    pub fn insert_unknown(&mut self, spelling: &str) {
        self.names.insert(one_spaced(spelling), None);
    }

    /// Declares that `spelling` is `what`, such as `a struct`, and cannot be passed.
    pub fn insert_foreign(&mut self, spelling: &str, what: &'static str) {
        self.foreign.insert(one_spaced(spelling), what);
    }

    /// Declares that `words` are an enum or a struct. False if they are a type already.
    pub fn insert_class(&mut self, words: &[&str], what: Type) -> bool {
        let is_new = self.find(words).is_none() && self.class(words).is_none();
        if is_new {
            self.classes.insert(words.join(" "), what);
        }
        is_new
    }

    /// The enum or struct that these words spell.
    pub(crate) fn class(&self, words: &[&str]) -> Option<&Type> {
        self.classes.get(&words.join(" "))
    }

    /// Declares that `words`, with a `*` after them or without, is the handle `name`. False if they
    /// are a type already.
    pub fn insert_handle(&mut self, words: &[&str], star: bool, name: &str) -> bool {
        let (is_counted, is_stored) = (false, false);
        let handle =
            HandleType { name: name.to_owned(), star, is_counted, is_stored, shared: None };
        self.find(words).is_none()
            && self.class(words).is_none()
            && self.handles.insert(words.join(" "), handle).is_none()
    }

    /// Declares that a `std::shared_ptr` counts the references to the objects of these words.
    pub(crate) fn count_references(&mut self, words: &[&str]) {
        if let Some(handle) = self.handles.get_mut(&words.join(" ")) {
            handle.is_counted = true;
        }
    }

    /// Declares that the module allocates the objects of these words.
    pub(crate) fn store(&mut self, words: &[&str]) {
        if let Some(handle) = self.handles.get_mut(&words.join(" ")) {
            handle.is_stored = true;
        }
    }

    /// The module allocates the objects of the handle with this name.
    pub(crate) fn is_stored(&self, name: &str) -> bool {
        self.handles.values().any(|handle| handle.name == name && handle.is_stored)
    }

    /// A `std::shared_ptr` counts the references to the objects of this class.
    pub(crate) fn is_counted(&self, words: &str) -> bool {
        self.handles.get(words).is_some_and(|handle| handle.is_counted)
    }

    /// The name of the handle of the objects of this class.
    pub(crate) fn handle_of(&self, words: &str) -> Option<&str> {
        self.handles.get(words).map(|handle| handle.name.as_str())
    }

    /// Declares the virtual methods of a class, and of its bases, that may be overridden.
    pub(crate) fn insert_overridable(&mut self, class: &str, methods: Vec<Overridable>) {
        self.overridable.insert(class.to_owned(), methods);
    }

    /// The virtual methods of a class that may be overridden.
    pub(crate) fn overridable(&self, class: &str) -> &[Overridable] {
        self.overridable.get(class).map_or(&[], Vec::as_slice)
    }

    /// Some constructor accepts overrides.
    pub(crate) fn has_overridable(&self) -> bool {
        !self.overridable.is_empty()
    }

    /// Some constructor accepts overrides of the method with this qualified name.
    pub(crate) fn is_overridable(&self, method: &str) -> bool {
        self.overridable.values().flatten().any(|one| one.is_called(method))
    }

    /// Declares that the word `name` is the handle of that name, whose type in C other handles may have, too. False
    /// if it is a type already.
    pub(crate) fn insert_shared_handle(&mut self, name: &str, ctype: CType) -> bool {
        let is_new = self.insert_handle(&[name], false, name);
        if let Some(handle) = self.handles.get_mut(name).filter(|_| is_new) {
            handle.shared = Some(ctype);
        }
        is_new
    }

    /// The handle that these words with this number of stars after them spell, and the number of
    /// remaining stars.
    pub(crate) fn handle(
        &self,
        tokens: &[Token<'_>],
        stars: usize,
        is_const: bool,
    ) -> Option<(CType, usize)> {
        let (first, last) = (tokens.first()?, tokens.last()?);
        if let Some(nested) = first.text.strip_prefix(NESTED).and_then(Nested::read) {
            let constant = if is_const { "const " } else { "" };
            let (spelling, what) = (format!("{constant}fp_node *"), Type::Nested(nested));
            return Some((CType { what, spelling, span: first.span }, stars.checked_sub(1)?));
        }
        let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        // A `const` pointer is the same type.
        let constant = if is_const { "const " } else { "" };
        let span = first.span.to(last.span);
        let Some(handle) = self.handles.get(&words.join(" ")) else {
            return Some((standard::pointer(&words, span)?, stars.checked_sub(1)?));
        };
        let left = stars.checked_sub(usize::from(handle.star))?;
        let ctype = match handle {
            HandleType { shared: Some(ctype), .. } if ctype.invalid_identifier().is_some() => {
                CType { span, ..ctype.clone() }
            }
            HandleType { shared: Some(ctype), .. } => {
                CType { spelling: format!("{constant}{}", ctype.spelling), span, ..ctype.clone() }
            }
            HandleType { star: false, is_stored: true, .. } => {
                let spelling = CType::pointer_to_array(words.first()?, is_const);
                CType { what: Type::Handle(handle.name.clone()), spelling, span }
            }
            HandleType { star, .. } => {
                let words = words.join(" ");
                let spelling = if *star { format!("{constant}{words} *") } else { words };
                CType { what: Type::Handle(handle.name.clone()), spelling, span }
            }
        };
        Some((ctype, left))
    }

    /// True for the type of objects of a class, a pointer to which is a handle.
    pub(crate) fn is_object(&self, words: &str) -> bool {
        self.handles.get(words).is_some_and(|handle| handle.star && handle.shared.is_none())
    }

    /// Declares an unpacked struct with this name in prototypes. False if that is a type already.
    pub(crate) fn insert_unpacked(&mut self, words: &str, declared: Declared) -> bool {
        let spelled: Vec<&str> = words.split(' ').collect();
        self.find(&spelled).is_none()
            && self.class(&spelled).is_none()
            && !self.handles.contains_key(words)
            && !self.callbacks.contains_key(words)
            && !self.unpacked.contains_key(words)
            && self.unpacked.insert(words.to_owned(), declared).is_none()
    }

    /// The unpacked struct with this type, or with this name.
    pub(crate) fn unpacked_called(&self, words: &str) -> Option<&Declared> {
        self.unpacked.get(words)
    }

    /// The unpacked struct whose type an argument, or a field, has.
    pub(crate) fn unpacked(&self, argument: &[Token<'_>]) -> Option<&Declared> {
        let is_const = |token: &&Token<'_>| token.is_word("const");
        let words = argument.iter().skip_while(is_const).take_while(|one| one.kind == Kind::Word);
        let words: Vec<&str> = words.map(|token| token.text).collect();
        (1..=words.len()).rev().find_map(|count| self.unpacked.get(&words[..count].join(" ")))
    }

    /// Declares that `words` are the type of this callback. False if they are a type already.
    pub(crate) fn insert_callback(&mut self, words: &[&str], callback: Callback) -> bool {
        self.find(words).is_none()
            && !self.handles.contains_key(&words.join(" "))
            && self.callbacks.insert(words.join(" "), callback).is_none()
    }

    /// The callback whose type these words are.
    pub(crate) fn callback(&self, tokens: &[Token<'_>]) -> Option<&Callback> {
        let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        self.callbacks.get(&words.join(" "))
    }

    /// True for `void`, and for types of C or of the interface.
    pub(crate) fn spells(&self, tokens: &[Token<'_>]) -> bool {
        let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        let spelled = words.join(" ");
        words == ["void"]
            || self.find(&words).is_some()
            || self.classes.contains_key(&spelled)
            || self.handles.contains_key(&spelled)
            || self.callbacks.contains_key(&spelled)
            || self.foreign.contains_key(&spelled)
    }

    /// The scalar type that these words mean, if they are one.
    pub(crate) fn find(&self, words: &[&str]) -> Option<Scalar> {
        match (self.names.get(&words.join(" ")), words) {
            (Some(declared), _) => Some(declared.unwrap_or(Scalar::Int)),
            // C++ has C's typedefs in its own namespace, too.
            (None, [word]) if word.ends_with("_t") => {
                Scalar::from_words(&[word.strip_prefix("std::").unwrap_or(word)])
            }
            (None, _) => Scalar::from_words(words),
        }
    }

    /// False for a type that was declared without a meaning.
    pub(crate) fn is_known(&self, ctype: &CType) -> bool {
        self.names.get(&ctype.spelling).is_none_or(Option::is_some)
    }

    /// The type that these tokens spell, or the mistake in it. There is at least one token.
    pub(crate) fn resolve(&self, tokens: &[Token<'_>]) -> Result<CType, Box<Diagnostic>> {
        let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        let span = match tokens {
            [first, .., last] => first.span.to(last.span),
            [only] => only.span,
            [] => Span::default(),
        };
        if let Some(what) = self.class(&words) {
            return Ok(CType { what: what.clone(), spelling: words.join(" "), span });
        }
        match self.find(&words) {
            Some(scalar) => Ok(CType::of(scalar, words.join(" "), span)),
            None => Err(Box::new(self.explain(tokens, &words, span))),
        }
    }

    fn explain(&self, tokens: &[Token<'_>], words: &[&str], span: Span) -> Diagnostic {
        let spelling = names::short(&words.join(" "), 60);
        let unsupported = |message: String, hint: String| {
            Diagnostic::error(Code::UNSUPPORTED_TYPE, span, message, hint)
        };
        if let Some(handle) = self.handles.get(&words.join(" ")) {
            let of = names::short(&handle.name, 60);
            return if handle.star {
                unsupported(
                    format!("`{spelling}` is not a `{of}`: write a pointer to it"),
                    format!("write `{spelling} *`"),
                )
            } else {
                unsupported(
                    format!("`{spelling}` is a `{of}` already, and this is a pointer to one"),
                    format!(
                        "where the pointer is the object, write `ctype = \"{spelling} *\"` for the handle"
                    ),
                )
            };
        }
        if self.unpacked.contains_key(&words.join(" ")) {
            return unsupported(
                format!("`{spelling}` is unpacked, so its fields are arguments of a function"),
                "it is an argument of a function without an intent, by value, by its address or `TYPE NAME[n]`, or a result by value; \
                 elsewhere, declare a struct of numbers, \
                 or write a C function that accepts the members one by one, and wrap that"
                    .into(),
            );
        }
        if let Some(kind @ ("struct" | "union" | "enum")) = words.first().copied() {
            // Only interface files have enums and structs.
            let has_classes = self.declaration == Declaration::Table;
            let hint = match (kind, has_classes) {
                ("enum", _) => {
                    let or = "declare its values by `[enum.NAME]`, or its integer type";
                    let say = if has_classes { or } else { "declare its integer type" };
                    format!("{say}: {}", self.declaration.example(&spelling, "int"))
                }
                ("struct", true) => {
                    "declare its fields by `[struct.NAME]`, or write a C function that \
                                     accepts the members one by one, and wrap that"
                        .into()
                }
                _ => "write a C function that accepts the members one by one, and wrap that".into(),
            };
            return unsupported(format!("`{spelling}` is not supported"), hint);
        }
        if let Some(what) = self.foreign.get(&words.join(" ")) {
            return unsupported(
                format!("`{spelling}` is {what}, which is not supported"),
                "write a C function that accepts numbers and arrays of numbers, and wrap that"
                    .into(),
            );
        }
        if let Some(name) = words.iter().find(|word| word.contains("::")) {
            let hint = if name.starts_with("std::") {
                names::instead_of(name)
            } else {
                let example = self.declaration.example(&spelling, "float64");
                format!(
                    "if it is a number, or another name for a type, declare its type: {example}; otherwise {}",
                    names::instead_of(name)
                )
            };
            let message = format!("`{spelling}` is an unsupported type of C++");
            return unsupported(message, hint);
        }
        if words == ["void"] {
            return unsupported(
                "`void` is not the type of a value".into(),
                "write its type, such as `double`; bytes are `unsigned char`".into(),
            );
        }
        if words.contains(&"long") && words.contains(&"double") {
            return unsupported(
                format!("`{spelling}` is not supported, as its format differs between platforms"),
                "write a C function that accepts `double`, and wrap that".into(),
            );
        }
        if let Some(wide) = words.iter().find(|word| is_compiler_type(word)) {
            return unsupported(
                format!("`{wide}` is not supported, as few compilers have it"),
                "write a C function that accepts `double` or `int64_t`, and wrap that".into(),
            );
        }
        let stranger = words.iter().position(|word| {
            !names::is_c_specifier(word) && self.find(std::slice::from_ref(word)).is_none()
        });
        let Some(stranger) = stranger else {
            return Diagnostic::error(
                Code::UNKNOWN_TYPE,
                span,
                format!("`{spelling}` is not a type in C"),
                "these words do not go together; is there one too many?",
            );
        };
        let (word, place) = (words[stranger], tokens[stranger].span);
        let unknown = format!("unknown type `{}`", names::short(word, 60));
        if stranger > 0 {
            return Diagnostic::error(
                Code::UNKNOWN_TYPE,
                place,
                format!("`{spelling}` is not a type in C"),
                format!("is a comma missing after `{}`?", names::short(word, 60)),
            );
        }
        let hint = if words.len() > 1 && self.find(&words[1..]).is_some() {
            let annotation = word.strip_prefix("FP_").map(str::to_ascii_lowercase);
            match annotation.or_else(|| Qualifier::meant(word).map(str::to_owned)) {
                Some(meant) if word.starts_with("FP_") => {
                    format!("annotations are for headers; in an interface file, write `{meant}`")
                }
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("if `{word}` is a macro such as an export mark, leave it out"),
            }
        } else {
            self.meant(word)
        };
        Diagnostic::error(Code::UNKNOWN_TYPE, place, unknown, hint)
    }

    /// The replacement for the unknown type `word`.
    fn meant(&self, word: &str) -> String {
        if let Some(scalar) = Scalar::from_name(word) {
            return format!("write it as C does: `{}`", scalar.c_name());
        }
        if let Some(name) = name_of_habit(word) {
            return format!("write it as C does: `{name}`");
        }
        if let Some(spelled) = self.spelling_of(word) {
            return format!(
                "`{word}` names a table; prototypes have its `ctype`: write `{spelled}`"
            );
        }
        let known = Scalar::ALL.iter().map(|scalar| scalar.c_name());
        let declared = self.names.keys().map(String::as_str);
        match names::closest(word, declared.chain(known)) {
            Some(name) => format!("did you mean `{name}`?"),
            None => {
                let name = names::short(word, 60);
                let number = self.declaration.example(&name, "int64");
                match self.declaration {
                    Declaration::Table => format!(
                        "declare it: as a number {number}, or as the `ctype` of a `[handle]`, `[struct]`, `[enum]` or \
                         `[callback]`"
                    ),
                    Declaration::Typemap => format!("declare it {number}"),
                }
            }
        }
    }
}

impl Types {
    /// How prototypes spell the class, enum or struct whose table has this name.
    fn spelling_of(&self, name: &str) -> Option<String> {
        let named = |what: &Type| match what {
            Type::Enum(of) | Type::Struct(of) => of == name,
            _ => false,
        };
        let class = self.classes.iter().find(|(_, what)| named(what));
        let handle = self.handles.iter().find(|(_, one)| one.name == name);
        let class = class.map(|(words, _)| words.clone());
        class.or_else(|| {
            handle.map(|(words, one)| if one.star { format!("{words} *") } else { words.clone() })
        })
    }
}

fn one_spaced(spelling: &str) -> String {
    spelling.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Names in headers and in common use, for types that C calls otherwise.
fn name_of_habit(word: &str) -> Option<&'static str> {
    Some(match word {
        "uchar" | "byte" | "u_char" => "unsigned char",
        "ushort" | "u_short" => "unsigned short",
        "uint" | "u_int" => "unsigned int",
        "ulong" | "u_long" => "unsigned long",
        "boolean" | "BOOL" => "_Bool",
        "real" => "double",
        "integer" => "int",
        _ => return None,
    })
}

fn is_compiler_type(word: &str) -> bool {
    matches!(
        word,
        "__int128"
            | "__int128_t"
            | "__uint128_t"
            | "__float128"
            | "__fp16"
            | "__bf16"
            | "_Float16"
            | "_Float32"
            | "_Float64"
            | "_Float128"
            | "_Float32x"
            | "_Float64x"
            | "_Decimal32"
            | "_Decimal64"
            | "_Decimal128"
            | "_BitInt"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prototype::lexer;
    use crate::span_map::SpanMap;

    fn resolve(text: &str) -> Result<CType, Box<Diagnostic>> {
        let mut types = Types::default();
        types.insert("MKL_INT", Scalar::Int64);
        types.insert("struct  half", Scalar::UInt16);
        let tokens = lexer::lex(text, &SpanMap::verbatim(text, 0), &mut Vec::new());
        types.resolve(&tokens)
    }

    #[test]
    fn c_types_in_any_order_and_declared_ones() {
        assert_eq!(resolve("long unsigned").unwrap().scalar(), Scalar::ULong);
        assert_eq!(resolve("double  _Complex").unwrap().spelling, "double _Complex");
        assert_eq!(resolve("MKL_INT").unwrap().scalar(), Scalar::Int64);
        assert_eq!(resolve("struct half").unwrap().scalar(), Scalar::UInt16);
        assert_eq!(resolve("uint8_t").unwrap().span, Span::new(0, 7));
    }

    #[test]
    fn every_other_type_has_its_own_explanation() {
        for (text, code, hint) in [
            ("float64", Code::UNKNOWN_TYPE, "write it as C does: `double`"),
            ("uint", Code::UNKNOWN_TYPE, "write it as C does: `unsigned int`"),
            ("MKL_IMT", Code::UNKNOWN_TYPE, "did you mean `MKL_INT`?"),
            ("unit8_t", Code::UNKNOWN_TYPE, "did you mean `uint8_t`?"),
            ("lapack_int", Code::UNKNOWN_TYPE, "in `[types]`, such as `lapack_int = \"int64\"`"),
            ("API double", Code::UNKNOWN_TYPE, "leave it out"),
            ("double x float", Code::UNKNOWN_TYPE, "comma missing after `x`"),
            ("int double", Code::UNKNOWN_TYPE, "do not go together"),
            ("long double", Code::UNSUPPORTED_TYPE, "accepts `double`"),
            ("struct point", Code::UNSUPPORTED_TYPE, "members one by one"),
            ("enum color", Code::UNSUPPORTED_TYPE, "`\"enum color\" = \"int\"`"),
            ("void", Code::UNSUPPORTED_TYPE, "bytes are `unsigned char`"),
            ("__int128", Code::UNSUPPORTED_TYPE, "int64_t"),
        ] {
            let found = resolve(text).unwrap_err();
            assert_eq!(found.code, code, "{text}");
            assert!(found.hint.contains(hint), "{text}: {}", found.hint);
        }
    }
}
