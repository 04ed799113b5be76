//! From units to objects, in parallel on all cores.
//!
//! A [`Task`] describes how a unit would be compiled, whether or not it is; its key covers the
//! command and the content of a generated unit. The other files that the compiler reads are known
//! only after compiling, and are recorded with the object.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use crate::command::{quoted, run};
use crate::contents::{Contents, name, written_since};
use crate::environment::Environment;
use crate::error::{BuildError, CompileFailure, Doing};
use crate::key::Key;
use crate::manifest::Object;
use crate::request::{Request, SourceLanguage, Unit, generated_name};
use crate::searched::Searched;
use crate::toolchain::{Family, Toolchain};
use crate::work::{Work, finish};
use crate::{depfile, fortran, message};

mod parallel;

pub(crate) use parallel::compile_all;

/// The number of repeated compilations of a unit because a file it reads was being edited.
const ATTEMPTS: usize = 3;

/// The compilation of one unit.
#[derive(Debug)]
pub(crate) struct Task {
    /// The unit's absolute path, its key in the manifest.
    pub name: String,
    /// The unit as an argument of the compiler.
    pub unit: PathBuf,
    pub language: SourceLanguage,
    /// The extension of the object's file name.
    extension: &'static str,
    /// The command without its outputs.
    command: Vec<OsString>,
    /// How the compiler reports the files it read, if it can.
    writes_depfile: bool,
    /// Where a Fortran unit's `include` and `use` are looked up.
    include_dirs: Vec<PathBuf>,
    pub key: String,
}

/// The tasks of a request, in the order of its units.
pub(crate) fn tasks(
    request: &Request,
    toolchain: &Toolchain,
    work: &Work,
) -> Result<Vec<Task>, BuildError> {
    // A Fortran unit may take modules from those before it, and is compiled after them.
    let mut fortran_before = Vec::new();
    let descriptors = fortran_headers(request, toolchain)?;
    let mut tasks = Vec::new();
    for unit in &request.units {
        let language = request.language_of(unit).ok_or_else(|| BuildError::Request {
            problem: format!("cannot tell the language of `{}`", unit.path.display()),
        })?;
        let compiler = toolchain.compiler(language)?;
        let path = match unit.contents {
            Some(_) => work.sources.join(generated_name(unit)?),
            None => unit.path.clone(),
        };
        let absolute = std::path::absolute(&path).doing("find", &path)?;
        fs::metadata(&path).doing("read the source", &path)?;
        let mut command = compiler.command.clone();
        command.extend(crate::flags::to_compile(
            request,
            compiler,
            toolchain.cross(),
            language,
            unit.contents.is_some(),
        ));
        if !request.headers.is_empty() && language != SourceLanguage::Fortran {
            // A header or source of the user's may include generated ones.
            command.extend(["-I".into(), work.sources.clone().into()]);
        }
        if let (Some(folder), true) = (&descriptors, unit.contents.is_some()) {
            command.extend(["-idirafter".into(), folder.into()]);
        }
        // A name that begins with a dash would be taken for a flag.
        let dashed = path.as_os_str().as_encoded_bytes().starts_with(b"-");
        let path = if dashed { Path::new(".").join(path) } else { path };
        command.push(path.clone().into());

        let mut key = Key::new("object");
        key.parts(compiler.identity());
        environment_parts(&mut key, toolchain.environment());
        key.parts(&command);
        key.part(&absolute);
        key.parts(unit.contents.as_slice());
        key.parts(&request.identity);
        if let Some(header) = &request.generated.precompiled {
            key.part(&header.hash);
        }
        if language == SourceLanguage::Fortran {
            key.parts(&fortran_before);
            fortran_before.push(key.finish());
        }
        tasks.push(Task {
            name: name(&absolute),
            writes_depfile: match language {
                SourceLanguage::C | SourceLanguage::Cxx => true,
                SourceLanguage::Fortran => {
                    compiler.family == Family::Gnu && is_preprocessed(&path, request)
                }
            },
            include_dirs: request.include_dirs.clone(),
            unit: path,
            language,
            // gcc finds only headers with this extension.
            extension: if request.headers_of.is_some() { "gch" } else { "o" },
            command,
            key: key.finish(),
        });
    }
    Ok(tasks)
}

/// The folder with `ISO_Fortran_binding.h`, if there are Fortran units: that of the Fortran compiler, of which a C compiler
/// of another family knows nothing. It is searched last, since the other headers there belong to another compiler.
fn fortran_headers(
    request: &Request,
    toolchain: &Toolchain,
) -> Result<Option<PathBuf>, BuildError> {
    let is_fortran = |unit: &Unit| SourceLanguage::of(&unit.path) == Some(SourceLanguage::Fortran);
    if toolchain.cross().is_some() || !request.units.iter().any(is_fortran) {
        return Ok(None);
    }
    let mut command = toolchain.compiler(SourceLanguage::Fortran)?.command.clone();
    command.push("-print-file-name=include".into());
    let printed = run(&command, toolchain.environment()).map(|finished| finished.stdout);
    let folder = PathBuf::from(printed.unwrap_or_default().trim());
    Ok(folder.is_absolute().then_some(folder))
}

/// Adds the variables that compilers read.
pub(crate) fn environment_parts(key: &mut Key, environment: &Environment) {
    for (name, value) in environment.read_by_compilers() {
        key.part(name);
        key.parts(value);
    }
}

/// gfortran refuses `-MD` for a unit that does not go through the preprocessor.
fn is_preprocessed(unit: &Path, request: &Request) -> bool {
    let upper = |extension: &std::ffi::OsStr| extension.as_encoded_bytes().starts_with(b"F");
    unit.extension().is_some_and(upper) || request.fflags.iter().any(|flag| flag == "-cpp")
}

/// The environment in which a unit is compiled.
struct Place<'a> {
    work: &'a Work,
    scratch: &'a Path,
    environment: &'a Environment,
    contents: &'a Mutex<Contents>,
}

impl Task {
    /// Compiles the unit.
    fn compile(&self, place: &Place<'_>) -> Result<Object, BuildError> {
        // Files of one task only: those of others are being written at the same time.
        let file = self.object();
        let unfinished = place.scratch.join(&file);
        let depfile = unfinished.with_extension("d");

        let mut command = self.to(&unfinished, place.scratch);
        if self.writes_depfile {
            command.extend(["-MD", "-MF"].map(OsString::from));
            command.push(depfile.clone().into());
            command.extend(["-MT", "o"].map(OsString::from));
        }

        let mut attempt = 1;
        loop {
            let start = SystemTime::now();
            let raw = self.run(&command, place)?;
            if !unfinished.is_file() {
                let program = PathBuf::from(&command[0]);
                return Err(BuildError::NoOutput { program, what: "object file" });
            }
            let files = self.files_read(&depfile);
            // If a file was edited in the meantime, it is unknown which version was compiled.
            // Generated files cannot change: this process holds the lock.
            let edited = files
                .iter()
                .any(|file| !file.starts_with(&place.work.sources) && written_since(file, start));
            if edited && attempt < ATTEMPTS {
                attempt += 1;
                continue;
            }
            let searched = Searched::new(&self.command, &files);
            let mut contents = place.contents.lock().unwrap_or_else(|e| e.into_inner());
            let dependencies = files
                .iter()
                // One that cannot be read gets a hash that no file has.
                .map(|file| (name(file), contents.hash(file).unwrap_or_default()))
                .collect();
            let object = place.work.objects.join(&file);
            finish(&unfinished, &object)?;
            return Ok(Object {
                // Still being edited: usable now, and compiled again by the next build.
                key: if edited { String::new() } else { self.key.clone() },
                file,
                hash: contents.hash(&object).doing("read", &object)?,
                searched,
                dependencies,
                warnings: message::parse(&raw, &self.unit),
            });
        }
    }

    /// The object's file name.
    fn object(&self) -> String {
        let stem = self.unit.file_stem().unwrap_or_default().to_string_lossy();
        format!("{stem}-{}.{}", &self.key[..16], self.extension)
    }

    /// The command that writes an object, and Fortran's modules into a folder.
    fn to(&self, object: &Path, modules: &Path) -> Vec<OsString> {
        let mut command = self.command.clone();
        command.extend(["-o".into(), object.into()]);
        if self.language == SourceLanguage::Fortran {
            command.extend(["-J".into(), modules.into()]);
        }
        command
    }

    /// The command that writes the object where builds store it, for a shell.
    pub fn shown(&self, work: &Work) -> String {
        quoted(&self.to(&work.objects.join(self.object()), &work.objects))
    }

    /// Runs the compiler; returns its messages if it succeeded.
    fn run(&self, command: &[OsString], place: &Place<'_>) -> Result<String, BuildError> {
        let finished = run(command, place.environment).doing("start", Path::new(&command[0]))?;
        let raw = finished.raw();
        if finished.status.success() {
            return Ok(raw);
        }
        if is_disk_full(&raw) {
            return Err(disk_full("write object files in", place.scratch));
        }
        // The build's own outputs are gone when the command is pasted.
        let mut shown = self.command.clone();
        shown.extend(["-o", "/dev/null"].map(OsString::from));
        Err(BuildError::Compile {
            messages: message::parse(&raw, &self.unit),
            failures: vec![CompileFailure {
                unit: self.unit.clone(),
                command: quoted(&shown),
                raw,
            }],
        })
    }

    /// Every input of the object, with absolute paths: the unit, and the files that the compiler
    /// opened.
    fn files_read(&self, depfile: &Path) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::from([PathBuf::from(&self.name)]);
        let listed = fs::read(depfile).unwrap_or_default();
        files.extend(depfile::parse(&String::from_utf8_lossy(&listed)));
        if self.language == SourceLanguage::Fortran {
            files.extend(fortran::dependencies(&self.unit, &self.include_dirs));
        }
        files.into_iter().map(|file| std::path::absolute(&file).unwrap_or(file)).collect()
    }
}

/// Whether a tool failed for lack of space, which is not an error in a source.
pub(crate) fn is_disk_full(raw: &str) -> bool {
    raw.contains("No space left on device") || raw.contains("Disk quota exceeded")
}

/// The error for a tool that reported this.
pub(crate) fn disk_full(doing: &str, path: &Path) -> BuildError {
    BuildError::Io {
        doing: doing.to_owned(),
        path: path.to_owned(),
        source: std::io::ErrorKind::StorageFull.into(),
    }
}
