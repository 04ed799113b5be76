//! The pipeline of graphs on one page: Graph ─► rewrite ─► print ─► compile ─► library.
//!
//! Purpose: the functions that `fishplate.graph` calls for graphs of built-in ops; user-defined
//! types and ops are handled by `protocols.rs`, and exports by `export.rs`.
//! Invariant: a cached library was compiled from the same source, by the same compiler with the
//! same flags, for the same processor, by the same version of Fishplate.
//! Reason: a binding then only converts values.

use std::fmt;
use std::path::{Path, PathBuf};

use fishplate_cache::{CacheError, Key, Made, MakeError, cpu_features};
use fishplate_graph::Graph;
use fishplate_graph::rewrite::{Evaluate, Options, Report, rewrite};
use fishplate_graph_c::{PrintedGraph, print};
use fishplate_toolchain::{BuildError, Environment, Shared, Tier, Toolchain, compile_shared};

use crate::store::{get_or_make, store};
use crate::{Installations, VERSION, usual_toolchain};

/// How a graph is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphOptions {
    /// Use vector functions if the system's math library has them: their error is at most 4 units
    /// in the last place, that of the others at most 1.
    pub vector_math: bool,
    /// Use fused multiply-adds if the processor has them. Otherwise a result does not depend on
    /// fusion, on the processor, or on the caller of the compiler.
    pub fp_contract: bool,
}

/// The flag that allows or forbids fused multiply-adds: GCC uses them by default.
pub(crate) fn contraction(allowed: bool) -> String {
    format!("-ffp-contract={}", if allowed { "fast" } else { "off" })
}

/// A library that was compiled or found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphLibrary {
    /// Its path.
    pub path: PathBuf,
    /// Whether it was compiled in this call.
    pub compiled: bool,
    /// Why it is deleted with this process, if it is.
    pub not_kept: Option<String>,
}

/// Why there is no library.
#[derive(Debug)]
pub enum GraphError {
    /// No C compiler was found; the message explains which one to install.
    NoCompiler(BuildError),
    /// The compiler failed.
    Build(BuildError),
    /// The cache cannot be used.
    Cache(CacheError),
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphError::NoCompiler(error) | GraphError::Build(error) => error.fmt(f),
            GraphError::Cache(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GraphError {}

impl From<BuildError> for GraphError {
    fn from(error: BuildError) -> Self {
        match error {
            error @ BuildError::NoCompiler { .. } => GraphError::NoCompiler(error),
            error => GraphError::Build(error),
        }
    }
}

impl From<CacheError> for GraphError {
    fn from(error: CacheError) -> Self {
        GraphError::Cache(error)
    }
}

/// Rewrites a graph; `evaluate` computes ops on constants. The report lists the changes.
pub fn rewrite_graph(
    graph: &Graph,
    options: &Options,
    evaluate: &mut Evaluate<'_>,
) -> (Graph, Report) {
    rewrite(graph, options, evaluate)
}

/// Prints a graph as C. `reuse`: results may reuse memory that is no longer needed.
pub fn print_graph(graph: &Graph, reuse: bool) -> PrintedGraph {
    print(graph, reuse)
}

/// Above this number of lines (some 190 are the ABI of the runtime) full optimisation takes longer
/// than it is worth: a third of a millisecond per line, twice that of quick compilation. Loops of
/// many cheap operations, the usual reason for long source, are as fast either way.
const MANY_LINES: usize = 600;

/// Compiles a linked graph, unless it is in the cache.
///
/// # Errors
///
/// There is no compiler, it fails, or the cache cannot be used.
pub fn compile_graph(
    printed: &PrintedGraph,
    options: GraphOptions,
) -> Result<GraphLibrary, GraphError> {
    let environment = Environment::current();
    let store = store(&environment)?;
    let (key, toolchain) = graph_key(printed, options)?;
    let shared = flags(printed, options);
    if let Some(entry) = store.get(&key) {
        return Ok(GraphLibrary { path: entry.library(), compiled: false, not_kept: None });
    }
    let mut compiled = false;
    let make = |folder: &Path| {
        compiled = true;
        let source = folder.join("source.c");
        let library = folder.join("graph.so");
        std::fs::write(&source, &printed.source).map_err(|error| BuildError::Io {
            doing: "write".to_owned(),
            path: source.clone(),
            source: error,
        })?;
        compile_shared(&source, &library, &shared, &toolchain)?;
        Ok(Made::library("graph.so"))
    };
    let no_space = |error: &BuildError| error.is_no_space().then(|| error.to_string());
    let entry = get_or_make(&store, &key, make, no_space).map_err(|error| match error {
        MakeError::Make(error) => GraphError::from(error),
        MakeError::Cache(error) => GraphError::Cache(error),
    })?;
    Ok(GraphLibrary { path: entry.library(), compiled, not_kept: store.not_kept() })
}

/// The key of a printed graph's library, and the compilers that are a part of it.
pub(crate) fn graph_key(
    printed: &PrintedGraph,
    options: GraphOptions,
) -> Result<(Key, Toolchain), GraphError> {
    let toolchain = usual_toolchain(&Installations::default());
    let key = Key::of("graph")
        .part(VERSION)
        .part(&printed.source)
        .parts(flags(printed, options).identity(&toolchain)?)
        .part(cpu_features())
        .finish();
    Ok((key, toolchain))
}

fn flags(printed: &PrintedGraph, options: GraphOptions) -> Shared {
    let (flags, libraries) = flags_and_libraries(printed, options);
    let many = printed.source.lines().nth(MANY_LINES).is_some();
    let tier = if many { Tier::Quick } else { Tier::Full };
    Shared { tier, native: true, bare: true, libraries, flags, ..Shared::default() }
}

/// The options with which the source of a graph must be compiled.
pub(crate) fn flags_and_libraries(
    printed: &PrintedGraph,
    options: GraphOptions,
) -> (Vec<String>, Vec<String>) {
    let mut flags: Vec<String> = [
        "-std=gnu11",
        "-fno-math-errno",
        "-fno-trapping-math",
        "-fwrapv",
        "-fno-strict-aliasing",
        "-fopenmp-simd",
    ]
    .map(str::to_owned)
    .into();
    flags.push(contraction(options.fp_contract));
    if options.fp_contract {
        flags.push("-DFP_MAY_CONTRACT".to_owned());
    }
    let mut libraries = vec!["m".to_owned()];
    if options.vector_math && printed.vector_math {
        flags.push("-DFP_VECTOR_MATH".to_owned());
        libraries.insert(0, "mvec".to_owned());
    }
    (flags, libraries)
}
