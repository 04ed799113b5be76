//! The functions that create and destroy the objects of one type.
//!
//! Purpose: find them by their names and their types.
//! Invariant: a destructor has one argument, an object or the address of a pointer to it, and its name
//! differs from that of a constructor in the verb alone, or consists of the names of the library and of the type.
//! Reason: `x_new` and `x_free`, `x_open` and `x_close`, `curl_easy_init` and `curl_easy_cleanup` belong
//! together, which C cannot declare.

use super::destructors::{self, Free, Given};
use super::words::{lower_words, type_words};
use fishplate_readers::header::bodies::Struct;
use fishplate_readers::header::declarator::{Form, Parameter};
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::{Declaration, Unit};

pub(super) const FREES: &[&str] = &[
    "free", "destroy", "close", "delete", "finalize", "release", "dispose", "cleanup", "finish",
    "unref", "del", "end", "fini",
];
/// Those that say nothing else.
const DESTROYS: &[&str] = &["free", "destroy", "delete", "close"];
/// Verbs that say so if the other words are those of a function that creates one.
const REMOVES: &[&str] = &["remove", "erase", "release", "dispose"];
/// Verbs of functions that create an object which belongs to another one.
const CREATES: &[&str] = &["create", "new", "make", "add", "insert", "append"];
/// Verbs of functions that clear an object whose memory is the caller's.
pub(super) const CLEARS: &[&str] = &["clear", "deinit", "uninit", "fin"];
pub(super) const MAKES: &[&str] = &[
    "new", "create", "alloc", "open", "init", "make", "calloc", "build", "parse", "dup", "clone",
    "copy", "compile", "load", "connect", "start", "prepare", "begin",
];
/// Verbs of functions that create another object of the same kind, independent of the first.
pub(super) const COPIES: &[&str] = &["dup", "clone", "copy"];
/// Words in names of functions that denote any object.
pub(super) const OBJECTS: &[&str] =
    &["instance", "object", "obj", "handle", "context", "ctx", "struct"];
/// Words in names of types for pointers to anything.
const ANYTHING: &[&str] = &["void", "ptr", "pointer", "handle", "data", "addr", "any", "arg"];

/// A type, with the functions of its library.
pub(super) struct Kind<'u, 't> {
    own: &'u [&'u Declaration<'t>],
    unit: &'u Unit<'t>,
    library: &'u str,
    /// Its name if it has several in C.
    key: &'u str,
    /// Its name in most declarations.
    word: String,
    /// The words that identify it, in lower case.
    words: Vec<String>,
}

/// A destructor.
pub(super) struct Destructor {
    pub free: Free,
    /// The words of its name besides the verb, the library and the type.
    stem: Vec<String>,
}

impl<'u, 't> Kind<'u, 't> {
    /// The type `key`, which the headers spell by `word`.
    pub(super) fn new(
        own: &'u [&'u Declaration<'t>],
        unit: &'u Unit<'t>,
        library: &'u str,
        key: &'u str,
        word: &str,
    ) -> Self {
        let mut kind = Kind { own, unit, library, key, word: word.to_owned(), words: Vec::new() };
        for name in [kind.public_name(word), kind.public_name(tag(key))] {
            kind.words.extend(type_words(&name).into_iter().map(str::to_ascii_lowercase));
        }
        kind
    }

    /// The type without the mark of a pointer that Windows' names have: `cmsPROFILE` for `cmsHPROFILE`, if the
    /// names of functions have this word.
    pub(super) fn public_name(&self, name: &str) -> String {
        let last = type_words(name).last().copied().unwrap_or_default();
        let Some(rest) = last.strip_prefix('H').filter(|_| self.is_void()) else {
            return name.to_owned();
        };
        let is_word = |one: &&Declaration<'_>| {
            lower_words(one.name).iter().any(|word| word.eq_ignore_ascii_case(rest))
        };
        match self.own.iter().any(is_word) {
            true => name.replacen(last, rest, 1),
            false => name.to_owned(),
        }
    }

    /// The headers do not contain the struct.
    pub(super) fn is_opaque(&self) -> bool {
        !self.unit.structs.contains_key(tag(self.key))
    }

    /// A struct with pointers, unions or bit fields, which callers cannot fill, and which functions accept.
    fn is_private(&self) -> bool {
        let found = self.unit.structs.get(tag(self.key));
        let is_pointer = |form: &Form<'_>| !matches!(form, Form::Value | Form::Array(_));
        let is_union = |words: &[&str]| self.unit.meaning(words) == Meaning::Foreign("a union");
        let is_plain = |body: &Struct<'_>| {
            body.is_whole
                && !body.fields.iter().any(|it| is_pointer(&it.form) || is_union(&it.words))
        };
        let accepts = |one: &Declaration<'_>| {
            one.parameters.iter().any(|it| self.points(&it.words, &it.form))
        };
        // An open file is an argument of its own kind.
        self.word != "FILE"
            && found.is_some_and(|body| !is_plain(body))
            && self.own.iter().any(|one| accepts(one))
    }

    /// The type is a name for `void` or for a pointer to it.
    fn is_void(&self) -> bool {
        self.unit.typedefs.get(self.key).is_some_and(|typedef| typedef.words == ["void"])
    }

    /// Functions return such pointers, and none creates an object, so that the library owns them.
    pub(super) fn is_given(&self) -> bool {
        let creates = |one: &&&Declaration<'_>| {
            self.rest(one.name).iter().any(|word| MAKES.contains(&word.as_str()))
        };
        let is_anything = self.is_void()
            && self.words.iter().any(|word| ANYTHING.iter().any(|any| word.contains(any)));
        let mut made = self.own.iter().filter(|one| self.gives(one) || self.stores(one));
        !is_anything
            && (self.is_opaque() || self.is_private())
            && self.own.iter().any(|one| self.gives(one))
            && !made.any(|one| creates(&one))
    }

    /// The function that destroys an object of the one that created it: `world_destroy_body(world, body)` next to
    /// `world_create_body(world)`.
    pub(super) fn destroyer(&self) -> Option<&'u Declaration<'t>> {
        let destroys: Vec<&str> = DESTROYS.iter().chain(REMOVES).copied().collect();
        self.own.iter().copied().find(|one| {
            let [owner, object] = one.parameters.as_slice() else { return false };
            let stem = self.verb(one.name, &destroys);
            let is_owner = destructors::context(owner, self.key, self.unit).is_none();
            let owner = self.unit.named(&owner.words);
            let makes = |maker: &&Declaration<'_>| {
                let first = maker.parameters.first().and_then(|it| self.unit.named(&it.words));
                self.gives(maker)
                    && !self.gives_const(maker)
                    && first == owner
                    && self.verb(maker.name, CREATES) == stem
            };
            is_owner
                && one.result == ["void"]
                && one.result_form == Form::Value
                && self.points(&object.words, &object.form)
                && !object.is_const
                && stem.is_some()
                && owner.as_ref().is_some_and(|(key, _)| key != self.key)
                && self.own.iter().any(makes)
        })
    }

    /// The depth of this pointer to the type.
    fn depth(&self, words: &[&str], form: &Form<'_>) -> Option<usize> {
        let (found, stars) = self.unit.named(words)?;
        (found == self.key).then_some(stars + written(form)?)
    }

    pub(super) fn points(&self, words: &[&str], form: &Form<'_>) -> bool {
        self.depth(words, form) == Some(1)
    }

    fn takes(&self, function: &Declaration<'_>) -> bool {
        function.parameters.iter().any(|it| self.points(&it.words, &it.form) && !it.is_const)
    }

    fn stores(&self, function: &Declaration<'_>) -> bool {
        function.parameters.iter().any(|it| self.depth(&it.words, &it.form) == Some(2))
    }

    fn gives(&self, function: &Declaration<'_>) -> bool {
        self.points(&function.result, &function.result_form)
    }

    fn gives_const(&self, function: &Declaration<'_>) -> bool {
        function.result_is_const || self.unit.points_to_const(&function.result)
    }

    /// The functions that may create an object.
    pub(super) fn makers(&self) -> impl Iterator<Item = &'u Declaration<'t>> {
        self.own.iter().copied().filter(|one| {
            let frees = (self.frees(one) || self.frees_with(one).is_some())
                && self.verb(one.name, FREES).is_some();
            !frees
                && (self.gives(one) && !self.gives_const(one) && !self.takes(one)
                    || self.stores(one))
        })
    }

    /// Some function creates objects. An array of pointers that C only reads creates none.
    pub(super) fn is_allocated(&self) -> bool {
        self.own.iter().any(|one| {
            self.gives(one) && !self.gives_const(one)
                || self.stores(one) && one.parameters.iter().all(|it| !it.is_const)
        })
    }

    /// The function of one object that these verbs name, with the shortest name.
    pub(super) fn of_one(&self, verbs: &[&str]) -> Option<&'u Declaration<'t>> {
        let named = self.own.iter().copied().filter(|one| self.frees(one)).filter(
            |one| matches!(self.rest(one.name).as_slice(), [word] if verbs.contains(&word.as_str())),
        );
        named.min_by_key(|function| function.name.len())
    }

    /// The function that destroys an object.
    pub(super) fn destructor(&self) -> Option<Destructor> {
        let new = |function: &Declaration<'_>, stem| Destructor { free: self.call(function), stem };
        if let Some(function) = self.of_one(FREES) {
            return Some(new(function, Vec::new()));
        }
        if let Some(found) = self.destructor_of_one_type(new) {
            return Some(found);
        }
        // One that needs more than the object.
        let named = self.own.iter().copied().filter_map(|one| {
            let arguments = self.frees_with(one)?;
            let free = Free { function: one.name.to_owned(), arguments };
            Some(Destructor { free, stem: self.verb(one.name, FREES)? })
        });
        let mut pairs = named.filter(|one| {
            one.stem.is_empty() || self.makers().any(|maker| self.creates(maker, &one.stem))
        });
        let first = pairs.next()?;
        pairs.all(|other| other.stem == first.stem).then_some(first)
    }

    /// The only one whose name differs from that of a constructor in the verb alone.
    fn destructor_of_one_type(
        &self,
        new: impl Fn(&Declaration<'_>, Vec<String>) -> Destructor,
    ) -> Option<Destructor> {
        // Several pairs are several sorts of objects, for which one type serves.
        let all = self.own.iter().copied().filter(|one| self.frees(one));
        let all = all.filter_map(|one| Some(new(one, self.verb(one.name, FREES)?)));
        let mut pairs = all.filter(|one| self.makers().any(|maker| self.creates(maker, &one.stem)));
        let first = pairs.next()?;
        pairs.all(|other| other.stem == first.stem).then_some(first)
    }

    /// The constructor with the shortest name that differs from the destructor's in the verb alone.
    pub(super) fn maker(&self, free: Option<&Destructor>) -> Option<&'u Declaration<'t>> {
        let stem = free.map_or(&[][..], |free| &free.stem);
        let plain = self.makers().filter(|one| self.creates(one, stem));
        plain.min_by_key(|one| one.name.len())
    }

    /// The name consists of a verb for creating, and of these words.
    fn creates(&self, function: &Declaration<'_>, stem: &[String]) -> bool {
        let verbs: Vec<&str> =
            MAKES.iter().copied().filter(|verb| !COPIES.contains(verb)).collect();
        self.verb(function.name, &verbs).is_some_and(|words| words == stem)
    }

    /// The words of a name besides its first or last word, which is one of these verbs.
    fn verb(&self, name: &str, verbs: &[&str]) -> Option<Vec<String>> {
        let is_verb = |word: &String| verbs.contains(&word.as_str());
        match self.rest(name).as_slice() {
            [stem @ .., last] if is_verb(last) => Some(stem.to_vec()),
            [first, stem @ ..] if is_verb(first) => Some(stem.to_vec()),
            _ => None,
        }
    }

    /// How this destructor is called.
    fn call(&self, function: &Declaration<'_>) -> Free {
        let object = if self.stores(function) { Given::Address } else { Given::Object };
        Free { function: function.name.to_owned(), arguments: vec![object] }
    }

    /// The arguments of a destructor that needs more than the object.
    fn frees_with(&self, function: &Declaration<'_>) -> Option<Vec<Given>> {
        let given = |one: &Parameter<'_>| match self.depth(&one.words, &one.form) {
            Some(1) if !one.is_const => Some(Given::Object),
            Some(2) if !one.is_const => Some(Given::Address),
            Some(_) => None,
            None => destructors::given(one, self.key, self.unit),
        };
        let arguments: Vec<Given> = function.parameters.iter().map(given).collect::<Option<_>>()?;
        let count = |is: fn(&Given) -> bool| arguments.iter().filter(|one| is(one)).count();
        let objects = count(|one| matches!(one, Given::Object | Given::Address));
        let contexts = count(|one| matches!(one, Given::Context(_)));
        let drops = function.result == ["void"]
            || matches!(self.unit.meaning(&function.result), Meaning::Scalar(scalar) if scalar.is_integer());
        let is_destructor = objects == 1
            && contexts <= 1
            && arguments.len() > 1
            && drops
            && function.result_form == Form::Value
            && self.verb(function.name, FREES).is_some();
        is_destructor.then_some(arguments)
    }

    /// A function of one object, whose result does not describe it.
    fn frees(&self, function: &Declaration<'_>) -> bool {
        let [one] = function.parameters.as_slice() else { return false };
        let drops = match self.unit.meaning(&function.result) {
            Meaning::Scalar(scalar) => scalar.is_integer(),
            Meaning::Foreign(what) => what == "`void`",
        };
        let says = |verbs| self.verb(function.name, verbs).is_some();
        // NULL, to be stored in place of the pointer.
        let gives_nothing = self.gives(function) && says(DESTROYS);
        let depth = self.depth(&one.words, &one.form);
        (drops && function.result_form == Form::Value || gives_nothing)
            && (depth == Some(1) || depth == Some(2) && says(FREES))
    }

    /// The words of a function's name that name neither the library nor the type.
    fn rest(&self, name: &str) -> Vec<String> {
        // `cmsMLUfree` of a `cmsMLU`
        let after = name.strip_prefix(self.word.as_str()).map(lower_words);
        let is_verb = |word: &String| {
            [FREES, CLEARS, MAKES].iter().any(|verbs| verbs.contains(&word.as_str()))
        };
        if let Some(words) = after.filter(|words| matches!(words.as_slice(), [one] if is_verb(one)))
        {
            return words;
        }
        let words = lower_words(name).into_iter();
        let mut rest: Vec<String> =
            words.filter(|word| !self.words.contains(word) && word != self.library).collect();
        if rest.len() == 2 && OBJECTS.contains(&rest[1].as_str()) {
            rest.pop();
        }
        // `gzclose` of a `gzFile`, `zip_fclose` of a `zip_file_t`
        if let [word] = rest.as_mut_slice() {
            let letters = self.words.iter().filter_map(|kind| kind.get(..1));
            let joined = self.words.iter().map(String::as_str).chain(letters).find_map(|kind| {
                let verb = word.strip_prefix(kind)?;
                (FREES.contains(&verb) || MAKES.contains(&verb)).then(|| verb.to_owned())
            });
            *word = joined.unwrap_or_else(|| std::mem::take(word));
        }
        rest
    }

    /// The name begins with that of the type, and has more words.
    pub(super) fn is_called_after(&self, name: &str) -> bool {
        let (all, own) = (lower_words(name), lower_words(&type_words(&self.word).join("_")));
        all.len() > own.len() && all.starts_with(&own)
    }

    /// The word names the library or the type, or is one of its destructor's name.
    pub(super) fn is_own_word(&self, word: &str, free: Option<&Destructor>) -> bool {
        let mut own = self.words.iter().chain(free.iter().flat_map(|free| &free.stem));
        word == self.library || own.any(|it| it == word)
    }
}

/// The name without `struct` or `union`.
fn tag(key: &str) -> &str {
    key.split_once(' ').map_or(key, |(_, tag)| tag)
}

/// The number of stars in a declarator.
pub(super) fn written(form: &Form<'_>) -> Option<usize> {
    match form {
        Form::Value => Some(0),
        Form::Pointer => Some(1),
        Form::PointerToPointer => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::guess::tests::{left_out, proto};

    #[test]
    fn structs_with_pointers_may_be_objects_of_the_library() {
        const CHART: &str =
            "typedef struct chart chart; chart *chart_new(void); void chart_free(chart *c);
            typedef struct { char *name; int n; } series; typedef struct { char *name; } font; ";
        for (function, guessed) in [
            (
                "void series_show(series *s, int on); series *chart_add_series(chart *c);",
                "borrow(c) series *chart_add_series(chart *c)",
            ),
            (
                "series *chart_add_series(chart *c); void series_show(series *s, int on);",
                "void series_show(series *s, int on)",
            ),
        ] {
            assert_eq!(proto(&format!("{CHART} {function}")), guessed);
        }
        for body in ["union { int i; double x; } as;", "any as;", "unsigned kind : 3; int n;"] {
            let values = format!(
                "typedef union {{ int i; double x; }} any; typedef struct {{ int type; {body} }} value;"
            );
            let rest = "int value_type(const value *v); value *chart_title(chart *c);";
            assert_eq!(
                proto(&format!("{CHART} {values} {rest}")),
                "borrow(c) value *chart_title(chart *c)"
            );
        }
        for (function, reason) in [
            // A caller fills it.
            (
                "void chart_use(chart *c, font *f);",
                "`f` is a pointer to a struct, whose field `name` is a pointer",
            ),
            (
                "series *chart_series(chart *c);",
                "the returned pointer has no known owner or length",
            ),
        ] {
            assert_eq!(left_out(&format!("{CHART} {function}")), reason);
        }
    }

    #[test]
    fn void_pointers_with_a_name_are_objects() {
        // Windows' names of types, and one type for two sorts of objects.
        const COLOURS: &str =
            "typedef void *cmHPROFILE; typedef void *cmHANDLE; typedef const void *cmVIEW;
        cmHPROFILE cmOpenProfile(const char *path); int cmCloseProfile(cmHPROFILE p);
        cmHPROFILE cmCreateProfileLike(cmHPROFILE p);
        cmHANDLE cmDictAlloc(int n); void cmDictFree(cmHANDLE d);
        cmHANDLE cmTableAlloc(int n); void cmTableFree(cmHANDLE t);";
        const EASY: &str =
            "typedef void EASY; EASY *net_easy_init(void); void net_easy_cleanup(EASY *e);
        void net_free(void *p); ";
        const PARSER: &str =
            "typedef void *pa_parser; int pa_create(pa_parser *p); int pa_release(pa_parser *p);";
        for (before, function, guessed) in [
            (COLOURS, "int cmVersion(cmHPROFILE p);", "int cmVersion(cmHPROFILE p)"),
            (
                COLOURS,
                "cmHPROFILE cmCreateGrey(double g);",
                "own cmHPROFILE cmCreateGrey(double g)",
            ),
            // The headers have no members of the union.
            (
                "typedef union unit unit; unit *unit_parse(const char *text); void unit_free(unit *u);",
                "int unit_is_base(const unit *u);",
                "int unit_is_base(const unit *u)",
            ),
            (
                EASY,
                "int net_easy_pause(EASY *e, int mask);",
                "int net_easy_pause(EASY *e, int mask)",
            ),
            (PARSER, "int pa_eval(pa_parser p, double x);", "int pa_eval(pa_parser p, double x)"),
        ] {
            assert_eq!(proto(&format!("{before} {function}")), guessed);
        }
        for (before, function, reason) in [
            (COLOURS, "int cmSize(cmHANDLE d);", "`d` is a `void` pointer"),
            (COLOURS, "int cmViewSize(cmVIEW v);", "`v` is a `void` pointer"),
            (
                COLOURS,
                "void cmFinishProfile(cmHPROFILE p);",
                "the function may free a `Profile`, as its destructor does",
            ),
            // The pixels of both may have different sizes.
            (
                COLOURS,
                "void cmConvert(cmHPROFILE p, const void *in, void *out, unsigned size);",
                "`in` is a `void` pointer",
            ),
            // Memory of any type.
            (
                "typedef void *png_voidp; png_voidp png_get_io(int n);",
                "void png_set_io(png_voidp p);",
                "`p` is a `void` pointer",
            ),
        ] {
            assert_eq!(left_out(&format!("{before} {function}")), reason);
        }
    }
}
