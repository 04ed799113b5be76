//! The runtime header: its parts, in the order in which each uses those before it.

use fishplate_emit::joined;

/// The part for tensors, without the end of the header.
const TENSORS: &str = joined![
    "../../../../bindings/lua/runtime/prelude.h",
    "../../../../bindings/lua/runtime/lua_compat.h",
    "../../../../bindings/lua/runtime/dtypes.h",
    "../../../../bindings/lua/runtime/storage.h",
    "../../../../bindings/lua/runtime/tensor.h",
    "../../../../bindings/lua/runtime/errors.h",
    "../../../../bindings/lua/runtime/userdata.h",
    "../../../../bindings/lua/runtime/numbers.h",
    "../../../../bindings/lua/runtime/elements.h",
    "../../../../bindings/lua/runtime/copies.h",
    "../../../../bindings/lua/runtime/tables.h",
    "../../../../bindings/lua/runtime/buffers.h",
    "../../../../bindings/lua/runtime/dlpack.h",
];

/// The end of the header.
const END: &str = include_str!("../../../../bindings/lua/runtime/end.h");

/// The further parts for generated calls.
const CALLS: &str = joined![
    "../../../emit/runtime/confirm.h",
    "../../../emit/runtime/strings.h",
    "../../../emit/runtime/adapters.h",
    "../../../emit/runtime/items.h",
    "../../../emit/runtime/identifiers.h",
    "../../../emit/runtime/complex.h",
    "../../../emit/runtime/dimensions.h",
    "../calls/parameters.h",
    "../calls/scalars.h",
    "../calls/arrays.h",
    "../calls/crossings.h",
    "../../../emit/runtime/fits.h",
    "../../../emit/runtime/names.h",
    "../../../emit/runtime/values.h",
    "../calls/values.h",
    "../calls/locks.h",
    "../../../emit/runtime/bases.h",
    "../calls/handles.h",
    "../calls/operators.h",
    "../calls/classes.h",
    "../../../emit/runtime/enums.h",
    "../calls/enums.h",
    "../calls/strings.h",
    "../../../emit/runtime/structs.h",
    "../../../emit/runtime/unpacked.h",
    "../calls/structs.h",
    "../calls/struct_arrays.h",
    "../../../emit/runtime/key.h",
    "../calls/callbacks.h",
    "../calls/callback_calls.h",
    "../calls/callback_results.h",
    "../../../emit/runtime/called.h",
    "../calls/borrowed.h",
    "../calls/files.h",
    "../calls/pointers.h",
    "../calls/jagged.h",
    "../calls/terminated.h",
    "../calls/any_arrays.h",
    "../calls/consumed.h",
    "../calls/bytes.h",
    "../calls/lengths.h",
    "../calls/returned.h",
    "../../../emit/runtime/pointer_lists.h",
    "../calls/returned_lists.h",
    "../calls/copied_strings.h",
    "../../../emit/runtime/nodes.h",
    "../../../emit/runtime/counted_objects.h",
    "../../../emit/runtime/nested.h",
    "../../../emit/runtime/nested_arguments.h",
    "../calls/nested_variants.h",
    "../calls/nested.h",
    "../../../emit/runtime/functions.h",
    "../../../emit/runtime/derived.h",
    "../calls/retained.h",
    "../calls/nested_callbacks.h",
    "../calls/callback_objects.h",
    "../../../emit/runtime/kinds.h",
    "../calls/overloads.h",
    "../../../emit/runtime/failure.h",
    "../../../emit/runtime/stored.h",
    "../calls/module.h",
    "../../../emit/runtime/constants.h",
    "../calls/constants.h",
    "../../../../bindings/lua/runtime/end.h",
    "../../../emit/runtime/diagnostics.h",
];

/// The header of handwritten C modules, which use tensors.
pub fn tensor_header() -> String {
    format!("{TENSORS}\n{END}")
}

/// The header of generated modules.
pub(crate) fn header() -> String {
    format!("{TENSORS}\n{CALLS}")
}
