//! Numbers: `npy_float64 x`.

use super::{DType, c_name, type_number};
use crate::error::Error;
use crate::fragment_type::{FragmentType, Number, Text, Value};
use crate::needs::{Needs, Version};
use crate::sub::Sub;

/// One number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar(pub DType);

impl FragmentType for Scalar {
    fn name(&self) -> String {
        self.0.name().to_owned()
    }

    fn declare(&self, name: &str, _sub: &Sub, _check_input: bool) -> Text {
        Ok(Some(format!("{} {name};", c_name(self.0))))
    }

    fn init(&self, name: &str, _sub: &Sub) -> Text {
        // Complex numbers are structs in C++.
        Ok(Some(if self.0.is_complex() {
            format!("memset(&{name}, 0, sizeof {name});")
        } else {
            format!("{name} = 0;")
        }))
    }

    fn extract(&self, name: &str, sub: &Sub, _check_input: bool) -> Text {
        let read = match self.0 {
            DType::Float64 => format!("fp_read_float64(py_{name}, &{name})"),
            other => format!("fp_read_number(py_{name}, {}, &{name})", type_number(other)),
        };
        Ok(Some(format!("if (!{read}) {{\n    {}\n}}", sub.fail())))
    }

    fn sync(&self, name: &str, _sub: &Sub) -> Text {
        Ok(Some(format!(
            "Py_XDECREF(py_{name});\npy_{name} = fp_number({}, &{name});",
            type_number(self.0)
        )))
    }

    fn cleanup(&self, _name: &str, _sub: &Sub) -> Text {
        Ok(Some(String::new()))
    }

    fn literal(&self, value: &Value) -> Text {
        Ok(value.downcast_ref::<Number>().and_then(|number| literal(self.0, *number)))
    }

    fn element_type(&self) -> Option<String> {
        Some(c_name(self.0))
    }

    fn is_simple(&self) -> bool {
        true
    }

    fn is_view(&self) -> bool {
        true
    }

    fn number(&self) -> Option<DType> {
        Some(self.0)
    }

    fn accepts(&self, object: &str) -> Option<String> {
        (self.0 == DType::Float64).then(|| format!("PyFloat_CheckExact({object})"))
    }

    fn needs(&self, _compiler: Option<&str>) -> Result<Needs, Error> {
        Ok(super::needs())
    }

    fn version(&self) -> Result<Version, Error> {
        Ok(super::version(["number".to_owned(), self.0.name().to_owned()]))
    }
}

/// The number as a C literal of exactly this type. Complex numbers have no literals that are valid
/// in both C and C++.
fn literal(dtype: DType, number: Number) -> Option<String> {
    let real = match number {
        Number::Bool(value) => f64::from(u8::from(value)),
        // Conversion to the nearest value, as in C.
        Number::Integer(value) => value as f64,
        Number::Real(value) => value,
        Number::Complex(..) => return None,
    };
    let integer = match number {
        Number::Bool(value) => i128::from(value),
        Number::Integer(value) => value,
        _ => 0,
    };
    let is_integer = matches!(number, Number::Bool(_) | Number::Integer(_));
    Some(match dtype {
        DType::Float64 => real_literal(real, format!("{real:?}"), ""),
        DType::Float32 => real_literal(real, format!("{:?}", real as f32), "f"),
        DType::Bool => {
            format!("(npy_bool){}", u8::from(if is_integer { integer != 0 } else { real != 0.0 }))
        }
        DType::Complex64 | DType::Complex128 => return None,
        _ if !is_integer => return None,
        // The smallest number has no literal: a minus is not part of one.
        DType::Int64 if integer == i128::from(i64::MIN) => {
            format!("(npy_int64)(-{}LL - 1)", i64::MAX)
        }
        DType::Int64 => format!("(npy_int64){integer}LL"),
        DType::UInt64 => format!("(npy_uint64){integer}ULL"),
        DType::UInt32 => format!("(npy_uint32){integer}U"),
        other => format!("({}){}", c_name(other), integer_literal(integer)),
    })
}

fn integer_literal(value: i128) -> String {
    if value == i128::from(i32::MIN) { format!("(-{} - 1)", i32::MAX) } else { value.to_string() }
}

/// The shortest digits that represent this number; `text` has the right precision.
fn real_literal(value: f64, text: String, suffix: &str) -> String {
    let (ty, sign) =
        (if suffix.is_empty() { "double" } else { "float" }, if value < 0.0 { "-" } else { "" });
    if value.is_nan() {
        format!("({ty})NAN")
    } else if text.contains("inf") {
        format!("{sign}({ty})INFINITY")
    } else {
        format!("{text}{suffix}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(dtype: DType, number: Number) -> String {
        literal(dtype, number).unwrap()
    }

    #[test]
    fn literals_have_their_own_type() {
        assert_eq!(of(DType::Float64, Number::Real(0.1)), "0.1");
        assert_eq!(of(DType::Float64, Number::Integer(2)), "2.0");
        assert_eq!(of(DType::Float64, Number::Real(1e300)), "1e300");
        assert_eq!(of(DType::Float64, Number::Real(-0.0)), "-0.0");
        assert_eq!(of(DType::Float32, Number::Real(0.1)), "0.1f");
        assert_eq!(of(DType::Float32, Number::Real(1e300)), "(float)INFINITY");
        assert_eq!(of(DType::Float64, Number::Real(f64::NEG_INFINITY)), "-(double)INFINITY");
        assert_eq!(
            of(DType::Int64, Number::Integer(i64::MIN.into())),
            "(npy_int64)(-9223372036854775807LL - 1)"
        );
        assert_eq!(
            of(DType::Int32, Number::Integer(i32::MIN.into())),
            "(npy_int32)(-2147483647 - 1)"
        );
        assert_eq!(
            of(DType::UInt64, Number::Integer(u64::MAX.into())),
            "(npy_uint64)18446744073709551615ULL"
        );
        assert_eq!(of(DType::Bool, Number::Bool(true)), "(npy_bool)1");
        assert_eq!(literal(DType::Complex64, Number::Real(1.0)), None);
        assert_eq!(literal(DType::Int8, Number::Real(1.5)), None);
    }
}
