//! Callbacks: functions of the target language that C calls.

use crate::{Argument, CResult, CType, Expr, Overload, Passing, PerArgument, Spanned, VariableId};

/// A callback: a function of the target language, with the prototype by which C calls it.
///
/// Its parameters are annotated like those of a function, from C's side: an argument that C passes
/// is an input of the callback, and an `out` parameter is a result of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    /// The prototype: the result and the parameters.
    pub overload: Overload,
    /// How the callback is passed to C.
    pub form: CallbackForm,
    /// The user-data getter: a C expression over the parameters, for a C library that does not pass
    /// user data to the callback.
    pub asks: Option<Expr>,
    /// The on-error action: C calls, and last the error return value, unless the callback returns
    /// nothing. Empty: the error return value is NaN, 1 for a return code, else 0.
    pub fails: Vec<Expr>,
    /// The `[callback.NAME]` table that its type refers to.
    pub named: Option<String>,
}

/// How a callback is passed to C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallbackForm {
    /// As a function pointer; the user data, if there is any, is an argument of its own.
    Function,
    /// As the address of a struct with two members: the function pointer and the user data.
    Struct {
        /// The member for the function pointer.
        function: String,
        /// The member for the user data.
        data: String,
    },
}

/// A `[callback.NAME]` table: a type for callbacks.
#[derive(Clone, Debug, PartialEq)]
pub struct CallbackType {
    /// The name of the table.
    pub name: Spanned<String>,
    /// The C type of the parameter, as spelled: a pointer to a function, or a struct.
    pub ctype: CType,
    /// The callback itself.
    pub callback: Callback,
}

impl Callback {
    /// Replaces the names of the arguments of the function in it. Its own parameters hide them.
    pub(crate) fn rename_outer(&mut self, new: &dyn Fn(&str) -> Option<String>) {
        let own: Vec<String> =
            self.overload.arguments.iter().map(|one| one.name.value.clone()).collect();
        let outer = |name: &str| (!own.iter().any(|one| one == name)).then(|| new(name)).flatten();
        for argument in &mut self.overload.arguments {
            argument.rename_uses(&outer);
        }
        self.fails.iter_mut().for_each(|part| part.rename(&outer));
    }

    /// The user data: the parameter that identifies the callback. The callback itself does not see
    /// it.
    pub fn data(&self) -> Option<VariableId> {
        self.overload.arguments.position(|argument| argument.passing == Passing::UserData)
    }

    /// The name of the user-data parameter: the function's argument of that name is passed as its
    /// value.
    pub fn data_name(&self) -> Option<&Spanned<String>> {
        self.data().map(|index| &self.overload.arguments[index].name)
    }

    /// Index of the user data among the `arguments` of a function that takes this callback: the
    /// argument of that name; with a user-data getter, the one that no other callback uses.
    pub fn data_among(&self, arguments: &PerArgument<Argument>) -> Option<VariableId> {
        if self.form != CallbackForm::Function {
            return None;
        }
        let others = || arguments.iter().filter_map(Argument::callback);
        let is_taken = |name: &str| {
            others().any(|other| {
                other.form == CallbackForm::Function
                    && other.asks.is_none()
                    && other.data_name().is_some_and(|data| data.value == name)
            })
        };
        arguments.position(|argument| {
            let name = &argument.name.value;
            argument.passing == Passing::UserData
                && match (&self.asks, self.data_name()) {
                    (Some(_), _) => !is_taken(name),
                    (None, Some(data)) => data.value == *name,
                    (None, None) => false,
                }
        })
    }

    /// The C calls of the on-error action.
    pub fn actions(&self) -> &[Expr] {
        match (&self.overload.result, self.fails.as_slice()) {
            (CResult::Void, all) => all,
            (_, [actions @ .., _]) => actions,
            (_, []) => &[],
        }
    }

    /// The error return value.
    pub fn error_value(&self) -> Option<&Expr> {
        self.fails.last().filter(|_| self.overload.result != CResult::Void)
    }
}
