//! What a function returns, while it is being guessed.
//!
//! Purpose: numbers, structs, texts and handles, and whose these are.
//! Invariant: a pointer is returned only where the names tell who frees what it points to.
//! Reason: memory that is freed twice takes the process down, and memory that nobody frees is lost.

use super::class::What;
use super::comment::Comment;
use super::owners::{self, Owner};
use super::{Context, Given};
use fishplate_model::Scalar;
use fishplate_readers::header::declarator::Form;
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::Declaration;

/// What a function returns.
pub(super) struct Returned {
    /// The type as it is written before the name, without the words before it.
    pub text: String,
    /// The type's words.
    pub spelling: String,
    /// Whose the handle is that is returned, and its class.
    pub handle: Option<(Owner, String)>,
    /// An integer that is no enumeration.
    pub is_count: bool,
    /// A text that ends with a NUL.
    pub is_text: bool,
    /// A pointer to numbers, of which is to be found how many they are and whose.
    pub is_array: bool,
    /// NULL is an answer like any other.
    pub is_nullable: bool,
}

impl Returned {
    /// What stands before the type.
    pub(super) fn words(&self) -> String {
        let owner = self.handle.as_ref().map_or(String::new(), |(owner, _)| owner.to_string());
        owner + if self.is_nullable { "nullable " } else { "" }
    }
}

/// Reads what a function returns. `handles` are its arguments that are handles, by name and class.
pub(super) fn read(
    function: &Declaration<'_>,
    comment: &Comment,
    handles: &[Given<'_>],
    context: &Context<'_, '_>,
    remarks: &mut Vec<String>,
) -> Result<Returned, String> {
    let words = &function.result;
    let spelling = words.join(" ");
    let plain = |text: String, spelling: String| Returned {
        text,
        spelling,
        handle: None,
        is_count: false,
        is_text: false,
        is_array: false,
        is_nullable: false,
    };
    let found = context.classes.find(words, context.unit);
    let written = match function.result_form {
        Form::Value => 0,
        Form::Pointer => 1,
        _ => return Err("the returned pointer has no known owner or length".to_owned()),
    };
    if let Some((class, stars)) = found {
        let spelling = class.spelling();
        return match (&class.what, stars + written) {
            (What::Handle { star, .. }, 1) => {
                let is_const =
                    context.unit.points_to_const_by(words, written, function.result_is_const);
                let is_const = is_const && *star;
                let owner = owners::owner(function, comment, class, handles, None, is_const)?;
                remarks.push(owner.remark(&class.name));
                let constant = if is_const { "const " } else { "" };
                let text = format!("{constant}{spelling} {}", if *star { "*" } else { "" });
                Ok(Returned {
                    is_nullable: !matches!(owner, Owner::Caller { .. }) && owners::finds(function),
                    handle: Some((owner, class.name.clone())),
                    ..plain(text, spelling)
                })
            }
            (What::Struct { .. } | What::Enum { .. }, 0) => {
                Ok(plain(format!("{spelling} "), spelling))
            }
            (What::Callback { .. } | What::Handle { .. }, 0) => {
                Err("the function returns a struct".to_owned())
            }
            _ => Err("the returned pointer has no known owner or length".to_owned()),
        };
    }
    let is_text = match written {
        0 => context.unit.is_text(words),
        _ => {
            function.result_is_const && context.unit.meaning(words) == Meaning::Scalar(Scalar::Char)
        }
    };
    match (written, context.unit.meaning(words)) {
        _ if is_text => {
            remarks.push("the library owns the returned string".to_owned());
            Ok(Returned { is_text: true, ..plain("const char *".to_owned(), "char".to_owned()) })
        }
        (0, Meaning::Scalar(scalar)) => Ok(Returned {
            is_count: scalar.is_integer() && !context.unit.is_enumeration(words),
            ..plain(format!("{spelling} "), spelling)
        }),
        (0, Meaning::Foreign("`void`")) => Ok(plain(format!("{spelling} "), spelling)),
        (0, Meaning::Foreign(what)) => Err(format!("the function returns {what}")),
        (1, Meaning::Scalar(scalar)) if scalar != Scalar::Char && !function.result_is_const => {
            Ok(Returned { is_array: true, ..plain(format!("{spelling} *"), spelling) })
        }
        _ => Err("the returned pointer has no known owner or length".to_owned()),
    }
}
