//! The functions of rows: for each stage its loop, and the initialisation of its state if it folds.
//!
//! A stage's state is a struct with one member per fold: the state's number is the stage's.

use fishplate_emit::Body as Text;
use fishplate_graph::{DType, Instruction, Reduction, RowArg, RowResult, Rows, Stage};

use crate::ctype::c_type;
use crate::function::expression;
use crate::helpers::Helpers;
use crate::lanes::{self, LANES, accumulate, identity, state_type};
use crate::quotients::{Loop, Source};

/// The arguments of a stage's loop in `p`, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowValue {
    /// Input `.0` of the node.
    Input(usize),
    /// Output `.0` of the node, in which one of its rows is saved.
    Output(usize),
    /// Buffer `.0`: a saved row that is not an output.
    Buffer(usize),
    /// The state of stage `.0`.
    State(usize),
}

/// The destinations of saved rows: an output, or a separate buffer.
#[derive(Clone, Debug)]
pub struct Layout {
    /// For each saved row.
    pub saved: Vec<RowValue>,
    /// The element size of each buffer.
    pub buffers: Vec<usize>,
}

impl Layout {
    /// Assigns each saved row its destination.
    pub fn of(rows: &Rows) -> Self {
        let count: usize = rows.stages.iter().map(|stage| stage.saves.len()).sum();
        let mut layout = Self { saved: Vec::new(), buffers: Vec::new() };
        for index in 0..count {
            let output = rows.outputs.iter().position(|&output| output == RowResult::Saved(index));
            layout.saved.push(match output {
                Some(output) => RowValue::Output(output),
                None => {
                    layout.buffers.push(rows.saved(index).size());
                    RowValue::Buffer(layout.buffers.len() - 1)
                }
            });
        }
        layout
    }
}

/// The stage of a fold, and its index there.
pub fn fold_place(rows: &Rows, index: usize) -> (usize, usize) {
    let mut rest = index;
    for (number, stage) in rows.stages.iter().enumerate() {
        if rest < stage.folds.len() {
            return (number, rest);
        }
        rest -= stage.folds.len();
    }
    unreachable!("stages use only what earlier ones folded")
}

/// The arguments of a stage's loop: its own state first, then the rows it saves, then the rows it
/// reads.
pub fn stage_values(rows: &Rows, layout: &Layout, number: usize) -> Vec<RowValue> {
    let stage = &rows.stages[number];
    let mut values = Vec::new();
    if !stage.folds.is_empty() {
        values.push(RowValue::State(number));
    }
    let saved = first_save(rows, number);
    values.extend((0..stage.saves.len()).map(|k| layout.saved[saved + k]));
    for arg in args(stage) {
        let value = match arg {
            RowArg::Input(index) => RowValue::Input(index),
            RowArg::Saved(index) => layout.saved[index],
            RowArg::Folded(index) => RowValue::State(fold_place(rows, index).0),
            RowArg::Local(_) => continue,
        };
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values.extend(written_next(rows, layout, number).iter().map(|next| next.0));
    values
}

/// The bytes that a processor moves between memory and its caches at once, or more.
const CACHE_LINE: usize = 64;

/// The outputs whose rows the last stage writes, with their dtypes, for a stage that folds and is the last one before it.
/// That stage requests their memory while it computes, so that the last one need not wait for it. The first stage waits
/// for memory itself.
fn written_next(rows: &Rows, layout: &Layout, number: usize) -> Vec<(RowValue, DType)> {
    if number == 0 || number + 2 != rows.stages.len() || rows.stages[number].folds.is_empty() {
        return Vec::new();
    }
    let first = first_save(rows, number + 1);
    let saves = rows.stages[number + 1].saves.iter().enumerate();
    saves
        .map(|(k, &arg)| (layout.saved[first + k], rows.dtype(number + 1, arg)))
        .filter(|(value, _)| matches!(value, RowValue::Output(_)))
        .collect()
}

fn first_save(rows: &Rows, number: usize) -> usize {
    rows.stages[..number].iter().map(|stage| stage.saves.len()).sum()
}

fn args(stage: &Stage) -> impl Iterator<Item = RowArg> {
    let of_instructions = stage.instructions.iter().flat_map(|one| one.arguments.iter().copied());
    of_instructions.chain(stage.saves.iter().copied()).chain(stage.folds.iter().map(|fold| fold.1))
}

fn name(arg: RowArg) -> String {
    match arg {
        RowArg::Input(index) => format!("x{index}"),
        RowArg::Local(index) => format!("v{index}"),
        RowArg::Saved(index) => format!("w{index}"),
        RowArg::Folded(index) => format!("f{index}"),
    }
}

/// The functions of all stages: `name_N` and, where stage N folds, `struct name_N` and `name_N_begin`.
pub fn functions(name: &str, rows: &Rows, scalar: &[bool], helpers: &mut Helpers) -> String {
    let layout = Layout::of(rows);
    let mut text = Text::at_depth(0);
    for number in 0..rows.stages.len() {
        let printer = Printer { name, rows, layout: &layout, scalar, number };
        printer.print(&mut text, helpers);
    }
    text.into_text()
}

struct Printer<'a> {
    name: &'a str,
    rows: &'a Rows,
    layout: &'a Layout,
    scalar: &'a [bool],
    number: usize,
}

impl Printer<'_> {
    fn stage(&self) -> &Stage {
        &self.rows.stages[self.number]
    }

    fn folds(&self) -> impl Iterator<Item = (usize, Reduction, RowArg, DType)> {
        self.stage()
            .folds
            .iter()
            .enumerate()
            .map(|(k, &(reduction, arg))| (k, reduction, arg, self.rows.dtype(self.number, arg)))
    }

    fn print(&self, text: &mut Text, helpers: &mut Helpers) {
        let full = format!("{}_{}", self.name, self.number);
        if !self.stage().folds.is_empty() {
            text.line(format!("struct {full} {{"));
            for (k, reduction, _, dtype) in self.folds() {
                text.line(format!("    {} s{k};", state_type(reduction, dtype)));
            }
            text.line("};");
            text.line("");
            text.line("static void");
            text.line(format!("{full}_begin(char *state)"));
            text.open("");
            text.line(format!("struct {full} *s = (struct {full} *)state;"));
            for (k, reduction, _, dtype) in self.folds() {
                text.line(format!("s->s{k} = {};", identity(reduction, dtype)));
            }
            text.close();
            text.line("");
        }
        text.line("static void");
        text.line(format!("{full}(char *const *p, fp_size n)"));
        text.open("");
        self.run(text, helpers);
        text.close();
        text.line("");
    }

    fn statements(&self, helpers: &mut Helpers) -> Vec<String> {
        let line = |(index, one): (usize, &Instruction<RowArg>)| {
            let arguments: Vec<String> = one.arguments.iter().map(|&arg| name(arg)).collect();
            let last = *one.arguments.last().expect("every function has an argument");
            let value =
                expression(one.function, self.rows.dtype(self.number, last), &arguments, helpers);
            format!("const {} v{index} = {value};", c_type(one.dtype))
        };
        self.stage().instructions.iter().enumerate().map(line).collect()
    }

    fn run(&self, text: &mut Text, helpers: &mut Helpers) {
        let statements = self.statements(helpers);
        self.folds()
            .for_each(|(_, reduction, _, dtype)| lanes::request_helpers(reduction, dtype, helpers));
        let values = stage_values(self.rows, self.layout, self.number);
        let place = |value: RowValue| {
            values.iter().position(|&one| one == value).expect("a stage is given what it uses")
        };
        let full = |number: usize| format!("{}_{number}", self.name);
        let mut reads: Vec<(String, String)> = Vec::new();
        let mut seen = Vec::new();
        for arg in args(self.stage()) {
            if seen.contains(&arg) || matches!(arg, RowArg::Local(_)) {
                continue;
            }
            seen.push(arg);
            let c = c_type(self.rows.dtype(self.number, arg));
            let (own, value) = (
                name(arg),
                match arg {
                    RowArg::Input(index) => RowValue::Input(index),
                    RowArg::Saved(index) => self.layout.saved[index],
                    RowArg::Folded(index) => RowValue::State(fold_place(self.rows, index).0),
                    RowArg::Local(_) => continue,
                },
            );
            let at = place(value);
            match arg {
                RowArg::Folded(index) => {
                    let (stage, k) = fold_place(self.rows, index);
                    text.line(format!(
                        "const {c} {own} = ((const struct {} *)p[{at}])->s{k};",
                        full(stage)
                    ));
                }
                RowArg::Input(index) if self.scalar[index] => {
                    text.line(format!("const {c} {own} = *(const {c} *)p[{at}];"));
                }
                _ => {
                    text.line(format!("const {c} *in_{own} = (const {c} *)p[{at}];"));
                    reads.push((c.to_owned(), own));
                }
            }
        }
        let first = first_save(self.rows, self.number);
        for (k, &arg) in self.stage().saves.iter().enumerate() {
            let c = c_type(self.rows.dtype(self.number, arg));
            let at = place(self.layout.saved[first + k]);
            text.line(format!("{c} *out{k} = ({c} *)p[{at}];"));
        }
        let element = |text: &mut Text, at: &str, statements: &[String]| {
            for (c, own) in &reads {
                text.line(format!("const {c} {own} = in_{own}[{at}];"));
            }
            let all = statements.iter().filter(|line| !line.is_empty());
            all.for_each(|line| text.line(line));
            for (k, &arg) in self.stage().saves.iter().enumerate() {
                text.line(format!("out{k}[{at}] = {};", name(arg)));
            }
        };
        if self.stage().folds.is_empty() {
            let source = |arg| match arg {
                RowArg::Folded(_) => Source::Same,
                RowArg::Input(index) if self.scalar[index] => Source::Same,
                RowArg::Input(_) | RowArg::Saved(_) => Source::Element,
                RowArg::Local(index) => Source::Instruction(index),
            };
            let each = Loop::of(&self.stage().instructions, statements, name, source, helpers);
            let pointers = (self.stage().saves.len(), values.len());
            each.print(text, pointers, &|text, statements| element(text, "i", statements));
            return;
        }
        text.line("fp_size i;");
        text.line(format!("struct {0} *s = (struct {0} *)p[0];", full(self.number)));
        let folds: Vec<lanes::Folded> =
            self.folds().map(|(k, reduction, _, dtype)| (k, reduction, dtype)).collect();
        let mut requests = Vec::new();
        for (k, &(value, dtype)) in
            written_next(self.rows, self.layout, self.number).iter().enumerate()
        {
            text.line(format!("char *next{k} = p[{}];", place(value)));
            let size = dtype.size();
            requests.extend(
                (0..LANES * size)
                    .step_by(CACHE_LINE)
                    .map(|at| format!("__builtin_prefetch(next{k} + {size} * i + {at}, 1);")),
            );
        }
        lanes::fold(text, &folds, ("0", "n"), &requests, &|text, at, into| {
            element(text, at, &statements);
            for (k, _, arg, _) in self.folds() {
                into(k, &name(arg)).iter().for_each(|line| text.line(line));
            }
        });
        for (k, reduction, dtype) in folds {
            text.line(accumulate(reduction, &format!("s->s{k}"), &format!("r{k}"), dtype));
        }
    }
}
