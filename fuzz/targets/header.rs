//! Any text as what the preprocessor printed, and as the header itself: no panic, every place inside
//! the header, and whatever is guessed reads as an interface.
#![no_main]

use fishplate_init::{DraftModule, Reserved, draft};
use fishplate_model::Source;
use fishplate_readers::header::{Header, macros, preamble, read};
use fishplate_readers::interface;
use libfuzzer_sys::fuzz_target;

/// Separates the header and its printed form; without it, they are the same.
const BETWEEN: &str = "\n====\n";

fuzz_target!(|text: &str| {
    let (text, printed) = text.split_once(BETWEEN).unwrap_or((text, text));
    let source = Source { path: "fuzz.h".into(), text: text.to_owned() };
    let header = Header {
        name: "fuzz.h".into(),
        markers: vec!["fuzz.h".into(), String::new()],
        text: text.to_owned(),
    };
    let mut diagnostics = Vec::new();
    let preamble = preamble(&source, "stats", &mut diagnostics);
    let reading = read(source, preamble, &header, printed);
    for found in reading.diagnostics.iter().chain(&diagnostics) {
        for label in found.secondary.iter().chain([&found.primary]) {
            assert!(text.get(label.span.start..label.span.end).is_some(), "{found:?}");
        }
    }
    let module = DraftModule { name: "fuzz".into(), ..DraftModule::default() };
    let made = draft(printed, &[header], &macros::answers(printed), module, &|_| true, Reserved::default());
    if !made.functions.is_empty() {
        let source = Source { path: "fuzz.toml".into(), text: made.print() };
        let read = interface::read(source);
        assert_eq!(read.diagnostics, [], "{}", read.interface.source.text);
    }
});
