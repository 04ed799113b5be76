//! Names of C variables that clash with nothing.

use std::collections::HashSet;

/// Gives out names, each once.
///
/// A variable for argument `x` is `x_`: arguments may be called like the C function they are passed
/// to, or like a macro of some header (`I`, `N`), and macros rarely end in an underscore.
#[derive(Debug, Default)]
pub struct Namer {
    taken: HashSet<String>,
}

impl Namer {
    /// A namer that keeps off these names.
    pub fn avoiding<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Namer { taken: names.into_iter().map(str::to_owned).collect() }
    }

    /// A name of its own for a variable.
    pub fn variable(&mut self, name: &str) -> String {
        self.unique(format!("{name}_"))
    }

    /// The name itself where it is free, else with underscores behind it.
    pub fn unique(&mut self, mut name: String) -> String {
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_from_each_other_and_from_what_is_taken() {
        let mut namer = Namer::avoiding(["dgemm_"]);
        assert_eq!(namer.variable("dgemm"), "dgemm__");
        assert_eq!(namer.variable("x"), "x_");
        assert_eq!(namer.variable("x_"), "x__");
    }
}
