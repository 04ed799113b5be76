//! Operators of classes: the slots of their types.
//!
//! Purpose: choose the slot of an operator, and define the function in it, which calls a method.
//! Invariant: an operator that Python does not have is a method only.
//! Reason: the names of slots and of special methods in stubs are in one table.

use crate::handles;
use crate::tables::Member;
use fishplate_emit::Namer;
use fishplate_model::{FunctionId, Type};
use fishplate_plan::{Call, HandlePlan, Operands, Plan};
use std::collections::HashMap;
use std::fmt::Write as _;

use Operands::{Any, One, Three, Two};

/// A slot: the operator and its operands, its name after `Py_`, the macro that defines the function, and the special
/// method.
struct Slot {
    operator: &'static str,
    operands: Operands,
    slot: &'static str,
    definition: &'static str,
    special: &'static str,
}

const fn slot(
    operator: &'static str,
    operands: Operands,
    slot: &'static str,
    definition: &'static str,
    special: &'static str,
) -> Slot {
    Slot { operator, operands, slot, definition, special }
}

/// The operators whose object may be on either side. The special method of the right side begins with `r`.
const BINARY: &[Slot] = &[
    slot("+", Two, "nb_add", "BINARY", "add"),
    slot("-", Two, "nb_subtract", "BINARY", "sub"),
    slot("*", Two, "nb_multiply", "BINARY", "mul"),
    slot("/", Two, "nb_true_divide", "BINARY", "truediv"),
    slot("//", Two, "nb_floor_divide", "BINARY", "floordiv"),
    slot("%", Two, "nb_remainder", "BINARY", "mod"),
    slot("**", Two, "nb_power", "POWER", "pow"),
    slot("@", Two, "nb_matrix_multiply", "BINARY", "matmul"),
    slot("&", Two, "nb_and", "BINARY", "and"),
    slot("|", Two, "nb_or", "BINARY", "or"),
    slot("^", Two, "nb_xor", "BINARY", "xor"),
    slot("<<", Two, "nb_lshift", "BINARY", "lshift"),
    slot(">>", Two, "nb_rshift", "BINARY", "rshift"),
];

/// The other operators, apart from comparisons.
const OTHERS: &[Slot] = &[
    slot("+", One, "nb_positive", "UNARY", "pos"),
    slot("-", One, "nb_negative", "UNARY", "neg"),
    slot("~", One, "nb_invert", "UNARY", "invert"),
    slot("abs", One, "nb_absolute", "UNARY", "abs"),
    slot("+=", Two, "nb_inplace_add", "IN_PLACE", "iadd"),
    slot("-=", Two, "nb_inplace_subtract", "IN_PLACE", "isub"),
    slot("*=", Two, "nb_inplace_multiply", "IN_PLACE", "imul"),
    slot("/=", Two, "nb_inplace_true_divide", "IN_PLACE", "itruediv"),
    slot("//=", Two, "nb_inplace_floor_divide", "IN_PLACE", "ifloordiv"),
    slot("%=", Two, "nb_inplace_remainder", "IN_PLACE", "imod"),
    slot("**=", Two, "nb_inplace_power", "POWER_IN_PLACE", "ipow"),
    slot("@=", Two, "nb_inplace_matrix_multiply", "IN_PLACE", "imatmul"),
    slot("&=", Two, "nb_inplace_and", "IN_PLACE", "iand"),
    slot("|=", Two, "nb_inplace_or", "IN_PLACE", "ior"),
    slot("^=", Two, "nb_inplace_xor", "IN_PLACE", "ixor"),
    slot("<<=", Two, "nb_inplace_lshift", "IN_PLACE", "ilshift"),
    slot(">>=", Two, "nb_inplace_rshift", "IN_PLACE", "irshift"),
    slot("bool", One, "nb_bool", "TRUTH", "bool"),
    slot("int", One, "nb_int", "TO_INTEGER", "int"),
    slot("float", One, "nb_float", "TO_FLOAT", "float"),
    slot("hash", One, "tp_hash", "HASH", "hash"),
    slot("str", One, "tp_str", "UNARY", "str"),
    slot("iter", One, "tp_iter", "ITERATION", "iter"),
    slot("next", One, "tp_iternext", "NEXT", "next"),
    slot("len", One, "mp_length", "LENGTH", "len"),
    slot("[]", Two, "mp_subscript", "GET_ITEM", "getitem"),
    slot("[]", Three, "mp_ass_subscript", "SET_ITEM", "setitem"),
    slot("in", Two, "sq_contains", "CONTAINS", "contains"),
    slot("()", Any, "tp_call", "CALLED", "call"),
];

/// Comparisons, in Python's order.
const COMPARISONS: [(&str, &str); 6] =
    [("<", "lt"), ("<=", "le"), ("==", "eq"), ("!=", "ne"), (">", "gt"), (">=", "ge")];

/// A special method in a stub.
pub(crate) struct Special {
    /// `__add__`
    pub name: String,
    pub operands: Operands,
    /// The function that it calls.
    pub function: FunctionId,
}

/// The special methods of a class.
pub(crate) fn special_methods(handle: &HandlePlan) -> Vec<Special> {
    let mut all = Vec::new();
    let mut add = |operator: &str, operands: Operands, name: String| {
        let found = handle.operator(operator, operands);
        all.extend(found.map(|function| Special { name, operands, function }));
    };
    for Slot { operator, special, .. } in BINARY {
        add(operator, Two, format!("__{special}__"));
        add(operator, Operands::Swapped, format!("__r{special}__"));
    }
    for Slot { operator, operands, special, .. } in OTHERS {
        add(operator, *operands, format!("__{special}__"));
    }
    for (operator, special) in COMPARISONS {
        add(operator, Two, format!("__{special}__"));
    }
    all
}

/// The functions in the slots of a class, and the name of its table of slots.
pub(crate) fn slots(
    handle: &HandlePlan,
    called: &HashMap<FunctionId, Member>,
    plan: &Plan,
    namer: &mut Namer,
) -> (String, String) {
    let (mut text, mut rows) = (String::new(), String::new());
    let method = |id: Option<FunctionId>| match id {
        Some(id) => format!("FP_GUARDED({})", called[&id].name),
        None => "NULL".to_owned(),
    };
    let mut define = |slot: &str, definition: &str, arguments: String| {
        let name = namer.unique(format!("fpy_{}_{slot}", handle.name));
        let _ = writeln!(text, "static FP_{definition}({name}, {arguments})");
        let _ = writeln!(rows, "    {{Py_{slot}, (void *){name}}},");
    };
    for one in BINARY {
        let both = [Two, Operands::Swapped].map(|operands| handle.operator(one.operator, operands));
        if both != [None, None] {
            let arguments = both.map(method).join(", ");
            let class = handles::class(&handle.name);
            define(one.slot, one.definition, format!("&{class}, {arguments}"));
        }
    }
    for one in OTHERS {
        let found = handle.operator(one.operator, one.operands);
        if found.is_some() {
            let argument = match found.filter(|_| one.operands == One) {
                Some(id) => called[&id].call(),
                None => method(found),
            };
            define(one.slot, one.definition, argument);
        }
    }
    let compared = COMPARISONS.map(|(operator, _)| handle.operator(operator, Two));
    if compared != [None; 6] {
        define("tp_richcompare", "COMPARISON", compared.map(method).join(", "));
    }
    if is_sequence(handle, plan) {
        define("sq_item", "SEQUENCE_ITEM", method(handle.operator("[]", Two)));
    }
    let has_hash = handle.operator("hash", One).is_some();
    if compared != [None; 6] && handle.operator("==", Two).is_none() && !has_hash {
        rows.push_str("    {Py_tp_hash, (void *)fp_hash_of_identity},\n");
    }
    if handle.operator("next", One).is_some() && handle.operator("iter", One).is_none() {
        rows.push_str("    {Py_tp_iter, (void *)PyObject_SelfIter},\n");
    }
    if rows.is_empty() {
        return (text, "NULL".to_owned());
    }
    let table = namer.unique(format!("fpy_{}_operators", handle.name));
    let _ =
        writeln!(text, "static const PyType_Slot {table}[] = {{\n{rows}    {{0, NULL}},\n}};\n");
    (text, table)
}

/// An operand of NumPy's arrays is left to the class: it has an operator with another operand.
pub(crate) fn precedes_arrays(handle: &HandlePlan) -> bool {
    let has = |slot: &Slot| {
        let find = |operands| handle.operator(slot.operator, operands).is_some();
        find(Two) || find(Operands::Swapped)
    };
    BINARY.iter().any(has)
}

/// It has a length and items of integer indices, and is iterated by these.
pub(crate) fn is_sequence(handle: &HandlePlan, plan: &Plan) -> bool {
    let has = |name: &str| handle.operator(name, One).is_some();
    let is_index = |call: &Call| {
        let key = call.parameters.raw.get(1).map(|key| call.variable(key.variable));
        key.is_some_and(|key| {
            matches!(&key.ctype.what, Type::Scalar(scalar) if scalar.is_integer())
                && key.is_by_value()
        })
    };
    let get = handle.operator("[]", Two);
    let by_index = get.is_some_and(|id| {
        plan.functions[id].calls.iter().any(|call| call.parameters.len() == 2 && is_index(call))
    });
    has("len") && by_index && !has("iter")
}
