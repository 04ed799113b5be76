//! The language of a header, by its text.
//!
//! Purpose: find headers of C++ whose names end with `.h`.
//! Invariant: a header that C can include is one of C: lines under `#ifdef __cplusplus`, or `#ifdef _MSC_VER`, do not
//! count.
//! Reason: many libraries of C++ have such names, and a C compiler reports only the first line that it cannot read.

/// True if a line is one that only C++ has: a class, a namespace, a template, a header of its library.
pub fn is_cplusplus(text: &str) -> bool {
    let mut in_comment = false;
    let mut conditions: Vec<bool> = Vec::new();
    for line in text.lines() {
        let code = code(line, &mut in_comment);
        let line = code.trim();
        let Some(directive) = line.strip_prefix('#').map(str::trim_start) else {
            if !conditions.contains(&true) && declares(line) {
                return true;
            }
            continue;
        };
        if directive.starts_with("if") {
            conditions.push(directive.contains("__cplusplus") || is_special(directive));
        } else if directive.starts_with("endif") {
            conditions.pop();
        } else if let Some(name) = directive.strip_prefix("include").map(str::trim)
            && !conditions.contains(&true)
            && name.starts_with('<')
            && !name.contains(['.', '/'])
        {
            return true;
        }
    }
    false
}

/// True for the condition of some compilers or systems, `#ifdef _MSC_VER`, unlike that of a header guard.
fn is_special(directive: &str) -> bool {
    directive.strip_prefix("if").is_some_and(|condition| {
        let is_guard = condition.trim_start_matches([' ', '(']).starts_with('!');
        !is_guard && !condition.starts_with("ndef")
    })
}

/// The names of the files that the header includes from its own folder.
pub fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        let name = directive.strip_prefix("include")?.trim().strip_prefix('"')?;
        name.split('"').next()
    })
}

/// A line without its comments.
fn code(line: &str, in_comment: &mut bool) -> String {
    let mut code = String::new();
    let mut rest = line;
    loop {
        if *in_comment {
            let Some((_, after)) = rest.split_once("*/") else { return code };
            *in_comment = false;
            rest = after;
        }
        let line_comment = rest.find("//").unwrap_or(rest.len());
        match rest.find("/*").filter(|at| *at < line_comment) {
            Some(at) => {
                code += &rest[..at];
                rest = &rest[at + 2..];
                *in_comment = true;
            }
            None => return code + &rest[..line_comment],
        }
    }
}

/// `class Body`, `namespace lib {`, `template <class T>`, `using lib::f;`, `extern "C++"`
fn declares(line: &str) -> bool {
    let begins = |word: &str, next: fn(char) -> bool| {
        line.strip_prefix(word).is_some_and(|rest| {
            rest.starts_with([' ', '<', '{']) && rest.trim_start().starts_with(next)
        })
    };
    let is_name = |c: char| c == '_' || c.is_ascii_alphabetic();
    line == "namespace"
        || begins("class", is_name)
        || begins("namespace", |c| c == '{' || c == '_' || c.is_ascii_alphabetic())
        || begins("template", |c| c == '<')
        || begins("using", is_name)
        || line.starts_with("extern \"C++\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_c_plus_plus_count() {
        for text in [
            "class World;",
            "namespace lib\n{",
            "#include <cstdint>\n",
            "/* C */ template <class T> T f(T x);",
            "#ifndef LIB_H\n#define LIB_H\nusing std::size_t;\n#endif",
            "#if !defined(LIB_H)\nnamespace lib {\n#endif",
            "extern \"C++\" {",
        ] {
            assert!(is_cplusplus(text), "{text}");
        }
        for text in [
            "#ifdef __cplusplus\nnamespace lib {\n#endif\nint f(void);",
            "#if defined(__cplusplus) && 1\n#include <cstdint>\n#else\n#include <stdint.h>\n#endif",
            "#ifdef _MSC_VER\n#if _MSC_VER >= 1900\n#include <cinttypes>\n#endif\n#endif\nint f(void);",
            "/* a\nclass of\n*/ int class_of(int x); // namespace lib",
            "#include <sys/types.h>\nint\ntemplate(int x);\nstruct classes { int class; };",
        ] {
            assert!(!is_cplusplus(text), "{text}");
        }
        let names: Vec<&str> =
            included("#include \"a.h\"\n# include \"b/c.h\" // d\n#include <e.h>").collect();
        assert_eq!(names, ["a.h", "b/c.h"]);
    }
}
