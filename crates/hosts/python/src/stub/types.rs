//! The types of parameters and results, for type checkers.

use crate::kinds::{kind, nested, passed, pointed};
use fishplate_model::{CType, Scalar, ScalarClass};
use fishplate_plan::{Call, CallbackPlan, Output, Returns, Value, Variable};

/// The names in a stub for types without a name, each with its definition.
pub(super) const ALIASES: [(&str, &str); 7] = [
    ("_Bool", "_Bool: TypeAlias = bool | np.bool_\n"),
    ("_Int", "_Int: TypeAlias = int | np.integer[Any]\n"),
    ("_Float", "_Float: TypeAlias = float | np.floating[Any] | np.integer[Any]\n"),
    ("_Complex", "_Complex: TypeAlias = complex | np.number[Any]\n"),
    ("_Written[", "_T = TypeVar(\"_T\", bound=np.generic)\n"),
    ("_Written[", "_Written: TypeAlias = \"npt.NDArray[_T] | memoryview | array[Any]\"\n"),
    (
        "_Sparse",
        "class _Sparse(Protocol):\n\
         \x20   @property\n\
         \x20   def format(self) -> Any: ...\n\
         \x20   @property\n\
         \x20   def shape(self) -> Any: ...\n\
         \x20   @property\n\
         \x20   def indptr(self) -> Any: ...\n\
         \x20   @property\n\
         \x20   def indices(self) -> Any: ...\n\
         \x20   @property\n\
         \x20   def data(self) -> Any: ...\n",
    ),
];

/// `Callable[[float], float]`
pub(super) fn callable(callback: &CallbackPlan) -> String {
    let given: Vec<String> = callback
        .inputs()
        .map(|(_, variable)| {
            let made = passed(variable).type_name();
            if variable.nullable { format!("{made} | None") } else { made }
        })
        .collect();
    let call = &callback.call;
    let returned: Vec<String> = call
        .outputs
        .iter()
        .map(|output| match output {
            Output::Argument(index) if call.variables[*index].rank() > 0 => {
                "npt.ArrayLike".to_owned()
            }
            Output::Argument(index) => match call.variables[*index].crossing.nested() {
                Some(of) => nested::accepted(of, "npt.ArrayLike"),
                None => single(&call.variables[*index].ctype).to_owned(),
            },
            Output::Result => {
                let returned = call.result.ctype().map_or("None", single);
                match (&call.result, call.result.value()) {
                    (_, Some(Value::Enum(_))) => format!("{returned} | int"),
                    (Returns::Pointer(pointer), _) if pointer.nullable => {
                        format!("{} | None", pointed(pointer))
                    }
                    (Returns::Pointer(pointer), _) => pointed(pointer),
                    _ => returned.to_owned(),
                }
            }
        })
        .collect();
    let returned = match returned.as_slice() {
        [] if call.result.is_void() => "object".to_owned(),
        [] => "None".to_owned(),
        [one] => one.clone(),
        several => format!("tuple[{}]", several.join(", ")),
    };
    format!("Callable[[{}], {returned}]", given.join(", "))
}

/// The values that a parameter accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// The values of a single call.
    Item,
    /// The same; an array has exactly C's dtype.
    Exact,
    /// The values of a single call, or arrays of those of a batch.
    Batch {
        /// Also lists of different lengths, which no type expresses.
        ragged: bool,
    },
}

/// The type of a caller's argument. `array_like` is converted to an array.
pub(super) fn accepted(variable: &Variable, taken: Taken, array_like: &str) -> String {
    if is_batched(variable) && !variable.intent.writes_caller() {
        match taken {
            Taken::Batch { ragged: true } => return "Any".to_owned(),
            Taken::Batch { ragged: false } if variable.rank() == 0 => {
                return "npt.ArrayLike".to_owned();
            }
            Taken::Exact if variable.rank() > 0 => return array_of(&variable.ctype),
            Taken::Batch { ragged: false } | Taken::Exact | Taken::Item => {}
        }
    }
    kind(variable).accepted(variable, array_like)
}

/// ` | Sequence[float | None]`: an optional scalar may be missing for an item of a batch.
pub(super) fn missing_values(variable: &Variable, taken: Taken) -> String {
    let optional = is_batched(variable) && variable.rank() == 0 && !variable.intent.writes_caller();
    if optional && taken == (Taken::Batch { ragged: false }) {
        format!(" | Sequence[{} | None]", single(&variable.ctype))
    } else {
        String::new()
    }
}

/// The type of an argument that is written to.
pub(crate) fn written(ctype: &CType) -> String {
    let dtype = match ctype.enumeration() {
        Some(_) => "integer[Any]",
        None => ctype.number().map_or("void", type_name),
    };
    format!("_Written[np.{dtype}]")
}

/// The type of a call's result.
pub(super) fn returned(call: &Call, taken: Taken) -> String {
    let types: Vec<String> = call
        .outputs
        .iter()
        .map(|output| match (output, taken) {
            (_, Taken::Batch { ragged: true }) => "Any".to_owned(),
            (_, Taken::Batch { ragged: false }) => batch(call, *output),
            (Output::Argument(index), _) => {
                let variable = &call.variables[*index];
                let made = kind(variable).returned(variable);
                if variable.nullable { format!("{made} | None") } else { made }
            }
            (Output::Result, _) => match &call.result {
                Returns::Pointer(returned) => {
                    let made = pointed(returned);
                    if returned.nullable { format!("{made} | None") } else { made }
                }
                other => other.ctype().map_or("None", single).to_owned(),
            },
        })
        .collect();
    match types.as_slice() {
        [] => "None".to_owned(),
        [one] => one.clone(),
        several => format!("tuple[{}]", several.join(", ")),
    }
}

/// The type of an output of a batched call. If an array is a parameter, only its rank distinguishes
/// a batch from a single call, and type checkers ignore the rank.
fn batch(call: &Call, output: Output) -> String {
    let (ctype, rank) = match output {
        Output::Argument(index) => (&call.variables[index].ctype, call.variables[index].rank()),
        Output::Result => match call.result.ctype() {
            Some(ctype) => (ctype, 0),
            None => return "Any".to_owned(),
        },
    };
    if rank == 0 && takes_arrays(call) { "Any".to_owned() } else { array_of(ctype) }
}

/// Some parameter is an array that may vary per item of a batch.
pub(super) fn takes_arrays(call: &Call) -> bool {
    call.parameters.iter().any(|parameter| {
        let variable = call.variable(parameter.variable);
        variable.rank() > 0 && is_batched(variable)
    })
}

/// An argument that may vary per item of a batch.
pub(super) fn is_batched(variable: &Variable) -> bool {
    variable.own && variable.number().is_some()
}

/// The type of a value that is not an array.
pub(crate) fn single(ctype: &CType) -> &str {
    match ctype.number() {
        Some(scalar) => single_number(scalar),
        None => ctype.text(),
    }
}

/// The type of a number.
pub(crate) fn single_number(scalar: Scalar) -> &'static str {
    match scalar.class() {
        ScalarClass::Bool => "bool",
        ScalarClass::Signed | ScalarClass::Unsigned => "int",
        ScalarClass::Float => "float",
        ScalarClass::Complex => "complex",
    }
}

/// An array of the integers of an enum: only the compiler knows their type.
pub(crate) const INTEGERS: &str = "npt.NDArray[np.integer[Any]]";

/// An array of numbers, of an enum's integers, or of structs.
pub(crate) fn array_of(ctype: &CType) -> String {
    if ctype.enumeration().is_some() {
        return INTEGERS.to_owned();
    }
    ctype.number().map_or("npt.NDArray[np.void]".to_owned(), numbers)
}

pub(crate) fn numbers(scalar: Scalar) -> String {
    format!("npt.NDArray[np.{}]", type_name(scalar))
}

/// The name of NumPy's type.
fn type_name(scalar: Scalar) -> &'static str {
    match scalar.class() {
        ScalarClass::Bool => "bool_",
        _ => scalar.dtype_name(),
    }
}
