//! Prints the linked function as a C or C++ unit.

use crate::asked::Asked;
use crate::blocks::{Block, Piece};
use crate::fragment::{CompilerNote, Fragment, Origin, Owner, annotated, open_braces};
use crate::language::AS_ERRORS;
use crate::link::Linked;
use crate::names;
use crate::needs::Version;
use crate::text::Text;
use fishplate_emit::{c_comment, c_string};
use fishplate_model::Language;
use std::collections::BTreeMap;

/// The name of the file `HEADER`.
const HEADER_NAME: &str = "fishplate_linked.h";

/// The includes of every linked function.
const HEADER: &str = include_str!("../runtime/fishplate_linked.h");

/// The headers that must be found: names and contents.
pub const HEADERS: [(&str, &str); 2] =
    [(HEADER_NAME, HEADER), (crate::types::HEADER_NAME, crate::types::HEADER)];

/// A unit to be compiled: a Python extension module called `linked`, whose `instantiate(orphans,
/// filters, on_error)` makes callables.
#[derive(Clone, Debug)]
pub struct LinkedC {
    /// The source.
    pub source: String,
    /// Its language.
    pub language: Language,
    /// The required compiler.
    pub compiler: Option<String>,
    /// Flags that types and ops require.
    pub flags: Vec<String>,
    /// Flags that are removed, from whatever source.
    pub no_flags: Vec<String>,
    /// Folders for `-I`.
    pub include_dirs: Vec<String>,
    /// Names for `-l`.
    pub libraries: Vec<String>,
    /// Folders for `-L`.
    pub library_dirs: Vec<String>,
    /// Whether other processes may use the compiled code.
    pub version: Version,
    origins: Vec<Origin>,
    fragments: Vec<Fragment>,
    asked: Vec<Asked>,
}

impl LinkedC {
    /// The fragment at a line of the source, and the line in it, from 0.
    pub fn fragment_at(&self, line: usize) -> Option<(&Fragment, usize)> {
        let after = self.origins.partition_point(|origin| origin.line <= line);
        let origin = &self.origins[after.checked_sub(1)?];
        let inside = line - origin.line;
        (inside < origin.lines).then(|| (&self.fragments[origin.fragment], inside))
    }

    /// Whether it is compiled with files from folders of the user.
    pub fn has_folders(&self) -> bool {
        !self.include_dirs.is_empty() || !self.library_dirs.is_empty()
    }

    /// Fragments with unbalanced braces, and by how many.
    fn unbalanced(&self) -> impl Iterator<Item = (&Fragment, &'static str)> {
        self.fragments.iter().filter_map(|fragment| match open_braces(&fragment.text) {
            0 => None,
            open if open > 0 => Some((fragment, "a brace is left open")),
            _ => Some((fragment, "a brace is closed that was not opened")),
        })
    }

    /// The nodes in messages of the C compiler.
    pub fn nodes_at(&self, notes: &[CompilerNote]) -> Vec<usize> {
        let of = |fragment: &Fragment| match fragment.owner {
            Owner::Node(index) => Some(index),
            Owner::Variable(_) => None,
        };
        let is_fragment = notes.iter().any(|note| self.fragment_at(note.line).is_some());
        let is_unbalanced = self.unbalanced().next().is_some();
        let mut nodes: Vec<usize> = if is_fragment && !is_unbalanced {
            notes.iter().filter_map(|note| of(self.fragment_at(note.line)?.0)).collect()
        } else {
            let is_told = |one: &&Asked| notes.iter().any(|note| one.is_in(&note.text));
            let asked = self.asked.iter().filter(is_told).filter_map(|one| one.node);
            asked.chain(self.unbalanced().filter_map(|(fragment, _)| of(fragment))).collect()
        };
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The C compiler's messages, next to their fragments.
    pub fn explain(&self, notes: &[CompilerNote]) -> String {
        let mut by_fragment: BTreeMap<usize, Vec<(usize, &str)>> = BTreeMap::new();
        let mut elsewhere = Vec::new();
        for note in notes {
            let after = self.origins.partition_point(|origin| origin.line <= note.line);
            let origin = after.checked_sub(1).map(|index| &self.origins[index]);
            match origin.filter(|origin| note.line - origin.line < origin.lines) {
                Some(origin) => by_fragment
                    .entry(origin.fragment)
                    .or_default()
                    .push((note.line - origin.line, &note.text)),
                None => elsewhere.push(note),
            }
        }
        let mut out = String::new();
        // An extra brace breaks all code after it: messages about other fragments are meaningless.
        let unbalanced: Vec<_> = self.unbalanced().collect();
        if !unbalanced.is_empty() {
            for (fragment, problem) in unbalanced {
                let last = fragment.text.lines().count().saturating_sub(1);
                out.push_str(&annotated(fragment, &[(last, problem)]));
            }
            return out;
        }
        for (fragment, notes) in by_fragment {
            out.push_str(&annotated(&self.fragments[fragment], &notes));
        }
        for note in elsewhere {
            let line = note.line.checked_sub(1).and_then(|index| self.source.lines().nth(index));
            out.push_str(&format!("{}\n", note.text));
            if let Some(line) = line {
                out.push_str(&format!("  in  {}\n", line.trim()));
            }
            for asked in self.asked.iter().filter(|asked| asked.is_in(&note.text)) {
                out.push_str(&asked.describe());
            }
        }
        out
    }
}

pub(crate) fn print(linked: &Linked, language: Language) -> LinkedC {
    let needs = &linked.gathered.needs;
    // Code that only C++ can express stays C++.
    let language = match linked.language() {
        Language::Cxx => Language::Cxx,
        Language::C => language,
    };
    let catches = !needs.compile_args.iter().any(|flag| flag == "-fno-exceptions");
    let printer = Printer { linked, cxx: language == Language::Cxx, catches };
    let mut text = Text::default();
    printer.unit(&mut text);
    let (source, origins) = text.finish();
    let mut flags = needs.compile_args.clone();
    if language == Language::C {
        // First, so that users can turn one off.
        flags.splice(0..0, AS_ERRORS.iter().map(|flag| (*flag).to_owned()));
    }
    flags.retain(|flag| !needs.no_compile_args.contains(flag));
    LinkedC {
        source,
        language,
        compiler: linked.gathered.compiler.clone(),
        flags,
        no_flags: needs.no_compile_args.clone(),
        include_dirs: needs.header_dirs.clone(),
        libraries: needs.libraries.clone(),
        library_dirs: needs.lib_dirs.clone(),
        version: linked.gathered.version.clone(),
        origins,
        fragments: linked.gathered.fragments.clone(),
        asked: linked.gathered.asked.clone(),
    }
}

struct Printer<'a> {
    linked: &'a Linked,
    cxx: bool,
    /// C++ that may throw.
    catches: bool,
}

impl Printer<'_> {
    fn unit(&self, text: &mut Text) {
        self.top(text);
        self.support(text);
        self.state(text);
        self.functions(text);
        self.load(text);
        self.kind(text);
    }

    fn top(&self, text: &mut Text) {
        let program = &self.linked.program;
        let inputs: Vec<String> = program.inputs.iter().map(|&i| program.label(i)).collect();
        let outputs: Vec<String> =
            program.outputs.iter().map(|output| program.label(output.variable)).collect();
        let signature =
            format!("{}({}) -> {}", program.name, inputs.join(", "), outputs.join(", "));
        text.line(&format!("/* {}, linked by Fishplate. */\n", c_comment(&signature)));
        text.line(&format!("#include \"{HEADER_NAME}\""));
        if self.cxx {
            text.line("#include <new>\n#include <exception>");
        }
        for header in &self.linked.gathered.needs.headers {
            text.line(&if header.starts_with(['<', '"']) {
                format!("#include {header}")
            } else {
                format!("#include <{header}>")
            });
        }
        if self.cxx && self.catches {
            text.line(CAUGHT);
        }
    }

    fn support(&self, text: &mut Text) {
        for &fragment in &self.linked.gathered.support {
            text.line("");
            self.fragment(text, fragment);
        }
        for node in &self.linked.gathered.nodes {
            if let Some(support) = node.support {
                text.line("");
                self.fragment(text, support);
            }
        }
    }

    fn fragment(&self, text: &mut Text, index: usize) {
        text.fragment(index, &self.linked.gathered.fragments[index].text);
    }

    /// The state, as C++ with its functions as members.
    fn state(&self, text: &mut Text) {
        text.line("");
        text.open(if self.cxx { "struct FP_HIDDEN fp_state" } else { "struct fp_state" });
        text.line("PyObject *const *orphans;");
        if self.linked.blocks.slots > 0 {
            text.line(&format!("fp_slot slots[{}];", self.linked.blocks.slots));
        }
        if !self.linked.blocks.state.is_empty() {
            text.line("int begun;");
        }
        for block in &self.linked.blocks.state {
            self.pieces(text, &block.declare);
        }
        if self.cxx {
            self.members(text);
        }
        text.close(";");
    }

    fn members(&self, text: &mut Text) {
        if !self.linked.blocks.state.is_empty() {
            text.line("");
            text.open("int start()");
            self.start(text);
            text.close("\n");
            text.open("void stop()");
            self.stop(text);
            text.close("");
        }
        text.line("");
        text.open("int run(PyObject *const *inputs, PyObject **outputs)");
        text.line("fp_state *const self = this;");
        self.run(text);
        text.close("");
    }

    fn functions(&self, text: &mut Text) {
        let has_state = !self.linked.blocks.state.is_empty();
        if !self.cxx && has_state {
            text.line("\nstatic int fp_start(fp_state *self, PyObject *const *orphans)");
            text.open("");
            self.start(text);
            text.close("\n");
            text.line("static void fp_stop(fp_state *self)");
            text.open("");
            self.stop(text);
            text.close("");
        }
        let start = if self.cxx { "self->start()" } else { "fp_start(self, orphans)" };
        let stop = if self.cxx { "self->stop();" } else { "fp_stop(self);" };

        text.line("\nstatic fp_state *fp_make(PyObject *const *orphans, int *failed)");
        text.open("");
        text.line(if self.cxx {
            "fp_state *self = new (std::nothrow) fp_state();"
        } else {
            "fp_state *self = (fp_state *)PyMem_Calloc(1, sizeof *self);"
        });
        text.line("if (self == NULL) {\n    PyErr_NoMemory();\n    return NULL;\n}");
        text.line("self->orphans = orphans;");
        text.line(&if has_state {
            format!("*failed = {start};")
        } else {
            "*failed = 0;".to_owned()
        });
        text.line("return self;");
        text.close("\n");

        text.line("static void fp_drop(fp_state *self)");
        text.open("");
        if has_state {
            text.line(stop);
        }
        for slot in 0..self.linked.blocks.slots {
            text.line(&format!("Py_XDECREF(self->slots[{slot}]);"));
        }
        text.line(if self.cxx { "delete self;" } else { "PyMem_Free(self);" });
        text.close("");

        text.line(
            "\nstatic int fp_run(fp_state *self, PyObject *const *inputs, PyObject **outputs)",
        );
        text.open("");
        if self.cxx {
            text.line("return self->run(inputs, outputs);");
        } else {
            self.run(text);
        }
        text.close("");
    }

    /// Initialises the members of the state; `stop` cleans them up, also after a failure.
    fn start(&self, text: &mut Text) {
        text.line("int __failure = 0;");
        for (index, block) in self.linked.blocks.state.iter().enumerate() {
            text.line(&format!("/* {} */", c_comment(&block.title)));
            text.line(&format!("{}begun = {};", self.member(), index + 1));
            self.pieces(text, &block.setup);
        }
        text.line("return __failure;");
    }

    fn member(&self) -> &'static str {
        if self.cxx { "" } else { "self->" }
    }

    fn stop(&self, text: &mut Text) {
        for (index, block) in self.linked.blocks.state.iter().enumerate().rev() {
            if !block.undo.is_empty() {
                text.open(&format!("if ({}begun > {index})", self.member()));
                self.pieces(text, &block.undo);
                text.close("");
            }
        }
    }

    fn run(&self, text: &mut Text) {
        let blocks = &self.linked.blocks;
        text.line("int __failure = 0;");
        for block in &blocks.run {
            self.pieces(text, &block.declare);
        }
        text.line("(void)self;\n(void)inputs;");
        for block in &blocks.run {
            if !block.setup.is_empty() {
                text.line(&format!("\n/* {} */", c_comment(&block.title)));
                self.pieces(text, &block.setup);
            }
        }
        if !blocks.passed_on.is_empty() {
            text.line("");
            self.pieces(text, &blocks.passed_on);
        }
        text.line("");
        for block in blocks.run.iter().rev() {
            if self.jumps(block) {
                text.label(&names::label(block.id));
            }
            for piece in &block.undo {
                match piece {
                    Piece::IfFailed(lines) if self.jumps(block) => {
                        text.open(&format!("if (__failure == {})", block.id));
                        text.line(lines);
                        text.close("");
                    }
                    Piece::IfFailed(_) => {}
                    piece => self.pieces(text, std::slice::from_ref(piece)),
                }
            }
        }
        self.finish(text);
    }

    /// A success with an exception set is a failure that was not detected.
    fn finish(&self, text: &mut Text) {
        let outputs = self.linked.program.outputs.len();
        text.line(&format!("return fp_finish(__failure, outputs, {outputs});"));
    }

    /// True if there is a jump to the block's cleanup.
    fn jumps(&self, block: &Block) -> bool {
        let throws =
            |piece: &Piece| matches!(piece, Piece::Code { .. } if self.cxx && self.catches);
        let checks = |piece: &Piece| matches!(piece, Piece::IfOk(_));
        self.linked.gathered.mentions.spells(&names::label(block.id))
            || block.setup.iter().any(throws)
            || block.undo.iter().any(checks)
    }

    fn pieces(&self, text: &mut Text, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Line(line) => text.line(line),
                Piece::Declare(fragment) => self.fragment(text, *fragment),
                Piece::Fragment(fragment) => self.braced(text, *fragment),
                Piece::Code { fragment, id } if self.cxx && self.catches => {
                    text.open("try");
                    self.fragment(text, *fragment);
                    text.close(&format!(
                        " catch (...) {{ __failure = {id}; fp_caught(); goto {}; }}",
                        names::label(*id)
                    ));
                }
                Piece::Code { fragment, .. } => self.braced(text, *fragment),
                Piece::IfFailed(_) => {}
                Piece::IfOk(pieces) => {
                    text.open("if (__failure == 0)");
                    self.pieces(text, pieces);
                    text.close("");
                }
            }
        }
    }

    /// A fragment in braces; one that is an assignment to a generated variable needs none.
    fn braced(&self, text: &mut Text, index: usize) {
        let fragment = &self.linked.gathered.fragments[index].text;
        if is_assignment(fragment) {
            return self.fragment(text, index);
        }
        text.open("");
        self.fragment(text, index);
        text.close("");
    }

    /// The code that runs when the module is loaded.
    fn load(&self, text: &mut Text) {
        let gathered = &self.linked.gathered;
        text.line("\nstatic PyObject *fp_load(void)");
        text.open("");
        for code in &gathered.needs.init_code {
            text.open("");
            text.line(&crate::text::tidy(code));
            text.close("");
        }
        for node in &gathered.nodes {
            if let Some(fragment) = node.init_module {
                self.braced(text, fragment);
            }
        }
        text.line("return Py_None;");
        text.close("\n");
    }

    fn kind(&self, text: &mut Text) {
        let program = &self.linked.program;
        let exclusive = self.linked.gathered.nodes.iter().any(|node| node.members.is_some());
        let accepts = self.accepts(text);
        text.line(&format!(
            "static const fp_linked_kind fp_kind = {{\n    {}, {}, {}, {}, {},\n    fp_load, {}, \
             fp_make, fp_run, fp_drop,\n}};",
            c_string(&program.name),
            program.inputs.len(),
            program.outputs.len(),
            self.linked.gathered.orphans.len(),
            i32::from(exclusive),
            accepts,
        ));
        text.line(&format!("FP_LINKED_MODULE(fp_kind, {})", c_string(&program.name)));
    }

    /// The test for inputs that need not pass through their types' `filter`s.
    fn accepts(&self, text: &mut Text) -> &'static str {
        let program = &self.linked.program;
        let tests: Option<Vec<String>> = (program.inputs.iter().enumerate())
            .map(|(place, &input)| program.variables[input].ty.accepts(&format!("inputs[{place}]")))
            .collect();
        let Some(tests) = tests.filter(|tests| !tests.is_empty()) else { return "NULL" };
        text.line("static int fp_accepts(PyObject *const *inputs)");
        text.open("");
        text.line(&format!("return {};", tests.join("\n    && ")));
        text.close("\n");
        "fp_accepts"
    }
}

/// `V3 = V0 + V1;`
fn is_assignment(text: &str) -> bool {
    let digits =
        text.strip_prefix('V').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    digits.is_some_and(|rest| rest.starts_with(" = "))
        && text.ends_with(';')
        && text.matches(';').count() == 1
        && !text.contains(['\n', '{', '#'])
        && !text.contains("//")
}

/// Translates the exception that a fragment threw to one of Python's.
const CAUGHT: &str = "
FP_COLD static void fp_caught()
{
    try {
        throw;
    } catch (const std::bad_alloc &) {
        if (!PyErr_Occurred()) {
            PyErr_NoMemory();
        }
    } catch (const std::exception &exception) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_RuntimeError, exception.what());
        }
    } catch (...) {
        fp_failed();
    }
}";
