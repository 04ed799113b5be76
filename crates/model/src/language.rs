//! The language of a module's headers.

/// The language that the headers are written in. What is generated is of the same one, since it includes
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// C, readable as C++ where a header may be either.
    #[default]
    C,
    /// C++: functions may lie in namespaces and classes, be overloaded, and throw.
    Cxx,
}

impl Language {
    /// As the interface language writes it.
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "c++",
        }
    }

    /// True for the name of a standard of it: `c11`, `gnu++20`.
    pub fn has_standard(self, name: &str) -> bool {
        let rest = name.strip_prefix("gnu").or_else(|| name.strip_prefix('c'));
        let year = rest.and_then(|rest| match self {
            Language::C => Some(rest),
            Language::Cxx => rest.strip_prefix("++"),
        });
        // Two digits, of which drafts have letters: 2x, 1z.
        year.is_some_and(|year| {
            year.len() == 2
                && year.starts_with(|c: char| c.is_ascii_digit())
                && year.chars().all(|c| c.is_ascii_digit() || c.is_ascii_lowercase())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standards_belong_to_one_language() {
        for name in ["c99", "c11", "gnu17", "c2x"] {
            assert!(Language::C.has_standard(name) && !Language::Cxx.has_standard(name), "{name}");
        }
        for name in ["c++11", "gnu++20", "c++2b"] {
            assert!(Language::Cxx.has_standard(name) && !Language::C.has_standard(name), "{name}");
        }
        for name in ["", "17", "c", "c++", "c++x7", "-std=c99", "c++17 "] {
            assert!(!Language::C.has_standard(name) && !Language::Cxx.has_standard(name), "{name}");
        }
    }
}
