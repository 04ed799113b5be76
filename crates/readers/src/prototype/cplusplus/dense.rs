//! Matrices and vectors of Eigen, and `std::mdspan`.
//!
//! Purpose: the element, the sizes and the storage order of such a type, from its name or its template arguments.
//! Invariant: vectors of Eigen are arrays of one dimension, its other types have two.
//! Reason: these types are arrays with lengths, as `std::vector` is, and the names of most follow one scheme.

use super::Scope;
use super::declaration::Declaration;
use super::parameters::ValueType;
use crate::prototype::lexer::Token;
use crate::prototype::parser::joined;

/// The largest rank of an `std::mdspan`.
const MOST_DIMENSIONS: usize = 8;

/// A matrix, a vector, or a view of an array.
pub(super) struct Dense {
    /// The C type of its elements.
    pub element: String,
    /// Its dimensions, each with the number of elements if the type has it.
    pub sizes: Vec<Option<String>>,
    /// The first dimension varies fastest.
    pub is_fortran: bool,
    /// It refers to memory of something else: `Eigen::Ref`, `Eigen::Map`, `std::mdspan`.
    pub is_view: bool,
    /// The elements that it refers to cannot be changed.
    pub is_const: bool,
}

impl Dense {
    /// The name of a dimension.
    pub(super) fn name_of_size(&self, at: usize) -> String {
        match (self.sizes.len(), at) {
            (1, _) => "size".to_owned(),
            (2, 0) => "rows".to_owned(),
            (2, _) => "columns".to_owned(),
            _ => format!("size_{at}"),
        }
    }
}

impl Scope<'_> {
    /// The matrix or vector that this type is.
    pub(super) fn dense(&self, one: &Declaration<'_, '_>) -> Option<Dense> {
        if one.stars > 0 {
            return None;
        }
        let base = one.base();
        match (base.as_str(), one.arguments.as_slice()) {
            ("Eigen::Ref" | "Eigen::Map", [of]) => {
                let of = Declaration::read(of, false)?;
                let seen = self.dense(&of).filter(|seen| !seen.is_view)?;
                Some(Dense { is_view: true, is_const: of.is_const, ..seen })
            }
            ("Eigen::Matrix" | "Eigen::Array", [element, rows, columns, rest @ ..]) => {
                let element = Declaration::read(element, false)?;
                let ValueType::Number(element) = self.value_type(&element) else { return None };
                let size = |tokens| match joined(tokens).as_str() {
                    "Eigen::Dynamic" | "-1" => None,
                    number => Some(number.to_owned()),
                };
                let options = rest.first().map(|options| joined(options)).unwrap_or_default();
                let is_fortran = !matches!(options.as_str(), "Eigen::RowMajor" | "1");
                Some(dense(element, [size(rows), size(columns)], is_fortran))
            }
            ("std::mdspan", [element, extents, rest @ ..]) => self.mdspan(element, extents, rest),
            (name, []) => named(name.strip_prefix("Eigen::")?),
            _ => None,
        }
    }

    /// `std::mdspan<double, std::dextents<size_t, 2>>`; `rest` is the layout, if it is written.
    fn mdspan(
        &self,
        element: &[Token<'_>],
        extents: &[Token<'_>],
        rest: &[&[Token<'_>]],
    ) -> Option<Dense> {
        let (element, extents) =
            (Declaration::read(element, false)?, Declaration::read(extents, false)?);
        let is_const = element.is_const;
        let ValueType::Number(element) = self.value_type(&element) else { return None };
        let sizes: Vec<Option<String>> =
            match (extents.base().as_str(), extents.arguments.as_slice()) {
                ("std::dextents", [_, rank]) => vec![None; joined(rank).parse().ok()?],
                ("std::extents", [_, sizes @ ..]) => {
                    let size = |size: &&[Token<'_>]| match joined(size).as_str() {
                        "std::dynamic_extent" => None,
                        number => Some(number.to_owned()),
                    };
                    sizes.iter().map(size).collect()
                }
                _ => return None,
            };
        let is_fortran =
            match rest.iter().map(|layout| joined(layout)).collect::<Vec<_>>().as_slice() {
                [] => false,
                [layout] if layout == "std::layout_right" => false,
                [layout] if layout == "std::layout_left" => sizes.len() > 1,
                _ => return None,
            };
        (1..=MOST_DIMENSIONS).contains(&sizes.len()).then_some(Dense {
            element,
            sizes,
            is_fortran,
            is_view: true,
            is_const,
        })
    }
}

fn dense(element: String, sizes: [Option<String>; 2], is_fortran: bool) -> Dense {
    let is_one = |size: &Option<String>| size.as_deref() == Some("1");
    let is_vector = sizes.iter().any(is_one);
    let left = sizes.into_iter().filter(|size| !is_vector || !is_one(size));
    let mut sizes: Vec<_> = left.collect();
    if sizes.is_empty() {
        sizes.push(Some("1".to_owned()));
    }
    Dense { element, sizes, is_fortran: is_fortran && !is_vector, is_view: false, is_const: false }
}

/// `MatrixXd`, `Vector3f`, `RowVectorXcd`, `ArrayXXi`, `Matrix3Xd`
fn named(name: &str) -> Option<Dense> {
    let kinds = ["Matrix", "RowVector", "Vector", "Array"];
    let (kind, rest) = kinds.iter().find_map(|kind| Some((*kind, name.strip_prefix(kind)?)))?;
    let at = rest.find(|one: char| one.is_ascii_lowercase())?;
    let (sizes, element) = rest.split_at(at);
    let element = match element {
        "d" => "double",
        "f" => "float",
        "i" => "int",
        "cd" => "double complex",
        "cf" => "float complex",
        _ => return None,
    };
    let size = |one: char| match one {
        'X' => Some(None),
        '2'..='4' => Some(Some(one.to_string())),
        _ => None,
    };
    let sizes: Vec<Option<String>> = sizes.chars().map(size).collect::<Option<_>>()?;
    let one = Some("1".to_owned());
    let sizes = match (kind, sizes.as_slice()) {
        ("Vector", [size]) => [size.clone(), one],
        ("RowVector", [size]) => [one, size.clone()],
        ("Array", [size]) => [size.clone(), one],
        // `Array22d`, `Matrix2d` and `Matrix2Xd`.
        ("Matrix", [size]) => [size.clone(), size.clone()],
        ("Matrix" | "Array", [rows, columns]) => [rows.clone(), columns.clone()],
        _ => return None,
    };
    Some(dense(element.to_owned(), sizes, true))
}
