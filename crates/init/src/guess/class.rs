//! The classes that headers are guessed to have: of enumerations, structs, handles and callbacks.
//!
//! Purpose: what each table of an interface beside functions will say, and which C type is which class.
//! Invariant: a type is one class at most, and a class has one spelling of its type.
//! Reason: functions are guessed after all classes are known, as any of them may take any class.

use fishplate_model::Type;
use fishplate_readers::header::syntax::Unit;
use fishplate_readers::prototype::Types;

/// A class of the module.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// Its name in the host.
    pub name: String,
    /// The name of the type where it has many in C.
    pub key: String,
    /// The type's words as prototypes spell them.
    pub words: Vec<String>,
    /// Where it is declared, in the preprocessed text, if that is not where its name is.
    pub at: Option<usize>,
    /// What is to be checked.
    pub remarks: Vec<String>,
    /// What it is a class of.
    pub what: What,
}

/// What a class is of.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// `[enum.NAME]`
    Enum { prefix: String, values: Vec<String>, is_flags: bool },
    /// `[struct.NAME]`
    Struct { fields: String, spellings: Vec<String> },
    /// `[handle.NAME]`
    Handle {
        /// The words are what is pointed to.
        star: bool,
        /// What gives an object back.
        free: Option<String>,
        /// What makes one when the class is called.
        maker: Option<String>,
        /// What methods' names begin with in C.
        prefix: String,
    },
    /// `[callback.NAME]`
    Callback { proto: String, function: String, data: String, spellings: Vec<String> },
}

impl Class {
    /// The type as a prototype has it.
    pub(crate) fn spelling(&self) -> String {
        self.words.join(" ")
    }

    /// The table's name: `handle.Rng`.
    pub(crate) fn table(&self) -> String {
        let kind = match self.what {
            What::Enum { .. } => "enum",
            What::Struct { .. } => "struct",
            What::Handle { .. } => "handle",
            What::Callback { .. } => "callback",
        };
        format!("{kind}.{}", self.name)
    }

    /// The spellings of the types in it.
    pub(crate) fn spellings(&self) -> &[String] {
        match &self.what {
            What::Struct { spellings, .. } | What::Callback { spellings, .. } => spellings,
            What::Enum { .. } | What::Handle { .. } => &[],
        }
    }

    /// A handle that the caller gives back.
    pub(super) fn is_freed(&self) -> bool {
        matches!(self.what, What::Handle { free: Some(_), .. })
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// Structs within others come before these.
    pub all: Vec<Class>,
}

impl Classes {
    /// The class of a type, and how many stars deep its pointers are behind that.
    pub(super) fn find(&self, words: &[&str], unit: &Unit<'_>) -> Option<(&Class, usize)> {
        let (key, stars) = unit.named(words)?;
        Some((self.all.iter().find(|class| class.key == key)?, stars))
    }

    /// The types that prototypes may use: those of the headers, and in their place the classes.
    pub(super) fn types(&self, unit: &Unit<'_>) -> Types {
        let is_class = |spelling: &str| {
            let words: Vec<&str> = spelling.split(' ').collect();
            self.find(&words, unit).is_some_and(|(class, stars)| {
                stars == 0
                    && class.spelling() == spelling
                    && !matches!(class.what, What::Handle { .. })
            })
        };
        let mut types = unit.types(&|spelling| !is_class(spelling));
        for class in &self.all {
            let words: Vec<&str> = class.words.iter().map(String::as_str).collect();
            match &class.what {
                What::Enum { .. } => {
                    types.insert_class(&words, Type::Enum(class.name.clone()));
                }
                What::Struct { .. } => {
                    types.insert_class(&words, Type::Struct(class.name.clone()));
                }
                What::Handle { star, .. } => {
                    types.insert_handle(&words, *star, &class.name);
                }
                // Only the reader of the whole file knows how it is called.
                What::Callback { .. } => types.insert_foreign(&class.spelling(), "a callback"),
            }
        }
        types
    }
}
