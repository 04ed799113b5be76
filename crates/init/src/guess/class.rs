//! The guessed classes: for enumerations, structs, handles and callbacks.
//!
//! Purpose: the content of each table of an interface other than functions, and the class of each C
//! type.
//! Invariant: a type has one class at most, and a class has one spelling of its type.
//! Reason: functions are guessed after all classes are known, since any of them may use any class.

pub(crate) use super::destructors::Free;
use fishplate_model::Type;
use fishplate_readers::header::syntax::Unit;
use fishplate_readers::prototype::Types;

/// A class of the module.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// Its name in the target language.
    pub name: String,
    /// The name of the type if it has several in C.
    pub key: String,
    /// The words of the type in prototypes.
    pub words: Vec<String>,
    /// The place of its declaration in the preprocessed source, if that is not where its name is.
    pub at: Option<usize>,
    /// Points to check.
    pub remarks: Vec<String>,
    /// Its sort.
    pub what: What,
}

/// The sort of a class.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// `[enum.NAME]`
    Enum { prefix: String, values: Vec<String>, is_flags: bool },
    /// `[struct.NAME]`
    Struct { fields: Vec<String>, spellings: Vec<String> },
    /// `[handle.NAME]`
    Handle {
        /// The words are the pointee's.
        star: bool,
        /// The destructor.
        free: Option<Free>,
        /// The constructor.
        maker: Option<String>,
        /// The prefix of its methods in C.
        prefix: String,
        /// The module stores the objects: how one is initialised.
        init: Option<Init>,
        /// The expression over `object` for the message that an object stores.
        message: Option<String>,
        /// The function of another object that created it, which destroys one.
        destroyer: Option<String>,
        /// The name of the class of the object that the destructor needs, too.
        context: Option<String>,
        /// The headers call it by another name for `void *`, which is that of several classes.
        is_sort: bool,
        /// The attributes.
        fields: Vec<String>,
        /// The spellings of their types.
        spellings: Vec<String>,
    },
    /// `[callback.NAME]`
    Callback { proto: String, function: String, data: String, spellings: Vec<String> },
}

/// The function that initialises an object.
#[derive(Clone, Debug)]
pub(crate) struct Init {
    /// Its name.
    pub function: String,
    /// It returns a code.
    pub has_status: bool,
}

impl Class {
    /// The type as spelled in a prototype.
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
            What::Struct { spellings, .. }
            | What::Handle { spellings, .. }
            | What::Callback { spellings, .. } => spellings,
            What::Enum { .. } => &[],
        }
    }

    /// A handle that the caller destroys.
    pub(super) fn is_freed(&self) -> bool {
        matches!(self.what, What::Handle { free: Some(_), .. })
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// The members of structs come before these.
    pub all: Vec<Class>,
}

impl Classes {
    /// The class of a type, and the depth of its pointers above that.
    pub(super) fn find(&self, words: &[&str], unit: &Unit<'_>) -> Option<(&Class, usize)> {
        let (key, stars) = unit.named(words)?;
        Some((self.all.iter().find(|class| class.key == key)?, stars))
    }

    /// The types for prototypes: those of the headers, replaced by the classes.
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
        for name in unit.typedefs.keys().filter(|name| unit.is_text(&[name])) {
            types.insert_pointer(name, "const char *");
        }
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
                // Only the parser of the whole file knows how it is called.
                What::Callback { .. } => types.insert_foreign(&class.spelling(), "a callback"),
            }
        }
        types
    }
}
