//! Drafts: interfaces that are guessed from plain headers.
//!
//! Purpose: guess each declaration of the headers or omit it with a reason, and write an interface
//! file with a mark at each guess.
//! Invariant: the output is a valid interface; comments name everything that a person must check.
//! Reason: a person owns and edits the file from now on.

mod additions;
pub(crate) mod print;

use crate::Reserved;
use crate::guess::{
    self, Class, Comment, Constants, Context, Families, Guess, Own, Variants, What,
};
use fishplate_model::Scalar;
use fishplate_readers::header::declarator::Form;
use fishplate_readers::header::doxygen::Documentation;
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::preprocessed::{Line, Preprocessed};
use fishplate_readers::header::syntax::{Declaration, Unit};
use fishplate_readers::header::{Header, comments, macros, mask, syntax};
use fishplate_readers::names;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// The content of `[module]`.
#[derive(Clone, Debug, Default)]
pub struct DraftModule {
    /// The name to import.
    pub name: String,
    /// The headers, as in an interface.
    pub headers: Vec<String>,
    /// Folders for `-I`.
    pub include_dirs: Vec<String>,
    /// Macros.
    pub defines: Vec<String>,
    /// C files that define the functions.
    pub sources: Vec<String>,
    /// Libraries to link; without libraries and sources, a comment asks for them.
    pub libraries: Vec<String>,
    /// Symbols that these libraries and sources use and do not define.
    pub undefined: Vec<String>,
}

/// A first interface.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The module to build, and its source files.
    pub module: DraftModule,
    /// The functions that could be guessed, in source order.
    pub functions: Vec<DraftFunction>,
    /// The other functions.
    pub left_out: Vec<LeftOut>,
    /// The number of wanted functions that other files declare, which the headers include.
    pub elsewhere: BTreeMap<String, usize>,
    /// The names of the headers for scalar types and strings, each with its type in C.
    types: BTreeMap<String, &'static str>,
    /// Structs that look like complex numbers.
    complex_structs: BTreeSet<String>,
    constants: Constants,
    /// The function that returns the message of a return code.
    message: Option<String>,
    classes: Vec<DraftClass>,
    reserved: Reserved,
}

/// A function with a guessed prototype.
#[derive(Clone, Debug)]
pub struct DraftFunction {
    /// Its C name.
    pub name: String,
    /// Its header and line: `zlib.h:1732`.
    pub place: String,
    /// Its table: `function.crc32`, `function.Rng.get`, or `handle.Rng`, whose `new` it is.
    table: String,
    doc: String,
    /// The descriptions of its arguments and its result, by name.
    descriptions: Vec<(String, String)>,
    /// One prototype, or those of all variants.
    protos: Vec<Proto>,
    remarks: Vec<String>,
    spellings: Vec<String>,
    has_status: bool,
    returns: Option<Vec<String>>,
}

/// An annotated prototype.
#[derive(Clone, Debug)]
struct Proto {
    /// The function's name in C.
    name: String,
    place: String,
    text: String,
}

/// A class for an enumeration, a struct, handles or callbacks.
#[derive(Clone, Debug)]
struct DraftClass {
    class: Class,
    place: String,
    doc: String,
    /// Its type is named by the person, also if no function uses it.
    is_wanted: bool,
}

/// A function that is omitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name; for an unreadable declaration, the beginning.
    pub name: String,
    /// Its header and line.
    pub place: String,
    /// The reason.
    pub reason: String,
}

/// Drafts an interface for the functions, enumerations and constants in `headers` themselves whose names match `wanted`, and
/// for the types of these functions.
/// `printed` is the preprocessor's output for them, and `answers` are the replacements of their
/// macros.
pub fn draft(
    printed: &str,
    headers: &[Header],
    answers: &BTreeMap<String, String>,
    module: DraftModule,
    wanted: &dyn Fn(&str) -> bool,
    reserved: Reserved,
) -> Draft {
    let preprocessed = Preprocessed::new(printed);
    let masked = mask::mask(&preprocessed.text);
    let sorts = OnceCell::new();
    let mut unit = syntax::parse(&preprocessed.text, &masked);
    let families = Families::new(answers);
    for function in &mut unit.functions {
        function.name = families.public_name(function.name);
    }
    let sorts = guess::divide(&mut unit, &sorts);
    let places = Places::new(&preprocessed, headers);
    let own = Own { sorts, ..places.own(&unit, answers, families, reserved) };
    let words = headers.iter().flat_map(|header| fishplate_model::words(&header.text)).collect();
    let context = Context::new(&unit, &own, words);
    let mut draft = Draft { module, reserved, ..Draft::default() };
    draft.message = context.statuses.as_ref().and_then(|statuses| statuses.message.clone());
    let mut seen = BTreeSet::new();
    let functions: Vec<_> = own.functions.iter().copied().filter(|one| wanted(one.name)).collect();
    let variants = guess::find_variants(&functions, &unit, reserved);
    for function in unit.functions.iter().filter(|function| wanted(function.name)) {
        let Some(place) = places.find(function_at(function)) else {
            let line = preprocessed.line(function_at(function));
            *draft.elsewhere.entry(preprocessed.file(line).to_owned()).or_default() += 1;
            continue;
        };
        let group = variants.iter().find(|group| group.is_of(function.name));
        if seen.contains(function.name) {
            continue;
        }
        if let Some((name, selected)) = own.families.other(function.name) {
            draft.left_out.push(LeftOut {
                name: function.name.to_owned(),
                place: place.name,
                reason: format!("the macro `{name}` selects `{selected}`"),
            });
            continue;
        }
        if let Some(group) = group
            && draft.add_variants(group, place.clone(), &places, &context)
        {
            seen.extend(group.functions.iter().map(|one| one.name));
            continue;
        }
        seen.insert(function.name);
        draft.add_function(function, place, &context, &own.families);
    }
    for broken in &unit.broken {
        let Some(place) = places.find(broken.range.start) else { continue };
        let text = &preprocessed.text[broken.range.clone()];
        if wanted(text) {
            draft.left_out.push(LeftOut {
                name: names::short(text, 60),
                place: place.name,
                reason: "the declaration could not be parsed".to_owned(),
            });
        }
    }
    let taken = draft.functions.iter().map(|function| function.host_name(reserved)).collect();
    draft.constants = Constants::find(&own, &context.classes.all, &taken, &unit, wanted);
    let fields = context.classes.all.iter().map(|class| draft.fields(class, &context)).collect();
    for (mut class, found) in context.classes.all.into_iter().zip::<Vec<_>>(fields) {
        if let What::Handle { fields, spellings, .. } = &mut class.what {
            (*fields, *spellings) = found;
        }
        let named = class.words.last().and_then(|name| unit.typedefs.get(name.as_str()));
        let at = class.at.or_else(|| named.map(|typedef| typedef.at));
        let place = at.and_then(|at| places.find(at)).unwrap_or_default();
        let is_wanted = class.words.last().is_some_and(|name| wanted(name));
        let (place, doc) = (place.name, place.comment.text());
        draft.classes.push(DraftClass { class, place, doc, is_wanted });
    }
    draft.collect_types(&unit);
    draft
}

/// The place of a function's declaration.
fn function_at(function: &Declaration<'_>) -> usize {
    function.head.start.min(function.declarator.start)
}

/// The places of declarations in the headers.
struct Places<'a> {
    preprocessed: &'a Preprocessed,
    headers: &'a [Header],
    /// The beginnings of lines in each header.
    starts: Vec<Vec<usize>>,
}

/// A place in a header.
#[derive(Clone, Default)]
struct Place {
    /// `zlib.h:1732`
    name: String,
    /// The documentation above it.
    comment: Documentation,
}

impl<'a> Places<'a> {
    fn new(preprocessed: &'a Preprocessed, headers: &'a [Header]) -> Self {
        let starts = headers.iter().map(|header| starts(&header.text)).collect();
        Places { preprocessed, headers, starts }
    }

    /// The header, of those requested, that contains this line.
    fn header(&self, line: Line) -> Option<usize> {
        let file = self.preprocessed.file(line);
        self.headers.iter().position(|header| header.markers.iter().any(|marker| marker == file))
    }

    /// The place of a byte of the preprocessed source, if it is in one of these headers.
    fn find(&self, at: usize) -> Option<Place> {
        let line = self.preprocessed.line(at);
        let index = self.header(line)?;
        let header = &self.headers[index];
        let start = self.starts[index].get(line.line.saturating_sub(1)).copied();
        Some(Place {
            name: format!("{}:{}", header.name, line.line),
            comment: comments::near(&header.text, start.unwrap_or_default()).unwrap_or_default(),
        })
    }

    /// The declarations of the headers themselves.
    fn own<'u, 't>(
        &self,
        unit: &'u Unit<'t>,
        answers: &'u BTreeMap<String, String>,
        families: Families<'u>,
        reserved: Reserved,
    ) -> Own<'u, 't> {
        let is_own = |at: usize| self.header(self.preprocessed.line(at)).is_some();
        let enumerators = unit.enumerations.iter().flat_map(|found| &found.values);
        let enumerators: BTreeSet<&str> = enumerators.map(|value| value.name).collect();
        let constants = answers.iter().filter(|(name, value)| {
            !enumerators.contains(name.as_str()) && macros::is_constant(value, unit, &enumerators)
        });
        let constants: Vec<(&String, &String)> = constants.collect();
        let is_zero = |value: &str| value.trim_matches(['(', ')', ' ']) == "0";
        let is_selected = |one: &&Declaration<'_>| families.other(one.name).is_none();
        let functions = unit.functions.iter().filter(|one| is_own(function_at(one)));
        Own {
            functions: functions.filter(is_selected).collect(),
            enumerations: unit.enumerations.iter().filter(|one| is_own(one.at)).collect(),
            pointers: unit.pointers.iter().filter(|one| is_own(one.at)).collect(),
            macros: constants.iter().map(|(name, _)| name.as_str()).collect(),
            zeros: constants
                .iter()
                .filter(|(_, value)| is_zero(value))
                .map(|(name, _)| name.as_str())
                .collect(),
            sorts: Vec::new(),
            families,
            reserved,
        }
    }
}

/// The beginnings of lines.
fn starts(text: &str) -> Vec<usize> {
    let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(breaks).collect()
}

fn usable(name: &str) -> Result<(), String> {
    if name.starts_with('_') {
        return Err("its name begins with `_`, which marks internal functions".to_owned());
    }
    Ok(())
}

/// The names that a function's comment may describe: its parameters, and a result that is not a
/// return code.
fn described<'t>(guess: &Guess, function: &Declaration<'t>) -> Vec<&'t str> {
    let returns_void = function.result == ["void"] && function.result_form == Form::Value;
    let has_result = !returns_void && !guess.has_status;
    let parameters = function.parameters.iter().filter_map(|parameter| parameter.name);
    let parameters = parameters.filter(|name| names::is_identifier(name));
    parameters.chain(has_result.then_some("result")).collect()
}

impl DraftFunction {
    /// Its name in the module.
    fn host_name(&self, reserved: Reserved) -> String {
        let table = self.table.strip_prefix("function.");
        table.map_or_else(|| reserved.host_name(&self.name), str::to_owned)
    }
}

impl Draft {
    fn add_function(
        &mut self,
        function: &Declaration<'_>,
        place: Place,
        context: &Context<'_, '_>,
        families: &Families<'_>,
    ) {
        let name = function.name.to_owned();
        let comment = Comment::new(&place.comment.text());
        let guess = match usable(families.name(&name))
            .and_then(|()| guess::guess(function, &comment, context))
        {
            Ok(guess) => guess,
            Err(reason) => {
                self.left_out.push(LeftOut { name, place: place.name, reason });
                return;
            }
        };
        let (doc, descriptions) = place.comment.split(&described(&guess, function));
        let maker_of = |class: &&Class| match &class.what {
            What::Handle { maker: Some(maker), .. } => {
                *maker == name && guess.makes.as_ref() == Some(&class.name)
            }
            _ => false,
        };
        let table = match (context.classes.all.iter().find(maker_of), guess.method) {
            (Some(class), _) => class.table(),
            (None, Some((class, method))) => {
                let ending = name.strip_prefix(families.name(&name)).unwrap_or_default();
                let method = method.strip_suffix(ending).unwrap_or(&method);
                format!("function.{class}.{method}")
            }
            (None, None) => format!("function.{}", self.reserved.host_name(families.name(&name))),
        };
        let proto = Proto { name: name.clone(), place: place.name.clone(), text: guess.proto };
        self.functions.push(DraftFunction {
            name,
            table,
            place: place.name,
            doc,
            descriptions,
            protos: vec![proto],
            remarks: guess.remarks,
            spellings: guess.spellings,
            has_status: guess.has_status,
            returns: guess.returns,
        });
    }

    /// Adds functions that become one, for several types. False if they cannot be guessed together.
    fn add_variants(
        &mut self,
        group: &Variants<'_, '_>,
        place: Place,
        places: &Places<'_>,
        context: &Context<'_, '_>,
    ) -> bool {
        let [first, ..] = group.functions.as_slice() else { return false };
        let comment = Comment::new(&place.comment.text());
        let mut guesses = Vec::new();
        for variant in &group.functions {
            let Ok(guess) = guess::guess_as(first, variant, &comment, context) else {
                return false;
            };
            let place = places.find(function_at(variant)).unwrap_or_default().name;
            guesses.push((
                Proto { name: variant.name.to_owned(), place, text: guess.proto.clone() },
                guess,
            ));
        }
        let (_, of_first) = &guesses[0];
        if of_first.makes.is_some() || of_first.method.is_some() {
            return false;
        }
        let (doc, descriptions) = place.comment.split(&described(of_first, first));
        let mut remarks = of_first.remarks.clone();
        let (has_status, returns) = (of_first.has_status, of_first.returns.clone());
        remarks.push("these are overloads of one function, according to their names".to_owned());
        let spellings = guesses.iter().flat_map(|(_, guess)| guess.spellings.clone()).collect();
        self.functions.push(DraftFunction {
            name: first.name.to_owned(),
            table: format!("function.{}", group.name),
            place: place.name,
            doc,
            descriptions,
            protos: guesses.into_iter().map(|(proto, _)| proto).collect(),
            remarks,
            spellings,
            has_status,
            returns,
        });
        true
    }

    /// The attributes of a class: those of its struct whose names no method has.
    fn fields(&self, class: &Class, context: &Context<'_, '_>) -> (Vec<String>, Vec<String>) {
        let is_free = |name: &str| {
            let table = format!("function.{}.{name}", class.name);
            self.functions.iter().all(|function| function.table != table)
        };
        guess::find_fields(class, &context.classes.all, context.unit, self.reserved, &is_free)
    }

    fn collect_types(&mut self, unit: &Unit<'_>) {
        let of_functions = self.functions.iter().flat_map(|function| &function.spellings);
        let of_classes = self.classes.iter().flat_map(|one| one.class.spellings());
        for spelling in of_functions.chain(of_classes) {
            let words: Vec<&str> = spelling.split(' ').collect();
            let is_class = self.classes.iter().any(|one| one.class.spelling() == *spelling);
            if unit.is_text(&words) {
                self.types.insert(spelling.clone(), "const char *");
            }
            if let (None, Meaning::Scalar(scalar), false) =
                (Scalar::from_words(&words), unit.meaning(&words), is_class)
            {
                self.types.insert(spelling.clone(), scalar.c_name());
                if unit.is_complex_struct(&words) {
                    self.complex_structs.insert(spelling.clone());
                }
            }
        }
    }

    /// The classes that are used, and the wanted enumerations.
    fn used(&self) -> Vec<&DraftClass> {
        let mut used: BTreeSet<&str> = self
            .functions
            .iter()
            .flat_map(|function| &function.spellings)
            .map(String::as_str)
            .collect();
        let mut kept: Vec<&DraftClass> = Vec::new();
        // A struct follows the structs in it.
        for one in self.classes.iter().rev() {
            let is_enum = one.is_wanted && matches!(one.class.what, What::Enum { .. });
            // Methods may spell it by another typedef.
            let methods = format!("function.{}.", one.class.name);
            let is_freed = matches!(one.class.what, What::Handle { .. })
                && self.functions.iter().any(|function| {
                    function.table == one.class.table() || function.table.starts_with(&methods)
                });
            if is_enum || is_freed || used.contains(one.class.spelling().as_str()) {
                used.extend(one.class.spellings().iter().map(String::as_str));
                kept.push(one);
            }
        }
        kept.reverse();
        kept
    }

    /// Removes the prototypes that are wrong in a table of the file, such as `function.f`, or in
    /// one `entry` of it. False if nothing was removed.
    pub fn leave_out(&mut self, table: &str, entry: &str, reason: &str) -> bool {
        // Of a class, first what it does not need.
        let class = self.classes.iter_mut().find(|one| one.class.table() == table);
        if let Some(What::Handle { fields, spellings, .. }) = class.map(|one| &mut one.class.what)
            && !fields.is_empty()
        {
            fields.clear();
            spellings.clear();
            return true;
        }
        if let Some(at) = self.functions.iter().position(|function| function.table == table) {
            for Proto { name, place, .. } in self.functions.remove(at).protos {
                self.left_out.push(LeftOut { name, place, reason: reason.to_owned() });
            }
            return true;
        }
        if let Some(at) = self.classes.iter().position(|one| one.class.table() == table) {
            let DraftClass { class, place, .. } = self.classes.remove(at);
            self.left_out.push(LeftOut {
                name: class.spelling(),
                place,
                reason: reason.to_owned(),
            });
            return true;
        }
        if table == "types" && self.types.remove(entry).is_some() {
            let uses = |spellings: &[String]| spellings.iter().any(|spelling| spelling == entry);
            let functions = self.functions.iter().filter(|one| uses(&one.spellings));
            let classes = self.classes.iter().filter(|one| uses(one.class.spellings()));
            let mut tables: Vec<String> = functions.map(|one| one.table.clone()).collect();
            tables.extend(classes.map(|one| one.class.table()));
            for table in tables {
                self.leave_out(&table, "", reason);
            }
            return true;
        }
        let before = self.constants.names.len();
        if table == "constants" {
            self.constants.names.retain(|name| name != entry);
        }
        self.constants.names.len() < before
    }

    /// Removes everything that needs this C function, which is undefined. False if nothing was
    /// removed.
    pub fn leave_out_symbol(&mut self, symbol: &str, reason: &str) -> bool {
        let frees = format!("own({symbol})");
        let mut is_smaller = false;
        for function in self.functions.iter_mut().filter(|one| one.protos.len() > 1) {
            let at = function.protos.iter().position(|proto| proto.name == symbol);
            if let Some(Proto { name, place, .. }) = at.map(|at| function.protos.remove(at)) {
                self.left_out.push(LeftOut { name, place, reason: reason.to_owned() });
                is_smaller = true;
            }
        }
        let needs = |one: &DraftFunction| {
            one.protos.iter().any(|proto| proto.name == symbol || proto.text.contains(&frees))
        };
        let functions = self.functions.iter().filter(|one| needs(one));
        let classes = self.classes.iter().filter(
            |one| matches!(&one.class.what, What::Handle { free: Some(free), .. } if free.function == symbol),
        );
        let mut tables: Vec<String> = functions.map(|one| one.table.clone()).collect();
        tables.extend(classes.map(|one| one.class.table()));
        for table in tables {
            is_smaller |= self.leave_out(&table, "", reason);
        }
        let is_message =
            |message: &String| message.split('(').next().is_some_and(|name| name.trim() == symbol);
        is_smaller |= self.message.take_if(|message| is_message(message)).is_some();
        is_smaller | self.leave_out("constants", symbol, reason)
    }
}
