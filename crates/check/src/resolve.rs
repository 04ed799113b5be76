//! Arguments without mistakes ─► crossings.
//!
//! Purpose: what a prototype says of an argument in several parts becomes one value.
//! Invariant: there is a crossing if and only if the parts fit together; where they do not, a mistake is reported, be it
//! elsewhere.
//! Reason: here alone it is known which parts a kind is made of.

use crate::{
    Array, By, CheckedCallback, Crossing, FromC, List, Listed, Named, OutPointer, Ownership,
    Pointee, Position, Returns, Value, Variable,
};
use fishplate_model::{
    self as model, Argument, CResult, CType, Callback, ClassId, Elements, EnumId, Handed, Holds,
    Intent, Interface, Owner, Passing, PerArgument, Scalar, Spanned, StructId, Type, VariableId,
};

/// The parts of a pointer that C returns.
struct Pointer<'a> {
    ctype: &'a CType,
    is_const: bool,
    nullable: bool,
    handed: &'a Handed,
}

/// The classes, enums and structs of a module by their names.
#[derive(Clone, Copy)]
pub(crate) struct Classes<'a>(pub &'a Interface);

impl Classes<'_> {
    fn class(self, name: &str) -> Option<Named<ClassId>> {
        named(self.0.handles.iter().map(|one| &one.name), name)
    }

    /// What a single value of this type is.
    fn value(self, ctype: &CType) -> Option<Value> {
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
            Type::Opaque | Type::Function | Type::Handle(_) => Value::Opaque,
        })
    }

    /// An argument of a C function, which is one of `all`. `strided` are the axes that C accepts with any stride.
    pub fn argument(
        self,
        argument: &Argument,
        all: &PerArgument<Argument>,
        intent: Intent,
        strided: Vec<usize>,
    ) -> Option<Variable> {
        let (is_const, nullable) = (argument.is_const, argument.nullable);
        let crossing = match &argument.passing {
            Passing::Handed(handed) => {
                let of = Pointer { ctype: &argument.ctype, is_const, nullable, handed };
                Crossing::OutPointer(self.pointer(of, all)?)
            }
            Passing::Callback(callback) => {
                Crossing::Callback(Box::new(self.callback(callback, all)?))
            }
            Passing::Array { shape, elements: Elements::Text, .. } => {
                Crossing::StringBuffer(shape.clone())
            }
            _ => self.either(argument)?,
        };
        Some(Variable { strided, ..variable(argument, crossing, intent) })
    }

    fn callback(self, callback: &Callback, all: &PerArgument<Argument>) -> Option<CheckedCallback> {
        let arguments = &callback.overload.arguments;
        let variables: Option<Vec<Variable<FromC>>> = arguments
            .iter()
            .map(|argument| {
                let intent = match (&argument.passing, &argument.intent) {
                    (Passing::Data, _) => Intent::Hidden,
                    _ if is_inferred(argument, arguments) => Intent::Hidden,
                    (_, Some(intent)) => intent.value,
                    (_, None) => Intent::In,
                };
                Some(variable(argument, self.parameter(argument)?, intent))
            })
            .collect();
        let beside = callback.data_among(all);
        let (variables, callback) = (variables?.into(), callback.clone());
        let result = self.result(&callback.overload.result, &callback.overload.arguments)?;
        Some(CheckedCallback { callback, result, variables, beside })
    }

    /// What a C function with these arguments returns.
    pub fn result(self, result: &CResult, all: &PerArgument<Argument>) -> Option<Returns> {
        Some(match result {
            CResult::Void => Returns::Void,
            CResult::Value(ctype) => Returns::Value(ctype.clone()),
            CResult::Status(ctype) => Returns::Status(ctype.clone()),
            CResult::Pointer(returned) => {
                let model::Returned { ctype, is_const, nullable, handed, .. } = &**returned;
                let (is_const, nullable) = (*is_const, *nullable);
                let of = Pointer { ctype, is_const, nullable, handed };
                Returns::Pointer(Box::new(self.pointer(of, all)?))
            }
        })
    }

    fn pointer(self, of: Pointer<'_>, all: &PerArgument<Argument>) -> Option<OutPointer> {
        let Pointer { ctype, is_const, nullable, handed } = of;
        let named = |names: &[Spanned<String>]| -> Vec<VariableId> {
            let find =
                |name: &Spanned<String>| all.position(|argument| argument.name.value == name.value);
            names.iter().filter_map(find).collect()
        };
        let pointee = match (&handed.holds, ctype.handle()) {
            (Holds::Text, _) => Pointee::String,
            (Holds::Array { shape, fortran, elements }, _) => match elements {
                Elements::Numbers => Pointee::Array(Array {
                    element: self.value(ctype)?,
                    shape: shape.clone(),
                    fortran: *fortran,
                }),
                Elements::Bytes => Pointee::Bytes(shape.clone()),
                Elements::Text => Pointee::StringBuffer(shape.clone()),
            },
            (Holds::One, class) => Pointee::Object(self.class(class?)?),
        };
        let owner = match &handed.owner {
            Owner::Unsaid => Ownership::Unspecified,
            Owner::Caller(free) => Ownership::Owned(free.as_ref().map(|free| free.value.clone())),
            Owner::Lent(lenders) => Ownership::Borrowed(named(lenders)),
        };
        let keeps = named(&handed.keeps);
        Some(OutPointer { ctype: ctype.clone(), is_const, nullable, pointee, owner, keeps })
    }

    /// An argument of a callback.
    fn parameter(self, argument: &Argument) -> Option<Crossing<FromC>> {
        Some(match &argument.passing {
            Passing::List { length } => Crossing::List(List {
                of: match argument.ctype.handle() {
                    Some(name) => Listed::Objects(self.class(name)?),
                    None => Listed::Strings,
                },
                length: length.clone(),
            }),
            _ => self.either(argument)?,
        })
    }

    /// A kind that occurs at every position; `None` for those that occur at one only.
    fn either<P: Position>(self, argument: &Argument) -> Option<Crossing<P>> {
        Some(match &argument.passing {
            Passing::Value => match argument.ctype.handle() {
                Some(name) => Crossing::Object(self.class(name)?),
                None => Crossing::Value(self.value(&argument.ctype)?, By::Value),
            },
            Passing::Pointer => Crossing::Value(self.value(&argument.ctype)?, By::Pointer),
            Passing::Array { shape, fortran, elements, .. } => match elements {
                Elements::Numbers => Crossing::Array(Array {
                    element: self.value(&argument.ctype)?,
                    shape: shape.clone(),
                    fortran: *fortran,
                }),
                Elements::Bytes => Crossing::Bytes(shape.clone()),
                Elements::Text => return None,
            },
            Passing::Text => Crossing::String,
            Passing::Data => Crossing::UserData,
            Passing::Handed(_) | Passing::Callback(_) | Passing::List { .. } => return None,
        })
    }
}

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
        default: argument.default.clone(),
        own: argument.is_array(),
        strided: Vec::new(),
    }
}

/// The integer is a dimension of an array, or the length of a list, that a callback is always given.
fn is_inferred(argument: &Argument, all: &PerArgument<Argument>) -> bool {
    let is_integer = argument.ctype.number().is_some_and(Scalar::is_integer);
    let is_one = matches!(argument.passing, Passing::Value | Passing::Pointer);
    let intent = |one: &Argument| one.intent.as_ref().map_or(Intent::In, |intent| intent.value);
    let determines = |other: &Argument| {
        let shape = match &other.passing {
            Passing::Array { shape, .. } => shape.as_slice(),
            Passing::List { length } => std::slice::from_ref(length),
            _ => &[],
        };
        let is_given = intent(other).is_input() && !other.nullable;
        let name = argument.name.value.as_str();
        is_given && shape.iter().any(|dimension| dimension.as_name() == Some(name))
    };
    is_integer && is_one && intent(argument) == Intent::In && all.iter().any(determines)
}
