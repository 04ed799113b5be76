//! Unique names of C variables.

use std::collections::HashSet;

/// Creates names without duplicates.
///
/// The variable for argument `x` is `x_`: arguments may have the name of the C function to which
/// they are passed, or of a macro of some header (`I`, `N`), and macros rarely end in an
/// underscore.
#[derive(Debug, Default)]
pub struct Namer {
    taken: HashSet<String>,
}

impl Namer {
    /// A namer that avoids these names.
    pub fn avoiding<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Namer { taken: names.into_iter().map(str::to_owned).collect() }
    }

    /// A unique name for a variable.
    pub fn variable(&mut self, name: &str) -> String {
        self.unique(format!("{name}_"))
    }

    /// The name itself if it is free, else followed by underscores.
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
    fn names_differ_from_each_other_and_from_reserved_ones() {
        let mut namer = Namer::avoiding(["dgemm_"]);
        assert_eq!(namer.variable("dgemm"), "dgemm__");
        assert_eq!(namer.variable("x"), "x_");
        assert_eq!(namer.variable("x_"), "x__");
    }
}
