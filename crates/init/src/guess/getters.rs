//! Functions that store their results through pointers.
//!
//! Purpose: find structs and numbers that a getter only sets.
//! Invariant: a number is one that C sets only if its function and its name, or its comment, cannot be about an array.
//! Reason: `T *x` in C is an input, an output or an array; names and comments are the only other source.

use super::argument::{Argument, Of, Passed};
use super::comment::Comment;
use super::words::{lower_words, type_words};
use fishplate_readers::header::syntax::Declaration;

/// Verbs of functions that only read their object.
const READS: &[&str] = &["get", "query", "fetch", "retrieve", "stat", "inspect"];

/// C sets a struct that its function is called after, `png_get_header(png, &header)`, or whose comment says so.
pub(super) fn fills(function: &str, comment: &Comment, argument: &Argument) -> bool {
    let words = lower_words(function);
    let is_named = |name: &str| {
        let parts: Vec<String> = type_words(name).iter().map(|one| one.to_lowercase()).collect();
        parts.last().is_some_and(|last| words.contains(last))
    };
    let of = argument.spelling.trim_end_matches("_t");
    comment.sets(&argument.lower)
        || is_getter(function)
            && (is_named(&argument.name) || of.split(' ').next_back().is_some_and(is_named))
}

/// A floating-point number that C sets: one of several with different names in a getter, or one in whose comment it is a
/// value.
pub(super) fn sets_one(
    function: &str,
    comment: &Comment,
    argument: &Argument,
    arguments: &[Argument],
) -> bool {
    let words = lower_words(function);
    let is_open = |one: &&Argument| {
        one.passed == Passed::Pointer && matches!(one.of, Of::Number(_)) && !one.is_const
    };
    let several = arguments.iter().filter(is_open).count() > 1;
    let name = argument.lower.trim_matches('_');
    let speaks = name.len() > 1 && !is_plural(name);
    // `shape_area(shape, &area)`, with the word for an output in the comment.
    let is_function = words.last().is_some_and(|last| last == name);
    comment.sets_value(&argument.lower)
        || comment.sets(&argument.lower)
            && is_function
            && speaks
            && !comment.sets_many(&argument.lower)
        || is_getter(function)
            && several
            && speaks
            && !words.last().is_some_and(|last| is_plural(last))
            && arguments.iter().filter(is_open).all(|one| !is_plural(&one.lower))
}

/// The name is that of several values.
pub(super) fn is_plural(name: &str) -> bool {
    name.len() > 3 && name.ends_with('s') && !name.ends_with("ss")
}

/// Arrays of objects that a getter fills, and of which it returns the number: `get_bodies(world, bodies, max_bodies)`.
pub(super) fn lists(
    function: &Declaration<'_>,
    arguments: &mut [Argument],
    returns_count: bool,
    remarks: &mut Vec<String>,
) -> Vec<usize> {
    let mut found = Vec::new();
    for index in 0..arguments.len() {
        let Argument { name, lower, of: Of::Made(_), .. } = &arguments[index] else { continue };
        let count = arguments.get(index + 1).filter(|next| next.is_count());
        let is_list = returns_count && is_getter(function.name) && is_plural(lower);
        let Some(count) = count.filter(|_| is_list) else { continue };
        remarks.push(format!(
            "`{name}` is an array of `{}` objects, and C returns how many it has stored",
            count.name
        ));
        let (name, list) = (format!("*{name}"), format!("{name}[{} : result]", count.name));
        let whole = arguments[index].whole.take().unwrap_or_default();
        arguments[index].whole = Some(whole.replacen(&name, &list, 1));
        found.push(index);
    }
    found
}

fn is_getter(function: &str) -> bool {
    lower_words(function).iter().any(|word| READS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::guess::tests::{guessed, left_out, proto};

    const DB: &str = "typedef struct db db; db *db_new(void); void db_free(db *d); \
                      typedef struct { double x; int n; } db_state; ";

    #[test]
    fn a_getter_fills_the_struct_that_it_is_called_after() {
        for (function, guessed) in [
            (
                "int db_get_state(const db *d, db_state *s);",
                "int db_get_state(const db *d, out db_state *s)",
            ),
            (
                "void db_get_last(const db *d, db_state *last);",
                "void db_get_last(const db *d, out db_state *last)",
            ),
            (
                "/* @param[out] s the state */ void db_copy(const db *d, db_state *s);",
                "void db_copy(const db *d, out db_state *s)",
            ),
            (
                "void db_set_state(db *d, db_state *s);",
                "void db_set_state(db *d, inplace db_state *s)",
            ),
            (
                "void db_get_all(const db *d, db_state *s);",
                "void db_get_all(const db *d, inplace db_state *s)",
            ),
        ] {
            assert_eq!(proto(&format!("{DB}{function}")), guessed);
        }
    }

    #[test]
    fn numbers_that_cannot_be_arrays() {
        for (function, guessed) in [
            (
                "void db_get_range(const db *d, double *low, double *high);",
                "void db_get_range(const db *d, out double *low, out double *high)",
            ),
            (
                "/* @param[out] g The value of gamma. */ void db_gamma(const db *d, double *g);",
                "void db_gamma(const db *d, out double *g)",
            ),
        ] {
            assert_eq!(proto(&format!("{DB}{function}")), guessed);
        }
        for (function, name) in [
            ("void db_get_gamma(const db *d, double *gamma);", "gamma"),
            ("void db_get_points(const db *d, double *left, double *right);", "left"),
            ("void db_get_point(const db *d, double *x, double *y);", "x"),
            ("/* @param[out] g The values. */ void db_gamma(const db *d, double *g);", "g"),
            ("/* @param[out] g An array. */ void db_gamma(const db *d, double *g);", "g"),
        ] {
            let reason = format!("the parameter `{name}` has no known length");
            assert_eq!(left_out(&format!("{DB}{function}")), reason);
        }
    }

    #[test]
    fn objects_that_their_owner_destroys() {
        const WORLD: &str = "typedef struct world world; world *world_new(void); void world_free(world *w); \
                             typedef struct body body; body *world_create_body(world *w, double mass); ";
        const PAIR: &str = "void world_destroy_body(world *w, body *b);";
        assert_eq!(
            proto(&format!("{WORLD}{PAIR}")),
            "void world_destroy_body(world *w, own body *b)"
        );
        let made = format!("{WORLD}{PAIR} body *world_create_body(world *w, int n);");
        assert_eq!(proto(&made), "borrow(w) body *world_create_body(world *w, int n)");
        assert_eq!(
            proto(&format!("{WORLD}{PAIR} double body_mass(const body *b);")),
            "double body_mass(const body *b)"
        );
        let all = format!(
            "{WORLD}{PAIR} size_t world_get_bodies(world *w, body **bodies, size_t max_bodies);"
        );
        assert_eq!(
            proto(&all),
            "size_t world_get_bodies(world *w, out borrow(w) body *bodies[max_bodies : result], size_t max_bodies)"
        );
        let all = format!("{WORLD}{PAIR} void world_bodies(world *w, body **bodies, int most);");
        assert_eq!(left_out(&all), "`bodies` may be an array of handles");
        // Another stem is no pair.
        let other = format!("{WORLD} void world_destroy_joint(world *w, body *b);");
        assert_eq!(left_out(&other), "`b` is a pointer to a struct");
    }

    #[test]
    fn most_methods_begin_with_the_name_of_their_class() {
        let header = "typedef struct q QRinput; typedef struct c QRcode; void QRcode_free(QRcode *c); \
                      QRinput *QRinput_new(void); void QRinput_free(QRinput *i); int QRinput_level(QRinput *i); \
                      int QRinput_version(QRinput *i); int QRinput_mode(QRinput *i); int QRinput_count(QRinput *i); QRcode *QRcode_createFrom(QRinput *i); ";
        for (function, method) in [
            (
                "int QRinput_size(const QRinput *i);",
                Some(("QRinput".to_owned(), "size".to_owned())),
            ),
            ("int QRcode_size(const QRinput *i);", None),
        ] {
            assert_eq!(guessed(&format!("{header}{function}")).unwrap().method, method);
        }
    }

    #[test]
    fn destructors_with_the_letter_of_their_type() {
        const FILES: &str = "typedef struct zip zip_t; zip_t *zip_open(const char *path); void zip_discard(zip_t *z); \
                             int zip_close(zip_t *z); typedef struct zip_file zip_file_t; \
                             zip_file_t *zip_fopen(zip_t *z, const char *name); int zip_fclose(zip_file_t *f); ";
        assert_eq!(
            proto(&format!("{FILES} zip_file_t *zip_fopen_index(zip_t *z, int k);")),
            "own keep(z) zip_file_t *zip_fopen_index(zip_t *z, int k)"
        );
        let other = "typedef struct part part; part *get_part(int k); int part_reclose(part *p);";
        assert_eq!(left_out(other), "the function may free a `Part`");
    }

    #[test]
    fn messages_have_the_type_of_the_header() {
        assert_eq!(
            proto("typedef char const *sx_error_t; sx_error_t sx_step(double x);"),
            "status sx_error_t sx_step(double x)"
        );
    }
}
