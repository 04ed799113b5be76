//! The pipeline of modules on one page: read ─► model ─► check ─► plan ─► emit ─► build. The
//! pipeline of graphs is in `graphs.rs`.
//!
//! Purpose: the functions that the command, the Python package and the Lua module all call.
//! Invariant: never prints, never exits; every mistake is returned as a [`Diagnostic`], all at
//! once.
//! Reason: a front end only converts arguments and output.

mod build_request;
mod compiler_errors;
mod completion;
mod convert;
mod description;
mod diagnostic_page;
mod disagreement;
mod drift;
mod export;
mod front_end;
mod graphs;
mod headers;
mod hosts;
mod init;
mod inline;
mod known_graphs;
mod loading;
mod named_files;
mod new_folders;
mod package;
mod prelude;
mod protocols;
mod resolve;
mod shared_library;
mod shared_runtime;
mod store;
mod target;
mod units;
mod wrapped;

use fishplate_check::{Checked, check};
use fishplate_emit::{Emitted, OutputFile};
use fishplate_model::{Diagnostic, Interface, Source};
use fishplate_plan::{FunctionPlan, Plan};
use fishplate_readers::interface::Reading;
use fishplate_toolchain as native;
use new_folders::NewFolders;
use std::path::{Path, PathBuf};
use wrapped::plan;

pub use convert::convert_file;
pub use description::BuildDescription;
pub use diagnostic_page::{DiagnosticPage, diagnostic_page, diagnostic_pages};
pub use drift::{DriftOptions, check_drift};
pub use export::{ExportOptions, compile_export, compile_library};
pub use fishplate_emit::c_string;
pub use fishplate_emit::{About, FileRole, Host, Package, is_generated};
pub use fishplate_readers::header::ANNOTATIONS;
pub use fishplate_readers::interface::json_schema;
pub use fishplate_toolchain::{
    BuildError, CrossBuild, Environment, Event, Looked, Machine, Outcome, SourceLanguage, Target,
    Toolchain, set_running_interpreter, write_depfile,
};
pub use graphs::{
    GraphError, GraphLibrary, GraphOptions, compile_graph, print_graph, rewrite_graph,
};
pub use hosts::{HOSTS, Installations, default_host, host_named, usual_toolchain};
pub use init::{FirstInterface, InitOptions, Shims, init};
pub use inline::{Inline, load_inline};
pub use known_graphs::{GraphRequest, KnownGraph, find_graph, remember_graph};
pub use loading::{Loadable, Running, load_file};
pub use named_files::named_files;
pub use package::package_file;
pub use protocols::{ProtocolError, compile_linked, default_compiler};
pub use shared_library::build_shared_library;
pub use store::remove_unkept;
pub use wrapped::{OpError, OpFunction, OpOutput, OpOverload, OpParameter};

/// Fishplate's version, which is part of every build's key.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The result of a phase: a value unless there was an error, and all diagnostics.
#[derive(Debug)]
pub struct Report<T> {
    /// The source to which the diagnostics refer.
    pub source: Source,
    /// Errors and warnings, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// The result; `None` when any diagnostic is an error.
    pub value: Option<T>,
}

impl<T> Report<T> {
    /// The same report with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Report<U> {
        self.and_then(|_, value, _| Some(change(value)))
    }

    fn and_then<U>(
        mut self,
        next: impl FnOnce(&Source, T, &mut Vec<Diagnostic>) -> Option<U>,
    ) -> Report<U> {
        let value = self.value.and_then(|value| next(&self.source, value, &mut self.diagnostics));
        Report { source: self.source, diagnostics: self.diagnostics, value }
    }

    /// The report of a file that is not read.
    fn refused(path: &Path, reasons: Vec<Diagnostic>) -> Self {
        let source = Source { path: path.to_owned(), text: String::new() };
        Report { source, diagnostics: reasons, value: None }
    }
}

impl From<Reading> for Report<Interface> {
    fn from(Reading { interface, diagnostics }: Reading) -> Self {
        Report { source: interface.source.clone(), diagnostics, value: Some(interface) }
    }
}

/// Reads and checks an interface file for a host.
pub fn check_file(path: &Path, host: &dyn Host) -> Report<Checked> {
    check_for(path, host, &Installations::default())
}

/// The same with named installations: paths may be relative to them.
fn check_for(path: &Path, host: &dyn Host, wanted: &Installations) -> Report<Checked> {
    check_read(read_file(path, wanted), host, wanted)
}

/// Checks an interface that was read.
fn check_read(read: Report<Interface>, host: &dyn Host, wanted: &Installations) -> Report<Checked> {
    read.and_then(|source, mut interface, diagnostics| {
        resolve::resolve(&mut interface, wanted, diagnostics);
        let (checked, found) = check(&interface, &host.capabilities());
        diagnostics.extend(found);
        arrange_diagnostics(source, diagnostics);
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        checked.filter(|_| !failed)
    })
}

/// Reads an interface file. The valid parts are returned, even if there are errors.
fn read_file(path: &Path, wanted: &Installations) -> Report<Interface> {
    if let Some(refusal) = front_end::refuse(path) {
        return Report::refused(path, vec![refusal]);
    }
    let hint = "name an interface file, such as `stats.toml`, or an annotated header";
    let source = match resolve::read(path, hint) {
        Ok(source) => source,
        Err(reasons) => return Report::refused(path, reasons),
    };
    front_end::read(source, wanted).into()
}

/// In source order and in the terms of its language. The lists of a kernel apply to each of its
/// prototypes, the fields of a struct to each function that has one, and a mistake in them is found
/// for each: it is reported once.
fn arrange_diagnostics(source: &Source, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    let mut shown: Vec<Diagnostic> = Vec::new();
    diagnostics.retain(|diagnostic| {
        let same = shown.iter().rev().take_while(|other| other.primary == diagnostic.primary);
        let is_new = !same.into_iter().any(|other| other == diagnostic);
        if is_new {
            shown.push(diagnostic.clone());
        }
        is_new
    });
    front_end::in_its_words(source, diagnostics);
}

/// Plans every function of an interface file for a host.
pub fn plan_file(path: &Path, host: &dyn Host) -> Report<Plan> {
    check_file(path, host).and_then(|_, checked, _| Some(plan(&checked)))
}

/// The crossing of each argument of a function, and the order in which overloads are tried.
pub fn explain(function: &FunctionPlan, host: &dyn Host) -> String {
    fishplate_plan::explain(function, &host.capabilities().words)
}

/// The source files of a module, and how to compile and install them.
#[derive(Clone, Debug)]
pub struct EmittedModule {
    /// The files.
    pub files: Vec<OutputFile>,
    /// How to compile and install them.
    pub build: BuildDescription,
}

/// Generates a module's source files, without building them.
pub fn emit_file(path: &Path, host: &dyn Host) -> Report<EmittedModule> {
    emit_file_for(path, host, &Installations::default())
}

/// The same for named installations, or another machine.
pub fn emit_file_for(
    path: &Path,
    host: &dyn Host,
    installations: &Installations,
) -> Report<EmittedModule> {
    installations.platform().within(|| emit_on_platform(path, host, installations))
}

fn emit_on_platform(
    path: &Path,
    host: &dyn Host,
    installations: &Installations,
) -> Report<EmittedModule> {
    let read = read_file(path, installations);
    let included = read.value.as_ref().map(|interface| interface.included.clone());
    check_read(read, host, installations).and_then(|_, checked, _| {
        let plan = plan(&checked);
        let mut emitted = emit(&plan, host);
        if description::uses_interrupt(&plan) {
            emitted.files.push(OutputFile {
                name: build_request::INTERRUPT.0.to_owned(),
                contents: build_request::INTERRUPT.1.to_owned(),
                role: FileRole::Header,
                origins: Vec::new(),
            });
        }
        let mut build = BuildDescription::new(&plan, &emitted);
        build.dependencies.extend(included.into_iter().flatten());
        Some(EmittedModule { files: emitted.files, build })
    })
}

/// The host's files, and the headers that an annotated header includes.
fn emit(plan: &Plan, host: &dyn Host) -> Emitted {
    with_annotations(plan, host.emit(plan))
}

fn with_annotations(plan: &Plan, mut emitted: Emitted) -> Emitted {
    if headers::is_header(&plan.source.path) {
        emitted.files.push(OutputFile {
            name: headers::NAME.to_owned(),
            contents: ANNOTATIONS.to_owned(),
            role: FileRole::Header,
            origins: Vec::new(),
        });
    }
    emitted
}

/// The input of a build: the interface, the host, the destination.
#[derive(Clone)]
pub struct BuildOptions {
    /// The interface file.
    pub file: PathBuf,
    /// The target language.
    pub host: &'static dyn Host,
    /// The named installations; by default the one in use.
    pub installations: Installations,
    /// The folder for the module; by default the current one.
    pub out: PathBuf,
    /// The module uses only the stable ABI of the target language, even if the interface does not require that.
    pub stable_abi: bool,
}

/// A module that can be imported.
#[derive(Debug)]
pub struct Module {
    /// The library.
    pub path: PathBuf,
    /// False if everything was up to date, so that nothing was done.
    pub fresh: bool,
}

/// Builds a module; `observe` is called with the progress.
pub fn build_file(options: &BuildOptions, observe: &mut dyn FnMut(Event)) -> Report<Module> {
    options.installations.platform().within(|| build_on_platform(options, observe))
}

fn build_on_platform(options: &BuildOptions, observe: &mut dyn FnMut(Event)) -> Report<Module> {
    let (host, wanted) = (options.host, &options.installations);
    let checked = check_for(&options.file, host, wanted);
    checked.and_then(|source, checked, diagnostics| {
        let plan = plan(&checked);
        match target::find_for(options, &plan) {
            Ok(target) => {
                let output = Output::Named(&options.out);
                let goal = Goal { host, target: &target, wanted, output, compared: None };
                build(&plan, &goal, source, diagnostics, observe)
            }
            Err(missing) => {
                diagnostics.push(compiler_errors::environment(&missing));
                None
            }
        }
    })
}

/// The destination of a module.
#[derive(Clone, Copy)]
enum Output<'a> {
    /// A folder that the user named: only the module is written there.
    Named(&'a Path),
    /// A folder of the cache, also for work files.
    Own(&'a Path),
}

/// The installation for which a module is built, and the destination.
struct Goal<'a> {
    host: &'a dyn Host,
    target: &'a Target,
    wanted: &'a Installations,
    output: Output<'a>,
    /// A library that must define the functions, in place of the module's own libraries.
    compared: Option<&'a Path>,
}

/// Builds a planned module.
fn build(
    plan: &Plan,
    goal: &Goal<'_>,
    source: &Source,
    diagnostics: &mut Vec<Diagnostic>,
    observe: &mut dyn FnMut(Event),
) -> Option<Module> {
    let &Goal { host, target, wanted, output, compared } = goal;
    let divided = units::emit(plan, host);
    let is_divided = divided.is_some();
    let mut emitted = divided.unwrap_or_else(|| emit(plan, host));
    let toolchain = usual_toolchain(wanted);
    let mut attempt = |out: &Path| -> Result<_, BuildError> {
        let mut request = build_request::request(plan, &emitted, target, out)?;
        let is_shared = shared_runtime::share(&mut request, host, &toolchain, observe)?;
        if is_divided && is_shared {
            units::add_flags(plan, &mut request, &toolchain);
        } else if is_divided {
            // Each unit would have the whole runtime, and a state of its own.
            emitted = emit(plan, host);
            request = build_request::request(plan, &emitted, target, out)?;
        }
        if let Output::Named(_) = output {
            request.work = store::build_folder(&request.out, &request.file_name);
        }
        if let (true, Some(runtime)) = (is_shared, host.divisible_runtime()) {
            prelude::precompile(&mut request, runtime, &toolchain, observe)?;
        }
        let built = prelude::build(&mut request, &toolchain, observe)?;
        completion::write(plan, host, target, &emitted, &built.path, out)?;
        Ok(built)
    };
    let (Output::Named(out) | Output::Own(out)) = output;
    let new_folders = NewFolders::of(&build_request::output_folder(plan, out));
    let built = match (attempt(out), output) {
        // There was space in the cache before the build, which has used it up.
        (Err(error), Output::Own(_)) if error.is_no_space() => {
            match store::work_elsewhere(out, &error.to_string()) {
                Some(folder) => attempt(&folder),
                None => Err(error),
            }
        }
        (built, _) => built,
    };
    match built {
        Ok(built) => {
            compiler_errors::warn(&built.warnings, source, plan, &emitted, diagnostics);
            Some(Module { path: built.path, fresh: built.fresh })
        }
        Err(error) => {
            new_folders.remove();
            let machine = wanted.cross().map(|cross| &cross.machine);
            let linking = compiler_errors::Linking { machine, compared };
            compiler_errors::report(&error, source, plan, &emitted, &linking, diagnostics);
            None
        }
    }
}
