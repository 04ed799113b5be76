//! The `[struct.NAME]` tables of structs that are unpacked: their fields are arguments.
//!
//! Purpose: parse the fields of a struct as the arguments of a function, and declare its type.
//! Invariant: a struct is unpacked exactly if a field of it is declared as no number of a plain struct can be.
//! Reason: a pointer has an intent, a length and an owner, which only arguments have.

use super::condition;
use super::structure::CTYPE;
use super::values::{Value, Values};
use crate::names;
use crate::prototype::Types;
use crate::prototype::argument_of;
use crate::prototype::brackets;
use crate::prototype::lexer::{self, Kind, Token};
use crate::prototype::qualifiers::Qualifier;
use crate::prototype::unpacked::{self, Declared};
use fishplate_model::{
    Argument, CType, Code, Intent, Layout, Passing, Span, Spanned, Type, UnpackedStruct,
};
use toml::de::DeTable;

/// An example for hints.
const FIELDS: &str = "fields = \"const double data[n]; size_t n\"";

/// The most fields of a struct, those of nested structs included, which a short file could multiply.
const MAX_FIELDS: usize = 256;

/// A table that is read once the types of handles and callbacks are known.
pub(super) struct Deferred<'t, 'v> {
    name: Spanned<String>,
    table: &'t DeTable<'v>,
}

impl<'t, 'v> Deferred<'t, 'v> {
    pub(super) fn new(name: Spanned<String>, table: &'t DeTable<'v>) -> Self {
        Deferred { name, table }
    }

    /// The words of its type.
    fn spelling(&self) -> Option<String> {
        let text = self.table.get("ctype")?.get_ref().as_str()?;
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// True if these fields are not those of a plain struct. `others` are the unpacked structs before it.
pub(super) fn is_unpacked(
    value: &Value<'_>,
    others: &[Deferred<'_, '_>],
    values: &mut Values<'_>,
) -> bool {
    let Some(text) = value.get_ref().as_str() else { return false };
    let map = values.map(value.span(), text);
    let mut unused = Vec::new();
    let tokens = lexer::lex(text, &map, &mut unused);
    let is_open = |pair: &[Token<'_>]| {
        pair[0].is("[") && pair[1].kind == Kind::Word && !names::is_c_keyword(pair[1].text)
    };
    tokens.split(|token| token.is(";")).any(|field| {
        // A field may have the name of a keyword.
        let begins = |at: usize| field.get(at + 1).is_some_and(|next| next.kind == Kind::Word);
        let is_qualified = field.iter().enumerate().any(|(at, token)| {
            matches!(token.text, "status") && at == 0 && field.len() > 2 && begins(1)
                || is_of_arguments(token.text) && begins(at)
        });
        let words: Vec<&str> = field
            .iter()
            .take_while(|token| token.kind == Kind::Word)
            .map(|token| token.text)
            .collect();
        let is_nested = others.iter().any(|other| {
            let is_it = |count| {
                let spelled = words[..count].join(" ");
                other.name.value == spelled || other.spelling() == Some(spelled)
            };
            (1..=words.len()).any(is_it)
        });
        let is_mark = |token: &Token<'_>| ["*", "=", "(", "."].iter().any(|mark| token.is(mark));
        is_qualified || is_nested || field.iter().any(is_mark) || field.windows(2).any(is_open)
    })
}

/// A word before arguments that a field of a plain struct cannot have. Such a field may be `text`.
fn is_of_arguments(word: &str) -> bool {
    Qualifier::of(word).is_some_and(|one| one.is_ours() && one != Qualifier::String)
}

/// Reads the tables, and declares their types.
pub(super) fn read_all(
    deferred: Vec<Deferred<'_, '_>>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Vec<UnpackedStruct> {
    deferred.into_iter().filter_map(|one| read(one, types, values)).collect()
}

fn read(
    deferred: Deferred<'_, '_>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<UnpackedStruct> {
    let Deferred { name, table } = deferred;
    let (mut its_type, mut fields) = (None, None);
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            "ctype" => its_type = Some(value),
            "fields" => fields = Some(value),
            "doc" => values.error(
                Code::UNKNOWN_KEY,
                key.span,
                "a struct that is unpacked is no class, so it has no documentation",
                "remove `doc`; describe the fields in the `descriptions` of the functions",
            ),
            _ => values.unknown("a struct", &key, super::structure::KEYS),
        }
    }
    let Spanned { value: spelling, span } = super::class::spelling(its_type?, CTYPE, values)?;
    let ctype = CType { what: Type::Opaque, spelling, span };
    let (value, text) = (fields?, values.string("fields", fields?, FIELDS)?);
    let map = values.map(value.span(), &text.value);
    let tokens = types.expand(&lexer::lex(&text.value, &map, values.diagnostics()));
    if let Some(found) = brackets::unbalanced(&tokens) {
        values.diagnostics().push(found);
        return None;
    }
    let layout = Layout { ctype: ctype.clone(), members: Vec::new() };
    let mut declared = Declared { layout, fields: Vec::new() };
    let all: Vec<&[Token<'_>]> =
        tokens.split(|token| token.is(";")).filter(|one| !one.is_empty()).collect();
    let paths = paths(&all);
    for field in all {
        declare(field, &paths, types, &mut declared, values);
        if declared.fields.len() > MAX_FIELDS {
            let message = format!("a struct that is unpacked has at most {MAX_FIELDS} fields");
            let hint = "leave out the fields that no function needs";
            values.error(Code::WRONG_VALUE, field[0].span, message, hint);
            return None;
        }
    }
    if declared.fields.is_empty() {
        return None;
    }
    condition::resolve(&mut declared.layout, values);
    // Several structs may have one type: the members of a union that go together.
    types.insert_unpacked(&ctype.spelling, declared.clone());
    if name.value != ctype.spelling && !types.insert_unpacked(&name.value, declared) {
        values.error(
            Code::DUPLICATE_NAME,
            name.span,
            format!("`{}` is a type already", names::short(&name.value, 40)),
            "prototypes may spell the struct by its name: choose another",
        );
    }
    Some(UnpackedStruct { name, ctype, fields: types.expand_text(&text.value) })
}

/// One declaration: a type, and declarators with commas between them.
fn declare(
    tokens: &[Token<'_>],
    paths: &[String],
    types: &Types,
    declared: &mut Declared,
    values: &mut Values<'_>,
) {
    let (tokens, condition) = condition::divide(tokens);
    let tokens = with_names(tokens, paths);
    let first = declared.layout.members.len();
    declare_all(&tokens, types, declared, values);
    if let Some(condition) = condition {
        condition::add(condition, &mut declared.layout.members[first..], &tokens, values);
    }
}

fn declare_all(
    tokens: &[Token<'_>],
    types: &Types,
    declared: &mut Declared,
    values: &mut Values<'_>,
) {
    let comma = brackets::outside(tokens, ",");
    let (first, mut rest) = tokens.split_at(comma.unwrap_or(tokens.len()));
    let Some(name) = name_of(first) else {
        let span = tokens[0].span.to(tokens[tokens.len() - 1].span);
        wrong(span, "a field has a type and a name", values);
        return;
    };
    let its_type =
        &first[..first[..name].iter().rposition(|one| !one.is("*")).map_or(0, |at| at + 1)];
    one(first, types, declared, values);
    while let [comma, others @ ..] = rest {
        let end = brackets::outside(others, ",").unwrap_or(others.len());
        if end == 0 {
            wrong(comma.span, "a name is missing after a comma", values);
            return;
        }
        let field: Vec<Token<'_>> = its_type.iter().chain(&others[..end]).copied().collect();
        one(&field, types, declared, values);
        rest = &others[end..];
    }
}

/// The end of the type and the name: the first `[` or `=`, or the end of the field.
fn end_of_name(tokens: &[Token<'_>]) -> usize {
    let ends = [tokens.iter().position(|one| one.is("[")), brackets::outside(tokens, "=")];
    ends.into_iter().flatten().min().unwrap_or(tokens.len())
}

/// The place of the name: the last word before `[`, `=` or the end.
fn name_of(tokens: &[Token<'_>]) -> Option<usize> {
    (1..end_of_name(tokens)).rev().find(|at| tokens[*at].kind == Kind::Word)
}

/// The paths of the fields: `as.number`.
fn paths(fields: &[&[Token<'_>]]) -> Vec<String> {
    let declared = |field: &&[Token<'_>]| {
        let (mut rest, _) = condition::divide(field);
        let mut found = Vec::new();
        while let Some(comma) = brackets::outside(rest, ",") {
            found.extend(without_path(&rest[..comma]).1);
            rest = &rest[comma + 1..];
        }
        found.extend(without_path(rest).1);
        found
    };
    fields.iter().flat_map(declared).map(|path| path.value).collect()
}

/// The field, with the names of arguments in place of paths in its sizes and its value: `[count]` for `[as.list.count]`.
fn with_names<'t>(field: &[Token<'t>], paths: &[String]) -> Vec<Token<'t>> {
    let (mut depth, mut is_value) = (0, false);
    let (mut named, mut at) = (Vec::new(), 0);
    while let Some(&token) = field.get(at) {
        match token.text {
            "[" => depth += 1,
            "]" => depth -= 1,
            "=" if depth == 0 => is_value = true,
            "," if depth == 0 => is_value = false,
            _ => {}
        }
        let ends_here = |path: &&String| {
            let end = at + 2 * path.matches('.').count() + 1;
            let spelled = field.get(at..end)?.iter().map(|token| token.text).collect::<String>();
            (spelled == **path).then_some(end)
        };
        let end = paths.iter().filter_map(|path| ends_here(&path)).max();
        let last = end.filter(|_| depth > 0 || is_value).map_or(at, |end| end - 1);
        named.push(field[last]);
        at = last + 1;
    }
    named
}

/// One field.
fn one(tokens: &[Token<'_>], types: &Types, declared: &mut Declared, values: &mut Values<'_>) {
    let (mut tokens, path) = without_path(tokens);
    if let Some(of) = types.unpacked(&tokens) {
        let of = of.clone();
        if let Some(used) = unpacked::read_use(&tokens, types, values.diagnostics()) {
            if used.length.is_some() {
                let message = "an array of structs that are unpacked cannot be a field";
                wrong(used.span, message, values);
                return;
            }
            let Some(name) = used.name.clone() else {
                wrong(used.span, "a field has a type and a name", values);
                return;
            };
            declared.add_struct(path.unwrap_or(name), &of, &used);
        }
        return;
    }
    let has = |word: &str| tokens.iter().any(|token| token.is_word(word));
    let is_pointer_set = has("out") && (has("own") || has("borrow"));
    if let (true, Some(name)) = (is_pointer_set, name_of(&tokens)) {
        // The argument of C is the address of this pointer.
        let star = Token { kind: Kind::Mark, text: "*", span: tokens[name].span };
        tokens.insert(name, star);
    }
    let index = declared.fields.len();
    let Some(argument) = argument_of(&tokens, index, types, values.diagnostics()) else { return };
    let is_set = is_pointer_set || is_set(&argument);
    let passing = match argument.passing {
        Passing::Value if is_set => Passing::Pointer,
        passing => passing,
    };
    let argument = Argument { passing, ..argument };
    let path = path.unwrap_or_else(|| argument.name.clone());
    declared.add(path, argument, is_set);
}

/// The value of a field changes: C writes it.
fn is_set(argument: &Argument) -> bool {
    let writes = argument.intent.as_ref().is_some_and(|intent| {
        !matches!(intent.value, Intent::In | Intent::Hidden) || argument.status.is_some()
    });
    argument.passing == Passing::Value && writes
}

/// The tokens with the last name of a path, and the path: `value.number`.
fn without_path<'t>(tokens: &[Token<'t>]) -> (Vec<Token<'t>>, Option<Spanned<String>>) {
    let end = end_of_name(tokens);
    let is_dot = |token: &Token<'_>| token.is(".");
    let (Some(first), Some(last)) =
        (tokens[..end].iter().position(is_dot), tokens[..end].iter().rposition(is_dot))
    else {
        return (tokens.to_vec(), None);
    };
    let Some(start) = first.checked_sub(1).filter(|_| last + 1 < end) else {
        return (tokens.to_vec(), None);
    };
    let path: String = tokens[start..=last + 1].iter().map(|token| token.text).collect();
    let span = tokens[start].span.to(tokens[last + 1].span);
    let left = tokens[..start].iter().chain(&tokens[last + 1..]).copied().collect();
    (left, Some(Spanned::new(path, span)))
}

fn wrong(span: Span, message: &str, values: &mut Values<'_>) {
    values.error(Code::WRONG_VALUE, span, message, format!("write fields as C does: `{FIELDS}`"));
}
