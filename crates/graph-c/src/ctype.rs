//! dtypes in C.

use fishplate_graph::DType;

/// The C type of an element.
pub fn c_type(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool | DType::UInt8 => "unsigned char",
        DType::Int8 => "signed char",
        DType::Int16 => "short",
        DType::Int32 => "int",
        DType::Int64 => "fp_int64",
        DType::UInt16 => "unsigned short",
        DType::UInt32 => "unsigned",
        DType::UInt64 => "fp_uint64",
        DType::Float32 => "float",
        DType::Float64 => "double",
        DType::Complex64 => "float _Complex",
        DType::Complex128 => "double _Complex",
    }
}

/// The dtype in the ABI.
pub fn abi_type(dtype: DType) -> String {
    format!("FP_{}", dtype.name().to_uppercase())
}

/// The dtype as part of a C name.
pub fn suffix(dtype: DType) -> &'static str {
    dtype.name()
}

/// The smallest and the largest value; for floats the infinities.
pub fn limits(dtype: DType) -> (String, String) {
    match dtype {
        DType::Float32 | DType::Float64 => ("-__builtin_inf()".into(), "__builtin_inf()".into()),
        DType::Bool => ("0".into(), "1".into()),
        _ => {
            let bits = dtype.size() * 8;
            let c = c_type(dtype);
            match dtype.class() {
                fishplate_graph::Class::Unsigned => ("0".into(), format!("({c})-1")),
                _ => {
                    let most = format!("({c})(((fp_uint64)1 << {}) - 1)", bits - 1);
                    (format!("({c})(-{most} - 1)"), most)
                }
            }
        }
    }
}
