//! Structs that are unpacked: their fields are arguments in the target language.
//!
//! Purpose: describe where in a C struct each of these arguments is stored.
//! Invariant: the fields of a struct are consecutive arguments of an overload, in the order of its members.
//! Reason: a field is then an argument like any other, with every intent, owner, shape and default.

use crate::{CType, Expr, Retention, Span, Spanned, VariableId};

/// An argument or the result of a C function that is a struct, for which the overload has the fields as arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Unpacked {
    /// Its name, if the prototype has one.
    pub name: Option<Spanned<String>>,
    /// Its type, as the prototype spells it: that of C, or the name of the table.
    pub spelling: String,
    /// The place of the whole declaration.
    pub span: Span,
    /// The C function returns it, and receives nothing.
    pub is_result: bool,
    /// It is not a struct: the call computes its fields, and C receives none of them.
    pub is_local: bool,
    /// It is not a struct: C receives an array of objects in memory of the call. The list of them is its one field.
    pub is_list: bool,
    /// C receives its address; else a copy.
    pub by_address: bool,
    /// The struct is `const`.
    pub is_const: bool,
    /// The struct.
    pub layout: Layout,
    /// It is an array of structs of this length: each field has an element for each struct.
    pub length: Option<Expr>,
    /// How long C uses it. One that it uses after the call is in memory that is an argument, too.
    pub retention: Retention,
    /// The argument that is its first field.
    pub first: VariableId,
}

impl Unpacked {
    /// The elements of 8 bytes that the memory of a retained struct has for the user data of each callback.
    pub const USER_DATA_ELEMENTS: usize = 3;

    /// C may change the fields.
    pub fn is_writable(&self) -> bool {
        self.is_result || self.by_address && !self.is_const
    }

    /// The argument after its last field.
    pub fn end_of_fields(&self) -> VariableId {
        VariableId::from(usize::from(self.first) + self.layout.fields())
    }

    /// The argument after its last one: for an array, the length and the memory follow the fields; for a struct that C
    /// retains, its memory.
    pub fn end(&self) -> VariableId {
        let hidden = match self.length {
            Some(_) => 2,
            None => usize::from(self.retention.outlasts_call()),
        };
        VariableId::from(usize::from(self.end_of_fields()) + hidden)
    }

    /// The argument that is the memory of a struct which C retains.
    pub fn retained_memory(&self) -> Option<VariableId> {
        (self.length.is_none() && self.retention.outlasts_call()).then(|| self.end_of_fields())
    }

    /// It is unpacked to this argument, and perhaps others.
    pub fn contains(&self, argument: VariableId) -> bool {
        self.first <= argument && argument < self.end()
    }

    /// One of its fields is this argument.
    pub fn has_field(&self, argument: VariableId) -> bool {
        self.first <= argument && argument < self.end_of_fields()
    }

    /// The member of the struct that is this argument: `a.b`, if the struct `a` is nested.
    pub fn member(&self, argument: VariableId) -> Option<String> {
        let at = usize::from(argument).checked_sub(usize::from(self.first))?;
        self.layout.paths().into_iter().nth(at)
    }
}

/// The struct that C retains with the field that is this argument.
pub fn retained_struct(all: &[Unpacked], field: VariableId) -> Option<&Unpacked> {
    all.iter().find(|one| one.retained_memory().is_some() && one.has_field(field))
}

/// A struct and those of its members that an interface declares.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The type of the struct, as headers spell it.
    pub ctype: CType,
    /// Its members; further ones are zero.
    pub members: Vec<Member>,
}

impl Layout {
    /// The number of fields that are arguments, nested ones included.
    pub fn fields(&self) -> usize {
        let count = |member: &Member| match &member.what {
            MemberKind::Field { .. } => 1,
            MemberKind::Struct { layout, .. } => layout.fields(),
        };
        self.members.iter().map(count).sum()
    }

    /// Its members, and those of structs in it.
    pub fn all_members(&self) -> Vec<&Member> {
        let mut all = Vec::new();
        for member in &self.members {
            all.push(member);
            if let MemberKind::Struct { layout, .. } = &member.what {
                all.extend(layout.all_members());
            }
        }
        all
    }

    /// Where each of these fields is, in C: `a.b`, or `a->b` if the member `a` is a pointer.
    fn paths(&self) -> Vec<String> {
        let of = |member: &Member| match &member.what {
            MemberKind::Field { .. } => vec![member.path.value.clone()],
            MemberKind::Struct { by_address, layout, .. } => {
                let to = if *by_address { "->" } else { "." };
                let inner = layout.paths().into_iter();
                inner.map(|path| format!("{}{to}{path}", member.path.value)).collect()
            }
        };
        self.members.iter().flat_map(of).collect()
    }
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its name in C, with a dot for a member of a union: `value.number`.
    pub path: Spanned<String>,
    /// Its kind.
    pub what: MemberKind,
}

/// Which member of a union C has set: `type == VALUE_TEXT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The parts of the expression, and whether each is a member of the struct.
    pub parts: Vec<(String, bool)>,
    /// Its place.
    pub span: Span,
}

impl Condition {
    /// The expression in C for a struct at `place`.
    pub fn in_c(&self, place: &str) -> String {
        let part = |(text, is_member): &(String, bool)| match is_member {
            true => format!("{place}.{text}"),
            false => text.clone(),
        };
        self.parts.iter().map(part).collect::<Vec<_>>().join(" ")
    }
}

/// The kind of a member of an unpacked struct.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberKind {
    /// An argument.
    Field {
        /// The argument is the address of the member, which C sets; else its value.
        is_set: bool,
        /// The member is read only if this is so: an expression of C over the members of the struct.
        condition: Option<Condition>,
    },
    /// A struct that is unpacked, too.
    Struct {
        /// The member is a pointer to it.
        by_address: bool,
        /// The pointee is `const`.
        is_const: bool,
        /// The struct.
        layout: Layout,
    },
}

/// The declaration of an unpacked struct.
#[derive(Clone, Debug, PartialEq)]
pub struct UnpackedStruct {
    /// Its name in prototypes, next to that of its type.
    pub name: Spanned<String>,
    /// The type.
    pub ctype: CType,
    /// The declarations of its fields, as written.
    pub fields: String,
}
