//! Arrays whose rank or dtype is known only at the call: `dtype(native) const void x[...]`.
//!
//! Purpose: parse the keyword `dtype` with the name of a table, and the brackets of any rank.
//! Invariant: `dtype` is a name unless only a keyword can stand there.
//! Reason: a `void` pointer is an array only if something determines the type of its elements.

use super::Reader;
use crate::prototype::brackets;
use crate::prototype::expression;
use crate::prototype::lexer::{Kind, Token};
use crate::prototype::qualifiers::Qualifier;
use fishplate_model::{
    AnyArray, Argument, CType, Code, DtypeChoice, Expr, ExprKind, Intent, Measure, Passing,
    PerArgument, Scalar, Span, Spanned,
};

const USAGE: &str = "write `dtype(NAME)`, where a table `[dtypes.NAME]` has the codes of C; for an output \
                     `dtype(NAME, code)`, with C's code of its dtype";

/// Any rank, as written.
pub(super) struct AnyRank {
    /// The place of the brackets.
    pub span: Span,
    /// The array with the dimensions.
    pub dims: Option<Spanned<String>>,
}

impl Reader<'_, '_, '_> {
    /// Parses `dtype(NAME, code)`, and returns the number of tokens.
    pub(super) fn dtypes(&mut self, tokens: &[Token<'_>]) -> usize {
        let length = 2 + brackets::closing(&tokens[1..]);
        let span = tokens[0].span.to(tokens[length - 1].span);
        let inner = tokens.get(2..length - 1).unwrap_or_default();
        let (table, rest) = match inner {
            [name, rest @ ..] if name.kind == Kind::Word => (name, rest),
            _ => {
                self.error(Code::PROTO_SYNTAX, span, "`dtype` needs the name of a table", USAGE);
                return length;
            }
        };
        let code = match rest {
            [] => None,
            [comma, code @ ..] if comma.is(",") && !code.is_empty() => {
                match expression::parse(code, self.types) {
                    Ok(code) => Some(code),
                    Err(found) => {
                        self.diagnostics.push(*found);
                        return length;
                    }
                }
            }
            _ => {
                self.error(Code::PROTO_SYNTAX, span, "`dtype` has a table and a code", USAGE);
                return length;
            }
        };
        if self.dtypes.is_some() {
            self.error(Code::BAD_QUALIFIERS, span, "duplicate `dtype`", "remove one of the two");
        }
        let table = Spanned::new(table.text.to_owned(), table.span);
        self.dtypes = Some(DtypeChoice { table, code, span });
        length
    }

    /// The type of the elements of an array with `dtype`: `void`, as no C type is that of all of them.
    pub(super) fn element_of_any(&self, words: &[Token<'_>]) -> Option<CType> {
        match words {
            [void] if void.text == "void" && self.dtypes.is_some() && self.brackets.is_some() => {
                Some(CType::of(Scalar::UChar, "void".to_owned(), void.span))
            }
            _ => None,
        }
    }

    /// The array, if its rank or its dtype is known only at the call; `Some(None)` after a mistake.
    pub(super) fn any_array(
        &mut self,
        name: &str,
        ctype: Option<&CType>,
    ) -> Option<Option<Passing>> {
        let Some(AnyRank { span, dims }) = self.any_rank.take() else {
            let dtypes = self.dtypes.take()?;
            let is_array = self.stars.is_empty() && !self.dimensions.is_empty();
            if is_array && self.length.is_none() && self.terminator.is_none() {
                return Some(self.any_dtype(name, dtypes, ctype));
            }
            self.error(
                Code::BAD_QUALIFIERS,
                dtypes.span,
                format!("`dtype` applies to arrays of any dtype, and `{name}` is not one"),
                format!(
                    "write `dtype({}) void {name}[n]` or `{name}[...]`, or `{name}[dims[]]` if `dims` is the array of its dimensions",
                    dtypes.table.value
                ),
            );
            return Some(None);
        };
        let hint = "write the type, the name and one pair of brackets, as in `const double x[...]`";
        let misfits = [Qualifier::Bytes, Qualifier::String, Qualifier::Own, Qualifier::Keep];
        if let Some(place) = misfits.iter().find_map(|word| self.qualifiers.place(*word)) {
            let message = format!("`{name}` has any rank, so it is an array of numbers");
            self.error(Code::BAD_QUALIFIERS, place, message, "remove this word");
            return Some(None);
        }
        if !self.stars.is_empty() || !self.dimensions.is_empty() || self.length.is_some() {
            let message = format!("`{name}` has any rank, and further dimensions or a `*`");
            self.error(Code::PROTO_SYNTAX, span, message, hint);
            return Some(None);
        }
        let dtypes = self.dtypes.take();
        if dtypes.as_ref().is_some_and(|dtypes| self.has_one_dtype(name, dtypes, ctype)) {
            return Some(None);
        }
        let fortran = self.qualifiers.place(Qualifier::Fortran).is_some();
        Some(Some(Passing::AnyArray(AnyArray { shape: Vec::new(), dims, dtypes, fortran })))
    }

    /// An array whose dimensions are written, and whose dtype is known only at the call.
    fn any_dtype(
        &mut self,
        name: &str,
        dtypes: DtypeChoice,
        ctype: Option<&CType>,
    ) -> Option<Passing> {
        let misfits = [Qualifier::Bytes, Qualifier::String, Qualifier::Own, Qualifier::Keep];
        if let Some(place) = misfits.iter().find_map(|word| self.qualifiers.place(*word)) {
            let message = format!("`{name}` has any dtype, so it is an array of numbers");
            self.error(Code::BAD_QUALIFIERS, place, message, "remove this word");
            return None;
        }
        if self.has_one_dtype(name, &dtypes, ctype) {
            return None;
        }
        let fortran = self.qualifiers.place(Qualifier::Fortran).is_some();
        let shape = std::mem::take(&mut self.dimensions);
        Some(Passing::AnyArray(AnyArray { shape, dims: None, dtypes: Some(dtypes), fortran }))
    }

    /// Reports a type of C whose elements have one dtype.
    fn has_one_dtype(&mut self, name: &str, dtypes: &DtypeChoice, ctype: Option<&CType>) -> bool {
        let is_byte = |ctype: &CType| {
            ctype.number().is_some_and(|scalar| scalar.size() == 1 && scalar.is_integer())
        };
        let Some(ctype) = ctype.filter(|ctype| !is_byte(ctype)) else { return false };
        self.error(
            Code::BAD_QUALIFIERS,
            dtypes.span,
            format!("the elements of `{name}` are `{}`, so they have one dtype", ctype.spelling),
            "write `void`, or remove `dtype`",
        );
        true
    }
}

/// Makes the rank of each array that has its dimensions in another one a hidden value: in `int rank, const long
/// dims[rank], const double x[dims[]]` the caller passes `x` alone.
pub(crate) fn infer_ranks(arguments: &mut PerArgument<Argument>) {
    let arrays: Vec<(String, Span, String)> = arguments
        .iter()
        .filter(|one| !one.intent.as_ref().is_some_and(|intent| intent.value == Intent::Out))
        .filter_map(|one| {
            let dims = one.any_array()?.dims.as_ref()?;
            Some((one.name.value.clone(), one.name.span, dims.value.clone()))
        })
        .collect();
    for (array, array_span, dims) in arrays {
        let rank = arguments.iter().find(|one| one.name.value == dims).and_then(|one| {
            let shape: &[Expr] = one.shape()?;
            let [size] = shape else { return None };
            size.as_name().map(str::to_owned)
        });
        let is_rank = |one: &&mut Argument| {
            Some(&one.name.value) == rank.as_ref()
                && one.passing == Passing::Value
                && one.default.is_none()
                && one.intent.is_none()
        };
        if let Some(rank) = arguments.iter_mut().find(is_rank) {
            let kind = ExprKind::Measure { measure: Measure::Ndim, array, array_span, axis: None };
            rank.intent = Some(Spanned::new(Intent::Hidden, rank.name.span));
            rank.default = Some(Expr::new(kind, rank.name.span));
        }
    }
}
