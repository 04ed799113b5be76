//! The functions of a fold: begin, fold a run, fold a row into a row of states, join, end.
//!
//! A run is folded in chunks, each in lanes, so that the rounding error of long sums is about that
//! of pairwise summation.

use fishplate_emit::Body as Text;
use fishplate_graph::{Arg, Body, DType, Reduction};

use crate::body;
use crate::ctype::c_type;
use crate::find;
use crate::helpers::Helpers;
use crate::lanes::{self, accumulate, accumulate_later, identity, state_type};

const CHUNK: usize = 4096;

/// The number of rows that are folded into a row of states at once, if there are few instructions
/// per element.
const ROWS: usize = 8;
const FEW: usize = 4;

/// The functions `name_begin`, `name_fold`, `name_each`, `name_join` and `name_end` of an `fp_fold`, and
/// its state, `struct name`.
pub fn functions(
    name: &str,
    of: &Body,
    reductions: &[Reduction],
    scalar: &[bool],
    helpers: &mut Helpers,
) -> String {
    let fold = Fold { name, of, reductions, scalar, statements: body::statements(of, helpers) };
    fold.outputs()
        .for_each(|(_, reduction, _, dtype)| lanes::request_helpers(reduction, dtype, helpers));
    let mut text = Text::at_depth(0);
    fold.state(&mut text);
    fold.begin(&mut text);
    fold.fold(&mut text);
    fold.each(&mut text);
    fold.join(&mut text);
    fold.end(&mut text);
    text.into_text()
}

pub struct Fold<'a> {
    name: &'a str,
    pub of: &'a Body,
    reductions: &'a [Reduction],
    scalar: &'a [bool],
    pub statements: Vec<String>,
}

/// True for reductions whose result is an index.
pub fn finds(reduction: Reduction) -> bool {
    matches!(reduction, Reduction::Argmin | Reduction::Argmax)
}

impl Fold<'_> {
    pub fn outputs(&self) -> impl Iterator<Item = (usize, Reduction, Arg, DType)> {
        self.reductions
            .iter()
            .zip(&self.of.outputs)
            .enumerate()
            .map(|(k, (&reduction, &arg))| (k, reduction, arg, self.of.dtype(arg)))
    }

    fn is_one(&self) -> bool {
        self.reductions.len() == 1 && !self.finds()
    }

    /// True if a result is an index.
    fn finds(&self) -> bool {
        self.reductions.iter().any(|&reduction| finds(reduction))
    }

    /// The inputs that are arrays.
    fn reads(&self) -> impl Iterator<Item = usize> {
        (0..self.of.inputs.len()).filter(|&input| !self.scalar[input])
    }

    /// The statements for the element of `row` in a column.
    pub fn element_of_row(&self, text: &mut Text, column: &str) {
        for input in self.reads() {
            let c = c_type(self.of.inputs[input]);
            text.line(format!(
                "const {c} x{input} = ((const {c} *)(in{input} + row * step{input}))[{column}];"
            ));
        }
        self.statements.iter().for_each(|line| text.line(line));
    }

    fn state(&self, text: &mut Text) {
        text.line(format!("struct {} {{", self.name));
        for (k, reduction, _, dtype) in self.outputs() {
            text.line(format!("    {} s{k};", state_type(reduction, dtype)));
            if finds(reduction) {
                text.line(format!("    fp_int64 at{k};"));
            }
        }
        text.line("};");
        text.line("");
    }

    fn head(&self, text: &mut Text, result: &str, part: &str, parameters: &str) {
        text.line(format!("static {result}"));
        text.line(format!("{}_{part}({parameters})", self.name));
        text.open("");
    }

    fn states(&self, text: &mut Text) {
        text.line(format!("struct {0} *s = (struct {0} *)state;", self.name));
    }

    fn begin(&self, text: &mut Text) {
        self.head(text, "void", "begin", "char *state");
        self.states(text);
        for (k, reduction, _, dtype) in self.outputs() {
            text.line(format!("s->s{k} = {};", identity(reduction, dtype)));
            if finds(reduction) {
                // Also the answer if no element is better than the initial value.
                text.line(format!("s->at{k} = 0;"));
            }
        }
        text.close();
        text.line("");
    }

    fn fold(&self, text: &mut Text) {
        self.head(text, "void", "fold", "char *state, char *const *p, fp_size n, fp_size first");
        self.states(text);
        body::inputs(self.of, 0, self.scalar).iter().for_each(|line| text.line(line));
        text.line("fp_size from, i;");
        if !self.finds() {
            text.line("(void)first;");
        }
        text.open(&format!("for (from = 0; from < n; from += {CHUNK})"));
        text.line(format!("const fp_size to = n - from < {CHUNK} ? n : from + {CHUNK};"));
        let folds: Vec<lanes::Folded> =
            self.outputs().map(|(k, reduction, _, dtype)| (k, reduction, dtype)).collect();
        lanes::fold(text, &folds, ("from", "to"), &[], &|text, at, into| {
            self.turn(text, at);
            for (k, _, arg, _) in self.outputs() {
                into(k, &body::name(arg)).iter().for_each(|line| text.line(line));
            }
        });
        for (k, reduction, arg, dtype) in self.outputs() {
            self.join_chunk(text, k, reduction, arg, dtype);
        }
        text.close();
        text.close();
        text.line("");
    }

    pub fn turn(&self, text: &mut Text, at: &str) {
        let lines = body::turn(self.of, self.scalar, at, &self.statements);
        lines.iter().for_each(|line| text.line(line));
    }

    /// Folds the result of a chunk into the state.
    fn join_chunk(&self, text: &mut Text, k: usize, reduction: Reduction, arg: Arg, dtype: DType) {
        if !finds(reduction) {
            text.line(accumulate(reduction, &format!("s->s{k}"), &format!("r{k}"), dtype));
            return;
        }
        // The index is searched only if the value is better than the previous one.
        let test = find::is_better(reduction, dtype, &format!("r{k}"), &format!("s->s{k}"));
        text.block(format!("if ({test})"), |text| {
            find::search(self, text, k, &body::name(arg), dtype);
            text.line(format!("s->s{k} = r{k};"));
            text.line(format!("s->at{k} = first + i;"));
        });
    }

    /// Several rows at once if the state is only a value, which is then loaded and stored once for
    /// all of them.
    fn each(&self, text: &mut Text) {
        let struct_name = format!("struct {}", self.name);
        let name = self.name;
        self.head(
            text,
            "inline void",
            "rows",
            "char *state, char *const *p, const fp_size *steps, fp_size n, fp_size first, int rows",
        );
        text.line(format!("{struct_name} *s = ({struct_name} *)state;"));
        for (number, line) in body::inputs(self.of, 0, self.scalar).iter().enumerate() {
            if self.scalar[number] {
                text.line(line);
            }
        }
        for input in self.reads() {
            text.line(format!("const char *in{input} = p[{input}];"));
            text.line(format!("const fp_size step{input} = rows > 1 ? steps[{input}] : 0;"));
        }
        text.line("fp_size i = 0;");
        text.line("int row;");
        text.line("(void)steps, (void)first;");
        if self.finds() {
            find::rows(self, text);
        }
        if self.is_one() {
            text.line("FP_INDEPENDENT");
        }
        text.block("for (; i < n; i++)", |text| {
            text.line(format!("{struct_name} r = s[i];"));
            text.block("for (row = 0; row < rows; row++)", |text| {
                self.element_of_row(text, "i");
                for (k, reduction, arg, dtype) in self.outputs() {
                    let v = body::name(arg);
                    if finds(reduction) {
                        self.keep_if_better(text, k, reduction, dtype, ("r.", &v, "first + row"));
                    } else {
                        text.line(accumulate_later(reduction, &format!("r.s{k}"), &v, dtype));
                    }
                }
            });
            text.line("s[i] = r;");
        });
        text.close();
        text.line("");
        self.head(
            text,
            "void",
            "each",
            "char *state, char *const *p, const fp_size *steps, fp_size n, fp_size first, fp_size rows",
        );
        let inputs = self.of.inputs.len();
        text.line(format!("char *at[{}];", inputs.max(1)));
        text.line("fp_size row, some;");
        text.line("int k;");
        text.block("for (row = 0; row < rows; row += some)", |text| {
            text.block(format!("for (k = 0; k < {inputs}; k++)"), |text| {
                text.line("at[k] = p[k] + (row == 0 ? 0 : row * steps[k]);");
            });
            let call =
                |rows: usize| format!("{name}_rows(state, at, steps, n, first + row, {rows});");
            let several = if self.statements.len() > FEW { 1 } else { ROWS };
            if several == 1 {
                text.line("some = 1;");
                text.line(call(1));
                return;
            }
            text.line(format!("some = rows - row < {several} ? 1 : {several};"));
            text.block(format!("if (some == {several})"), |text| text.line(call(several)));
            text.block("else", |text| text.line(call(1)));
        });
        text.close();
        text.line("");
    }

    /// A value that is better than the state's, or the first NaN, is stored with its index.
    fn keep_if_better(
        &self,
        text: &mut Text,
        k: usize,
        reduction: Reduction,
        dtype: DType,
        (state, v, at): (&str, &str, &str),
    ) {
        let test = find::is_better(reduction, dtype, v, &format!("{state}s{k}"));
        text.block(format!("if ({test})"), |text| {
            text.line(format!("{state}s{k} = {v};"));
            text.line(format!("{state}at{k} = {at};"));
        });
    }

    fn join(&self, text: &mut Text) {
        self.head(text, "void", "join", "char *state, const char *from");
        self.states(text);
        text.line(format!("const struct {0} *o = (const struct {0} *)from;", self.name));
        for (k, reduction, _, dtype) in self.outputs() {
            if finds(reduction) {
                let (v, at) = (format!("o->s{k}"), format!("o->at{k}"));
                self.keep_if_better(text, k, reduction, dtype, ("s->", &v, &at));
            } else {
                text.line(accumulate(reduction, &format!("s->s{k}"), &format!("o->s{k}"), dtype));
            }
        }
        text.close();
        text.line("");
    }

    fn end(&self, text: &mut Text) {
        self.head(text, "void", "end", "char *const *p, const char *state, fp_size count");
        text.line(format!("const struct {0} *s = (const struct {0} *)state;", self.name));
        text.line("(void)count;");
        for (k, reduction, _, dtype) in self.outputs() {
            let member = if finds(reduction) { "at" } else { "s" };
            let result = reduction.result(dtype).map_or("unsigned char", c_type);
            text.line(format!("*({result} *)p[{k}] = s->{member}{k};"));
        }
        text.close();
    }
}
