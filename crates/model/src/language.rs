//! The language of a module's headers.

/// The language of the headers. Generated code is in the same language because it includes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// C; code that also compiles as C++ if a header allows both.
    #[default]
    C,
    /// C++: functions may be members of namespaces and classes, may be overloaded, and may throw.
    Cxx,
}

impl Language {
    /// Its keyword in the interface language.
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "c++",
        }
    }

    /// True for the name of one of its standards: `c11`, `gnu++20`.
    pub fn has_standard(self, name: &str) -> bool {
        let rest = name.strip_prefix("gnu").or_else(|| name.strip_prefix('c'));
        let year = rest.and_then(|rest| match self {
            Language::C => Some(rest),
            Language::Cxx => rest.strip_prefix("++"),
        });
        // Two digits; drafts have a letter: 2x, 1z.
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
