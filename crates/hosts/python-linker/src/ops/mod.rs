//! Ops whose C is written for each type: `DeepCopyOp`, `ViewOp`, `Shape` and `Shape_i`.
//!
//! A type's author registers code with `%(iname)s`, `%(oname)s`, `%(fail)s`, and `%(i)s` for
//! `Shape_i`; the code for built-in types is here. The owner of the registrations finds the one for
//! a type, and creates a [`TypeOp`] from it.

mod call;

pub use call::Call;

use crate::error::Error;
use crate::fragment_op::{FragmentOp, Site};
use crate::fragment_type::Text;
use crate::needs::Version;
use crate::types::{DType, c_name, type_number};

/// One of these ops, with the C for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeOp {
    /// `DeepCopyOp`
    pub name: String,
    /// The registered code.
    pub code: String,
    /// For `Shape_i`: the dimension, and code that checks that the input has it.
    pub dimension: Option<(usize, String)>,
    /// The version of the registration.
    pub version: Version,
    /// The output shares memory with the input.
    pub is_view: bool,
}

impl FragmentOp for TypeOp {
    fn name(&self) -> String {
        match &self.dimension {
            Some((i, _)) => format!("{}{{{i}}}", self.name),
            None => self.name.clone(),
        }
    }

    fn code(&self, site: Site<'_>) -> Text {
        let (Some(iname), Some(oname)) = (site.inputs.first(), site.outputs.first()) else {
            return Err(format!("{} has one input and one output", self.name).into());
        };
        let i = self.dimension.as_ref().map_or(String::new(), |(i, _)| i.to_string());
        let check = self.dimension.as_ref().map_or("", |(_, check)| check.as_str());
        let code =
            if check.is_empty() { self.code.clone() } else { format!("{check}\n{}", self.code) };
        let pieces =
            [("iname", iname.as_str()), ("oname", oname), ("i", &i), ("fail", site.sub.fail())];
        filled(&code, &pieces).map(Some)
    }

    fn check_input(&self) -> bool {
        false
    }

    fn aliases(&self) -> bool {
        self.is_view
    }

    fn version(&self) -> Result<Version, Error> {
        Ok(self.version.clone())
    }
}

/// Replaces `%(name)s` by the piece of that name and `%%` by `%`, like Python.
fn filled(text: &str, pieces: &[(&str, &str)]) -> Result<String, Error> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let key = after.strip_prefix('(').and_then(|after| after.split_once(")s"));
        let found = key.and_then(|(key, after)| {
            let piece = pieces.iter().find(|(name, _)| *name == key)?;
            Some((piece.1, after))
        });
        let Some((piece, after)) = found else {
            let shown: String = after.chars().take(12).collect();
            let known: Vec<String> = pieces.iter().map(|(name, _)| format!("%({name})s")).collect();
            return Err(format!(
                "`%{shown}` stands for nothing; there are {}, and %% for a percent sign",
                known.join(", ")
            )
            .into());
        };
        out.push_str(piece);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

fn built_in(name: &str, code: &str, dimension: Option<(usize, String)>, is_view: bool) -> TypeOp {
    let version = Version::Parts(vec!["1".to_owned()]);
    TypeOp { name: name.to_owned(), code: code.to_owned(), dimension, version, is_view }
}

/// A copy of an array.
pub fn deep_copy_array() -> TypeOp {
    built_in(
        "DeepCopyOp",
        "if (!fp_copy_array(&%(oname)s, %(iname)s)) {\n    %(fail)s\n}",
        None,
        false,
    )
}

/// The array itself.
pub fn view_array() -> TypeOp {
    let code = "Py_XDECREF(%(oname)s);\n%(oname)s = (PyArrayObject *)Py_NewRef(%(iname)s);";
    built_in("ViewOp", code, None, true)
}

/// A number, which has no memory to share.
pub fn copy_number(name: &str) -> TypeOp {
    built_in(name, "%(oname)s = %(iname)s;", None, false)
}

/// A number as an array of rank 0, for ops that require that.
pub fn number_as_array(dtype: DType) -> TypeOp {
    let (c, number) = (c_name(dtype), type_number(dtype));
    // Complex numbers are structs in C++, and have no literals.
    let set = if dtype.is_complex() {
        "memcpy(PyArray_DATA(%(oname)s), &%(iname)s, sizeof %(iname)s);".to_owned()
    } else {
        format!("*({c} *)PyArray_DATA(%(oname)s) = %(iname)s;")
    };
    let code = format!(
        "if (%(oname)s == NULL\n    \
             && (%(oname)s = (PyArrayObject *)PyArray_SimpleNew(0, NULL, {number})) == NULL) {{\n    %(fail)s\n\
         }}\n{set}"
    );
    built_in("array of rank 0", &code, None, false)
}

/// The inverse, for the result of an op.
pub fn array_as_number() -> TypeOp {
    let code = "if (%(iname)s == NULL) {\n    \
                    PyErr_SetString(PyExc_RuntimeError, \"an op did not make its output\");\n    %(fail)s\n\
                }\nmemcpy(&%(oname)s, PyArray_DATA(%(iname)s), sizeof %(oname)s);";
    built_in("number", code, None, false)
}

/// The shape of an array, a vector of int64.
pub fn shape_array() -> TypeOp {
    built_in("Shape", "if (!fp_shape_of(&%(oname)s, %(iname)s)) {\n    %(fail)s\n}", None, false)
}

/// One size of an array, an int64.
pub fn shape_i_array(i: usize) -> TypeOp {
    let check = "if (%(i)s >= PyArray_NDIM(%(iname)s)) {\n    \
                     PyErr_SetString(PyExc_TypeError, \"the array has no dimension %(i)s\");\n    %(fail)s\n\
                 }";
    let code = "%(oname)s = (npy_int64)PyArray_DIM(%(iname)s, %(i)s);";
    built_in("Shape_i", code, Some((i, check.to_owned())), false)
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn texts_are_filled_as_python_fills_them() {
        let pieces = [("iname", "V1"), ("i", "0")];
        assert_eq!(filled("a[%(i)s] %% %(iname)s", &pieces).unwrap(), "a[0] % V1");
        let message = filled("%(oname)s = 1", &pieces).unwrap_err().to_string();
        assert!(message.starts_with("`%(oname)s = 1` stands for nothing"), "{message}");
    }
}
