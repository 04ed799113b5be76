//! Expressions, valid and invalid, as strings.

use super::*;
use crate::prototype::lexer;
use crate::span_map::SpanMap;
use fishplate_model::{Measure, Scalar};

fn read(text: &str) -> Result<Expr, Box<Diagnostic>> {
    let mut types = Types::default();
    types.insert("MKL_INT", Scalar::Int64);
    let mut diagnostics = Vec::new();
    let tokens = lexer::lex(text, &SpanMap::verbatim(text, 0), &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    parse(&tokens, &types)
}

/// The structure, fully bracketed.
fn shape(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Binary(op, left, right) => {
            format!("[{} {} {}]", shape(left), op.symbol(), shape(right))
        }
        ExprKind::Unary(op, inner) => format!("[{} {}]", op.symbol(), shape(inner)),
        ExprKind::Conditional(test, yes, no) => {
            format!("[{} ? {} : {}]", shape(test), shape(yes), shape(no))
        }
        ExprKind::Cast(ty, inner) => format!("[({ty}) {}]", shape(inner)),
        ExprKind::Index(array, index) => format!("[{} at {}]", shape(array), shape(index)),
        ExprKind::Member(inner, member) => format!("[{} {member}]", shape(inner)),
        ExprKind::Paren(inner) => format!("({})", shape(inner)),
        ExprKind::Call(name, args) => {
            format!("{name}({})", args.iter().map(shape).collect::<Vec<_>>().join(", "))
        }
        _ => expr.to_string(),
    }
}

#[test]
fn precedence_and_associativity_are_c_s() {
    for (text, expected) in [
        ("n", "n"),
        ("a + b*c - d", "[[a + [b * c]] - d]"),
        ("a - b - c", "[[a - b] - c]"),
        ("a << 1 + b < c == d", "[[[a << [1 + b]] < c] == d]"),
        ("a | b ^ c & d", "[a | [b ^ [c & d]]]"),
        ("a || b && c", "[a || [b && c]]"),
        ("-a * ~b", "[[- a] * [~ b]]"),
        ("!a[i].b->c", "[! [[[a at i] .b] ->c]]"),
        ("a ? b : c ? d : e", "[a ? b : [c ? d : e]]"),
        ("(a + b)*c", "[([a + b]) * c]"),
        ("- -a", "[- [- a]]"),
        ("max(1, n - 1) + f()", "[max(1, [n - 1]) + f()]"),
        ("(double) n / 2", "[[(double) n] / 2]"),
        ("(unsigned long) -n", "[(unsigned long) [- n]]"),
        ("(MKL_INT) n", "[(MKL_INT) n]"),
        ("(my_t) n", "[(my_t) n]"),
        ("(my_t) * 2", "[(my_t) * 2]"),
        ("(n) - 1", "[(n) - 1]"),
        ("n*sizeof(struct point *)", "[n * sizeof(struct point *)]"),
        ("\"a\" \"b\"", "\"a\" \"b\""),
        ("'a' + 0x1Ful", "['a' + 0x1Ful]"),
    ] {
        let expr = read(text).unwrap_or_else(|found| panic!("{text}: {}", found.message));
        assert_eq!(shape(&expr), expected);
        assert_eq!(expr.span, Span::new(0, text.len()));
    }
}

#[test]
fn measures() {
    for text in ["len(x)", "shape(x, 1)", "ndim(x)", "size(x)", "2*len(x) + 1", "len + shape"] {
        assert_eq!(read(text).unwrap().to_string(), text);
    }
    let ExprKind::Measure { measure, array, array_span, axis } =
        read("shape(abc, 1)").unwrap().kind
    else {
        panic!()
    };
    assert_eq!((measure, array.as_str(), axis), (Measure::Shape, "abc", Some(1)));
    assert_eq!(array_span, Span::new(6, 9));
}

#[test]
fn forbidden_expressions_have_their_own_errors() {
    for (text, place, message) in [
        ("*p", "*", "follow a pointer"),
        ("&x", "&", "take an address"),
        ("n = 1", "=", "cannot assign"),
        ("n += 1", "+=", "would change"),
        ("n++", "++", "would change"),
        ("--n", "--", "would change"),
        ("a, b", ",", "comma cannot join"),
        ("(a, b)", ",", "comma cannot join"),
        ("a b", "b", "operator is missing before `b`"),
        ("2 3", "3", "operator is missing before `3`"),
        ("n +", "+", "value is missing after `+`"),
        ("n + )", "+ )", "value is missing after `+`"),
        ("* ", "*", "follow a pointer"),
        ("{1, 2}", "{", "list in braces"),
        ("a ? b", "b", "`:` is missing after `b`"),
        ("a.1", ".1", "operator is missing"),
        ("a. + 1", ".", "member's name is missing"),
        ("a[1](2)", "(", "only a C function or macro"),
        ("f(1", "1", "`)` is missing after `1`"),
        ("int", "int", "keyword of C"),
        ("return 1", "return", "keyword of C"),
        ("(double *) p", "*", "cast to a pointer"),
        ("sizeof n", "sizeof", "`sizeof` needs a type"),
        ("sizeof(1)", "sizeof(1", "not a type"),
        ("len(1)", "1", "not a name"),
        ("len()", ")", "not a name"),
        ("len(x + 1)", "+", "not an expression"),
        ("len(x, 1)", ",", "has one argument, an array"),
        ("shape(x, n)", "n", "integer literal"),
        ("shape(x, )", ")", "integer literal"),
        ("shape(x, 1, 2)", ",", "not an expression"),
    ] {
        let found = read(text).expect_err(text);
        assert!(found.message.contains(message), "{text}: {}", found.message);
        assert!(!found.hint.is_empty() && found.code == Code::PROTO_SYNTAX);
        let span = found.primary.span;
        assert_eq!(&text[span.start..span.end], place, "{text}");
    }
}

#[test]
fn size_is_limited_so_that_no_stack_is() {
    for open in ["(", "- ", "f(", "a[", "1 ? ", "(int)", "1 ? 1 : "] {
        let found = read(&open.repeat(200)).unwrap_err();
        assert!(found.message.contains("deeper than 64"), "{}", found.message);
        let found = read(&open.repeat(10_000)).unwrap_err();
        assert!(found.message.contains("more than 1000 parts"), "{}", found.message);
    }
    let longest = format!("1{}", "+1".repeat(499));
    let expr = read(&longest).unwrap();
    assert_eq!(expr.names().len(), 0);
    assert_eq!(expr.clone().to_string().len(), 1 + 499 * 4);
}
