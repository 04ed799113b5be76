//! The result of a function during guessing.
//!
//! Purpose: classify results as numbers, structs, strings and handles, and find their owners.
//! Invariant: a pointer is returned only if names determine who frees the pointee.
//! Reason: memory that is freed twice crashes the process, and memory that is never freed leaks.

use super::class::What;
use super::comment::Comment;
use super::owners::{self, Owner};
use super::{Context, Given};
use fishplate_model::Scalar;
use fishplate_readers::header::declarator::Form;
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::Declaration;

/// The result of a function.
pub(super) struct Returned {
    /// The type as spelled before the name, without the keywords before it.
    pub text: String,
    /// The type's words.
    pub spelling: String,
    /// The owner and the class of a returned handle.
    pub handle: Option<(Owner, String)>,
    /// An integer other than an enumeration.
    pub is_count: bool,
    /// A string that ends with a NUL.
    pub is_text: bool,
    /// A pointer to numbers, with unknown length and owner.
    pub is_array: bool,
    /// NULL is a valid result.
    pub is_nullable: bool,
}

impl Returned {
    /// The keywords before the type.
    pub(super) fn words(&self) -> String {
        let owner = self.handle.as_ref().map_or(String::new(), |(owner, _)| owner.to_string());
        owner + if self.is_nullable { "nullable " } else { "" }
    }
}

/// Classifies the result of a function. `handles` are its arguments that are handles, by name and
/// class.
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
                let owner =
                    owners::owner(function, comment, class, handles, None, is_const, context)?;
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
            let (text, spelling) = match written {
                0 => (format!("{spelling} "), spelling),
                _ => ("const char *".to_owned(), "char".to_owned()),
            };
            Ok(Returned { is_text: true, ..plain(text, spelling) })
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
