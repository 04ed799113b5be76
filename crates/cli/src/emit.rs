//! `fishplate emit FILE --host HOST -o DIR --depfile FILE`

use crate::hosts::{self, HostName};
use crate::machine::MachineOptions;
use crate::report;
use fishplate_driver::{
    About, BuildDescription, EmittedModule, FileRole, HOSTS, Installations, emit_file_for,
    is_generated, write_depfile,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The output of each host, and how to compile it.
fn help() -> String {
    let mut help = String::new();
    for (index, about) in
        HOSTS.iter().map(|host| (host.capabilities().host, host.about())).enumerate()
    {
        let (name, About { files, by_hand, .. }) = about;
        help.push_str(&match index {
            0 => format!("Writes {files}. To compile them yourself:\n\n{by_hand}"),
            _ => format!("\n\nWith --host {name} it writes {files}:\n\n{by_hand}"),
        });
    }
    help
}

/// Arguments of `emit`.
#[derive(clap::Args, Default)]
#[command(after_help = help())]
pub(crate) struct Arguments {
    /// The interface file.
    pub(crate) file: PathBuf,
    /// The host language.
    #[arg(long, value_parser = hosts::parser(), default_value_t)]
    pub(crate) host: HostName,
    #[command(flatten)]
    pub(crate) machine: MachineOptions,
    /// The folder for the files; it is created.
    #[arg(short, long = "out", value_name = "DIR", default_value = ".")]
    pub(crate) out: PathBuf,
    /// Write the files that are installed next to the module directly into the folder, without folders of packages.
    #[arg(long)]
    pub(crate) flat: bool,
    /// Also write a dependency file for Make or Ninja: the C file depends on the interface and on the files that
    /// it includes.
    #[arg(long, value_name = "FILE")]
    pub(crate) depfile: Option<PathBuf>,
    /// Also write a JSON file with all that a build system needs: sources, folders, flags, libraries, files to install.
    #[arg(long, value_name = "FILE")]
    pub(crate) describe: Option<PathBuf>,
}

impl Arguments {
    /// The path of an emitted file.
    fn path(&self, name: &Path, role: FileRole) -> PathBuf {
        let is_installed = matches!(role, FileRole::Beside | FileRole::Completed);
        match name.file_name().filter(|_| self.flat && is_installed) {
            Some(name) => self.out.join(name),
            None => self.out.join(name),
        }
    }
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let emitted = emit_file_for(
        &arguments.file,
        arguments.host.0,
        &arguments.machine.applied_to(Installations::default()),
    );
    let done = emitted.value.as_ref().map(|emitted| write_all(emitted, arguments));
    let (written, problem) = done.unwrap_or_default();
    if as_json {
        let build = emitted.value.as_ref().map(|emitted| described(&emitted.build, arguments));
        let done = json!({"files": written, "build": build, "error": problem});
        report::print_json(&report::as_json(&emitted, done));
    } else {
        report::show(&emitted);
        for path in &written {
            println!("{}", path.display());
        }
        if let Some(problem) = &problem {
            anstream::eprintln!("error: {problem}");
        }
    }
    emitted.value.is_some() && problem.is_none()
}

/// Writes the files of a module; returns those that are there, and why another is not.
pub(crate) fn write_all(
    emitted: &EmittedModule,
    arguments: &Arguments,
) -> (Vec<PathBuf>, Option<String>) {
    let EmittedModule { files, build } = emitted;
    let mut written = Vec::new();
    for file in files {
        let path = arguments.path(Path::new(&file.name), file.role);
        match write(&path, &file.contents, &build.dependencies) {
            Ok(()) => written.push(path),
            Err(problem) => return (written, Some(problem)),
        }
    }
    let depfile = arguments.depfile.as_ref().map(|path| {
        let target = build.generated.first().map(|name| arguments.out.join(name));
        (path, write_depfile(&target.unwrap_or_default(), &build.dependencies))
    });
    let describe = arguments.describe.as_ref();
    let description = describe.map(|path| (path, format!("{:#}\n", described(build, arguments))));
    for (path, text) in depfile.into_iter().chain(description) {
        if let Err(problem) = write_in_folder(path, &text) {
            return (written, Some(problem));
        }
    }
    (written, None)
}

/// The information that a build system needs to compile and install the files in `out`.
fn described(build: &BuildDescription, arguments: &Arguments) -> Value {
    let out = &arguments.out;
    let generated = build.generated.iter().map(|name| out.join(name));
    let file = |name: &PathBuf| arguments.path(name, FileRole::Beside);
    let install = build.install.iter().map(|name| json!({"file": file(name), "as": name}));
    json!({
        "module": build.module,
        "sources": generated.chain(build.sources.iter().cloned()).collect::<Vec<_>>(),
        "include_dirs": build.include_dirs.iter().cloned().chain([out.to_owned()]).collect::<Vec<_>>(),
        "defines": build.defines,
        "cflags": build.cflags,
        "link_flags": build.link_flags,
        "libraries": build.libraries,
        "library_dirs": build.library_dirs,
        "stable_abi": build.stable_abi,
        "dependencies": build.dependencies,
        "install": install.collect::<Vec<_>>(),
    })
}

/// Writes a generated file. One that is up to date stays as it is, so that it is not compiled again; a file that
/// Fishplate did not generate is not replaced.
fn write(path: &Path, contents: &str, dependencies: &[PathBuf]) -> Result<(), String> {
    let text = std::fs::read_to_string(path);
    if text.as_ref().is_ok_and(|text| text == contents) && !is_older(path, dependencies) {
        return Ok(());
    }
    if text.is_ok_and(|text| !is_generated(&text)) {
        return Err(format!(
            "{} is there, and not generated by Fishplate: choose another folder with -o",
            path.display()
        ));
    }
    write_in_folder(path, contents)
}

/// Returns whether a file was modified before one of these: Make and Ninja would emit it again in each run.
fn is_older(path: &Path, dependencies: &[PathBuf]) -> bool {
    let modified = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
    dependencies.iter().any(|file| modified(file) > modified(path))
}

/// Writes a file into a folder, which is created.
pub(crate) fn write_in_folder(path: &Path, contents: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, contents))
        .map_err(|error| format!("could not write {}: {error}", path.display()))
}
