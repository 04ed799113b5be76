//! The functions of a fold: begin, fold a run, fold a row into a row of states, join, end.
//!
//! A run is folded in chunks, and a chunk in four streams, each of as many accumulators as a vector
//! has elements: sums round about as little as if they were made in pairs, and nothing waits for one
//! addition to end before the next.

use fishplate_emit::Body as Text;
use fishplate_graph::{Arg, Body, DType, Reduction};

use crate::body;
use crate::ctype::{c_type, limits};
use crate::helpers::{Helpers, helper_name};

const STREAMS: usize = 4;
const CHUNK: usize = 4096;

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
    fold.outputs().for_each(|(_, reduction, _, dtype)| ask(reduction, dtype, helpers));
    let mut text = Text::at_depth(0);
    fold.state(&mut text);
    fold.begin(&mut text);
    fold.fold(&mut text);
    fold.each(&mut text);
    fold.join(&mut text);
    fold.end(&mut text);
    text.into_text()
}

struct Fold<'a> {
    name: &'a str,
    of: &'a Body,
    reductions: &'a [Reduction],
    scalar: &'a [bool],
    statements: Vec<String>,
}

/// True for those that tell where something is.
fn finds(reduction: Reduction) -> bool {
    matches!(reduction, Reduction::Argmin | Reduction::Argmax)
}

/// The value from which a reduction begins.
pub fn identity(reduction: Reduction, dtype: DType) -> String {
    match reduction {
        Reduction::Sum | Reduction::Any => "0".to_owned(),
        Reduction::Prod | Reduction::All => "1".to_owned(),
        Reduction::Min | Reduction::Argmin => limits(dtype).1,
        Reduction::Max | Reduction::Argmax => limits(dtype).0,
    }
}

/// The type of an accumulator of values of a dtype.
pub fn state_type(reduction: Reduction, dtype: DType) -> &'static str {
    match reduction {
        Reduction::Any | Reduction::All => "unsigned char",
        _ => c_type(dtype),
    }
}

/// Asks for what `accumulate` calls.
pub fn ask(reduction: Reduction, dtype: DType, helpers: &mut Helpers) {
    if !is_operator(reduction, dtype) {
        helpers.ask("multiply", dtype);
    }
}

/// True where C has an operator that accumulates, which OpenMP can be told of.
pub fn is_operator(reduction: Reduction, dtype: DType) -> bool {
    !(reduction == Reduction::Prod && dtype.is_complex())
}

/// The statement that folds a value `v` into `into`, NaN included. Calls what `ask` asks for.
pub fn accumulate(reduction: Reduction, into: &str, v: &str, dtype: DType) -> String {
    let float = dtype.is_float();
    let c = c_type(dtype);
    match reduction {
        Reduction::Sum => format!("{into} = ({c})({into} + {v});"),
        Reduction::Prod if dtype.is_complex() => {
            format!("{into} = {}({into}, {v});", helper_name("multiply", dtype))
        }
        Reduction::Prod => format!("{into} = ({c})({into} * {v});"),
        Reduction::Any => format!("{into} |= {v} != 0;"),
        Reduction::All => format!("{into} &= {v} != 0;"),
        Reduction::Min | Reduction::Argmin if float => {
            format!("{into} = {into} <= {v} || {into} != {into} ? {into} : {v};")
        }
        Reduction::Max | Reduction::Argmax if float => {
            format!("{into} = {into} >= {v} || {into} != {into} ? {into} : {v};")
        }
        Reduction::Min | Reduction::Argmin => format!("{into} = {into} <= {v} ? {into} : {v};"),
        Reduction::Max | Reduction::Argmax => format!("{into} = {into} >= {v} ? {into} : {v};"),
    }
}

/// The same in a loop over lanes, where NaN is counted apart.
pub fn accumulate_lane(reduction: Reduction, into: &str, v: &str, dtype: DType) -> String {
    match reduction {
        Reduction::Min | Reduction::Argmin => format!("{into} = {v} < {into} ? {v} : {into};"),
        Reduction::Max | Reduction::Argmax => format!("{into} = {v} > {into} ? {v} : {into};"),
        _ => accumulate(reduction, into, v, dtype),
    }
}

/// OpenMP's name of a reduction.
pub fn clause(reduction: Reduction) -> &'static str {
    match reduction {
        Reduction::Sum => "+",
        Reduction::Prod => "*",
        Reduction::Any => "|",
        Reduction::All => "&",
        Reduction::Min | Reduction::Argmin => "min",
        Reduction::Max | Reduction::Argmax => "max",
    }
}

/// True where a NaN must be looked for beside the comparison.
pub fn watches_nan(reduction: Reduction, dtype: DType) -> bool {
    dtype.is_float()
        && !matches!(reduction, Reduction::Sum | Reduction::Prod | Reduction::Any | Reduction::All)
}

impl Fold<'_> {
    fn outputs(&self) -> impl Iterator<Item = (usize, Reduction, Arg, DType)> {
        self.reductions
            .iter()
            .zip(&self.of.outputs)
            .enumerate()
            .map(|(k, (&reduction, &arg))| (k, reduction, arg, self.of.dtype(arg)))
    }

    fn is_one(&self) -> bool {
        self.reductions.len() == 1 && !finds(self.reductions[0])
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
                text.line(format!("s->at{k} = -1;"));
            }
        }
        text.close();
        text.line("");
    }

    fn fold(&self, text: &mut Text) {
        let found = self.reductions.iter().any(|&reduction| finds(reduction));
        self.head(text, "void", "fold", "char *state, char *const *p, fp_size n, fp_size first");
        self.states(text);
        let inputs = body::inputs(self.of, 0, self.scalar, "i");
        inputs.before.iter().for_each(|line| text.line(line));
        text.line("fp_size from, i;");
        if !found {
            text.line("(void)first;");
        }
        text.open(&format!("for (from = 0; from < n; from += {CHUNK})"));
        text.line(format!("const fp_size to = n - from < {CHUNK} ? n : from + {CHUNK};"));
        text.line(format!("const fp_size part = (to - from) / {STREAMS};"));
        let mut clauses = Vec::new();
        let mut nan = Vec::new();
        for (k, reduction, _, dtype) in self.outputs() {
            let names: Vec<String> = (0..STREAMS).map(|stream| format!("a{k}_{stream}")).collect();
            let set: Vec<String> = names
                .iter()
                .map(|name| format!("{name} = {}", identity(reduction, dtype)))
                .collect();
            text.line(format!("{} {};", state_type(reduction, dtype), set.join(", ")));
            clauses.push(format!("reduction({} : {})", clause(reduction), names.join(", ")));
            if watches_nan(reduction, dtype) {
                text.line(format!("unsigned char nan{k} = 0;"));
                nan.push(format!("nan{k}"));
            }
        }
        if !nan.is_empty() {
            clauses.push(format!("reduction(| : {})", nan.join(", ")));
        }
        if self.outputs().all(|(_, reduction, _, dtype)| is_operator(reduction, dtype)) {
            text.line(format!("FP_SIMD_LOOP({})", clauses.join(" ")));
        }
        text.block("for (i = from; i < from + part; i++)", |text| {
            for stream in 0..STREAMS {
                text.block("", |text| self.turn(text, stream));
            }
        });
        text.block(format!("for (i = from + {STREAMS} * part; i < to; i++)"), |text| {
            self.turn(text, 0)
        });
        for (k, reduction, _, dtype) in self.outputs() {
            for (into, other) in [(0, 1), (2, 3), (0, 2)] {
                text.line(accumulate_lane(
                    reduction,
                    &format!("a{k}_{into}"),
                    &format!("a{k}_{other}"),
                    dtype,
                ));
            }
        }
        for (k, reduction, arg, dtype) in self.outputs() {
            self.settle(text, k, reduction, arg, dtype);
        }
        text.close();
        text.close();
        text.line("");
    }

    /// One element of a stream.
    fn turn(&self, text: &mut Text, stream: usize) {
        let at = if stream == 0 { "i".to_owned() } else { format!("i + {stream} * part") };
        let inputs = body::inputs(self.of, 0, self.scalar, &at);
        inputs.inside.iter().for_each(|line| text.line(line));
        self.statements.iter().for_each(|line| text.line(line));
        for (k, reduction, arg, dtype) in self.outputs() {
            let v = body::name(arg);
            text.line(accumulate_lane(reduction, &format!("a{k}_{stream}"), &v, dtype));
            if watches_nan(reduction, dtype) {
                text.line(format!("nan{k} |= {v} != {v};"));
            }
        }
    }

    /// What a chunk came to goes into the state.
    fn settle(&self, text: &mut Text, k: usize, reduction: Reduction, arg: Arg, dtype: DType) {
        let nan = watches_nan(reduction, dtype);
        if finds(reduction) {
            let better = if reduction == Reduction::Argmin { "<" } else { ">" };
            let nan_test = if nan { format!(" || nan{k}") } else { String::new() };
            let still = if nan { format!("s->s{k} == s->s{k} && ") } else { String::new() };
            let head = format!("if (s->at{k} < 0 || ({still}(a{k}_0 {better} s->s{k}{nan_test})))");
            text.block(head, |text| {
                text.block("for (i = from; i < to; i++)", |text| {
                    let inputs = body::inputs(self.of, 0, self.scalar, "i");
                    inputs.inside.iter().for_each(|line| text.line(line));
                    self.statements.iter().for_each(|line| text.line(line));
                    let v = body::name(arg);
                    let test = if nan {
                        format!("if (nan{k} ? {v} != {v} : {v} == a{k}_0)")
                    } else {
                        format!("if ({v} == a{k}_0)")
                    };
                    text.block(test, |text| {
                        text.line(format!("s->s{k} = {v};"));
                        text.line(format!("s->at{k} = first + i;"));
                        text.line("break;");
                    });
                });
            });
            return;
        }
        if nan {
            text.when(format!("nan{k}"), &format!("a{k}_0 = __builtin_nan(\"\");"));
        }
        text.line(accumulate(reduction, &format!("s->s{k}"), &format!("a{k}_0"), dtype));
    }

    fn each(&self, text: &mut Text) {
        let found = self.reductions.iter().any(|&reduction| finds(reduction));
        self.head(text, "void", "each", "char *state, char *const *p, fp_size n, fp_size first");
        self.states(text);
        let inputs = body::inputs(self.of, 0, self.scalar, "i");
        inputs.before.iter().for_each(|line| text.line(line));
        text.line("fp_size i;");
        if !found {
            text.line("(void)first;");
        }
        if self.is_one() {
            text.line("FP_INDEPENDENT");
        }
        text.block("for (i = 0; i < n; i++)", |text| {
            inputs.inside.iter().for_each(|line| text.line(line));
            self.statements.iter().for_each(|line| text.line(line));
            for (k, reduction, arg, dtype) in self.outputs() {
                let v = body::name(arg);
                if finds(reduction) {
                    self.keep_if_better(text, k, reduction, dtype, ("s[i].", &v, "first"));
                } else {
                    text.line(accumulate(reduction, &format!("s[i].s{k}"), &v, dtype));
                }
            }
        });
        text.close();
        text.line("");
    }

    /// Where a value is better than the state's, or the first NaN, it is kept, with where it is.
    fn keep_if_better(
        &self,
        text: &mut Text,
        k: usize,
        reduction: Reduction,
        dtype: DType,
        (state, v, at): (&str, &str, &str),
    ) {
        let better = if reduction == Reduction::Argmin { "<" } else { ">" };
        let test = if watches_nan(reduction, dtype) {
            format!("({state}s{k} == {state}s{k} && ({v} {better} {state}s{k} || {v} != {v}))")
        } else {
            format!("{v} {better} {state}s{k}")
        };
        text.block(format!("if ({state}at{k} < 0 || {test})"), |text| {
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
                text.block(format!("if (o->at{k} >= 0)"), |text| {
                    let (v, at) = (format!("o->s{k}"), format!("o->at{k}"));
                    self.keep_if_better(text, k, reduction, dtype, ("s->", &v, &at));
                });
            } else {
                text.line(accumulate(reduction, &format!("s->s{k}"), &format!("o->s{k}"), dtype));
            }
        }
        text.close();
        text.line("");
    }

    fn end(&self, text: &mut Text) {
        self.head(text, "int", "end", "char *const *p, const char *state, fp_size count");
        text.line(format!("const struct {0} *s = (const struct {0} *)state;", self.name));
        if self.reductions.iter().any(|reduction| !reduction.has_identity()) {
            text.when("count == 0", "return 0;");
        } else {
            text.line("(void)count;");
        }
        for (k, reduction, _, dtype) in self.outputs() {
            let member = if finds(reduction) { "at" } else { "s" };
            let result = reduction.result(dtype).map_or("unsigned char", c_type);
            text.line(format!("*({result} *)p[{k}] = s->{member}{k};"));
        }
        text.line("return 1;");
        text.close();
    }
}
