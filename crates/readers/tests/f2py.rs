//! Every signature file yields a result, without a panic, that TOML can express.

use fishplate_model::Source;
use fishplate_readers::{f2py, interface};
use proptest::prelude::*;

const VALID: &str = include_str!("../../../tests/signatures/rows/rows.pyf.src");

fn check(text: &str) {
    let text = f2py::expand(text, &|_| None);
    let conversion = f2py::convert(&text);
    let printed = conversion.print();
    let reading = interface::read(Source { path: "x.toml".into(), text: printed.clone() });
    let wrong = reading.diagnostics.iter().find(|one| one.code.id.starts_with("FP01"));
    let is_empty = conversion.functions() == 0 || conversion.module.is_empty();
    assert!(wrong.is_none() || is_empty, "{wrong:?} in\n{printed}");
}

/// One place in 23, another one for the beginning of the file and for a deletion.
#[test]
fn beginnings_and_deletions() {
    for (at, c) in VALID.char_indices().filter(|(at, _)| at % 23 == 0) {
        check(&VALID[..at]);
        check(&format!("{}{}", &VALID[..at], &VALID[at + c.len_utf8()..]));
    }
}

#[test]
fn what_is_deep_or_long() {
    for open in ["(", "[", "<", "'", "'''", "&", "&\n", "integer x\n", "subroutine f\n", "<a,b>"] {
        let many = open.repeat(3_000);
        check(&many);
        check(&format!("subroutine f(x)\n{many}"));
        check(&format!("subroutine f(x)\ninteger check({many}) :: x = {many}\nend subroutine"));
    }
}

proptest! {
    #[test]
    fn any_text(text in any::<String>(), in_routine in any::<String>()) {
        check(&text);
        check(&format!("python module m\ninterface\nsubroutine f(x)\n{in_routine}\nend\n"));
    }

    #[test]
    fn any_declaration(text in "(integer|real\\*8|intent\\(|in|out|hide|\\)|,|::| |x|n|=|len|\\(|\\*|1|check\\(|<|\n){0,30}") {
        check(&format!("python module m\ninterface\nsubroutine f(x, n)\n{text}\nend\n"));
    }
}
