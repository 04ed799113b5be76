//! A linked graph as the C source of a Python module.
//!
//! Purpose: reuse the entry points of linked graphs (`entry/`), with one function that is described
//! by tables instead of by the package.
//! Invariant: two units, because the entry points and the runtime have names in common; the module
//! loads without the package.
//! Reason: arguments are converted, and failures reported, as in the process in which the graph was
//! exported.

use std::fmt::Write;

use fishplate_driver::c_string;
use fishplate_graph::Tensor;
use fishplate_graph_c::{PrintedGraph, SYMBOL, unit};

macro_rules! entry {
    ($name:literal) => {
        ($name, include_str!(concat!("../entry/", $name)))
    };
}

const ENTRY: &[(&str, &str)] = &[
    entry!("attributes.h"),
    entry!("cell.h"),
    entry!("function.h"),
    entry!("form.h"),
    entry!("invoke.h"),
    entry!("forward.h"),
    entry!("shortcuts.h"),
    entry!("module.c"),
];

/// An argument of the function.
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) tensor: Tensor,
    /// Shape and elements.
    pub(crate) default: Option<(Vec<usize>, Vec<u8>)>,
}

/// A module with one function.
pub(crate) struct Module {
    pub(crate) module: String,
    pub(crate) function: String,
    pub(crate) doc: String,
    pub(crate) inputs: Vec<Argument>,
    /// dtype and rank.
    pub(crate) outputs: Vec<(String, usize)>,
    pub(crate) steps: Vec<String>,
    pub(crate) listed: bool,
    /// Small arrays of earlier calls are returned again.
    pub(crate) recycles: bool,
}

impl Module {
    /// The unit with the runtime and the graph.
    pub(crate) fn graph(&self, printed: &PrintedGraph, fp_contract: bool) -> String {
        let mut text = String::from("#define FP_EXPORTED\n");
        if !fp_contract {
            text.push_str(unit::EXACT);
        }
        text.push_str(&unit::flatten("runtime.c", unit::RUNTIME));
        text.push_str(&printed.source);
        text
    }

    /// The unit that Python loads; it includes the runtime header of wrapped functions.
    pub(crate) fn text(&self, printed: &PrintedGraph) -> String {
        let mut text = format!("#define FPG_MODULE {}\n", c_string(&self.module));
        let call = unit::RUNTIME.iter().filter(|(name, _)| *name == "call.h").copied();
        let files: Vec<_> = ENTRY.iter().copied().chain(call).collect();
        text.push_str(&unit::flatten("module.c", &files));
        text.push_str("\n/* ---- This module ---- */\n\n");
        text.push_str(unit::BYTE_ORDER);
        text.push_str(&unit::constants("fpx_constant", &printed.constants));
        self.inputs(&mut text);
        let outputs: String = (self.outputs.iter())
            .map(|(dtype, ndim)| format!("\n    {{{}, {ndim}}},", c_string(dtype)))
            .collect();
        let steps: String =
            self.steps.iter().map(|step| format!("\n    {},", c_string(step))).collect();
        let Self { module, function, doc, .. } = self;
        let (function, doc) = (c_string(function), c_string(doc));
        let _ = write!(
            text,
            "static const fpx_output fpx_outputs[] = {{{outputs}\n    {{NULL, 0}},\n}};\n\
             static const char *const fpx_steps[] = {{{steps}\n    NULL,\n}};\n\n\
             int {SYMBOL}(const struct fp_runtime *, struct fp_call *, void *const *, void *const *, \
             void *const *);\n\n\
             static const fpx_function fpx_the_function = {{\n    {function}, {doc},\n    {SYMBOL}, {}, {}, \
             {}, {}, {}, {}, fpx_inputs, fpx_outputs, fpx_constant, fpx_steps,\n}};\n\n\
             static PyModuleDef fpx_module = {{\n    PyModuleDef_HEAD_INIT, {}, {doc}, 0, NULL, fpx_slots, NULL, \
             NULL, NULL,\n}};\n\n\
             PyMODINIT_FUNC\nPyInit_{module}(void)\n{{\n    return PyModuleDef_Init(&fpx_module);\n}}\n",
            self.inputs.len(),
            self.outputs.len(),
            printed.constants.len(),
            self.steps.len(),
            u8::from(self.listed),
            u8::from(self.recycles),
            c_string(module),
        );
        text
    }

    fn inputs(&self, text: &mut String) {
        let mut rows = String::new();
        for (number, Argument { name, tensor, default }) in self.inputs.iter().enumerate() {
            let sizes = tensor.shape.iter().map(|size| size.map_or(-1, |size| size as i64));
            let shape = sizes_table(text, &format!("fpx_shape{number}"), sizes);
            let mut fallback = ("NULL".to_owned(), "NULL".to_owned());
            if let Some((shape, bytes)) = default {
                fallback.0 = format!("fpx_default{number}");
                text.push_str(&unit::words(&fallback.0, bytes));
                let sizes = shape.iter().map(|&size| size as i64);
                fallback.1 = sizes_table(text, &format!("fpx_default_shape{number}"), sizes);
            }
            let _ = write!(
                rows,
                "\n    {{{}, {}, {}, {shape}, {}, {}}},",
                c_string(name),
                c_string(tensor.dtype.name()),
                tensor.ndim(),
                fallback.0,
                fallback.1
            );
        }
        let _ = writeln!(
            text,
            "static const fpx_input fpx_inputs[] = {{{rows}\n    {{NULL, NULL, 0, NULL, NULL, NULL}},\n}};"
        );
    }
}

/// Declares sizes, if there are any, and returns their name.
fn sizes_table(text: &mut String, name: &str, sizes: impl Iterator<Item = i64>) -> String {
    let sizes: Vec<String> = sizes.map(|size| size.to_string()).collect();
    if sizes.is_empty() {
        return "NULL".to_owned();
    }
    let _ = writeln!(text, "static const npy_intp {name}[] = {{{}}};", sizes.join(", "));
    name.to_owned()
}
