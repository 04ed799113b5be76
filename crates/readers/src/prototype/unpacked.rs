//! Structs that are unpacked: from one argument of C to the arguments that are its fields.
//!
//! Purpose: replace an argument such as `SRC_DATA *data` by the fields of the struct.
//! Invariant: all arguments of a call have different names, if those of the prototype and of each struct do.
//! Reason: every later phase handles a field as it handles an argument; only the C that calls the function
//! knows the struct.

use super::argument::infer_ranks;
use super::dimension::{self, Dimension};
use super::lexer::{Kind, Token};
use super::parser::error;
use super::types::Types;
use super::{brackets, retention, struct_arrays};
use fishplate_model::{
    Argument, Code, Diagnostic, Expr, Layout, Member, MemberKind, Passing, PerArgument, Retention,
    Span, Spanned, Unpacked, VariableId,
};
use std::collections::HashMap;

/// The declaration of an unpacked struct.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    /// The struct.
    pub layout: Layout,
    /// Its fields, those of nested structs included, in the order of the members.
    pub fields: Vec<Field>,
}

/// A field, as the argument that it becomes.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub argument: Argument,
    /// The names of the nested structs that contain it, outermost first.
    pub within: Vec<String>,
}

/// An unpacked struct that a function returns.
pub(crate) struct ReturnedStruct {
    pub declared: Declared,
    /// Its type, as the prototype spells it.
    pub spelling: Spanned<String>,
}

impl ReturnedStruct {
    /// The struct that these tokens before the name of a function spell, if it is one.
    pub(crate) fn read(tokens: &[Token<'_>], types: &Types) -> Option<Self> {
        let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        let spelled = words.join(" ");
        let declared = types.unpacked_called(&spelled)?.clone();
        let span = tokens.first()?.span.to(tokens.last()?.span);
        Some(ReturnedStruct { declared, spelling: Spanned::new(spelled, span) })
    }
}

/// The arguments of a prototype, while they are read.
#[derive(Default)]
pub(crate) struct Arguments {
    arguments: PerArgument<Argument>,
    unpacked: Vec<Unpacked>,
    /// For each argument: the names of the structs that contain it, outermost first.
    within: Vec<Vec<String>>,
}

impl Arguments {
    /// Adds an argument, if it could be read. C may receive a list in memory `of_call`.
    pub(crate) fn add(&mut self, argument: Option<Argument>, of_call: bool) -> bool {
        let Some(argument) = argument else { return false };
        let capacity = list_capacity(&argument).filter(|_| of_call).cloned();
        let first = self.arguments.next_key();
        let (name, ctype) = (argument.name.clone(), argument.ctype.clone());
        let (span, is_const) = (argument.span, argument.is_const);
        self.arguments.push(argument);
        self.within.push(Vec::new());
        if let Some(length) = capacity {
            let members = vec![Member {
                path: name.clone(),
                what: MemberKind::Field { is_set: false, condition: None },
            }];
            for hidden in struct_arrays::hidden(&name, "void *[2]", &length, 0) {
                self.add(Some(hidden), false);
            }
            self.unpacked.push(Unpacked {
                name: Some(name),
                spelling: ctype.spelling.clone(),
                is_result: false,
                is_local: false,
                is_list: true,
                span,
                by_address: true,
                is_const,
                layout: Layout { ctype, members },
                length: Some(length),
                retention: Retention::default(),
                first,
            });
        }
        true
    }

    /// Adds the fields of a struct. `tokens` declare the argument: `const SRC_DATA *data`.
    pub(crate) fn unpack(
        &mut self,
        declared: &Declared,
        tokens: &[Token<'_>],
        types: &Types,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> bool {
        let (retention, words) = retention::read(tokens, diagnostics);
        let Some(used) = read_use(&tokens[words..], types, diagnostics) else { return false };
        if let Some((message, hint)) = refuse_use(&used, &retention, &declared.layout) {
            let found = error(used.span, message, hint);
            diagnostics.push(Diagnostic { code: Code::UNSUPPORTED_TYPE, ..found });
            return false;
        }
        self.unpacked.push(Unpacked {
            name: used.name.clone(),
            spelling: used.spelling,
            is_result: false,
            is_local: false,
            is_list: false,
            span: used.span,
            by_address: used.by_address,
            is_const: used.is_const,
            layout: declared.layout.clone(),
            length: used.length.clone(),
            retention: retention.clone(),
            first: self.arguments.next_key(),
        });
        for field in &declared.fields {
            let mut argument = field.argument.clone();
            if retention.outlasts_call() && has_memory(&argument) {
                argument.retention = retention.clone();
            }
            self.arguments.push(argument);
            let outer = used.name.iter().map(|name| name.value.clone());
            self.within.push(outer.chain(field.within.iter().cloned()).collect());
        }
        let spelling = &declared.layout.ctype.spelling;
        match (&used.name, &used.length) {
            (Some(name), Some(length)) => {
                let is_pointer =
                    |one: &&Field| matches!(one.argument.passing, Passing::OutPointer(_));
                let pointers = declared.fields.iter().filter(is_pointer).count();
                for hidden in struct_arrays::hidden(name, spelling, length, pointers) {
                    self.add(Some(hidden), false);
                }
            }
            (Some(name), None) if retention.outlasts_call() => {
                let callbacks =
                    declared.fields.iter().filter(|one| one.argument.callback().is_some());
                let user_data = Unpacked::USER_DATA_ELEMENTS * callbacks.count();
                let other = pointees(&declared.layout, &mut declared.fields.iter());
                let memory = struct_arrays::memory(name, spelling, None, user_data, &other);
                self.add(Some(Argument { retention, ..memory }), false);
            }
            _ => {}
        }
        true
    }

    /// Adds the fields of a struct that the function returns.
    fn unpack_result(&mut self, returned: &ReturnedStruct) {
        let ReturnedStruct { declared, spelling } = returned;
        self.unpacked.push(Unpacked {
            name: None,
            spelling: spelling.value.clone(),
            is_result: true,
            is_local: false,
            is_list: false,
            span: spelling.span,
            by_address: false,
            is_const: false,
            layout: declared.layout.clone(),
            length: None,
            retention: Retention::default(),
            first: self.arguments.next_key(),
        });
        for field in &declared.fields {
            self.arguments.push(field.argument.clone());
            let outer = std::iter::once("result".to_owned());
            self.within.push(outer.chain(field.within.iter().cloned()).collect());
        }
    }

    /// The arguments, with different names: a field whose name another argument has gets that of its struct, too.
    pub(crate) fn finish(
        mut self,
        returned: Option<&ReturnedStruct>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> (PerArgument<Argument>, Vec<Unpacked>) {
        if let Some(returned) = returned {
            self.unpack_result(returned);
        }
        let old: Vec<String> = self.arguments.iter().map(|one| one.name.value.clone()).collect();
        let scopes = self.within.clone();
        for _ in 0..self.within.iter().map(Vec::len).max().unwrap_or(0) {
            let mut count: HashMap<String, usize> = HashMap::new();
            for argument in &self.arguments {
                *count.entry(argument.name.value.clone()).or_default() += 1;
            }
            for (argument, within) in self.arguments.iter_mut().zip(&mut self.within) {
                if count[&argument.name.value] > 1
                    && let Some(of) = within.pop()
                {
                    argument.name.value = format!("{of}_{}", argument.name.value);
                }
            }
        }
        let new: Vec<String> = self.arguments.iter().map(|one| one.name.value.clone()).collect();
        for one in &self.unpacked {
            let fields = usize::from(one.first)..usize::from(one.end_of_fields());
            for at in fields.clone() {
                // A name is that of a field of the same struct, or of one that contains it.
                let find = |name: &str| {
                    (0..=scopes[at].len()).rev().find_map(|depth| {
                        let scope = &scopes[at][..depth];
                        fields.clone().find(|one| old[*one] == name && scopes[*one] == scope)
                    })
                };
                let rename = |name: &str| find(name).map(|one| new[one].clone());
                self.arguments[VariableId::from(at)].rename_uses(&rename);
            }
        }
        for one in &self.unpacked {
            let fields = usize::from(one.first)..usize::from(one.end_of_fields());
            if let Some(length) = one.length.as_ref().filter(|_| !one.is_list) {
                let count = VariableId::from(usize::from(one.end_of_fields()));
                let count = self.arguments[count].name.clone();
                struct_arrays::lift(&mut self.arguments, fields, (length, &count), diagnostics);
            }
        }
        infer_ranks(&mut self.arguments);
        (self.arguments, self.unpacked)
    }
}

/// The number of objects for which C receives memory of the call: objects that are stored there for the caller, or
/// integers, which handles store as pointers.
fn list_capacity(argument: &Argument) -> Option<&Expr> {
    match &argument.passing {
        Passing::OutPointer(pointer) => pointer.holds.list()?.capacity.as_ref(),
        Passing::List { length, .. } => {
            argument.ctype.invalid_identifier().is_some().then_some(length)
        }
        _ => None,
    }
}

/// Whether C retains something of a field whose struct it retains: a callback, memory or an object. Values are in the struct.
fn has_memory(field: &Argument) -> bool {
    match field.passing {
        Passing::Value => field.ctype.handle().is_some() && field.consumed.is_none(),
        Passing::Pointer | Passing::UserData | Passing::OutPointer(_) => false,
        _ => true,
    }
}

/// The types of the values and structs to which members of a struct point: one that C retains has them in its memory, too.
fn pointees(layout: &Layout, fields: &mut std::slice::Iter<'_, Field>) -> Vec<String> {
    let mut found = Vec::new();
    for member in &layout.members {
        match &member.what {
            MemberKind::Struct { by_address, layout, .. } => {
                found.extend(pointees(layout, fields));
                found.extend(by_address.then(|| layout.ctype.spelling.clone()));
            }
            MemberKind::Field { is_set, .. } => {
                let field = fields.next().map(|field| &field.argument);
                let is_pointer = |one: &&Argument| !is_set && one.passing == Passing::Pointer;
                found.extend(field.filter(is_pointer).map(|one| one.ctype.spelling.clone()));
            }
        }
    }
    found
}

/// Why a struct cannot be passed like this, with a hint.
fn refuse_use(
    used: &Use,
    retention: &Retention,
    layout: &Layout,
) -> Option<(String, &'static str)> {
    let is_pointer =
        |one: &&Member| matches!(one.what, MemberKind::Struct { by_address: true, .. });
    let pointer =
        layout.all_members().into_iter().find(is_pointer).map(|member| &member.path.value);
    let refused = match (&used.length, pointer, retention.outlasts_call()) {
        (Some(_), Some(member), _) => (
            format!("the member `{member}` is a pointer to a struct, one for each"),
            "write a C function that accepts arrays, and wrap that",
        ),
        (Some(_), _, true) => (
            "an array of structs that are unpacked cannot be retained".to_owned(),
            "write a C function that accepts one of them, or that copies them, and wrap that",
        ),
        (None, _, true) if !used.by_address || used.name.is_none() => (
            "a struct that C retains is passed by its address, and has a name".to_owned(),
            "write `keep(x) TYPE *NAME`; where C receives a copy, write the word before the fields it retains",
        ),
        _ => return None,
    };
    Some(refused)
}

/// How an unpacked struct is passed, or stored in another one.
pub(crate) struct Use {
    pub name: Option<Spanned<String>>,
    pub spelling: String,
    pub span: Span,
    pub by_address: bool,
    pub is_const: bool,
    /// The length of an array of structs.
    pub length: Option<Expr>,
}

/// Parses `const SRC_DATA *data`, or `const column columns[n]`, whose type is known to be an unpacked struct. There is
/// at least one token.
pub(crate) fn read_use(
    tokens: &[Token<'_>],
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Use> {
    let open = tokens.iter().position(|token| token.is("["));
    if let Some(at) = open.filter(|at| *at > 0 && !tokens[..*at].iter().any(|one| one.is("*"))) {
        return read_array(tokens, at, types, diagnostics);
    }
    let span = tokens[0].span.to(tokens[tokens.len() - 1].span);
    let is_const = tokens[0].is_word("const");
    let star = tokens.iter().position(|token| token.is("*"));
    let words = star.unwrap_or(tokens.len());
    let behind: Vec<&Token<'_>> = match star {
        Some(at) => tokens[at + 1..].iter().filter(|token| !token.is_word("const")).collect(),
        None => Vec::new(),
    };
    let name = match (star, behind.as_slice()) {
        (Some(_), []) => None,
        (Some(_), [name]) if name.kind == Kind::Word => Some(*name),
        (None, _) if tokens.iter().all(|token| token.kind == Kind::Word) => {
            // `struct pair p`, `pair p`, `pair`
            let keywords = usize::from(tokens[usize::from(is_const)].is_word("struct"));
            let length = words - usize::from(is_const) - keywords;
            tokens.last().filter(|_| length > 1)
        }
        _ => {
            let found = error(
                span,
                "a struct that is unpacked is passed by value or by its address",
                "write `TYPE *NAME`, or `TYPE NAME[n]` for an array of structs, without an intent: its fields have their own",
            );
            diagnostics.push(Diagnostic { code: Code::UNSUPPORTED_TYPE, ..found });
            return None;
        }
    };
    let end = words - usize::from(star.is_none() && name.is_some());
    let spelled: Vec<&str> =
        tokens[usize::from(is_const)..end].iter().map(|one| one.text).collect();
    Some(Use {
        spelling: spelled.join(" "),
        name: name.map(|name| Spanned::new(name.text.to_owned(), name.span)),
        span,
        by_address: star.is_some(),
        is_const,
        length: None,
    })
}

/// The same for an array, whose brackets begin at `open`.
fn read_array(
    tokens: &[Token<'_>],
    open: usize,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Use> {
    let (declaration, brackets) = tokens.split_at(open);
    let one = read_use(declaration, types, diagnostics)?;
    let closing = brackets::closing(brackets);
    let dimension = dimension::parse(&brackets[..=closing], types);
    match dimension.map_err(|found| diagnostics.push(*found)).ok()? {
        Dimension::Sized(length, None) if closing + 1 == brackets.len() && one.name.is_some() => {
            Some(Use { by_address: true, length: Some(length), ..one })
        }
        _ => {
            let found = error(
                one.span,
                "an array of structs that are unpacked has a name, and one dimension",
                "write `TYPE NAME[n]`",
            );
            diagnostics.push(Diagnostic { code: Code::UNSUPPORTED_TYPE, ..found });
            None
        }
    }
}

impl Declared {
    /// Adds a field. `is_set`: the argument is its address.
    pub(crate) fn add(&mut self, path: Spanned<String>, argument: Argument, is_set: bool) {
        self.fields.push(Field { argument, within: Vec::new() });
        let what = MemberKind::Field { is_set, condition: None };
        self.layout.members.push(Member { path, what });
    }

    /// Adds a struct that is unpacked, too, with its fields.
    pub(crate) fn add_struct(&mut self, path: Spanned<String>, of: &Declared, used: &Use) {
        for field in &of.fields {
            let mut within = vec![path.value.replace('.', "_")];
            within.extend(field.within.iter().cloned());
            self.fields.push(Field { argument: field.argument.clone(), within });
        }
        self.layout.members.push(Member {
            path,
            what: MemberKind::Struct {
                by_address: used.by_address,
                is_const: used.is_const,
                layout: of.layout.clone(),
            },
        });
    }
}
