//! C values with names in the target language: single constants, and the members of enums.

use crate::{CType, Spanned};

/// A value that headers define: a macro, a global, an enumerator.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name in the target language.
    pub name: Spanned<String>,
    /// The class of which it is an attribute; `None`: the module has it.
    pub class: Option<Spanned<String>>,
    /// The expression of C that has the value.
    pub value: Spanned<String>,
}

impl Constant {
    /// Its name in a language without attributes of classes: `Page_width`.
    pub fn flat_name(&self) -> String {
        match &self.class {
            Some(class) => format!("{}_{}", class.value, self.name.value),
            None => self.name.value.clone(),
        }
    }
}

/// A C type with a few integer values: a class in the target language.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// Its name in the target language: `Color`, or `Shape.Kind` for an attribute of a class.
    pub name: Spanned<String>,
    /// Its documentation.
    pub doc: String,
    /// The type.
    pub ctype: CType,
    /// Its values may be combined with `|`.
    pub flags: bool,
    /// Its values, in source order.
    pub values: Vec<Constant>,
}

impl Enum {
    /// The class of which it is an attribute; `None`: the module has it.
    pub fn class(&self) -> Option<&str> {
        self.name.value.split_once('.').map(|(class, _)| class)
    }

    /// Its name without that of the class.
    pub fn member(&self) -> &str {
        self.name.value.rsplit('.').next().unwrap_or_default()
    }

    /// Its name in a language without attributes of classes: `Shape_Kind`.
    pub fn flat_name(&self) -> String {
        self.name.value.replace('.', "_")
    }
}
