//! Written interfaces are parsed to equal interfaces, whatever the original language.

use fishplate_model::{Callee, Interface, Source};
use fishplate_readers::{interface, kernels};
use proptest::prelude::*;

/// The interface without places and without the source of prototypes, for comparison.
fn content(interface: &Interface) -> String {
    let mut interface = interface.clone();
    interface.source = Source::default();
    for overload in interface.functions.iter_mut().flat_map(|function| &mut function.overloads) {
        overload.text.clear();
        // A configuration does not specify whether a name is a macro; the written interface
        // specifies a function.
        if overload.callee == Callee::Either {
            overload.callee = Callee::Function;
        }
    }
    let text = format!("{interface:#?}");
    let mut lines = Vec::new();
    let mut in_span = false;
    for line in text.lines() {
        in_span |= line.trim_end().ends_with("Span {");
        if !in_span {
            lines.push(line);
        }
        in_span &= !line.trim_start().starts_with('}');
    }
    lines.join("\n")
}

fn comes_back(written: &Interface) {
    let text = interface::write(written);
    let source = Source { path: "again.toml".into(), text: text.clone() };
    let again = interface::read(source);
    assert_eq!(again.diagnostics, [], "{text}");
    let (old, new) = (content(written), content(&again.interface));
    let differing = old.lines().zip(new.lines()).find(|(old, new)| old != new);
    assert!(old == new, "{differing:?} in\n{text}");
    assert_eq!(interface::write(&again.interface), text, "writing is settled");
}

fn text_of(functions: &str) -> String {
    format!("[module]\nname = 'm'\n[types]\nT = 'int'\n{functions}")
}

#[test]
fn kinds_stand_where_they_are_shortest() {
    for (function, written) in [
        ("proto = ['int f(int n)', 'int g(T n)']", "proto = [\"int f(int n)\", \"int g(T n)\"]\n"),
        ("proto = 'int f(int n)'\nkinds = ['C']", "proto = \"int f(int n)\"\nkinds = [\"C\"]\n"),
        (
            "proto = { C = 'int f(in int a[1][2])', Fortran = ['int g(in int a[1][2])'] }",
            "proto.C       = \"int f(in int a[1][2])\"\nproto.Fortran = \"int g(in int a[1][2])\"\n",
        ),
        (
            "proto = ['int f(int n)', { C = 'int g(int n)' }]\nkinds = ['Fortran', 'Strided']",
            "proto = [\"int f(int n)\", { C = \"int g(int n)\" }]\nkinds = [\"Fortran\", \"Strided\"]\n",
        ),
    ] {
        let source =
            Source { path: "m.toml".into(), text: text_of(&format!("[function.f]\n{function}")) };
        let reading = interface::read(source);
        assert_eq!(reading.diagnostics, []);
        comes_back(&reading.interface);
        let text = interface::write(&reading.interface);
        assert!(text.ends_with(&format!("[function.f]\n{written}")), "{text}");
    }
}

const CONFIGURATION: &str = include_str!("../../../fuzz/seeds/kernels/stats-kernels.cfg");

/// The content of a configuration without mistakes.
fn converted(text: &str) -> Option<Interface> {
    let source = Source { path: "m-kernels.cfg".into(), text: text.to_owned() };
    let reading = kernels::read(source);
    let good = !reading.diagnostics.iter().any(|found| found.is_error());
    good.then_some(reading.interface)
}

#[test]
fn a_configuration() {
    comes_back(&converted(CONFIGURATION).expect("it has no mistakes"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_good_change_to_a_configuration(
        changes in prop::collection::vec(
            (0.0..1.0f64, 0..4usize, "[a-c:;#=\\\\ \n\t,(){}\"'*+-]{0,3}|\\PC"), 1..3)
    ) {
        let mut text = CONFIGURATION.to_owned();
        for (part, length, insert) in changes {
            let boundary = |mut at: usize, text: &str| {
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let start = boundary((text.len() as f64 * part) as usize, &text);
            let end = boundary((start + length).min(text.len()), &text).max(start);
            text.replace_range(start..end, &insert);
        }
        if let Some(interface) = converted(&text) {
            comes_back(&interface);
        }
    }

    #[test]
    fn any_good_prototype(
        arguments in prop::collection::vec(
            (
                "(in |inplace |inout |out |in out |inplace out |inout out |hidden |)(nullable |)",
                "(fortran |)(const |)(int|double|T|unsigned long|float _Complex)",
                "(\\*x|x|x\\[(n|[0-9]|n ?[-+*/] ?(2|len\\(y\\)|-n|- -1|\\(n [<>]{1,2} 3 \\? 1 : n\\))|shape\\(y, 1\\)|min\\(n, 3\\))\\]){1,1}(\\[m\\]|)",
                "( = (1|-1|'a'|(T) n|(double) -n|f\\(n, \"a\"\\)|p->q\\[1\\].r|!n \\|\\| ~n|sizeof\\(T\\)|0x1p3)|)",
            ),
            0..5,
        ),
        result in "(void|int|status int|T)",
        doc in any::<String>(),
        code in "[ -~\n]{0,40}",
        kinds in "(kinds = \\[\"C\"\\]|)",
        more in "(ellipses = \"\\.\\.\\.\"\nthreads = 3|ellipses = [\"var...\", \"...\"]|device = \"cuda\"|gil = \"hold\"|)",
    ) {
        let list: Vec<String> = arguments
            .iter()
            .enumerate()
            .map(|(index, (intent, ty, name, default))| {
                format!("{intent}{ty} {}{default}", name.replacen('x', &format!("x{index}"), 1))
            })
            .collect();
        let proto = format!("{result} f({})", list.join(", "));
        let literal = |text: &str| serde_json::to_string(text).expect("text");
        let doc = doc.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "");
        let text = text_of(&format!(
            "[function.f]\ndoc = {}\nproto = [{}, {{ Strided = \"void g(void)\" }}]\npre-call = {}\n{kinds}\n{more}\n",
            literal(&doc), literal(&proto), literal(&code)
        ));
        let reading = interface::read(Source { path: "m.toml".into(), text });
        if reading.diagnostics.is_empty() {
            comes_back(&reading.interface);
        }
    }
}
