//! Facts in comments that a prototype cannot express.
//!
//! Purpose: derive from the comment above a declaration who frees memory, and whether 0 is success.
//! Invariant: a comment counts only if it is unambiguous.
//! Reason: libraries document ownership and return codes for people, in a handful of phrases.

/// Words for what a function reads: one that consumes them copies them.
const DATA: &[&str] = &["block", "blocks", "bytes", "characters", "data", "input", "text"];

/// Words for several values.
const MANY: &[&str] =
    &["array", "buffer", "elements", "list", "matrix", "numbers", "values", "vector"];

/// The comment above a declaration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comment {
    /// The words of each sentence, in lower case.
    sentences: Vec<Vec<String>>,
}

impl Comment {
    pub(crate) fn new(text: &str) -> Self {
        let text = text.to_ascii_lowercase().replace("non-zero", "nonzero").replace("\n\n", ". ");
        let text = text.replace("\n- ", ". ");
        let sentences = text.split(['.', ';', '@', '\\']).map(|sentence| {
            let words =
                sentence.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
            words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
        });
        Comment { sentences: sentences.filter(|words: &Vec<String>| !words.is_empty()).collect() }
    }

    fn any(&self, holds: &dyn Fn(&Sentence<'_>) -> bool) -> bool {
        self.sentences.iter().any(|words| holds(&Sentence(words)))
    }

    /// C takes ownership of an argument: it frees it, or uses it after the call.
    /// `returns_borrowed`: the result belongs to something else.
    pub(super) fn takes_over(&self, returns_borrowed: bool) -> bool {
        self.any(&|sentence| {
            let is_owned = sentence.follows(&["owned", "by"]);
            let gives_up = sentence.gives_up();
            let takes = sentence.has(&[
                "ownership",
                "owns",
                "owned",
                "steals",
                "stolen",
                "adopts",
                "adopted",
            ]) || sentence.has(&["consumes", "consumed"]) && !sentence.has(DATA)
                || sentence.follows(&["takes", "over"])
                || sentence.follows(&["do", "not", "free"])
                || sentence.follows(&["becomes", "invalid"])
                || sentence.follows(&["no", "longer", "valid"])
                || sentence.follows(&["no", "longer", "be", "used"])
                || sentence.follows(&["not", "be", "used", "after"])
                || ["freed", "destroyed", "released", "deallocated"].iter().any(|done| {
                    sentence.follows(&["will", "be", done])
                        || sentence.follows(&["is", done, "by"])
                        || sentence.follows(&["are", done, "by"])
                });
            let is_about_result = !gives_up
                && (sentence.has(&["return", "returns", "returned", "result", "caller"])
                    || is_owned && returns_borrowed);
            takes && !is_about_result
        })
    }

    /// C takes ownership of an argument, in so many words.
    pub(super) fn takes_ownership(&self) -> bool {
        const PASSES: &[&str] =
            &["takes", "take", "transfers", "transferred", "assumes", "passes", "passed", "moves"];
        self.any(&|sentence| {
            let takes = sentence.has(PASSES) && sentence.has(&["ownership"])
                || sentence.follows(&["takes", "over"])
                || sentence.has(&["steals", "adopts", "consumes"]) && !sentence.has(DATA);
            takes && !sentence.has(&["not", "never", "caller", "unless", "if"])
        })
    }

    /// The result belongs to something else, and the caller must not free it.
    pub(super) fn library_owns(&self) -> bool {
        self.any(&|sentence| {
            let is_about_result =
                sentence.has(&["return", "returns", "returned", "result", "pointer", "reference"]);
            let is_denied = ["freed", "destroyed", "released", "deallocated"]
                .iter()
                .any(|done| sentence.follows(&["not", "be", done]))
                || ["free", "destroy", "release", "deallocate"].iter().any(|verb| {
                    sentence.follows(&["not", verb]) || sentence.follows(&["never", verb])
                });
            let is_other = sentence.has(&["internal", "borrowed"])
                || sentence.follows(&["owned", "by"]) && !sentence.has(&["caller"]);
            // "An internal reference to it is kept" is about an argument.
            let is_kept =
                sentence.has(&["kept", "keeps", "retained", "retains", "holds", "stores"]);
            is_about_result && !is_kept && (is_denied || is_other)
        })
    }

    /// C only sets the argument of this name: `@param[out] x`.
    pub(super) fn sets(&self, name: &str) -> bool {
        self.any(&|sentence| sentence.begins(&["param", "out", name]))
    }

    /// The argument of this name may be NULL.
    pub(super) fn may_be_null(&self, name: &str) -> bool {
        const NULL: &[&[&str]] = &[
            &["or", "null"],
            &["be", "null"],
            &["null", "if"],
            &["null", "for"],
            &["null", "to"],
            &["pass", "null"],
            &["if", "null"],
        ];
        self.any(&|sentence| {
            // Descriptions of parameters are a list: "- `format`: the style, or NULL".
            let (plain, read) = (["param", name], ["param", "in", name]);
            let is_about =
                sentence.begins(&[name]) || sentence.begins(&plain) || sentence.begins(&read);
            let is_optional = NULL.iter().any(|words| sentence.follows(words))
                || sentence.0.iter().take(4).any(|word| word == "optional");
            is_about
                && is_optional
                && !sentence.has(&["not", "cannot", "never", "must", "non-null"])
        })
    }

    /// The same, and it is one value.
    pub(super) fn sets_value(&self, name: &str) -> bool {
        self.any(&|sentence| {
            sentence.begins(&["param", "out", name])
                && sentence.has(&["value", "number"])
                && !sentence.has(MANY)
        })
    }

    /// The same, and they are several values.
    pub(super) fn sets_many(&self, name: &str) -> bool {
        self.any(&|sentence| sentence.begins(&["param", "out", name]) && sentence.has(MANY))
    }

    /// The caller must free the result.
    pub(super) fn caller_frees(&self) -> bool {
        self.any(&|sentence| {
            // Also the name of a function: "must be passed to `unit_free()`".
            let frees = sentence.any(&|word| {
                ["free", "destroy", "deallocat", "releas", "dispos"]
                    .iter()
                    .any(|verb| word.split('_').any(|part| part.starts_with(verb)))
            });
            let must = sentence.has(&["caller", "must", "should", "responsible", "responsibility"])
                || sentence.follows(&["has", "to"])
                || sentence.follows(&["needs", "to"]);
            let is_denied = sentence.has(&["not", "never"])
                || sentence.has(&["no"]) && !sentence.follows(&["no", "longer"]);
            let is_new = sentence.follows(&["newly", "allocated"])
                || sentence.follows(&["newly", "created"])
                || sentence.follows(&["caller", "owns"])
                || sentence.has(&["ownership"]) && sentence.has(&["caller"]);
            (frees && must || is_new) && !is_denied && !sentence.gives_up()
        })
    }

    /// C copies an argument.
    pub(super) fn copies(&self) -> bool {
        self.any(&|sentence| {
            sentence.has(&["copied", "copies", "duplicated", "duplicates"])
                && !sentence.has(&["not", "never", "without"])
        })
    }

    /// The result is a `bool`, which is false or 0 on failure.
    pub(super) fn zero_is_failure(&self) -> bool {
        const FAILURE: &[&[&str]] = &[
            &["returns", "true"],
            &["returns", "false"],
            &["returning", "true"],
            &["returning", "false"],
            &["return", "true"],
            &["return", "false"],
            &["true", "on", "success"],
            &["false", "on", "error"],
            &["false", "on", "failure"],
            &["nonzero", "on", "success"],
            &["1", "on", "success"],
            &["0", "on", "error"],
            &["0", "on", "failure"],
        ];
        self.any(&|sentence| FAILURE.iter().any(|words| sentence.follows(words)))
    }

    /// The result is 0 on success, and another value on failure.
    pub(super) fn zero_is_success(&self) -> bool {
        let is_zero = |sentence: &Sentence<'_>| {
            sentence.0.iter().enumerate().any(|(at, word)| {
                let after = |count: usize| {
                    let rest = &sentence.0[at + 1..];
                    rest[..rest.len().min(count)].iter().map(String::as_str)
                };
                let fails = after(4).any(|word| {
                    word.starts_with("fail")
                        || matches!(word, "error" | "errors" | "if" | "otherwise" | "when")
                });
                let succeeds =
                    |word: &str| word.starts_with("success") || matches!(word, "ok" | "okay");
                let before = sentence.0[at.saturating_sub(4)..at].iter();
                let or_else: Vec<&str> = after(3).collect();
                let rest = match or_else.as_slice() {
                    ["or" | "and", rest @ ..] => rest,
                    all => all,
                };
                let is_pair = matches!(
                    rest,
                    ["-1" | "nonzero" | "negative", ..]
                        | ["a", "negative", ..]
                        | ["an", "error", ..]
                );
                matches!(word.as_str(), "0" | "zero")
                    && (after(4).take_while(|word| *word != "or").any(succeeds)
                        || is_pair
                        || !fails && before.map(String::as_str).any(succeeds))
            })
        };
        let is_one = |sentence: &Sentence<'_>| {
            sentence.follows(&["1", "on", "success"])
                || sentence.follows(&["1", "if"])
                || sentence.follows(&["nonzero", "on", "success"])
                || sentence.has(&["number", "count", "length", "index", "size", "bytes"])
        };
        self.any(&is_zero) && !self.any(&is_one)
    }
}

/// The words of a sentence.
struct Sentence<'a>(&'a [String]);

impl Sentence<'_> {
    fn any(&self, holds: &dyn Fn(&str) -> bool) -> bool {
        self.0.iter().any(|word| holds(word))
    }

    fn has(&self, list: &[&str]) -> bool {
        self.any(&|word| list.contains(&word))
    }

    /// The caller no longer owns the argument.
    fn gives_up(&self) -> bool {
        self.has(&["relinquishes", "relinquish", "loses"])
            || self.follows(&["gives", "up"])
            || self.follows(&["from", "the", "caller"])
    }

    /// It begins with these words.
    fn begins(&self, words: &[&str]) -> bool {
        self.0.len() >= words.len() && self.0.iter().zip(words).all(|(one, other)| one == other)
    }

    /// These words are consecutive.
    fn follows(&self, words: &[&str]) -> bool {
        self.0
            .windows(words.len())
            .any(|here| here.iter().zip(words).all(|(one, other)| one == other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_may_be_null() {
        for text in [
            "@param format A pointer to a Format instance or NULL.",
            "\\param[in] format the style; may be ignored. @param format can be NULL",
            "@param format Optional style.",
            "Writes it.\n\n- `cell`: where\n- `format`: A pointer to a Format instance or NULL.",
            "@param format The style, NULL for the default one.",
        ] {
            assert!(Comment::new(text).may_be_null("format"), "{text}");
        }
        for text in [
            "@param format must not be NULL",
            "@param other or NULL. @param format the style",
            "@param format The style. @return a cell, or NULL",
        ] {
            assert!(!Comment::new(text).may_be_null("format"), "{text}");
        }
    }

    #[test]
    fn zero_for_failure() {
        for (text, is) in [
            ("Returns false in case of error, true otherwise.", true),
            ("This function will also validate the header, returning true on success.", true),
            ("@return true if it is valid.", true),
            ("Returns non-zero on success.", true),
            ("Returns 0 on success, or a code.", false),
            ("Sets whether it is true.", false),
        ] {
            assert_eq!(Comment::new(text).zero_is_failure(), is, "{text}");
        }
    }

    #[test]
    fn zero_for_success() {
        for (text, is) in [
            ("Returns 0 on success, or -1 with errno set.", true),
            ("Returns 0, or -1 if there is no memory.", true),
            ("@return zero if successful", true),
            ("On success, 0 is returned; otherwise a code.", true),
            ("Returns 0 for success and non-zero for errors.", true),
            ("Returns 1 on success, 0 on failure.", false),
            ("Returns non-zero on success, 0 on error.", false),
            ("Returns the number of bytes, 0 at the end, or -1.", false),
            ("Returns 0 if they are equal.", false),
            ("Sets x to 0.", false),
            ("", false),
        ] {
            assert_eq!(Comment::new(text).zero_is_success(), is, "{text}");
        }
    }

    #[test]
    fn data_is_read_and_objects_are_taken_over() {
        for (text, is) in [
            ("Consumes a block of input.", false),
            ("Consumes the row.", true),
            ("The array is consumed by this call.", true),
        ] {
            assert_eq!(Comment::new(text).takes_over(false), is, "{text}");
        }
    }

    #[test]
    fn what_the_library_owns() {
        for (text, is) in [
            ("Returns a pointer to the internal ring.", true),
            ("The result must not be freed.", true),
            ("Otherwise, an internal reference to 'buffer' is kept.", false),
            ("The returned node is owned by its document.", true),
            ("The caller must free the result.", false),
            ("Returns a geometry owned by the caller.", false),
            ("The point is owned by the line.", false),
        ] {
            assert_eq!(Comment::new(text).library_owns(), is, "{text}");
        }
        let comment = Comment::new("Its name, owned by the object.");
        assert!(comment.takes_over(false) && !comment.takes_over(true));
    }

    #[test]
    fn who_frees_what() {
        for (text, takes, frees) in [
            ("Makes a point.\n@param s coordinates, ownership passes to the point", true, false),
            ("Adds the item, and takes over its memory.", true, false),
            ("A newly allocated geometry. Caller is responsible for freeing.", false, true),
            ("The result must be freed with geom_destroy().", false, true),
            (
                "Pass it to ut_free() when it is no longer needed, which the caller must do.",
                false,
                true,
            ),
            ("The pointer should be passed to ut_free() when it is no longer needed.", false, true),
            ("The caller takes ownership of the result.", false, true),
            ("The result must not be freed.", false, false),
            ("Frees all rows.", false, false),
            ("The caller gives up the ownership of s.", true, false),
            ("The sequence is owned by the point afterwards.", true, false),
            ("The ring is destroyed by the polygon.", true, false),
            ("After this call the reader is no longer valid.", true, false),
        ] {
            let comment = Comment::new(text);
            assert_eq!(
                (comment.takes_over(false), comment.caller_frees()),
                (takes, frees),
                "{text}"
            );
        }
    }
}
