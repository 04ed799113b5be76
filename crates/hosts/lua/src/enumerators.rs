//! The values of enumerators: stored in the library, and read from there.
//!
//! Purpose: `NAME.d.lua` contains values that only the C compiler knows, without compiling anything
//! twice.
//! Invariant: values that are not found in the expected form are omitted.
//! Reason: a library for another machine can be read too, but not loaded.

use fishplate_emit::{CFile, Section, c_type};
use fishplate_plan::Plan;
use std::fmt::Write as _;

/// The marker before the values, `FP_ENUMERATORS_MARK` with its NUL.
const MARK: &[u8] = b"fishplate enumerators:\n\0";
/// The bytes of one: eight of its value, the lowest first, and one that is 1 if its type is signed.
const SIZE: usize = 9;

/// Adds the values of all enums, in their order.
pub(crate) fn define(plan: &Plan, file: &mut CFile) {
    let mut rows = String::new();
    for one in &plan.enums {
        let ctype = c_type(&one.ctype);
        for value in &one.values {
            let _ = writeln!(rows, "    FP_ENUMERATOR_BYTES({ctype}, {}),", value.value.value);
        }
    }
    let count: usize = plan.enums.iter().map(|one| one.values.len()).sum();
    if count > 0 {
        let text = format!("FP_ENUMERATORS({count}) = {{FP_ENUMERATORS_MARK, {{\n{rows}}}}};\n");
        file.add(Section::Declarations, text);
    }
}

/// The statement of `luaopen_NAME` by which the linker keeps the values; empty if there are none.
pub(crate) fn keep(plan: &Plan) -> &'static str {
    match plan.enums.iter().any(|one| !one.values.is_empty()) {
        true => "fp_keep_data(&fpl_enumerators);\n    ",
        false => "",
    }
}

/// The representation of 64-bit integers in a Lua, which a module uses if a number is not precise
/// enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integers {
    /// Integers, as in Lua 5.3.
    Own,
    /// The cdata of LuaJIT.
    Cdata,
    /// None: a string of digits, as in Lua 5.1.
    Digits,
}

impl Integers {
    /// That of the Lua with this name.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "luajit" => Integers::Cdata,
            "lua5.1" | "lua5.2" => Integers::Digits,
            _ => Integers::Own,
        }
    }
}

impl Integers {
    /// A value of a module as a literal, equal to the result of `fp_push_number`.
    fn literal(self, value: i128) -> String {
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
        let is_double = value as f64 as i128 == value;
        let is_signed = i64::try_from(value).is_ok();
        match self {
            // Without its minus it would be a float.
            Integers::Own if value == i128::from(i64::MIN) => format!("-{:#x}", i64::MIN),
            Integers::Own if is_signed => value.to_string(),
            _ if is_double => value.to_string(),
            Integers::Cdata => format!("{value}{}", if is_signed { "LL" } else { "ULL" }),
            Integers::Own | Integers::Digits => format!("\"{value}\""),
        }
    }
}

/// The values in a library that was built from the plan's C, as literals of the Lua for which it
/// was built.
pub(crate) fn read(plan: &Plan, library: &[u8], integers: Integers) -> Option<Vec<String>> {
    let start = library.windows(MARK.len()).position(|bytes| bytes == MARK)? + MARK.len();
    let count: usize = plan.enums.iter().map(|one| one.values.len()).sum();
    let rows = library.get(start..start + count * SIZE)?;
    let value = |row: &[u8]| {
        let bits = u64::from_le_bytes(row[..8].try_into().ok()?);
        match row[8] {
            0 => Some(integers.literal(i128::from(bits))),
            1 => Some(integers.literal(i128::from(bits.cast_signed()))),
            _ => None,
        }
    };
    rows.chunks_exact(SIZE).map(value).collect()
}
