//! One C file to a shared library, with real compilers.

// Tests may print and read files; the crate under test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

use std::fs;
use std::path::{Path, PathBuf};

mod support;

use fishplate_toolchain::{
    BuildError, Environment, Shared, SourceLanguage, Tier, Toolchain, compile_shared,
};

const TEXT: &str = "double exp(double);\n\
    __attribute__((visibility(\"default\"))) double f(double x) { return exp(x) + 1; }\n";

struct Place {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("un café, à Ñandú");
        fs::create_dir(&root).unwrap();
        Self { _folder: folder, root }
    }

    fn compile(&self, text: &str, shared: &Shared, tools: &Toolchain) -> Result<(), BuildError> {
        let source = self.root.join("source file.c");
        fs::write(&source, text).unwrap();
        compile_shared(&source, &self.library(), shared, tools).map(|_| ())
    }

    fn library(&self) -> PathBuf {
        self.root.join("library.so")
    }

    /// The value of `f(1)`, to three places, computed by a process that loads the library.
    fn called(&self) -> String {
        let python = support::interpreter().expect("the tests have a Python");
        let script = "import ctypes, sys; f = ctypes.CDLL(sys.argv[1]).f; \
                      f.restype = ctypes.c_double; print(round(f(ctypes.c_double(1)), 3))";
        let mut command = std::process::Command::new(python);
        let output = command.args(["-c", script]).arg(self.library()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn files(&self) -> Vec<String> {
        let items = fs::read_dir(&self.root).unwrap();
        let mut names: Vec<_> =
            items.map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn shared(tier: Tier, bare: bool) -> Shared {
    Shared { tier, bare, native: true, libraries: vec!["m".into()], ..Shared::default() }
}

#[test]
fn every_tier_with_every_compiler_here() {
    for name in ["gcc", "clang"] {
        let environment = Environment::current();
        if environment.which(name.as_ref()).is_none() {
            eprintln!("SKIPPED: {name} is not installed");
            continue;
        }
        let tools = Toolchain::find_in(environment.with("CC", name), None);
        for (tier, bare) in [(Tier::Quick, true), (Tier::Full, true), (Tier::Full, false)] {
            let place = Place::new();
            place.compile(TEXT, &shared(tier, bare), &tools).unwrap();
            assert_eq!(place.called(), "3.718", "{name} {tier:?} bare: {bare}");
            assert_eq!(place.files(), ["library.so", "source file.c"]);
        }
    }
}

#[test]
fn mistakes_have_their_place() {
    let place = Place::new();
    let error = place.compile("\nint f(void) { return x; }\n", &shared(Tier::Full, true), &tools());
    let Err(BuildError::Compile { messages, failures }) = error else { panic!("{error:?}") };
    assert_eq!(messages[0].line, 2);
    assert!(messages[0].file.ends_with("source file.c"), "{messages:?}");
    assert!(failures[0].command.contains("-shared"));
    assert_eq!(place.files(), ["source file.c"]);
}

#[test]
fn a_library_that_is_not_there_is_the_linkers() {
    let place = Place::new();
    let shared = Shared { libraries: vec!["fishplate-none".into()], ..Shared::default() };
    let error = place.compile(TEXT, &shared, &tools());
    assert!(matches!(&error, Err(BuildError::Link { raw, .. }) if raw.contains("fishplate-none")));
}

#[test]
fn flags_can_be_taken_away() {
    let place = Place::new();
    let flags = vec!["-DX=1".to_owned(), "-Werror".to_owned()];
    let text = format!("#ifdef X\n#error given\n#endif\n{TEXT}");
    let given = Shared { flags: flags.clone(), ..shared(Tier::Quick, true) };
    assert!(place.compile(&text, &given, &tools()).is_err());
    let taken = Shared { without: vec!["-DX=1".to_owned()], ..given.clone() };
    place.compile(&text, &taken, &tools()).unwrap();
    let tools = tools();
    assert_ne!(given.identity(&tools).unwrap(), taken.identity(&tools).unwrap());
}

#[test]
fn identity_covers_all_inputs() {
    let base = shared(Tier::Full, true);
    let of = |shared: &Shared, environment: Environment| {
        shared.identity(&Toolchain::find_in(environment, None)).unwrap()
    };
    let now = Environment::current;
    assert_eq!(of(&base, now()), of(&base, now()));
    for other in [
        Shared { tier: Tier::Quick, ..base.clone() },
        Shared { native: false, ..base.clone() },
        Shared { bare: false, ..base.clone() },
        Shared { include_dirs: vec!["/x".into()], ..base.clone() },
        Shared { library_dirs: vec!["/x".into()], ..base.clone() },
        Shared { libraries: vec![], ..base.clone() },
        Shared { flags: vec!["-lm".into()], ..base.clone() },
    ] {
        assert_ne!(of(&base, now()), of(&other, now()), "{other:?}");
    }
    assert_ne!(of(&base, now()), of(&base, now().with("CPATH", "/x")));
    assert_ne!(of(&base, now().with("CC", "gcc -DX")), of(&base, now().with("CC", "gcc")));
}

#[test]
fn missing_compilers_name_packages() {
    let tools = Toolchain::find_in(
        Environment::current().with("PATH", "/nonexistent"),
        Some(support::ziglang(None)),
    );
    let place = Place::new();
    let error = place.compile(TEXT, &shared(Tier::Full, true), &tools).unwrap_err();
    assert!(matches!(error, BuildError::NoCompiler { language: SourceLanguage::C, .. }));
    assert!(error.to_string().contains("pip install ziglang"), "{error}");
}

#[test]
fn ziglang_is_the_last_choice() {
    let Some(python) = support::interpreter() else { return eprintln!("SKIPPED: no Python") };
    let environment = Environment::current().with("PATH", "/nonexistent").without("CC");
    let tools = Toolchain::find_in(environment, Some(support::ziglang(Some(&python))));
    if tools.compiler(SourceLanguage::C).is_err() {
        return eprintln!("SKIPPED: {} has no ziglang", python.display());
    }
    let place = Place::new();
    place.compile(TEXT, &shared(Tier::Full, true), &tools).unwrap();
    assert_eq!(place.called(), "3.718");
    let command = &tools.compiler(SourceLanguage::C).unwrap().command;
    assert!(Path::new(&command[0]).ends_with("ziglang/zig"), "no Python in between: {command:?}");
}

/// A compiler that counts how often it is started.
#[cfg(unix)]
#[test]
fn compilers_are_identified_once() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    let memo = place.root.join("compilers.json");
    let bin = place.root.join("bin");
    fs::create_dir(&bin).unwrap();
    let gcc = Environment::current().which("gcc".as_ref()).expect("the tests have a gcc");
    symlink(gcc.canonicalize().unwrap(), bin.join("gcc")).unwrap();
    let environment =
        || Environment::current().with("PATH", &bin).without("CC").remembering(&place.root);
    let find = || Toolchain::find_in(environment(), None);
    let asked = find().compiler(SourceLanguage::C).unwrap().identity().to_vec();
    let text = fs::read_to_string(&memo).unwrap();
    assert!(text.contains("gcc"), "{text}");
    // The cached description is used: a version that no compiler has.
    fs::write(&memo, text.replace("Free Software", "Free Hardware")).unwrap();
    let compiler = find();
    let compiler = compiler.compiler(SourceLanguage::C).unwrap();
    assert!(compiler.version.contains("Free Hardware"));
    assert_ne!(compiler.identity(), asked);
    // Another program with the same name is started.
    fs::remove_file(bin.join("gcc")).unwrap();
    fs::copy(gcc, bin.join("gcc")).unwrap();
    assert!(find().compiler(SourceLanguage::C).unwrap().version.contains("Free Software"));
    // A truncated file is ignored.
    fs::write(&memo, "{\"half").unwrap();
    assert!(find().compiler(SourceLanguage::C).unwrap().version.contains("Free Software"));
    // A script may start any program: it is run each time.
    fs::remove_file(&memo).unwrap();
    fs::remove_file(bin.join("gcc")).unwrap();
    fs::write(bin.join("gcc"), "#!/bin/sh\nexec /usr/bin/env -i gcc \"$@\"\n").unwrap();
    let _ = find().compiler(SourceLanguage::C);
    assert!(!memo.exists());
}

fn tools() -> Toolchain {
    Toolchain::find(None)
}
