//! Expressions: C, with `len(x)` and `shape(x, i)`.
//!
//! Purpose: copy an expression into the interface, or into the C function of a routine.
//! Invariant: names of f2py's own generated code are errors.
//! Reason: f2py copies expressions into its C code too, so that they may use all of it.

use super::declaration::Type;
use super::file::Routine;
use super::text::{brackets, name, replace, split, words};
use std::collections::BTreeMap;

/// The C function for the first letter of a string, and its definition.
pub(super) const FIRST_LETTER: (&str, &str) =
    ("first_letter", "static int first_letter(const char *text) { return *text; }");

/// The dimensions of the arrays of a routine, as far as expressions refer to them.
#[derive(Default)]
pub(super) struct Shapes {
    /// The dimensions of each array, in C.
    dimensions: BTreeMap<String, Vec<String>>,
    /// The arrays that the caller does not pass.
    allocated: Vec<String>,
    /// The strings.
    strings: Vec<String>,
    /// The names of the dimensions that are whatever the caller passes.
    free: BTreeMap<(String, usize), String>,
    /// Integers that f2py finds from a shape: the array and the index of the dimension.
    pub found: BTreeMap<String, (String, usize)>,
}

impl Shapes {
    pub(super) fn of(routine: &Routine) -> Shapes {
        let mut shapes = Shapes::default();
        for own in &routine.arguments {
            let Some(array) = routine.variables.get(own) else { continue };
            if matches!(array.base, Some(Type::Character(_))) {
                shapes.strings.push(own.clone());
            }
            let mut dimensions = Vec::new();
            for (index, dimension) in array.dimensions.iter().enumerate() {
                if dimension == "*" || dimension == ":" {
                    let name = match array.dimensions.len() {
                        1 => format!("{own}_len"),
                        _ => format!("{own}_dim{index}"),
                    };
                    shapes.free.insert((own.clone(), index), name.clone());
                    dimensions.push(name);
                    continue;
                }
                dimensions.push(format!("({})", extent(dimension)));
                let is_input = !array.has("hide") && (!array.has("out") || array.has("in"));
                let is_plain = |one: &super::declaration::Variable| {
                    one.value.is_none() && one.depends.is_empty() && one.dimensions.is_empty()
                };
                let known = routine.variables.get(dimension).is_some_and(is_plain);
                if is_input
                    && known
                    && array.checks.is_empty()
                    && !array.depends.contains(dimension)
                {
                    let place = (own.clone(), index);
                    shapes.found.entry(dimension.clone()).or_insert(place);
                }
            }
            shapes.dimensions.insert(own.clone(), dimensions);
            if !super::argument::is_passed(array) {
                shapes.allocated.push(own.clone());
            }
        }
        shapes
    }

    /// The name of a dimension that is whatever the caller passes.
    pub(super) fn free(&self, array: &str, index: usize) -> Option<String> {
        self.free.get(&(array.to_owned(), index)).cloned()
    }

    /// The names of all such dimensions.
    pub(super) fn all_free(&self) -> impl Iterator<Item = &String> {
        self.free.values()
    }

    /// `*s` and `s[0]` of a string as a call of [`FIRST_LETTER`], since expressions of an interface
    /// have no elements of strings.
    fn with_letters(&self, text: &str) -> String {
        let letters = replace(text, &mut |word, rest| {
            let is_string = self.strings.iter().any(|one| one == word);
            let letter = || format!("{}({word})", FIRST_LETTER.0);
            (is_string && rest.starts_with("[0]")).then(|| (letter(), 3))
        });
        let mut text = letters;
        if !self.strings.is_empty() {
            // A dimension is an integer, and contains no characters.
            for letter in 'A'..='z' {
                text = text.replace(&format!("'{letter}'"), &u32::from(letter).to_string());
            }
        }
        for string in &self.strings {
            let deref = format!("*{string}");
            while let Some(at) = text.find(&deref) {
                let end = at + deref.len();
                if text[end..].starts_with(super::text::is_part) {
                    break;
                }
                text.replace_range(at..end, &format!("{}({string})", FIRST_LETTER.0));
            }
        }
        text
    }

    /// `len(x)`, `shape(x, i)`, `size(x)`: the value in C, since the interface compares each
    /// dimension with its declaration before the call.
    fn property(&self, word: &str, inside: &str) -> Option<String> {
        let parts = split(inside, ',');
        let dimensions = self.dimensions.get(*parts.first()?)?;
        match (word, parts.as_slice()) {
            ("len", [_]) => dimensions.first().cloned(),
            ("shape", [_, index]) => dimensions.get(index.parse::<usize>().ok()?).cloned(),
            ("size", [_]) => Some(format!("({})", dimensions.join("*"))),
            ("rank", [_]) => Some(dimensions.len().to_string()),
            _ => None,
        }
    }
}

/// The array and the dimension of `len(x)` and `shape(x, i)`.
pub(super) fn shape_of(value: &str) -> Option<(String, usize)> {
    let (word, rest) = name(value)?;
    let (inside, behind) = brackets(rest)?;
    let parts = split(inside, ',');
    match (word, parts.as_slice(), behind.trim()) {
        ("len", [array], "") => Some(((*array).to_owned(), 0)),
        ("shape", [array, index], "") => Some(((*array).to_owned(), index.parse().ok()?)),
        _ => None,
    }
}

/// A dimension that f2py computes only without an argument: `(y_capi==Py_None?n:-1)` is `n`. Other
/// sizes of the caller's array are an error then.
pub(super) fn extent(dimension: &str) -> String {
    let compact: String = dimension.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = compact.strip_prefix('(').and_then(|text| text.strip_suffix(":-1)"));
    let found = inner.and_then(|text| text.split_once("_capi==Py_None?"));
    match found {
        Some((array, value)) if name(array).is_some_and(|(_, rest)| rest.is_empty()) => {
            format!("({value})")
        }
        _ => dimension.to_owned(),
    }
}

/// The expression in the interface.
pub(super) fn in_interface(text: &str, shapes: &Shapes) -> Result<String, String> {
    let text = extent(text);
    refuse(&text)?;
    let text = replace(&text, &mut |word, rest| match word {
        "MAX" | "MIN" => Some((word.to_ascii_lowercase(), 0)),
        // Unlike `abs`, which C computes, this leads to arithmetic that detects a division by zero.
        "abs" if rest.starts_with('(') => {
            let (inside, behind) = brackets(rest)?;
            Some((format!("max({inside}, -({inside}))"), rest.len() - behind.len()))
        }
        "rank" | "size" if rest.starts_with('(') => {
            let (inside, behind) = brackets(rest)?;
            Some((shapes.property(word, inside)?, rest.len() - behind.len()))
        }
        "len" | "shape" if rest.starts_with('(') => {
            // An array that the call allocates has no such property: its declaration has.
            let (inside, behind) = brackets(rest)?;
            let array = split(inside, ',')[0];
            let value = match shapes.allocated.iter().any(|one| one == array) {
                true => shapes.property(word, inside)?,
                false => format!("{word}({inside})"),
            };
            Some((value, rest.len() - behind.len()))
        }
        "slen" => Some(("len".to_owned(), 0)),
        _ => None,
    });
    // After the shapes of allocated arrays, which contain strings too.
    Ok(shapes.with_letters(&text))
}

/// The expression in the C function.
pub(super) fn in_c(text: &str, shapes: &Shapes) -> Result<String, String> {
    let text = extent(text);
    refuse(&text)?;
    Ok(replace(&text, &mut |word, rest| match word {
        "max" | "min" if rest.starts_with('(') => Some((word.to_ascii_uppercase(), 0)),
        "len" | "shape" | "size" | "rank" if rest.starts_with('(') => {
            let (inside, behind) = brackets(rest)?;
            Some((shapes.property(word, inside)?, rest.len() - behind.len()))
        }
        "slen" => Some(("(int)strlen".to_owned(), 0)),
        _ => None,
    }))
}

/// Refuses names of the code that f2py generates.
pub(super) fn refuse(text: &str) -> Result<(), String> {
    for word in words(text) {
        let is_internal = word.ends_with("_capi")
            || word.starts_with("capi_")
            || word.starts_with("Py")
            || word.starts_with("npy_") && !["npy_int32", "npy_int64"].contains(&word.as_str())
            || word.starts_with("NPY_")
            || word.starts_with("f2py_") && word != "f2py_func"
            || ["CFUNCSMESS", "STRINGCOPYN", "goto"].contains(&word.as_str());
        if is_internal {
            return Err(format!("`{word}` is a name in the code of f2py"));
        }
    }
    Ok(())
}

/// Literals of Fortran as those of C.
pub(super) fn literal(text: &str, base: &Type) -> String {
    let text = text.trim();
    match text.to_ascii_lowercase().as_str() {
        ".true." => return "1".to_owned(),
        ".false." => return "0".to_owned(),
        _ => {}
    }
    if base.is_complex()
        && let Some((inside, "")) = brackets(text)
        && let [real, imaginary] = split(inside, ',').as_slice()
    {
        let is_zero = imaginary.parse::<f64>().is_ok_and(|value| value == 0.0);
        return match is_zero {
            true => (*real).to_owned(),
            false => format!("{real} + {imaginary} * _Complex_I"),
        };
    }
    // `3.0` for an integer, `1d-6`
    if matches!(base, Type::Number("int" | "long" | "int64_t" | "int16_t" | "int8_t"))
        && let Ok(value) = text.parse::<f64>()
        && value.fract() == 0.0
    {
        return format!("{value}");
    }
    let exponent = text.replace(['d', 'D'], "e");
    if exponent.parse::<f64>().is_ok() { exponent } else { text.to_owned() }
}
