//! Tables for C-allocated memory.

use crate::kinds::pointee;
use fishplate_emit::{Names, OutPointerNames, c_string, c_type, define_nested_type};

/// Its `fp_param`, and for memory that Python retains the function that frees it.
pub(crate) fn define(names: &Names, one: &OutPointerNames) -> String {
    let order = if one.returned.is_fortran() { "FP_F_ORDER" } else { "FP_C_ORDER" };
    let mut text = format!(
        "static const fp_param {} = {{{}, {}, {}, sizeof({}), FP_ARRAY_OF({}, {order}{}), FP_ONE_ITEM}};\n",
        one.param,
        c_string(names.function),
        one.name.as_ref().map_or("NULL".to_owned(), |name| c_string(name)),
        pointee(&one.returned).dtype(),
        c_type(&one.returned.ctype),
        one.rank(),
        if one.returned.is_const { "" } else { " | FP_WRITE" },
    );
    text += &define_nested_type(one, crate::handles::class);
    text += &one.define_free(names);
    text += &one.define_list_release(names, crate::handles::class);
    let memory = "PyCapsule_GetPointer(fp_capsule, FP_MEMORY)";
    if let (true, Some(free)) = (one.is_kept(), one.free_call(memory, &[])) {
        if one.locks_module {
            // The prefix is unique in the file.
            let free = one.free_call("fp_memory", &[]).unwrap_or_default();
            text += &format!(
                "\nstatic void\nfpn_{0}(void *fp_memory)\n{{\n    {free};\n}}\n\nstatic void\n{0}(PyObject *fp_capsule)\n\
                 {{\n    fp_free_under(fpy_lock, fpn_{0}, {memory});\n}}\n",
                one.free
            );
        } else {
            text += &format!(
                "\nstatic void\n{}(PyObject *fp_capsule)\n{{\n    {free};\n}}\n",
                one.free
            );
        }
    }
    text
}
