//! From arguments without mistakes to crossings.
//!
//! Purpose: combine the parts of an argument's prototype into one value.
//! Invariant: there is a crossing if and only if the parts fit together; if they do not, a mistake
//! is reported, here or elsewhere.
//! Reason: only this module handles the parts of which a kind consists.

use crate::kinds::{kind, pointee};
use crate::shared_data::shares_data;
use crate::{
    CheckedCallback, Crossing, Data, Free, FromC, Keeper, Named, OutPointer, Output, Ownership,
    Position, Retention, Returns, Value, Variable,
};
use fishplate_model::{
    self as model, Argument, CResult, CType, Callback, ClassId, DtypesId, EnumId, Expr, ExprKind,
    Intent, Interface, Lifetime, Owner, Passing, PerArgument, ReturnedPointer, Scalar, Spanned,
    StructId, Type, VariableId,
};

/// The classes, enums and structs of a module by their names.
#[derive(Clone, Copy)]
pub(crate) struct Classes<'a>(pub &'a Interface);

impl<'a> Classes<'a> {
    /// The class of the object to which a pointer of this type points.
    pub fn class_of(self, ctype: &CType) -> Option<Named<ClassId>> {
        self.class(ctype.handle()?)
    }

    /// The name of the class of the object that frees one of this type, besides its own.
    pub fn context_of(self, ctype: &CType) -> Option<&'a str> {
        self.context_of_class(ctype.handle()?)
    }

    /// The same for the class of this name.
    pub fn context_of_class(self, name: &str) -> Option<&'a str> {
        let handle = self.0.handles.iter().find(|one| one.name.value == name)?;
        let context = handle.context.as_ref()?.value.as_str();
        // Another one is reported with the handle.
        (context != name && self.class(context).is_some()).then_some(context)
    }

    /// Objects of this type are of a class, or of one that is derived from it.
    pub fn is_derived(self, ctype: &CType, class: &str) -> bool {
        let mut names: Vec<&str> = ctype.handle().into_iter().collect();
        let mut at = 0;
        while let Some(name) = names.get(at).copied() {
            let of = self.0.handles.iter().find(|one| one.name.value == name);
            let bases = of.iter().flat_map(|one| &one.bases).map(|base| base.value.as_str());
            let new: Vec<&str> = bases.filter(|base| !names.contains(base)).collect();
            names.extend(new);
            at += 1;
        }
        names.contains(&class)
    }

    /// The class of this name.
    pub fn class(self, name: &str) -> Option<Named<ClassId>> {
        named(self.0.handles.iter().map(|one| &one.name), name)
    }

    /// The table of dtypes of this name.
    pub fn dtypes(self, name: &str) -> Option<Named<DtypesId>> {
        named(self.0.dtypes.iter().map(|one| &one.name), name)
    }

    /// The kind of a single value of this type.
    pub fn value(self, ctype: &CType) -> Option<Value> {
        Some(match &ctype.what {
            Type::Scalar(scalar) => Value::Number(*scalar),
            Type::Enum(name) => {
                let id: Option<Named<EnumId>> =
                    named(self.0.enums.iter().map(|one| &one.name), name);
                Value::Enum(id?)
            }
            Type::Struct(name) => {
                let id: Option<Named<StructId>> =
                    named(self.0.structs.iter().map(|one| &one.name), name);
                Value::Struct(id?)
            }
            _ => Value::Opaque,
        })
    }
}

/// The entities to which names in an argument may refer.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The declarations of the module.
    pub classes: Classes<'a>,
    /// The arguments of the same call.
    pub arguments: &'a PerArgument<Argument>,
}

impl Scope<'_> {
    /// An argument of a C function. `strided` are the axes that C accepts with any stride.
    pub fn argument(
        self,
        argument: &Argument,
        intent: Intent,
        strided: Vec<usize>,
    ) -> Option<Variable> {
        let crossing = kind(argument).cross_to_c(argument, self)?;
        Some(Variable { strided, ..variable(argument, crossing, intent) })
    }

    /// The callback that one of the arguments is.
    pub fn callback(
        self,
        callback: &Callback,
        retention: &model::Retention,
    ) -> Option<CheckedCallback> {
        let scope = Scope { arguments: &callback.overload.arguments, ..self };
        let variables: Option<Vec<Variable<FromC>>> = scope
            .arguments
            .iter()
            .map(|argument| {
                let intent = match (&argument.passing, &argument.intent) {
                    (Passing::UserData, _) => Intent::Hidden,
                    _ if is_inferred(argument, scope.arguments) => Intent::Hidden,
                    (_, Some(intent)) => intent.value,
                    (_, None) => Intent::In,
                };
                Some(variable(argument, kind(argument).cross_from_c(argument, scope)?, intent))
            })
            .collect();
        let Callback { overload, form, asks, named, .. } = callback;
        Some(CheckedCallback {
            text: overload.text.clone(),
            span: overload.span,
            is_named: named.is_some(),
            form: form.clone(),
            result: scope.result(&overload.result)?,
            variables: variables?.into(),
            data: match (callback.data(), asks) {
                (Some(parameter), _) => Data::Parameter(parameter),
                (None, Some(asks)) => Data::Expression(asks.clone()),
                (None, None) => Data::Thread,
            },
            user_data: callback.data_among(self.arguments),
            is_shared: shares_data(callback, retention, self.arguments),
            actions: callback.actions().to_vec(),
            error_value: callback.error_value().cloned(),
            retention: self.retention(retention),
        })
    }

    /// How long an argument is retained, with identifiers in place of names.
    pub fn retention(self, retention: &model::Retention) -> Retention {
        Retention {
            keeper: match &retention.lifetime {
                Lifetime::Call => Keeper::Call,
                Lifetime::Handle(name) => self.keeper(name),
                Lifetime::Until(name) => Keeper::Module(name.value.clone()),
            },
            replaces: retention.replaces,
            key: self.named(&retention.key),
        }
    }

    /// The owner of this name: an argument, or else the result.
    fn keeper(self, name: &Spanned<String>) -> Keeper {
        match self.named(std::slice::from_ref(name)).first() {
            Some(&index) if self.arguments[index].out_pointer().is_some() => {
                Keeper::Made(Output::Argument(index))
            }
            Some(&index) => Keeper::Handle(index),
            None => Keeper::Made(Output::Result),
        }
    }

    /// The arguments of these names.
    fn named(self, names: &[Spanned<String>]) -> Vec<VariableId> {
        let find = |name: &Spanned<String>| {
            self.arguments.position(|argument| argument.name.value == name.value)
        };
        names.iter().filter_map(find).collect()
    }

    /// The C result of a function with these arguments.
    pub fn result(self, result: &CResult) -> Option<Returns> {
        Some(match result {
            CResult::Void => Returns::Void,
            CResult::Value(ctype) => Returns::Value(self.classes.value(ctype)?, ctype.clone()),
            CResult::Status(ctype) => Returns::Status(self.classes.value(ctype)?, ctype.clone()),
            CResult::Pointer(returned) => {
                let model::Returned { ctype, is_const, nullable, out_pointer, .. } = &**returned;
                let flags = (*is_const, *nullable);
                Returns::Pointer(Box::new(self.pointer(RESULT, ctype, flags, out_pointer)?))
            }
        })
    }

    /// A pointer that C returns or sets; `name` is that of its argument, or [`RESULT`].
    pub fn pointer(
        self,
        name: &str,
        ctype: &CType,
        (is_const, nullable): (bool, bool),
        out_pointer: &ReturnedPointer,
    ) -> Option<OutPointer> {
        let holds = &out_pointer.holds;
        let free = holds.list().and_then(|list| list.free.as_ref());
        let pointee = pointee(out_pointer, ctype)
            .returned(ctype, holds, self.classes)?
            .freed_by(free.map(|free| self.free(free, name)));
        let owner = match &out_pointer.owner {
            Owner::Unspecified => Ownership::Unspecified,
            Owner::Caller(free) => {
                Ownership::Owned(free.as_ref().map(|free| self.free(free, name)))
            }
            Owner::Borrowed(owners) => Ownership::Borrowed(self.named(owners)),
        };
        let mut keeps = self.named(&out_pointer.keeps);
        let owned = matches!(owner, Ownership::Owned(_));
        let context = self.classes.context_of(ctype).filter(|_| owned);
        let is_context = |at: &VariableId| {
            let argument = &self.arguments[*at];
            context.is_some_and(|class| self.classes.is_derived(&argument.ctype, class))
        };
        let argument = keeps.iter().copied().find(is_context);
        // An object has the lock of the first one to which it refers.
        keeps.sort_by_key(|at| argument != Some(*at));
        let class = context.and_then(|class| self.classes.class(class));
        let context = argument.zip(class);
        let (ctype, stored) = (ctype.clone(), out_pointer.stored);
        Some(OutPointer { ctype, is_const, nullable, pointee, owner, keeps, context, stored })
    }

    /// The C that frees memory; `pointer` is the name of the pointer to it.
    fn free(self, free: &Expr, pointer: &str) -> Free {
        if let Some(function) = free.as_name() {
            return Free::Function(function.to_owned());
        }
        let mut values: Vec<Output> = Vec::new();
        for (name, _) in free.names().into_iter().filter(|(name, _)| *name != pointer) {
            let argument = self.arguments.position(|argument| argument.name.value == name);
            let value =
                argument.map(Output::Argument).or((name == RESULT).then_some(Output::Result));
            values.extend(value.filter(|value| !values.contains(value)));
        }
        Free::Expression { code: free.clone(), pointer: pointer.to_owned(), values }
    }
}

/// The name of the C result in expressions.
pub(crate) const RESULT: &str = "result";

fn named<'a, Id: From<usize>>(
    mut all: impl Iterator<Item = &'a Spanned<String>>,
    name: &str,
) -> Option<Named<Id>> {
    let index = all.position(|one| one.value == name)?;
    Some(Named { id: index.into(), name: name.to_owned() })
}

fn variable<P: Position>(
    argument: &Argument,
    crossing: Crossing<P>,
    intent: Intent,
) -> Variable<P> {
    Variable {
        name: argument.name.value.clone(),
        ctype: argument.ctype.clone(),
        is_const: argument.is_const,
        crossing,
        intent,
        nullable: argument.nullable,
        default: argument.default.clone().or_else(|| initial_code(argument)),
        own: argument.is_array(),
        terminator: argument.terminator.as_ref().map(|one| one.value.clone()),
        strided: Vec::new(),
    }
}

/// The value of a return code in an argument before the call, unless it is 0: C may write failures only.
fn initial_code(argument: &Argument) -> Option<Expr> {
    let place = argument.status.filter(|_| argument.ctype.is_bool())?;
    Some(Expr::new(ExprKind::Literal("1".to_owned()), place))
}

/// The integer is a dimension of an array, or the length of a list, that a callback always
/// receives.
fn is_inferred(argument: &Argument, all: &PerArgument<Argument>) -> bool {
    let is_integer = argument.ctype.number().is_some_and(Scalar::is_integer);
    let is_one = matches!(argument.passing, Passing::Value | Passing::Pointer);
    let intent = |one: &Argument| one.intent.as_ref().map_or(Intent::In, |intent| intent.value);
    let determines = |other: &Argument| {
        let shape = other.sizes().unwrap_or_default();
        let is_given = intent(other).is_input() && !other.nullable;
        let name = argument.name.value.as_str();
        is_given && shape.iter().any(|dimension| dimension.as_name() == Some(name))
    };
    is_integer && is_one && intent(argument) == Intent::In && all.iter().any(determines)
}
