//! A rockspec for the module of an interface, which LuaRocks builds from the C that Fishplate emits.
//!
//! Purpose: a user who installs the rock needs a C compiler and Lua, not Fishplate.
//! Invariant: paths are those of the interface, relative to its folder, which is also the
//! rockspec's.
//! Reason: LuaRocks' `builtin` build supports sources, folders, libraries and macros, on every
//! system. Other parts are not dropped silently: see [`Package::left_out`].

mod origin;

use fishplate_emit::Package;
use fishplate_model::{Module, Spanned};
use fishplate_toolchain::Environment;
use origin::Origin;
use std::fmt::Write as _;
use std::path::Path;

/// The folder for emitted files.
const GENERATED: &str = "generated";

/// Writes a rockspec for the interface at this path.
pub(crate) fn of(path: &Path, module: &Module, environment: &Environment) -> Package {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = module.name.as_ref().map_or(&*stem, |name| name.value.as_str());
    let folder = path.parent().unwrap_or(Path::new(""));
    rockspec(module, name, &file, Origin::find(folder, environment).as_ref())
}

fn rockspec(module: &Module, name: &str, file: &str, origin: Option<&Origin>) -> Package {
    let package = name.replace('.', "-").to_lowercase();
    let last = name.rsplit('.').next().unwrap_or(name);
    let emit = format!("fishplate emit {file} --host lua --out {GENERATED}");
    let mut left_out = Vec::new();

    let mut sources = vec![format!("{GENERATED}/{last}_lua.c")];
    for source in values(&module.sources) {
        if !source.to_ascii_lowercase().ends_with(".c") {
            left_out.push(format!(
                "`{source}` is not C: LuaRocks gives it to the C compiler, which may want libraries of \
                 its language"
            ));
        }
        sources.push(source);
    }
    let mut include_dirs = vec![GENERATED.to_owned(), ".".to_owned()];
    include_dirs.extend(values(&module.include_dirs));
    let mut libraries = Vec::new();
    for library in values(&module.libraries) {
        if library.contains(['/', '\\']) {
            left_out.push(format!("library `{library}`: LuaRocks takes names, not paths"));
        } else {
            libraries.push(library);
        }
    }
    if !libraries.iter().any(|library| library == "m") {
        libraries.push("m".to_owned());
    }
    for flag in values(&module.cflags) {
        left_out.push(format!("cflag `{flag}`: LuaRocks takes flags from its user"));
    }

    let mut text = format!(
        "-- Builds {name} from the C that Fishplate emits; installing it does not need Fishplate:\n\
         --     {emit}\n\
         --     luarocks make {package}-scm-1.rockspec\n\
         rockspec_format = '3.0'\n\
         package = {}\n\
         version = 'scm-1'\n",
        quoted(&package)
    );
    match origin {
        Some(Origin { url, folder: None }) => {
            let _ = writeln!(text, "source = {{url = {}}}", quoted(url));
        }
        Some(Origin { url, folder: Some(folder) }) => {
            let _ = writeln!(text, "source = {{url = {}, dir = {}}}", quoted(url), quoted(folder));
        }
        None => {
            text.push_str(
                "-- Not an address: put one here before you publish. `luarocks make` does not look.\n\
                 source = {url = 'git+file://.'}\n",
            );
            left_out.push(
                "`source.url`: this folder is in no git repository with a remote `origin`; write where \
                 others fetch it from before you publish"
                    .to_owned(),
            );
        }
    }
    if let Some(summary) = module.doc.lines().find(|line| !line.trim().is_empty()) {
        let _ = writeln!(text, "description = {{summary = {}}}", quoted(summary.trim()));
    }
    let _ = write!(
        text,
        "dependencies = {{'lua >= 5.1, < 5.5', 'fishplate'}}\n\
         build = {{\n  type = 'builtin',\n  modules = {{\n    [{}] = {{\n",
        quoted(name)
    );
    let defines = values(&module.defines);
    let library_dirs = values(&module.library_dirs);
    for (key, items) in [
        ("sources", sources),
        ("incdirs", include_dirs),
        ("defines", defines.collect()),
        ("libraries", libraries),
        ("libdirs", library_dirs.collect()),
    ] {
        if !items.is_empty() {
            let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
            let _ = writeln!(text, "      {key} = {{{}}},", items.join(", "));
        }
    }
    text.push_str("    },\n  },\n}\n");
    Package { file_name: format!("{package}-scm-1.rockspec"), text, left_out, emit }
}

fn values(list: &[Spanned<String>]) -> impl Iterator<Item = String> + '_ {
    list.iter().map(|item| item.value.clone())
}

/// A Lua string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("'");
    for c in text.chars() {
        match c {
            '\\' | '\'' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\0' => quoted.push_str("\\000"),
            _ => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: &[&str]) -> Vec<Spanned<String>> {
        items
            .iter()
            .map(|item| Spanned {
                value: (*item).to_owned(),
                span: fishplate_model::Span::default(),
            })
            .collect()
    }

    #[test]
    fn everything_that_luarocks_knows_is_in_it() {
        let module = Module {
            doc: "\nA module's \\ doc.\nMore.".to_owned(),
            sources: list(&["stats.c"]),
            include_dirs: list(&["include"]),
            libraries: list(&["z"]),
            library_dirs: list(&["lib"]),
            defines: list(&["N=1"]),
            ..Module::default()
        };
        let origin = Origin { url: "git+https://example.org/stats.git".to_owned(), folder: None };
        let made = rockspec(&module, "pkg.stats", "stats.toml", Some(&origin));
        assert_eq!(made.file_name, "pkg-stats-scm-1.rockspec");
        assert!(made.left_out.is_empty());
        for line in [
            "package = 'pkg-stats'",
            "source = {url = 'git+https://example.org/stats.git'}",
            "description = {summary = 'A module\\'s \\\\ doc.'}",
            "    ['pkg.stats'] = {",
            "      sources = {'generated/stats_lua.c', 'stats.c'},",
            "      incdirs = {'generated', '.', 'include'},",
            "      defines = {'N=1'},",
            "      libraries = {'z', 'm'},",
            "      libdirs = {'lib'},",
        ] {
            assert!(made.text.lines().any(|found| found == line), "no {line} in\n{}", made.text);
        }
    }

    #[test]
    fn keys_without_equivalent_are_reported() {
        let module = Module {
            sources: list(&["a.cpp"]),
            libraries: list(&["/opt/libx.so"]),
            cflags: list(&["-O3"]),
            ..Module::default()
        };
        let made = rockspec(&module, "a", "a.toml", None);
        assert_eq!(made.left_out.len(), 4);
        assert!(made.text.contains("'a.cpp'") && !made.text.contains("libx"));
    }
}
