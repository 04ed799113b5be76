//! A runtime header, divided into the part that each module compiles, and the part that modules share.
//!
//! Purpose: the functions that no call needs inline are compiled once for many modules.
//! Invariant: the header and the units define together exactly what the whole header defines.
//! Reason: a small module is compiled in a quarter of the time, since most of a runtime is slow paths and errors.
//! Emitted files still have one header, for a compilation by hand.
//!
//! These are the static functions that are neither `inline` nor marked as `FP_UNUSED`, as far as they are C; and the
//! variables that are marked as `FP_GLOBAL`. All of them begin at the beginning of a line, as the formatter of C writes them.

use std::ops::Range;

/// How the type of a static function begins that each module compiles for itself.
const OF_EACH_MODULE: [&str; 3] = ["inline", "FP_INLINE", "FP_UNUSED"];

/// The two parts of a runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DividedRuntime {
    /// The header for modules: declarations, macros, and the functions that are inline.
    pub header: String,
    /// The units, of similar sizes, with the functions and variables that the header declares.
    pub units: Vec<String>,
}

/// Divides a runtime header into a header and this number of units.
pub fn divide(runtime: &str, count: usize) -> DividedRuntime {
    let lines: Vec<&str> = runtime.lines().collect();
    let parts = parts(&lines);
    let is_definition = |part: &&Part| matches!(part, Part::Function { .. } | Part::Variable(_));
    let size = |part: &Part| part.lines().len();
    let total: usize = parts.iter().filter(is_definition).map(size).sum();

    let mut units = vec![String::from("#define FP_DIVIDED 1\n"); count];
    let mut header = units[0].clone();
    units[count - 1] += "#define FP_LAST_UNIT 1\n";
    let mut before = 0;
    for part in &parts {
        let owner = before * count / total.max(1);
        if is_definition(&part) {
            before += size(part);
        }
        for (number, unit) in units.iter_mut().enumerate() {
            part.print(&lines, number == owner, unit);
        }
        part.print(&lines, false, &mut header);
    }
    DividedRuntime { header, units }
}

/// Consecutive lines of a runtime.
enum Part {
    /// A function that is defined in one unit.
    Function { head: Range<usize>, body: Range<usize> },
    /// A variable that is defined in one unit.
    Variable(Range<usize>),
    /// The declaration of such a function.
    Declaration(Range<usize>),
    /// A line that all units have.
    Common(usize),
}

impl Part {
    fn lines(&self) -> Range<usize> {
        match self {
            Self::Function { head, body } => head.start..body.end,
            Self::Variable(lines) | Self::Declaration(lines) => lines.clone(),
            Self::Common(line) => *line..line + 1,
        }
    }

    fn print(&self, lines: &[&str], is_defined: bool, out: &mut String) {
        let word = if is_defined { "FP_DEFINED" } else { "FP_DECLARED" };
        let text = |range: &Range<usize>| lines[range.clone()].join("\n");
        match self {
            Self::Common(line) => *out += lines[*line],
            Self::Declaration(range) => *out += &text(range).replacen("static", "FP_DECLARED", 1),
            Self::Function { head, body } => {
                *out += &text(head).replacen("static", word, 1);
                match is_defined {
                    true => *out += &format!("\n{}", text(body)),
                    false => out.push(';'),
                }
            }
            Self::Variable(range) => {
                let text = text(range).replacen("FP_GLOBAL", word, 1);
                match text.split_once(" = ") {
                    Some((declared, _)) if !is_defined => *out += &format!("{declared};"),
                    _ => *out += &text,
                }
            }
        }
        out.push('\n');
    }
}

fn parts(lines: &[&str]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut conditions = Conditions::default();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        conditions.read(line);
        let part = match conditions.only_cxx() {
            false => definition(lines, at),
            true => None,
        };
        let part = part.unwrap_or(Part::Common(at));
        at = part.lines().end;
        parts.push(part);
    }
    parts
}

/// The definition or declaration that begins at this line, if it belongs to one unit.
fn definition(lines: &[&str], at: usize) -> Option<Part> {
    let ends = |from: usize, test: fn(&str) -> bool| (from..lines.len()).find(|&i| test(lines[i]));
    let line = lines[at];
    if line.starts_with("FP_GLOBAL ") {
        let last = ends(at, |line| line.contains(';'))?;
        return Some(Part::Variable(at..last + 1));
    }
    let rest = line.strip_prefix("static ")?;
    let is_inline = OF_EACH_MODULE.iter().any(|word| rest.starts_with(word));
    // In a macro, it belongs to whatever uses the macro; a table of constants may exist several times.
    if is_inline || line.ends_with('\\') || line.contains('=') {
        return None;
    }
    let last = ends(at, |line| line == "{" || line.ends_with(';'))?;
    if lines[last] != "{" {
        return Some(Part::Declaration(at..last + 1));
    }
    let end = ends(last, |line| line == "}")?;
    Some(Part::Function { head: at..last, body: last..end + 1 })
}

/// The conditions of the preprocessor around a line: whether each holds in C++ only.
#[derive(Default)]
struct Conditions(Vec<bool>);

impl Conditions {
    fn read(&mut self, line: &str) {
        let Some(directive) = line.strip_prefix('#').map(str::trim) else { return };
        if directive.starts_with("if") {
            self.0.push(directive == "ifdef __cplusplus");
        } else if directive.starts_with("else") || directive.starts_with("elif") {
            if let Some(last) = self.0.last_mut() {
                *last = false;
            }
        } else if directive.starts_with("endif") {
            self.0.pop();
        }
    }

    fn only_cxx(&self) -> bool {
        self.0.contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNTIME: &str = "\
FP_GLOBAL int fp_count;
FP_GLOBAL fp_name fp_name_x = {\"x\", NULL};
static FP_COLD int fp_fail(int why);

/* Slow. */
static FP_HELPER int
fp_slow(int x)
{
    return x;
}

static inline int
fp_quick(int x)
{
    return x > 0 || fp_slow(x);
}
#ifdef __cplusplus
static FP_COLD void
fp_catch(void)
{
}
#else
static FP_COLD int
fp_fail(int why)
{
    return why;
}
#endif
";

    #[test]
    fn each_function_and_variable_is_defined_in_one_unit() {
        let DividedRuntime { header, units } = divide(RUNTIME, 2);
        for name in ["fp_count;", "fp_slow(int x)\n{", "fp_fail(int why)\n{", "fp_name_x = {"] {
            let defined = units.iter().filter(|unit| {
                unit.split("FP_DEFINED").skip(1).any(|text| {
                    text.split("FP_DECLARED").next().is_some_and(|text| text.contains(name))
                })
            });
            assert_eq!(defined.count(), 1, "{name}");
        }
        assert!(!header.contains("FP_DEFINED"), "{header}");
        assert!(header.contains("FP_DECLARED fp_name fp_name_x;\n"), "{header}");
        assert!(header.contains("FP_DECLARED FP_HELPER int\nfp_slow(int x);\n"), "{header}");
        assert_eq!(header.matches("FP_DECLARED FP_COLD int fp_fail(int why);").count(), 1);
    }

    #[test]
    fn inline_functions_and_those_of_cpp_stay_in_the_header() {
        let DividedRuntime { header, units } = divide(RUNTIME, 1);
        assert!(header.contains("fp_quick(int x)\n{"), "{header}");
        assert!(header.contains("static FP_COLD void\nfp_catch(void)\n{"), "{header}");
        assert!(units[0].contains("static FP_COLD void\nfp_catch(void)\n{"));
    }
}
