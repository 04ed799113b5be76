//! Callbacks: functions of the host that C calls.

use crate::{Argument, CResult, CType, Expr, Overload, Passing, PerArgument, Spanned, VariableId};

/// A function of the host, as C calls it.
///
/// Its parameters are annotated like those of a function, seen from C: what C gives is an input of the
/// host's function, and an `out` parameter is a result of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    /// What C calls: its result and its parameters.
    pub overload: Overload,
    /// How C is given it.
    pub form: CallbackForm,
    /// C for the data, over the parameters, where C does not pass it to the callback but tells when asked.
    pub asks: Option<Expr>,
    /// What happens where the host's function has failed: calls of C, and last what C gets, unless that is
    /// nothing. Empty: C gets NaN, 1 for a status, else 0.
    pub fails: Vec<Expr>,
    /// How long C may call it.
    pub lifetime: Lifetime,
    /// A later call that succeeds replaces it; otherwise all are retained.
    pub replaces: bool,
    /// Where it is replaced, the arguments whose values must be equal for that.
    pub filed: Vec<Spanned<String>>,
    /// The `[callback.NAME]` that it is written as.
    pub named: Option<String>,
}

/// How C is given a callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallbackForm {
    /// As a pointer to a function, and the data beside it in an argument of its own, where there is any.
    Function,
    /// In a struct, in which both are members: by its address.
    Struct {
        /// The member that is the pointer.
        function: String,
        /// The member that is the data.
        data: String,
    },
}

/// How long C may call a callback.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Lifetime {
    /// Until the call is over that was given it.
    #[default]
    Call,
    /// `keep(x)`, `replace(x)`: as long as this handle lives.
    Handle(Spanned<String>),
    /// `until(f)`: until this function of the host was called.
    Until(Spanned<String>),
}

/// A `[callback.NAME]` table: a type of callbacks.
#[derive(Clone, Debug, PartialEq)]
pub struct CallbackType {
    /// The name of the table.
    pub name: Spanned<String>,
    /// The type that functions take, as C spells it: a pointer to a function, or a struct.
    pub ctype: CType,
    /// What it is.
    pub callback: Callback,
}

impl Callback {
    /// The parameter that C passes through: the host's function is found by it, and does not see it.
    pub fn data(&self) -> Option<VariableId> {
        self.overload.arguments.position(|argument| argument.passing == Passing::Data)
    }

    /// The name of that parameter: the function's argument of that name is its value.
    pub fn data_name(&self) -> Option<&Spanned<String>> {
        self.data().map(|index| &self.overload.arguments[index].name)
    }

    /// Which of the `arguments` of a function that takes it is its data: the one of that name; where C is
    /// asked, the one that is no other callback's.
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
            argument.passing == Passing::Data
                && match (&self.asks, self.data_name()) {
                    (Some(_), _) => !is_taken(name),
                    (None, Some(data)) => data.value == *name,
                    (None, None) => false,
                }
        })
    }

    /// The calls of C that are made where the host's function has failed.
    pub fn actions(&self) -> &[Expr] {
        match (&self.overload.result, self.fails.as_slice()) {
            (CResult::Void, all) => all,
            (_, [actions @ .., _]) => actions,
            (_, []) => &[],
        }
    }

    /// What C gets then.
    pub fn answer(&self) -> Option<&Expr> {
        self.fails.last().filter(|_| self.overload.result != CResult::Void)
    }

    /// It outlives the call that was given it.
    pub fn is_kept(&self) -> bool {
        self.lifetime != Lifetime::Call
    }
}
