//! Runs the C preprocessor for headers: from files to source.

use crate::{Installations, usual_toolchain};
use fishplate_model::{Code, Diagnostic, Interface, Source, Span, Spanned};
use fishplate_plan::Plan;
use fishplate_readers::header::{self, ANNOTATIONS, Header, NOT_CXX, Preamble, READING, macros};
use fishplate_readers::interface::Reading;
use fishplate_toolchain::{BuildError, CompilerMessage, Preprocess, Severity, preprocess};
use std::path::{Path, PathBuf};

/// The header that annotated headers include.
pub(crate) const NAME: &str = "fishplate.h";

/// Headers, and the options for preprocessing them.
#[derive(Debug, Default)]
pub(crate) struct Including {
    /// Files, or names that the compiler finds, as in `#include <...>`.
    pub headers: Vec<String>,
    pub include_dirs: Vec<PathBuf>,
    pub defines: Vec<String>,
    pub flags: Vec<String>,
    /// C code after them.
    pub behind: String,
    /// The installations, on the machine whose compiler reads the headers.
    pub installations: Installations,
}

/// The preprocessor's output, and the headers that were named.
#[derive(Debug)]
pub(crate) struct Included {
    pub printed: String,
    pub headers: Vec<Found>,
    /// Every file that was read, by its name in the line markers; names in brackets are not files.
    pub files: Vec<String>,
}

/// A header that was found.
#[derive(Debug)]
pub(crate) struct Found {
    /// Its path according to the compiler.
    pub path: PathBuf,
    /// It was named as a file, not found in the search path.
    pub is_file: bool,
    pub header: Header,
}

/// True for a file that is read as an annotated header.
pub(crate) fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "h")
}

/// Reads an annotated header, whose folders may be relative to installations.
pub(crate) fn read(source: Source, wanted: &Installations) -> Reading {
    let mut diagnostics = Vec::new();
    let stem = source.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let preamble = header::preamble(&source, &stem, &mut diagnostics);
    let name = header_name(&source.path);
    let mut reading = read_with(source, preamble, &[], &name, wanted);
    reading.diagnostics.extend(diagnostics);
    reading
}

/// Reads a header with this preamble and these preceding headers; `name` appears in messages.
pub(crate) fn read_with(
    source: Source,
    preamble: Preamble,
    before: &[String],
    name: &str,
    wanted: &Installations,
) -> Reading {
    // Mistakes in the folders are reported when the interface is resolved.
    let mut resolved =
        Interface { source, module: preamble.module.clone(), ..Interface::default() };
    crate::resolve::resolve(&mut resolved, wanted, &mut Vec::new());
    let Interface { source, module, .. } = resolved;
    let folder = crate::resolve::folder_of(&source);
    let values = |list: Vec<Spanned<String>>| list.into_iter().map(|item| item.value);
    let own = source.path.to_string_lossy().into_owned();
    let included = include(&Including {
        headers: before.iter().cloned().chain([own]).collect(),
        include_dirs: values(module.include_dirs).map(|dir| folder.join(dir)).collect(),
        defines: values(module.defines).collect(),
        flags: values(module.cflags).filter(|flag| !flag.starts_with("-Wl,")).collect(),
        behind: macros::asking(&macros::in_annotations(&source.text)),
        installations: wanted.clone(),
    });
    match included {
        Ok(Included { printed, headers, files }) => {
            let found = headers.into_iter().last().map(|found| found.header).unwrap_or_default();
            let found = Header { name: name.to_owned(), ..found };
            let mut reading = header::read(source, preamble, &found, &printed);
            // Without our own files, which are gone by now, and the preprocessor's `<built-in>`.
            let files = files.into_iter().map(PathBuf::from);
            reading.interface.included = files.filter(|file| file.is_file()).collect();
            reading
        }
        Err(refusals) => {
            let found = refusals.into_iter().map(|refusal| refusal.within(&source));
            let diagnostics = found.collect();
            let module = preamble.module;
            let interface = Interface { source, module, ..Interface::default() };
            Reading { interface, diagnostics }
        }
    }
}

fn header_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Words diagnostics about prototypes in terms of annotations: `FP_OUT` for `out`.
pub(crate) fn in_words_of_headers(source: &Source, diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        diagnostic.hint = header::in_words_of_headers(&diagnostic.hint);
        // In other contexts `out` may be a name.
        let span = diagnostic.primary.span;
        if source.text.get(span.start..span.end).is_some_and(|place| place.starts_with("FP_")) {
            diagnostic.message = header::in_words_of_headers(&diagnostic.message);
        }
    }
}

/// Preprocesses a unit that includes the headers in order, and finds annotations in them.
pub(crate) fn include(request: &Including) -> Result<Included, Vec<Refusal>> {
    let io = |error: std::io::Error| vec![unreadable("the headers", &error)];
    let folder = tempfile::tempdir().map_err(io)?;
    let unit = folder.path().join("headers.c");
    let reading = folder.path().join("reading.h");
    let is_file: Vec<bool> =
        request.headers.iter().map(|header| Path::new(header).is_file()).collect();
    let mut text = String::new();
    for (header, is_file) in request.headers.iter().zip(&is_file) {
        let name = plain_name(header);
        text.push_str(&if *is_file {
            let path = std::path::absolute(header).map_err(io)?;
            format!("#include \"{}\"\n", path.display())
        } else {
            format!("#include <{name}>\n")
        });
    }
    text.push_str(&request.behind);
    let files_of_ours =
        [(&unit, text.as_str()), (&reading, READING), (&folder.path().join(NAME), ANNOTATIONS)];
    for (path, text) in files_of_ours {
        std::fs::write(path, text).map_err(io)?;
    }
    let mut include_dirs = request.include_dirs.clone();
    include_dirs.push(folder.path().to_owned());
    let asked = Preprocess {
        unit,
        before: vec![reading],
        include_dirs,
        defines: request.defines.clone(),
        flags: request.flags.clone(),
    };
    let printed = preprocess(&asked, &usual_toolchain(&request.installations))
        .map_err(|error| refusals(&error, &request.headers))?;
    let markers = header::files(&printed);
    let headers = request.headers.iter().zip(is_file).map(|(header, is_file)| {
        find(header, is_file, &markers).map_err(|error| vec![unreadable(header, &error)])
    });
    Ok(Included { headers: headers.collect::<Result<_, _>>()?, printed, files: markers })
}

/// True for a header of C++, by its name.
pub(crate) fn is_cplusplus(name: &str) -> bool {
    let ending = Path::new(plain_name(name)).extension().unwrap_or_default().to_string_lossy();
    ["hpp", "hh", "hxx", "h++", "H"].contains(&ending.as_ref())
}

/// `<zlib.h>` and `zlib.h` denote the same header.
pub(crate) fn plain_name(header: &str) -> &str {
    header.strip_prefix('<').and_then(|name| name.strip_suffix('>')).unwrap_or(header)
}

/// The header among the files in the preprocessor's output.
fn find(header: &str, is_file: bool, markers: &[String]) -> std::io::Result<Found> {
    let name = plain_name(header);
    let path = if is_file {
        PathBuf::from(header)
    } else {
        let found = markers.iter().find(|marker| Path::new(marker).ends_with(name));
        PathBuf::from(found.ok_or(std::io::ErrorKind::NotFound)?)
    };
    let canonical = path.canonicalize()?;
    let same =
        |marker: &&String| Path::new(marker).canonicalize().is_ok_and(|marker| marker == canonical);
    let bytes = std::fs::read(&path)?;
    Ok(Found {
        header: Header {
            name: name.rsplit('/').next().unwrap_or(name).to_owned(),
            markers: markers.iter().filter(same).cloned().collect(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        },
        path,
        is_file,
    })
}

/// An explanation for an undeclared name, from the headers of a module.
pub(crate) enum Undeclared {
    /// It is a macro.
    Macro,
    /// This function was likely meant.
    Like(String),
}

/// The likely meaning of a name that no header of a module declares.
pub(crate) fn meant(name: &str, plan: &Plan) -> Option<Undeclared> {
    const FOUND: &str = "fishplate_found_a_macro";
    let folder = crate::resolve::folder_of(&plan.source);
    let values = |list: &[Spanned<String>]| list.iter().map(|item| item.value.clone()).collect();
    let dirs = plan.module.include_dirs.iter().map(|dir| folder.join(&dir.value));
    let included = include(&Including {
        headers: values(&plan.module.headers),
        include_dirs: dirs.chain([folder.clone()]).collect(),
        defines: values(&plan.module.defines),
        flags: Vec::new(),
        installations: Installations::default(),
        behind: format!(
            "{}\n#ifdef {name}\n{FOUND}\n#endif\n",
            plan.module.header_code.as_ref().map_or("", |code| code.value.as_str())
        ),
    });
    let printed = included.ok()?.printed;
    if printed.contains(FOUND) {
        return Some(Undeclared::Macro);
    }
    header::closest_function(name, &printed).filter(|near| near != name).map(Undeclared::Like)
}

/// Why headers cannot be read.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: Code,
    /// The place according to the compiler.
    place: Option<(PathBuf, usize)>,
    message: String,
    hint: String,
}

impl Refusal {
    /// As a diagnostic without a place.
    pub(crate) fn alone(self) -> Diagnostic {
        let place = self.place.map(|(file, line)| format!("{}:{line}: ", file.display()));
        let message = format!("{}{}", place.unwrap_or_default(), self.message);
        Diagnostic::error(self.code, Span::default(), message, self.hint)
    }

    /// As a diagnostic in a header's source, if it is about that.
    fn within(self, source: &Source) -> Diagnostic {
        let same = |file: &Path| match (file.canonicalize(), source.path.canonicalize()) {
            (Ok(file), Ok(path)) => file == path,
            _ => false,
        };
        match &self.place {
            Some((file, line)) if same(file) => {
                let span = source.line_span(*line);
                Diagnostic::error(self.code, span, self.message, self.hint)
            }
            _ => self.alone(),
        }
    }
}

fn unreadable(what: &str, error: &std::io::Error) -> Refusal {
    Refusal {
        code: Code::NO_FILE,
        place: None,
        message: format!("cannot read {what}: {error}"),
        hint: "name a C header, such as `stats.h`".to_owned(),
    }
}

/// The preprocessor's errors about the headers.
fn refusals(error: &BuildError, headers: &[String]) -> Vec<Refusal> {
    let refusal = |place, message, hint: &str| Refusal {
        code: Code::PREPROCESSOR,
        place,
        message,
        hint: hint.to_owned(),
    };
    let BuildError::Compile { messages, failures } = error else {
        let Diagnostic { code, message, hint, .. } =
            crate::compiler_errors::environment(&error.to_string());
        return vec![Refusal { code, place: None, message, hint }];
    };
    let errors: Vec<&CompilerMessage> =
        messages.iter().filter(|message| message.severity == Severity::Error).collect();
    if errors.is_empty() {
        let raw = failures.first().map_or("", |failure| failure.raw.trim());
        let message = format!("the C preprocessor failed: {raw}");
        return vec![refusal(None, message, "look at the flags; `fishplate doctor` helps")];
    }
    let refused = |message: &&CompilerMessage| {
        let place = Some((message.file.clone(), message.line)).filter(|(_, line)| *line > 0);
        match missing(&message.text) {
            Some(file) if headers.iter().any(|header| plain_name(header) == file) => Refusal {
                code: Code::NO_FILE,
                place: None,
                message: format!("header `{file}` not found"),
                hint: "name a file, or a header that the compiler finds; `-I DIR` adds a folder"
                    .to_owned(),
            },
            // Only the headers of C++'s standard library have no suffix.
            Some(file) if !file.contains('.') => {
                let message = format!("`{file}` is a header of C++, and what is read here is C");
                refusal(place, message, NOT_CXX)
            }
            Some(file) => {
                let message = format!("the header `{file}` is not found");
                refusal(place, message, "add its folder: `-I DIR`, or `include_dirs` in FP_MODULE")
            }
            None => {
                let text = message.text.split(" [-W").next().unwrap_or(&message.text);
                let hint = "the C compiler refuses the header; a macro that it wants is defined by \
                            `-D NAME`, or `defines` in FP_MODULE";
                refusal(place, text.to_owned(), hint)
            }
        }
    };
    errors.iter().map(refused).collect()
}

/// The missing header: GCC's `x.h: No such file or directory`, clang's `'x.h' file not found`.
fn missing(text: &str) -> Option<&str> {
    text.split_once(": No such file")
        .map(|(file, _)| file)
        .or_else(|| text.split_once("' file not found")?.0.strip_prefix('\''))
}
