//! From graphs to plain C.
//!
//! Purpose: print a [`Graph`] as one C function that includes only `abi.h`; the fixed C that it
//! calls, the runtime, is in `runtime/`.
//! Invariant: reads graphs only; the output depends only on the graph, without the values of its
//! constants, so that graphs that differ only in these share their code.
//! Reason: compiling costs as much as the graph's own arithmetic, in Python and elsewhere.

mod body;
mod ctype;
mod find;
mod fold;
mod function;
mod graph;
mod helpers;
mod kernels;
mod lanes;
pub mod library;
mod map;
mod quotients;
mod rows;
mod steps;
pub mod unit;
mod wrapped;

use std::sync::Arc;

use fishplate_graph::{Graph, MemoryPlan, Value};

/// The header that a linked graph includes.
pub const ABI: &str = include_str!("../runtime/abi.h");

/// The name of the function in the C source.
pub const SYMBOL: &str = "fp_graph_call";

/// A graph in C.
#[derive(Clone, Debug)]
pub struct PrintedGraph {
    /// The whole C source.
    pub source: String,
    /// The constants for its first `pointers`, in order.
    pub constants: Vec<Arc<Value>>,
    /// The remaining `pointers`: the addresses of C functions that it calls.
    pub functions: Vec<usize>,
    /// Whether it calls functions of the vector math library.
    pub vector_math: bool,
}

/// Prints a graph. `reuse`: whether results may reuse memory that is no longer needed.
pub fn print(graph: &Graph, reuse: bool) -> PrintedGraph {
    let memory = MemoryPlan::of(graph, reuse);
    let mut printer = graph::Printer::new(graph, &memory);
    printer.print();
    let mut source = String::from(PRELUDE);
    source.push_str(ABI);
    source.push('\n');
    source.push_str(DEFINITIONS);
    if printer.uses_dimensions {
        source.push_str(DIMENSIONS);
    }
    source.push_str(&printer.view_types());
    source.push_str(&printer.helpers.text());
    for function in &printer.functions {
        source.push('\n');
        source.push_str(function);
    }
    if printer.uses_bounds {
        source.push_str(BOUND);
    }
    if printer.uses_contiguity {
        source.push_str(CONTIGUOUS);
    }
    source.push('\n');
    let vector_math = printer.helpers.uses_vectors();
    let constants = std::mem::take(&mut printer.constants);
    let functions = std::mem::take(&mut printer.functions_called);
    source.push_str(&std::mem::take(&mut printer.tables).into_text());
    source.push_str(&printer.functions_of_steps());
    PrintedGraph { source, constants, functions, vector_math }
}

const PRELUDE: &str = "/* A graph, linked by Fishplate. */\n";

const DEFINITIONS: &str = "typedef __INT64_TYPE__ fp_int64;
typedef __UINT64_TYPE__ fp_uint64;

#if defined(__clang__)
#define FP_INDEPENDENT _Pragma(\"clang loop vectorize(assume_safety)\")
#define FP_UNROLLED _Pragma(\"clang loop unroll(full)\")
#else
#define FP_INDEPENDENT _Pragma(\"GCC ivdep\")
#define FP_UNROLLED _Pragma(\"GCC unroll 8\")
#endif
/* A product that rounds: some releases of GCC make fused multiply-adds of complex products whatever
 * -ffp-contract says. */
#if !defined(FP_MAY_CONTRACT) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#define FP_ROUND(x) __builtin_assoc_barrier(x)
#else
#define FP_ROUND(x) (x)
#endif
#ifndef FP_EXPORTED /* in a unit with its host it is not */
#define FP_EXPORTED __attribute__((visibility(\"default\")))
#endif

";

const DIMENSIONS: &str = concat!(
    "#include <stddef.h>\n#include <stdint.h>\n",
    "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n",
    include_str!("../../emit/runtime/dimensions.h"),
    "#pragma GCC diagnostic pop\n\n",
);

const BOUND: &str = "
/* A bound of a slice, as Python clips it. */
static fp_size
fp_bound(fp_int64 bound, fp_size size, int backwards)
{
    const fp_size least = backwards ? -1 : 0, most = backwards ? size - 1 : size;
    if (bound < 0) {
        bound += size;
    }
    return bound < least ? least : bound > most ? most : bound;
}
";

const CONTIGUOUS: &str = "
/* True if an array lies in C order without gaps. */
static int
fp_is_contiguous(int ndim, fp_size stride, const fp_view *x)
{
    int axis, is = 1;
    for (axis = ndim - 1; axis >= 0; axis--) {
        if (x->dims[axis] == 0) {
            return 1;
        }
        is &= x->dims[axis] == 1 || x->dims[ndim + axis] == stride;
        stride *= x->dims[axis];
    }
    return is;
}
";
