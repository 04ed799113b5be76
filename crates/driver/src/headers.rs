//! The C preprocessor's part in reading headers: files in, text out.

use fishplate_build::{BuildError, CompilerMessage, Preprocess, Severity, Toolchain, preprocess};
use fishplate_model::{Code, Diagnostic, Span};
use fishplate_readers::header::{Header, files};
use std::path::{Path, PathBuf};

/// Headers, and how they are preprocessed.
#[derive(Debug, Default)]
pub(crate) struct Including {
    /// Files, or names that the compiler finds, as in `#include <...>`.
    pub headers: Vec<String>,
    pub include_dirs: Vec<PathBuf>,
    pub defines: Vec<String>,
    pub flags: Vec<String>,
}

/// What the preprocessor printed, and the headers that were asked for.
#[derive(Debug)]
pub(crate) struct Included {
    pub printed: String,
    pub headers: Vec<Found>,
}

/// A header that was read.
#[derive(Debug)]
pub(crate) struct Found {
    /// Its path, as the compiler has it.
    pub path: PathBuf,
    /// It was named as a file, and not found by the compiler.
    pub is_file: bool,
    pub header: Header,
}

/// Preprocesses a unit that includes the headers, in their order.
pub(crate) fn include(request: &Including) -> Result<Included, Vec<Diagnostic>> {
    let io = |error: std::io::Error| vec![unreadable("the headers", &error)];
    let folder = tempfile::tempdir().map_err(io)?;
    let unit = folder.path().join("headers.c");
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
    std::fs::write(&unit, text).map_err(io)?;
    let asked = Preprocess {
        unit,
        before: Vec::new(),
        include_dirs: request.include_dirs.clone(),
        defines: request.defines.clone(),
        flags: request.flags.clone(),
    };
    let printed = preprocess(&asked, &Toolchain::find(None))
        .map_err(|error| refusals(&error, &request.headers))?;
    let markers = files(&printed);
    let headers = request.headers.iter().zip(is_file).map(|(header, is_file)| {
        find(header, is_file, &markers).map_err(|error| vec![unreadable(header, &error)])
    });
    Ok(Included { headers: headers.collect::<Result<_, _>>()?, printed })
}

/// `<zlib.h>` and `zlib.h` name the same header.
pub(crate) fn plain_name(header: &str) -> &str {
    header.strip_prefix('<').and_then(|name| name.strip_suffix('>')).unwrap_or(header)
}

/// The header among the files that the preprocessor went through.
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

fn unreadable(what: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(
        Code::NO_FILE,
        Span::default(),
        format!("cannot read {what}: {error}"),
        "name a C header, such as `stats.h`",
    )
}

/// What the preprocessor said against the headers.
fn refusals(error: &BuildError, headers: &[String]) -> Vec<Diagnostic> {
    let BuildError::Compile { messages, failures } = error else {
        return vec![crate::compiler_errors::environment(&error.to_string())];
    };
    let errors: Vec<&CompilerMessage> =
        messages.iter().filter(|message| message.severity == Severity::Error).collect();
    if errors.is_empty() {
        let raw = failures.first().map_or("", |failure| failure.raw.trim());
        return vec![refusal(format!("the C preprocessor failed: {raw}"))];
    }
    let refused = |message: &&CompilerMessage| match missing(&message.text) {
        Some(file) if headers.iter().any(|header| plain_name(header) == file) => Diagnostic::error(
            Code::NO_FILE,
            Span::default(),
            format!("there is no header `{file}`"),
            "name a file, or a header that the compiler finds; `-I DIR` adds a folder",
        ),
        Some(file) => refusal(format!(
            "{}:{}: the header `{file}` is not found",
            message.file.display(),
            message.line
        ))
        .hinting("add its folder with `-I DIR`"),
        None => refusal(format!(
            "{}:{}: {}",
            message.file.display(),
            message.line,
            message.text.split(" [-W").next().unwrap_or(&message.text)
        )),
    };
    errors.iter().map(refused).collect()
}

fn refusal(message: String) -> Diagnostic {
    Diagnostic::error(
        Code::PREPROCESSOR,
        Span::default(),
        message,
        "compile a file that only includes the header; `-D NAME` defines what it wants",
    )
}

trait Hinting {
    fn hinting(self, hint: &str) -> Self;
}

impl Hinting for Diagnostic {
    fn hinting(mut self, hint: &str) -> Self {
        hint.clone_into(&mut self.hint);
        self
    }
}

/// The header that is not there: GCC's `x.h: No such file or directory`, clang's `'x.h' file not
/// found`.
fn missing(text: &str) -> Option<&str> {
    text.split_once(": No such file")
        .map(|(file, _)| file)
        .or_else(|| text.split_once("' file not found")?.0.strip_prefix('\''))
}
