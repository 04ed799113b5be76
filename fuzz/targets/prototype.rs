//! Any text as an annotated prototype: an overload exactly when there are no diagnostics, and every
//! name where it says it is.
#![no_main]

use fishplate_model::Scalar;
use fishplate_readers::prototype::{self, Types};
use fishplate_readers::span_map::SpanMap;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut types = Types::default();
    types.insert("MKL_INT", Scalar::Int64);
    let mut diagnostics = Vec::new();
    let map = SpanMap::verbatim(text, 0);
    let overload = prototype::read(text, &map, &types, &mut diagnostics);
    assert_eq!(overload.is_some(), diagnostics.is_empty());
    for found in &diagnostics {
        assert!(text.get(found.primary.span.start..found.primary.span.end).is_some());
    }
    for argument in overload.iter().flat_map(|overload| &overload.arguments) {
        assert_eq!(text[argument.name.span.start..argument.name.span.end], argument.name.value);
        if let Some(default) = &argument.default {
            default.walk(&mut |expr| assert!(text.get(expr.span.start..expr.span.end).is_some()));
        }
    }
});
