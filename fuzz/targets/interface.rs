//! Any text as an interface file: no panic, and every diagnostic's place inside the text.
#![no_main]

use fishplate_model::Source;
use fishplate_readers::interface;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let source = Source { path: "fuzz.toml".into(), text: text.to_owned() };
    let reading = interface::read(source);
    for found in &reading.diagnostics {
        for label in found.secondary.iter().chain([&found.primary]) {
            assert!(text.get(label.span.start..label.span.end).is_some(), "{found:?}");
        }
    }
    for overload in reading.interface.functions.iter().flat_map(|function| &function.overloads) {
        let place = &text[overload.span.start..overload.span.end];
        let c_name = &text[overload.c_name.span.start..overload.c_name.span.end];
        // A name may be written with TOML escapes, but then a backslash is there.
        assert!(c_name == overload.c_name.value || place.contains('\\'), "{overload:?}");
    }
});
