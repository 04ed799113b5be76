//! The input for the C compiler, its messages, and their translation.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod support;

use fishplate_model::Language;
use fishplate_python_linker::types::{DType, Scalar};
use fishplate_python_linker::{FragmentOp, FragmentType, Needs, Owner, link};
use std::sync::Arc;
use std::time::Instant;
use support::{Module, TextOp, compilers_for, program, refused};

fn float64() -> Arc<dyn FragmentType> {
    Arc::new(Scalar(DType::Float64))
}

/// `z = op(x)`
fn one(op: TextOp) -> fishplate_python_linker::Linked {
    let (op, ty): (Arc<dyn FragmentOp>, _) = (Arc::new(op), float64());
    let mut f = program("f");
    let x = f.input("x", &ty);
    let z = f.apply(&op, &[x], "z", &ty);
    f.output(z);
    link(&f.program).unwrap()
}

#[test]
fn a_mistake_is_shown_in_its_fragment() {
    let linked = one(TextOp {
        name: "Scale",
        code: "
            double factor = 2;

            if (%(x)s > 0) {
                %(z)s = factr * %(x)s;
            }
            ",
        ..TextOp::default()
    });
    for language in [Language::C, Language::Cxx] {
        let c = linked.print(language);
        for compiler in compilers_for(language) {
            let Some(notes) = refused(&c, compiler) else { return };
            let (fragment, line) = c.fragment_at(notes[0].line).unwrap();
            assert_eq!((fragment.owner, fragment.hook, line), (Owner::Node(0), "c_code", 3));
            let shown = c.explain(&notes);
            let expected = "Scale.c_code in z = Scale(x):\n\
                            \x20 1 | double factor = 2;\n\
                            \x20 2 | \n\
                            \x20 3 | if (V0 > 0) {\n\
                            \x20 4 |     V1 = factr * V0;\n\
                            \x20   ^ ";
            assert!(shown.starts_with(expected) && shown.contains("factr"), "{shown}");
            assert!(shown.lines().count() < 12, "{shown}");
        }
    }
}

#[test]
fn a_mistake_in_helpers_is_shown_too() {
    let support_code = vec!["static double helper(double x)\n{\n    return y;\n}".to_owned()];
    let linked = one(TextOp {
        name: "Helped",
        code: "%(z)s = helper(%(x)s);",
        needs: Needs { support_code, ..Needs::default() },
        ..TextOp::default()
    });
    let c = linked.print(Language::C);
    for compiler in compilers_for(Language::C) {
        let Some(notes) = refused(&c, compiler) else { return };
        let shown = c.explain(&notes);
        assert!(shown.starts_with("Helped.c_support_code in z = Helped(x):\n"), "{shown}");
        assert!(shown.contains("  3 |     return y;\n    ^ "), "{shown}");
    }
}

#[test]
fn names_with_another_meaning_in_c_are_refused() {
    // Truncates in C, and not in C++.
    let linked = one(TextOp { name: "abs", code: "%(z)s = abs(%(x)s);", ..TextOp::default() });
    let c = linked.print(Language::C);
    for compiler in compilers_for(Language::C) {
        if refused(&c, compiler).is_none() {
            return;
        }
    }
    let cxx = linked.print(Language::Cxx);
    for compiler in compilers_for(Language::Cxx) {
        let Some(module) = Module::new(&cxx, compiler, &[]) else { return };
        module.run("assert linked.instantiate(())(-2.5) == 2.5");
    }
}

#[test]
fn cxx_and_its_exceptions() {
    let linked = one(TextOp {
        name: "vectors",
        code: "
            std::vector<double> all(3, %(x)s);
            %(z)s = all.at((int)%(x)s) + members_%(name)s.size();
            if (%(x)s == 2) { throw 5; }
            members_%(name)s.push_back(1);
            ",
        members: "std::vector<int> members_%(name)s;",
        needs: Needs { headers: vec!["<vector>".to_owned()], ..Needs::default() },
        ..TextOp::default()
    });
    assert_eq!(linked.language(), Language::Cxx);
    let c = linked.print(Language::Cxx);
    for compiler in compilers_for(Language::Cxx) {
        let Some(module) = Module::new(&c, compiler, &[]) else { return };
        module.run(
            "failed = []
f = linked.instantiate((), None, lambda error, block: failed.append(block))
assert (f(0.0), f(1.0)) == (0.0, 2.0)
count = sys.getrefcount(x := float('3'))
for value, part in [(x, 'vector'), (2.0, 'without setting an exception')]:
    try:
        f(value)
    except RuntimeError as error:
        assert part in str(error), error
    else:
        assert False
assert f(1.0) == 3.0 and sys.getrefcount(x) == count and len(set(failed)) == 1
",
        );
    }
}

#[test]
fn flags_are_joined_and_taken_away() {
    let flags = |args: &[&str], no: &[&str]| Needs {
        compile_args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        no_compile_args: no.iter().map(|arg| (*arg).to_owned()).collect(),
        ..Needs::default()
    };
    let (first, second) = (
        TextOp {
            name: "first",
            code: "%(z)s = %(x)s;",
            needs: flags(&["-DA", "-ffast-math"], &[]),
            ..TextOp::default()
        },
        TextOp {
            name: "second",
            code: "%(z)s = %(x)s;",
            needs: flags(&["-DA", "-DB"], &["-ffast-math", "-O3"]),
            ..TextOp::default()
        },
    );
    let ty = float64();
    let mut f = program("f");
    let x = f.input("x", &ty);
    let ops: [Arc<dyn FragmentOp>; 2] = [Arc::new(first), Arc::new(second)];
    let y = f.apply(&ops[0], &[x], "y", &ty);
    let z = f.apply(&ops[1], &[y], "z", &ty);
    f.output(z);
    let c = link(&f.program).unwrap().print(Language::Cxx);
    assert_eq!(c.flags, ["-DA", "-DB"]);
    assert_eq!(c.no_flags, ["-ffast-math", "-O3"]);
}

#[test]
fn five_thousand_nodes_compile() {
    let ty = float64();
    let op: Arc<dyn FragmentOp> = Arc::new(TextOp {
        name: "add",
        code: "if (%(x)s > 1e300) { PyErr_SetString(PyExc_OverflowError, \"large\"); %(fail)s }
            %(z)s = %(x)s + %(y)s;",
        ..TextOp::default()
    });
    let mut f = program("f");
    let x = f.input("x", &ty);
    let mut last = x;
    for index in 0..5000 {
        last = f.apply(&op, &[last, x], &format!("t{index}"), &ty);
    }
    f.output(last);
    let started = Instant::now();
    let linked = link(&f.program).unwrap();
    let c = linked.print(Language::C);
    let linking = started.elapsed();
    for compiler in compilers_for(Language::C) {
        let started = Instant::now();
        let Some(module) = Module::new(&c, compiler, &["-O0"]) else { return };
        println!("linked in {linking:?}, {compiler} -O0 {:?}", started.elapsed());
        module.run(
            "f = linked.instantiate((), None, lambda e, block: e.add_note(str(block)))
assert f(1.0) == 5001.0
try:
    f(3e299)
except OverflowError as error:
    assert len(error.__notes__) == 1
else:
    assert False
",
        );
    }
}
