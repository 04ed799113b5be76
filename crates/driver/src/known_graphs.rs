//! Graphs whose library is known without rewriting and printing them again.
//!
//! Purpose: a large graph that was compiled before is loaded in the time of reading it.
//! Invariant: an entry is keyed by everything that its library and constants depend on: the graph
//! as its user built it, the rewrites, the software that computes with its constants, the compiler
//! and its options, the processor, the version of Fishplate, and the runtime that the library calls.
//! Reason: rewriting and printing take half of the time of loading a library from the cache.

use std::path::Path;
use std::sync::Arc;

use fishplate_cache::{Entry, Key, Made, Store, cpu_features};
use fishplate_graph::{Graph, Op, Origin};
use fishplate_graph_c::{ABI, PrintedGraph};
use fishplate_toolchain::{Environment, Shared};

use crate::graphs::{GraphError, GraphLibrary, GraphOptions, graph_key};
use crate::store::{get_or_make, store};
use crate::{Installations, VERSION, usual_toolchain};

/// Smaller graphs are rewritten and printed in less time than another entry takes.
const MANY_NODES: usize = 64;

/// The limit on the bytes of constants that are stored.
const BYTES: usize = 1 << 16;

/// The file of an entry: the key of the library, then for each constant its length and its bytes.
const FILE: &str = "constants";

/// A graph that was compiled before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownGraph {
    /// Its library.
    pub library: GraphLibrary,
    /// The bytes of its constants, in order.
    pub constants: Vec<Vec<u8>>,
}

/// The rewriting and linking of a graph.
#[derive(Clone, Copy, Debug)]
pub struct GraphRequest<'a> {
    /// The graph, not rewritten.
    pub graph: &'a Graph,
    /// The rewrites that are skipped.
    pub excluded: &'a [String],
    /// The name and version of the software that computes with constants.
    pub evaluator: &'a str,
    /// The options of compilation.
    pub options: GraphOptions,
}

impl GraphRequest<'_> {
    /// The key of an entry, and the store; `None` for graphs that are not stored.
    fn key(&self) -> Result<Option<(Key, Arc<Store>)>, GraphError> {
        let graph = self.graph;
        let bytes = |variable: &fishplate_graph::Variable| match &variable.origin {
            Origin::Constant(value) => value.bytes.len(),
            _ => 0,
        };
        // Addresses of C functions differ between processes.
        if graph.nodes().len() < MANY_NODES
            || graph.variables().iter().map(bytes).sum::<usize>() > BYTES
            || graph.nodes().iter().any(|node| matches!(node.op, Op::Wrapped(_)))
        {
            return Ok(None);
        }
        let store = store(&Environment::current())?;
        let toolchain = usual_toolchain(&Installations::default());
        let key = Key::of("known graph")
            .part(VERSION)
            .part(ABI)
            .hashed(graph)
            .parts(self.excluded)
            .part(self.evaluator)
            .part(format!("{:?}", self.options))
            .parts(Shared::default().identity(&toolchain)?)
            .part(cpu_features())
            .finish();
        Ok(Some((key, store)))
    }
}

/// The library of a graph and its constants, if it was compiled before.
///
/// # Errors
///
/// There is no compiler, or the cache cannot be used.
pub fn find_graph(request: GraphRequest<'_>) -> Result<Option<KnownGraph>, GraphError> {
    let Some((key, store)) = request.key()? else { return Ok(None) };
    let known = store.get(&key).and_then(|entry| read(&entry));
    let Some((library, constants)) = known else { return Ok(None) };
    let library = library.parse().ok().and_then(|key| store.get(&key)).map(|entry| GraphLibrary {
        path: entry.library(),
        compiled: false,
        not_kept: None,
    });
    Ok(library.map(|library| KnownGraph { library, constants }))
}

/// Stores what [`find_graph`] returns, for a graph that was printed as `printed` and compiled. A
/// failure is harmless.
pub fn remember_graph(request: GraphRequest<'_>, printed: &PrintedGraph) {
    let Ok(Some((key, store))) = request.key() else { return };
    let bytes: usize = printed.constants.iter().map(|value| value.bytes.len()).sum();
    if bytes > BYTES || !printed.functions.is_empty() {
        return;
    }
    let Ok((library, _)) = graph_key(printed, request.options) else { return };
    let mut contents = library.to_string().into_bytes();
    for value in &printed.constants {
        contents.extend((value.bytes.len() as u64).to_le_bytes());
        contents.extend(&value.bytes);
    }
    let make =
        |folder: &Path| std::fs::write(folder.join(FILE), &contents).map(|()| Made::library(FILE));
    let _ = get_or_make(&store, &key, make, |_| None);
}

/// The key of the library and the constants in an entry.
fn read(entry: &Entry) -> Option<(String, Vec<Vec<u8>>)> {
    let contents = std::fs::read(entry.library()).ok()?;
    let (key, mut rest) = contents.split_at_checked(64)?;
    let mut constants = Vec::new();
    while !rest.is_empty() {
        let (length, behind) = rest.split_first_chunk()?;
        let (bytes, behind) = behind.split_at_checked(u64::from_le_bytes(*length) as usize)?;
        constants.push(bytes.to_vec());
        rest = behind;
    }
    Some((String::from_utf8(key.to_vec()).ok()?, constants))
}
