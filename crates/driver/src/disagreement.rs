//! A mismatch between a prototype and its header, in terms of the arguments.
//!
//! Purpose: extract the two function types of a message of gcc or clang, and their differences.
//! Invariant: empty if the message has another form.
//! Reason: one of 21 arguments that differs is hard to find in two lines of types.

/// The prototype's type and the header's, as written and as resolved by the compiler.
pub(crate) struct Disagreement {
    ours: FunctionType,
    /// The prototype's type as written.
    written: Option<FunctionType>,
    theirs: FunctionType,
    /// The header's type, as written there.
    pub(crate) header: String,
}

#[derive(Debug, PartialEq, Eq)]
struct FunctionType {
    result: String,
    parameters: Vec<String>,
}

impl Disagreement {
    /// Parses `initialization of 'A' {aka 'B'} from incompatible pointer type 'C' {aka 'D'}` of gcc
    /// and `incompatible function pointer types initializing 'A' (aka 'B') with an expression of
    /// type 'C'` of clang.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (ours, theirs) = text
            .split_once("from incompatible pointer type ")
            .or_else(|| text.split_once("with an expression of type "))?;
        // If only one of them is resolved, the other is as written.
        let last = |part: &str| part.split('\'').skip(1).step_by(2).last().map(one_spaced);
        let first = |part: &str| part.split('\'').nth(1).map(one_spaced);
        let header = first(theirs)?;
        let written = FunctionType::read(&first(ours)?);
        let ours = FunctionType::read(&last(ours)?)?;
        let theirs = FunctionType::read(&last(theirs)?)?;
        Some(Disagreement { ours, written, theirs, header: function(&header) })
    }

    /// True if this is the type of the prototype, as generated code spells it.
    pub(crate) fn is_about(&self, pointer: &str) -> bool {
        let spelled = FunctionType::read(&one_spaced(pointer));
        spelled.is_some() && (spelled == self.written || spelled.as_ref() == Some(&self.ours))
    }

    /// The explanation below the prototype whose arguments have these names.
    pub(crate) fn label(&self, names: &[&str]) -> String {
        let (ours, theirs) = (&self.ours, &self.theirs);
        let whole = format!("the header has `{}`", self.header);
        if self.header.contains("...")
            || ours.parameters.len() != theirs.parameters.len()
            || names.len() != ours.parameters.len()
            || names.len() < 2
            || ours.result != theirs.result
        {
            return whole;
        }
        let pairs = ours.parameters.iter().zip(&theirs.parameters).zip(names);
        let different: Vec<String> = pairs
            .filter(|((ours, theirs), _)| !are_compatible(ours, theirs))
            .map(|((_, theirs), name)| format!("`{name}` is `{theirs}` in the header"))
            .collect();
        match different.len() {
            1 | 2 => different.join(", "),
            _ => whole,
        }
    }
}

impl FunctionType {
    /// `double (*)(long, const double *)`, or without the `(*)`.
    fn read(text: &str) -> Option<Self> {
        let text = function(text);
        let inside = text.strip_suffix(')')?;
        let mut depth = 1usize;
        let open = inside.char_indices().rev().find_map(|(at, c)| {
            match c {
                ')' => depth += 1,
                '(' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(at)
        })?;
        let (result, list) = (&inside[..open], &inside[open + 1..]);
        let (mut parameters, mut depth, mut start) = (Vec::new(), 0usize, 0);
        for (at, c) in list.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    parameters.push(list[start..at].trim().to_owned());
                    start = at + 1;
                }
                _ => {}
            }
        }
        parameters.push(list[start..].trim().to_owned());
        Some(FunctionType { result: result.trim().to_owned(), parameters })
    }
}

/// The parameters have one type, apart from what C ignores: the type that a `void *` leads to, and `const` before a
/// value that a callback receives.
fn are_compatible(ours: &str, theirs: &str) -> bool {
    let is_pointer = ours.matches('*').count() == 1 && !ours.contains('(');
    let is_const = |one: &str| one.starts_with("const ");
    if theirs.trim_start_matches("const ") == "void *" && is_pointer {
        return is_const(ours) == is_const(theirs);
    }
    let both = || Some((FunctionType::read(ours)?, FunctionType::read(theirs)?));
    let received = |one: &FunctionType| {
        let values = one.parameters.iter().map(|parameter| match parameter.contains('*') {
            true => parameter.clone(),
            false => parameter.replace("const ", ""),
        });
        values.collect::<Vec<_>>()
    };
    ours == theirs
        || both().is_some_and(|(ours, theirs)| {
            ours.result == theirs.result && received(&ours) == received(&theirs)
        })
}

/// The type of a function pointer's function.
fn function(pointer: &str) -> String {
    ["(*)", "(* const)", "(*const)"].iter().fold(pointer.to_owned(), |text, star| {
        match text.split_once(star) {
            // Later ones belong to parameters.
            Some((result, rest)) if !result.contains('(') => format!("{result}{rest}"),
            _ => text,
        }
    })
}

fn one_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_that_differs_is_named() {
        let gcc = "initialization of 'int (*)(int *, size_t,  int)' {aka 'int (*)(int *, long unsigned \
                   int,  int)'} from incompatible pointer type 'int (*)(const int *, size_t,  int)' {aka \
                   'int (*)(const int *, long unsigned int,  int)'}";
        let clang = "incompatible function pointer types initializing 'int (*)(int *, size_t, int)' (aka \
                     'int (*)(int *, unsigned long, int)') with an expression of type 'int (const int *, \
                     size_t, int)' (aka 'int (const int *, unsigned long, int)')";
        let names = ["select", "n", "info"];
        let gcc = Disagreement::read(gcc).expect("gcc's");
        assert_eq!(gcc.label(&names), "`select` is `const int *` in the header");
        assert_eq!(gcc.header, "int (const int *, size_t, int)");
        assert_eq!(gcc.label(&["x"]), "the header has `int (const int *, size_t, int)`");
        let clang = Disagreement::read(clang).map(|one| one.label(&names));
        assert_eq!(clang.as_deref(), Some("`select` is `const int *` in the header"));
        assert!(Disagreement::read("too few arguments").is_none());
    }

    #[test]
    fn the_prototype_is_found_by_its_type() {
        let gcc = "initialization of 'int (* const)(size_t)' {aka 'int (* const)(long unsigned int)'} from incompatible \
                   pointer type 'int (*)(int)'";
        let gcc = Disagreement::read(gcc).expect("gcc's");
        assert!(gcc.is_about("int (*)(size_t)") && gcc.is_about("int (*)(long unsigned int)"));
        assert!(!gcc.is_about("int (*)(int)") && !gcc.is_about("int (*)(size_t, int)"));
    }

    #[test]
    fn callbacks_that_differ_in_const_values_are_not_named() {
        let gcc = "initialization of 'int (*)(double (*)(const double *, int), int (*)(int), const int *)' from \
                   incompatible pointer type 'int (*)(double (*)(const double *, const int), int (*)(const int), int *)'";
        let label = Disagreement::read(gcc).map(|one| one.label(&["f", "g", "x"]));
        assert_eq!(label.as_deref(), Some("`x` is `int *` in the header"));
        let gcc = gcc.replace("(const double *, const int)", "(double *, const int)");
        let label = Disagreement::read(&gcc).map(|one| one.label(&["f", "g", "x"]));
        assert_eq!(
            label.as_deref(),
            Some(
                "`f` is `double (*)(double *, const int)` in the header, `x` is `int *` in the header"
            )
        );
    }
}
