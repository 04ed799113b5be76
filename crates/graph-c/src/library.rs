//! A graph as a C library: a header for its callers, and the complete source in one file.
//!
//! Invariant: the header is C and C++; two libraries' headers can be included together.
//! Reason: a function that was compiled from a graph should run without Fishplate and Python.

use std::fmt::Write;

use fishplate_emit::{c_comment, c_string};
use fishplate_graph::{DType, Tensor};

use crate::ctype::abi_type;
use crate::unit::{BYTE_ORDER, EXACT, RUNTIME, constants, flatten};
use crate::{PrintedGraph, SYMBOL};

/// An argument or a result.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in C.
    pub name: String,
    /// Its dtype and known shape.
    pub tensor: Tensor,
    /// A further description.
    pub note: String,
}

/// The name of a library, and the arguments and results of its function.
#[derive(Clone, Debug)]
pub struct Library {
    /// The function's name, a prefix of all public names.
    pub name: String,
    /// The function's signature in Python, and its description.
    pub about: String,
    /// The command that compiles the source, for its first lines.
    pub command: String,
    /// Arguments.
    pub inputs: Vec<Parameter>,
    /// Results.
    pub outputs: Vec<Parameter>,
    /// The origin of each step, for messages.
    pub steps: Vec<String>,
    /// Whether products and sums may become fused multiply-adds.
    pub fp_contract: bool,
}

impl Library {
    /// The header.
    pub fn header(&self) -> String {
        let Self { name, about, .. } = self;
        let upper = name.to_uppercase();
        let mut text = format!(
            "/* {name}: {}\n *\n * Made by Fishplate; it is not needed to use this. C99 or C++. */\n\
             #ifndef {upper}_H\n#define {upper}_H\n\n\
             #include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n\
             #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n",
            c_comment(about)
        );
        for dtype in [DType::Complex64, DType::Complex128] {
            if self.parameters().any(|one| one.tensor.dtype == dtype) {
                text.push_str(&complex_type(dtype));
            }
        }
        let mut done: Vec<(DType, usize)> = Vec::new();
        for one in self.parameters() {
            let kind = (one.tensor.dtype, one.tensor.ndim());
            if kind.1 > 0 && !done.contains(&kind) {
                text.push_str(&array_type(kind.0, kind.1));
                done.push(kind);
            }
        }
        let mut list = String::new();
        for (what, all) in [("takes", &self.inputs), ("gives", &self.outputs)] {
            for one in all {
                let Parameter { name, tensor, note } = one;
                let shape = if tensor.ndim() == 0 {
                    "a number".to_owned()
                } else {
                    format!("shape {}", shape(tensor))
                };
                let dtype = tensor.dtype.name();
                let _ = writeln!(list, " *   {what} {name}: {dtype}, {shape}{}", c_comment(note));
            }
        }
        let _ = write!(
            text,
            "/* Returns 0, or -1 with the reason in {name}_error().\n *\n{list} *\n\
             \x20* Arguments are only read. Arrays among the results are allocated, whatever was in their\n\
             \x20* structs; give the `data` of each back to {name}_free(). After a failure it is NULL.\n\
             \x20* May be called by many threads at once. */\n{};\n\n",
            self.prototype("")
        );
        if self.outputs.iter().any(|one| one.tensor.ndim() > 0) {
            let _ = write!(
                text,
                "/* The same with results in memory of yours: the structs say where, of the shapes that\n\
                 \x20* results have, with any strides. It may be that of arguments. After a failure, what is\n\
                 \x20* there is not defined. */\n{};\n\n\
                 /* Frees the data of a result; NULL is no harm. */\nvoid {name}_free(void *data);\n\n",
                self.prototype("_into")
            );
        }
        let _ = write!(
            text,
            "/* Why this thread's last call failed; \"\" if it did not. Good until its next call. */\n\
             const char *{name}_error(void);\n\n\
             /* How many threads one call may use where its work pays for them; 0, as it is at first: as\n\
             \x20* OMP_NUM_THREADS says, else all processors. Not while calls run. */\n\
             void {name}_set_threads(int count);\n\n\
             #ifdef __cplusplus\n}}\n#endif\n#endif\n"
        );
        text
    }

    /// The complete source.
    pub fn source(&self, printed: &PrintedGraph) -> String {
        let Self { name, about, command, .. } = self;
        let mut text = format!(
            "/* {name}: {}\n *\n * Made by Fishplate. This file is all of it; its functions are described in \
             {name}.h.\n * It wants gcc or clang, and these flags:\n *\n *     {} */\n\
             #ifndef _GNU_SOURCE\n#define _GNU_SOURCE 1\n#endif\n\
             #define FP_RUNTIME __attribute__((unused)) static\n#define FP_EXPORTED static\n\n",
            c_comment(about),
            c_comment(command)
        );
        if !self.fp_contract {
            text.push_str(EXACT);
            text.push('\n');
        }
        text.push_str(&self.header());
        text.push('\n');
        text.push_str(&flatten("runtime.c", RUNTIME));
        let library = RUNTIME.iter().find(|(name, _)| *name == "library.h");
        // Its includes are part of the source.
        for line in library.iter().flat_map(|(_, text)| text.lines()) {
            if !line.starts_with("#include \"") {
                text.push_str(line);
                text.push('\n');
            }
        }
        text.push_str("\n/* ---- The function ---- */\n\n");
        text.push_str(BYTE_ORDER);
        text.push_str(&constants("fp_constant", &printed.constants));
        text.push_str(&self.tables());
        text.push_str(&self.functions());
        text.push_str("\n/* ---- The graph ---- */\n\n");
        text.push_str(&printed.source);
        text
    }

    fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.inputs.iter().chain(&self.outputs)
    }

    /// "int f(fp_float64_1d x, double *out)"
    fn prototype(&self, suffix: &str) -> String {
        let star = if suffix.is_empty() { "*" } else { "" };
        let mut all: Vec<String> = Vec::new();
        for Parameter { name, tensor, .. } in &self.inputs {
            all.push(format!("{} {name}", public_type(tensor.dtype, tensor.ndim())));
        }
        for Parameter { name, tensor, .. } in &self.outputs {
            let star = if tensor.ndim() == 0 { "*" } else { star };
            all.push(format!("{} {star}{name}", public_type(tensor.dtype, tensor.ndim())));
        }
        let list = if all.is_empty() { "void".to_owned() } else { all.join(", ") };
        format!("int {}{suffix}({list})", self.name)
    }

    fn tables(&self) -> String {
        let mut text = String::new();
        let mut lists = [String::new(), String::new()];
        let sides = [("input", &self.inputs), ("output", &self.outputs)];
        for ((side, all), list) in sides.into_iter().zip(&mut lists) {
            for (number, Parameter { name, tensor, .. }) in all.iter().enumerate() {
                let mut known = "NULL".to_owned();
                if tensor.shape.iter().any(Option::is_some) {
                    known = format!("fp_{side}_shape{number}");
                    let sizes: Vec<String> = (tensor.shape.iter())
                        .map(|size| size.map_or("-1".to_owned(), |size| size.to_string()))
                        .collect();
                    let sizes = sizes.join(", ");
                    let _ = writeln!(text, "static const fp_size {known}[] = {{{sizes}}};");
                }
                let (dtype, ndim) = (abi_type(tensor.dtype), tensor.ndim());
                let (name, wanted) = (c_string(name), c_string(&shape(tensor)));
                let _ = write!(list, "\n    {{{name}, {dtype}, {ndim}, {known}, {wanted}}},");
            }
        }
        let nothing = "\n    {NULL, 0, 0, NULL, NULL},\n";
        let [inputs, outputs] = lists;
        let steps: String =
            self.steps.iter().map(|step| format!("\n    {},", c_string(step))).collect();
        let _ = write!(
            text,
            "static const fp_parameter fp_inputs[] = {{{inputs}{nothing}}};\n\
             static const fp_parameter fp_outputs[] = {{{outputs}{nothing}}};\n\
             static const char *const fp_steps[] = {{{steps}\n    NULL,\n}};\n\n\
             static int {SYMBOL}(const fp_runtime *, fp_call *, void *const *, void *const *, void *const *);\n\n\
             static const fp_export fp_the_export = {{\n    {SYMBOL}, {}, {}, {}, {}, fp_inputs, fp_outputs, \
             fp_constant, fp_steps,\n}};\n",
            c_string(&self.name),
            self.inputs.len(),
            self.outputs.len(),
            self.steps.len(),
        );
        text
    }

    fn functions(&self) -> String {
        let name = &self.name;
        let arrays = self.outputs.iter().any(|one| one.tensor.ndim() > 0);
        let suffixes: &[&str] = if arrays { &["", "_into"] } else { &[""] };
        let mut text =
            String::from("\n#define FP_PUBLIC __attribute__((visibility(\"default\")))\n");
        for (into, suffix) in suffixes.iter().enumerate() {
            let list = |all: &[Parameter], address: &dyn Fn(&Parameter) -> bool| -> String {
                let of = |one: &Parameter| {
                    format!("{}{}, ", if address(one) { "&" } else { "" }, one.name)
                };
                all.iter().map(of).collect()
            };
            let inputs = list(&self.inputs, &|_| true);
            let outputs = list(&self.outputs, &|one| into == 1 && one.tensor.ndim() > 0);
            let _ = write!(
                text,
                "\nFP_PUBLIC {}\n{{\n    void *const fp_in[] = {{{inputs}NULL}};\n    \
                 void *const fp_out[] = {{{outputs}NULL}};\n    fp_result fp_made[{}];\n    \
                 return fp_call_exported(&fp_the_export, fp_in, fp_out, fp_made, {into});\n}}\n",
                self.prototype(suffix),
                self.outputs.len().max(1),
            );
        }
        if arrays {
            let _ = write!(
                text,
                "\nFP_PUBLIC void\n{name}_free(void *data)\n{{\n    free(data);\n}}\n"
            );
        }
        let _ = write!(
            text,
            "\nFP_PUBLIC const char *\n{name}_error(void)\n{{\n    return fp_last_error;\n}}\n\
             \nFP_PUBLIC void\n{name}_set_threads(int count)\n{{\n    fp_set_threads(count);\n}}\n"
        );
        text
    }
}

/// "(?, 3)"
fn shape(tensor: &Tensor) -> String {
    let sizes: Vec<String> = (tensor.shape.iter())
        .map(|size| size.map_or("?".to_owned(), |size| size.to_string()))
        .collect();
    let comma = if sizes.len() == 1 { "," } else { "" };
    format!("({}{comma})", sizes.join(", "))
}

/// An element in the header.
fn element(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::Int8 => "int8_t",
        DType::Int16 => "int16_t",
        DType::Int32 => "int32_t",
        DType::Int64 => "int64_t",
        DType::UInt8 => "uint8_t",
        DType::UInt16 => "uint16_t",
        DType::UInt32 => "uint32_t",
        DType::UInt64 => "uint64_t",
        DType::Float32 => "float",
        DType::Float64 => "double",
        DType::Complex64 => "fp_complex64",
        DType::Complex128 => "fp_complex128",
    }
}

fn public_type(dtype: DType, ndim: usize) -> String {
    match ndim {
        0 => element(dtype).to_owned(),
        _ => format!("fp_{}_{ndim}d", dtype.name()),
    }
}

fn complex_type(dtype: DType) -> String {
    let (name, upper) = (element(dtype), dtype.name().to_uppercase());
    let real = element(dtype.real());
    format!(
        "#ifndef FP_C_{upper}\n#define FP_C_{upper}\n/* What C calls {real} _Complex. */\n\
         typedef struct {{\n    {real} real, imag;\n}} {name};\n#endif\n\n"
    )
}

/// The struct for arrays of a dtype and rank, and the function that fills it in for C's own arrays.
fn array_type(dtype: DType, ndim: usize) -> String {
    let (name, of) = (public_type(dtype, ndim), element(dtype));
    let upper = name.to_uppercase();
    let sizes: Vec<String> = (0..ndim).map(|axis| format!("ptrdiff_t n{axis}")).collect();
    let mut body = String::new();
    for axis in 0..ndim {
        let _ = writeln!(body, "    x.shape[{axis}] = n{axis};");
    }
    for axis in (0..ndim).rev() {
        let step = if axis + 1 == ndim {
            format!("(ptrdiff_t)sizeof({of})")
        } else {
            format!("x.strides[{}] * n{}", axis + 1, axis + 1)
        };
        let _ = writeln!(body, "    x.strides[{axis}] = {step};");
    }
    format!(
        "#ifndef {upper}\n#define {upper}\n\
         /* Strides are in bytes, from each element to the next along an axis; any will do. */\n\
         typedef struct {{\n    {of} *data;\n    ptrdiff_t shape[{ndim}], strides[{ndim}];\n}} {name};\n\n\
         /* Elements that follow one another, the last axis fastest, as in an array of C. */\n\
         #ifdef __GNUC__\n__attribute__((unused))\n#endif\n\
         static inline {name}\n{name}_of(const {of} *data, {})\n{{\n    {name} x;\n    \
         x.data = ({of} *)(size_t)data;\n{body}    return x;\n}}\n#endif\n\n",
        sizes.join(", ")
    )
}
