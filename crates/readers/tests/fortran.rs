//! Every Fortran source yields a result, without a panic, that TOML can express.

use fishplate_model::Source;
use fishplate_readers::{fortran, interface};
use proptest::prelude::*;

const VALID: &str = include_str!("../../../tests/fortran/kinetics/kinetics.f90");

fn check(text: &str) {
    for file in ["lib.f90", "lib.f"] {
        let printed = fortran::draft(
            &[fortran::SourceFile { name: file.to_owned(), text: text.to_owned() }],
            "lib",
            &|_| true,
        )
        .print();
        let reading = interface::read(Source { path: "x.toml".into(), text: printed.clone() });
        let wrong = reading.diagnostics.iter().find(|one| one.code.id == "FP0101");
        assert!(wrong.is_none(), "{wrong:?} in\n{printed}");
    }
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
    for open in
        ["(", "'", "&", "&\n", "integer x\n", "subroutine f\n", "interface\n", "type t\n", "a%"]
    {
        let many = open.repeat(2_000);
        check(&many);
        check(&format!("subroutine f(x)\n{many}"));
        check(&format!("subroutine f(x)\nreal, intent(in) :: x({many})\nend subroutine"));
    }
}

proptest! {
    #[test]
    fn any_text(text in any::<String>(), in_procedure in any::<String>()) {
        check(&text);
        check(&format!("module m\ncontains\nsubroutine f(x) bind(c)\n{in_procedure}\nend\nend module\n"));
    }

    #[test]
    fn any_declaration(text in "(integer|real\\*8|type\\(t\\)|character|intent\\(|in|out|\\)|,|::| |x|n|=|size\\(|\\(|\\*|:|1|value|bind\\(c\\)|\n){0,30}") {
        check(&format!("subroutine f(x, n) bind(c, name='f')\n{text}\nend\n"));
    }
}
