//! The helpers of a file, and the prototypes of math functions, each once and only if it is used.

use std::collections::BTreeMap;

use fishplate_graph::DType;

use crate::ctype::suffix;
use crate::function::helper;

/// The requested helpers.
#[derive(Clone, Debug, Default)]
pub struct Helpers {
    common: BTreeMap<&'static str, &'static str>,
    strings: BTreeMap<String, String>,
    prototypes: BTreeMap<String, String>,
}

/// The functions of glibc's vector math library (libmvec, since 2.35), by C's names in double
/// precision.
const VECTOR: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf",
    "erfc", "exp", "exp2", "expm1", "hypot", "log", "log10", "log1p", "log2", "pow", "sin", "sinh",
    "tan", "tanh",
];

/// The C name of a helper for a dtype.
pub fn helper_name(name: &str, dtype: DType) -> String {
    format!("fp_{name}_{}", suffix(dtype))
}

impl Helpers {
    /// The C name of a helper for a dtype; adds the helper.
    pub fn request(&mut self, name: &str, dtype: DType) -> String {
        if name == "sign" {
            let single = if dtype.real() == DType::Float32 { "f" } else { "" };
            self.declare(
                &format!("cabs{single}"),
                crate::ctype::c_type(dtype.real()),
                crate::ctype::c_type(dtype),
                1,
            );
        }
        let full = helper_name(name, dtype);
        self.strings.entry(full.clone()).or_insert_with(|| helper(name, dtype));
        full
    }

    /// Adds C that is independent of dtypes, under a name; helpers may use it.
    pub fn add(&mut self, name: &'static str, text: &'static str) {
        self.common.insert(name, text);
    }

    /// Declares a function of the math library.
    pub fn declare(&mut self, name: &str, result: &str, argument: &str, count: usize) {
        let vector =
            VECTOR.contains(&name.strip_suffix('f').unwrap_or(name)) || VECTOR.contains(&name);
        let simd = if vector { "FP_SIMD " } else { "" };
        let arguments = vec![argument; count].join(", ");
        self.prototypes
            .entry(name.to_owned())
            .or_insert_with(|| format!("{simd}{result} {name}({arguments});\n"));
    }

    /// True if a function was declared that has a vector form.
    pub fn uses_vectors(&self) -> bool {
        self.prototypes.values().any(|text| text.starts_with("FP_SIMD"))
    }

    /// The source: prototypes, then what is independent of dtypes, then helpers.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if self.uses_vectors() {
            text.push_str(
                "#if defined(FP_VECTOR_MATH) && defined(__GNUC__) && !defined(__clang__)\n\
                 #define FP_SIMD __attribute__((simd(\"notinbranch\"), const))\n\
                 #else\n#define FP_SIMD\n#endif\n",
            );
        }
        self.prototypes.values().for_each(|one| text.push_str(one));
        for one in self.common.values().copied().chain(self.strings.values().map(String::as_str)) {
            text.push('\n');
            text.push_str(one);
        }
        text
    }
}
