//! Structs that are unpacked: their fields are arguments in the target language.
//!
//! Purpose: describe where in a C struct each of these arguments is stored.
//! Invariant: the fields of a struct are consecutive arguments of an overload, in the order of its members.
//! Reason: a field is then an argument like any other, with every intent, owner, shape and default.

use crate::{CType, Expr, Span, Spanned, VariableId};

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
    /// C receives its address; else a copy.
    pub by_address: bool,
    /// The struct is `const`.
    pub is_const: bool,
    /// The struct.
    pub layout: Layout,
    /// It is an array of structs of this length: each field has an element for each struct.
    pub length: Option<Expr>,
    /// The argument that is its first field.
    pub first: VariableId,
}

impl Unpacked {
    /// C may change the fields.
    pub fn is_writable(&self) -> bool {
        self.is_result || self.by_address && !self.is_const
    }

    /// The argument after its last field.
    pub fn end_of_fields(&self) -> VariableId {
        VariableId::from(usize::from(self.first) + self.layout.fields())
    }

    /// The argument after its last one: for an array, the length and the memory follow the fields.
    pub fn end(&self) -> VariableId {
        let hidden = if self.length.is_some() { 2 } else { 0 };
        VariableId::from(usize::from(self.end_of_fields()) + hidden)
    }
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
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its name in C, with a dot for a member of a union: `value.number`.
    pub path: Spanned<String>,
    /// Its kind.
    pub what: MemberKind,
}

/// The kind of a member of an unpacked struct.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberKind {
    /// An argument.
    Field {
        /// The argument is the address of the member, which C sets; else its value.
        is_set: bool,
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
