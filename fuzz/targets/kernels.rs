//! Any text as a configuration of xndtools: no panic, and every place inside the text; configurations
//! without mistakes become interface files with the same meaning.
#![no_main]

use fishplate_model::Source;
use fishplate_readers::{interface, kernels};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let source = Source { path: "fuzz-kernels.cfg".into(), text: text.to_owned() };
    let reading = kernels::read(source);
    for found in &reading.diagnostics {
        for label in found.secondary.iter().chain([&found.primary]) {
            assert!(text.get(label.span.start..label.span.end).is_some(), "{found:?}");
        }
    }
    for overload in reading.interface.functions.iter().flat_map(|function| &function.overloads) {
        let c_name = overload.c_name.span;
        assert_eq!(&text[c_name.start..c_name.end], overload.c_name.value, "{overload:?}");
    }
    if !reading.diagnostics.iter().any(|found| found.is_error()) {
        let written = interface::write(&reading.interface);
        let source = Source { path: "fuzz.toml".into(), text: written.clone() };
        let again = interface::read(source);
        assert!(again.diagnostics.is_empty(), "{:?} in {written}", again.diagnostics);
        assert_eq!(interface::write(&again.interface), written);
    }
});
