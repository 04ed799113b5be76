//! The function that releases memory of the library.
//!
//! Purpose: find the function that frees strings, such as `sqlite3_free`.
//! Invariant: it takes any memory, and nothing else.
//! Reason: memory of one allocator must not be freed by another.

use super::words::lower_words;
use fishplate_readers::header::declarator::Form;
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::{Declaration, Unit};

/// The functions `void lib_free(void *)` of the headers.
#[derive(Debug)]
pub(crate) struct Frees {
    names: Vec<String>,
}

impl Frees {
    /// The one for memory that `function` allocates: the only one, or that with the same prefix, `fftwf_free` for
    /// `fftwf_alloc_real`; `None`: the headers have none.
    pub(super) fn of(&self, function: &str) -> Result<Option<&str>, String> {
        if let [] | [_] = self.names.as_slice() {
            return Ok(self.names.first().map(String::as_str));
        }
        let first = |name: &str| lower_words(name).into_iter().next();
        let found = self.names.iter().find(|name| first(name) == first(function));
        let several =
            || format!("which of `{}` frees the memory is unknown", self.names.join("`, `"));
        found.map(|name| Some(name.as_str())).ok_or_else(several)
    }
}

/// Finds them.
pub(super) fn frees(functions: &[&Declaration<'_>], unit: &Unit<'_>) -> Frees {
    let found = functions.iter().filter(|function| {
        let words = lower_words(function.name);
        let [_, last] = words.as_slice() else { return false };
        let [one] = function.parameters.as_slice() else { return false };
        let is_void = |words: &[&str]| unit.meaning(words) == Meaning::Foreign("`void`");
        last == "free"
            && function.result_form == Form::Value
            && is_void(&function.result)
            && one.form == Form::Pointer
            && !one.is_const
            && is_void(&one.words)
    });
    let names = found.map(|function| function.name.to_owned());
    Frees { names: names.collect() }
}

#[cfg(test)]
mod tests {
    use crate::guess::tests::{left_out, proto};

    #[test]
    fn memory_is_freed_by_the_function_of_its_allocator() {
        assert_eq!(
            proto("void my_free(void *p); void myf_free(void *p); float *myf_alloc(unsigned n);"),
            "own(myf_free) float *myf_alloc(unsigned n)[n]"
        );
        assert_eq!(
            left_out("void a_free(void *p); void b_free(void *p); float *my_alloc(unsigned n);"),
            "which of `a_free`, `b_free` frees the memory is unknown"
        );
    }
}
