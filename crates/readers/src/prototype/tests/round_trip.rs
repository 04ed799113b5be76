//! Random prototypes, printed and read again.

use super::*;
use fishplate_model::{BinaryOp, CType, ExprKind, Measure, UnaryOp};
use proptest::prelude::*;

const NOWHERE: Span = Span { start: 0, end: 0 };

fn expr(kind: ExprKind) -> Expr {
    Expr::new(kind, NOWHERE)
}

fn names() -> impl Strategy<Value = String> {
    "[a-h]_[a-z0-9]{0,3}"
}

/// Expressions with bracketed operands, so that printing them needs no precedence.
fn exprs() -> impl Strategy<Value = Expr> {
    let axes = 0usize..4;
    let leaf = prop_oneof![
        names().prop_map(|name| expr(ExprKind::Name(name))),
        prop::sample::select(vec!["1", "0x1Fu", "2.5e-3f", "'a'", "\"t\\\"x\""])
            .prop_map(|text| expr(ExprKind::Literal(text.to_owned()))),
        (names(), axes).prop_map(|(array, axis)| expr(ExprKind::Measure {
            measure: Measure::Shape,
            array,
            array_span: NOWHERE,
            axis: Some(axis),
        })),
        Just(expr(ExprKind::SizeOf("unsigned long".to_owned()))),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let paren = inner.clone().prop_map(|inner| expr(ExprKind::Paren(Box::new(inner))));
        let boxed = paren.clone().prop_map(Box::new);
        let ops = prop::sample::select(BinaryOp::ALL.to_vec());
        prop_oneof![
            paren.clone(),
            (ops, boxed.clone(), boxed.clone())
                .prop_map(|(op, left, right)| expr(ExprKind::Binary(op, left, right))),
            boxed.clone().prop_map(|inner| expr(ExprKind::Unary(UnaryOp::Minus, inner))),
            boxed.clone().prop_map(|inner| expr(ExprKind::Cast("float".to_owned(), inner))),
            (boxed.clone(), boxed.clone(), boxed.clone())
                .prop_map(|(test, yes, no)| expr(ExprKind::Conditional(test, yes, no))),
            (boxed.clone(), boxed.clone())
                .prop_map(|(array, index)| expr(ExprKind::Index(array, index))),
            boxed.prop_map(|inner| expr(ExprKind::Member(inner, "->m".to_owned()))),
            (names(), prop::collection::vec(inner, 0..3))
                .prop_map(|(name, args)| expr(ExprKind::Call(name, args))),
        ]
    })
}

fn ctypes() -> impl Strategy<Value = CType> {
    prop::sample::select(Scalar::ALL.to_vec())
        .prop_map(|scalar| CType::of(scalar, scalar.c_name().to_owned(), NOWHERE))
}

fn elements() -> impl Strategy<Value = Elements> {
    prop::sample::select(vec![Elements::Numbers, Elements::Bytes, Elements::String])
}

fn shapes() -> impl Strategy<Value = Vec<Expr>> {
    prop::collection::vec(exprs(), 1..3)
}

fn out_pointer() -> impl Strategy<Value = ReturnedPointer> {
    let spanned = || names().prop_map(|name| Spanned::new(name, NOWHERE));
    let owners = prop_oneof![
        prop::option::of(freeing()).prop_map(Owner::Caller),
        prop::collection::vec(spanned(), 0..3).prop_map(Owner::Borrowed),
    ];
    let holds = prop_oneof![
        Just(Pointee::One),
        (shapes(), any::<bool>(), elements())
            .prop_map(|(shape, fortran, elements)| Pointee::Array { shape, fortran, elements }),
    ];
    (holds, owners).prop_map(|(holds, owner)| ReturnedPointer {
        holds,
        owner,
        keeps: Vec::new(),
        stored: None,
    })
}

/// A C function, or a call of one.
fn freeing() -> impl Strategy<Value = Expr> {
    let arguments = prop::option::of(prop::collection::vec(exprs(), 0..3));
    let kind = (names(), arguments).prop_map(|(name, arguments)| match arguments {
        None => ExprKind::Name(name),
        Some(arguments) => ExprKind::Call(name, arguments),
    });
    kind.prop_map(|kind| Expr::new(kind, NOWHERE))
}

/// A single `char` is a string, and several are bytes: `char *x[n]` is a list of strings.
fn of_type(mut out_pointer: ReturnedPointer, ctype: &CType) -> ReturnedPointer {
    if ctype.is_char() {
        match &mut out_pointer.holds {
            one @ Pointee::One => *one = Pointee::String,
            Pointee::Array { elements: elements @ Elements::Numbers, .. } => {
                *elements = Elements::Bytes;
            }
            _ => {}
        }
    }
    out_pointer
}

fn row_pointers() -> impl Strategy<Value = Option<RowPointers>> {
    prop::option::of(any::<bool>().prop_map(|is_const| RowPointers { is_const }))
}

fn arguments() -> impl Strategy<Value = Argument> {
    let intents = prop::sample::select(vec![
        Intent::In,
        Intent::InPlace,
        Intent::InOut,
        Intent::Out,
        Intent::Hidden,
        Intent::InAndOut,
        Intent::InPlaceAndOut,
        Intent::InOutAndOut,
    ]);
    let passings = prop_oneof![
        Just(Passing::Value),
        Just(Passing::Pointer),
        out_pointer().prop_map(Passing::OutPointer),
        (shapes(), any::<bool>(), elements(), prop::option::of(exprs()), row_pointers()).prop_map(
            |(shape, fortran, elements, length, rows)| Passing::Array {
                rows: rows.filter(|_| shape.len() > 1),
                shape,
                fortran,
                elements,
                length,
            }
        ),
    ];
    let words = (prop::option::of(intents), any::<bool>(), any::<bool>());
    (names(), ctypes(), passings, words, prop::option::of(exprs())).prop_map(
        |(name, ctype, passing, (intent, nullable, is_const), default)| {
            // A hidden `double **` has a type that only the headers define.
            let intent = match passing {
                Passing::OutPointer(_) => intent.filter(|intent| *intent != Intent::Hidden),
                _ => intent,
            };
            let passing = match passing {
                Passing::Pointer if ctype.is_char() && (is_const || intent == Some(Intent::In)) => {
                    Passing::String
                }
                Passing::OutPointer(out_pointer) => {
                    Passing::OutPointer(of_type(out_pointer, &ctype))
                }
                other => other,
            };
            Argument {
                is_const,
                intent: intent.map(|intent| Spanned::new(intent, NOWHERE)),
                nullable,
                default,
                ..Argument::new(Spanned::new(name, NOWHERE), NOWHERE, ctype, passing)
            }
        },
    )
}

fn overloads() -> impl Strategy<Value = Overload> {
    let pointers = (ctypes(), any::<bool>(), any::<bool>(), out_pointer()).prop_map(
        |(ctype, is_const, nullable, out_pointer)| {
            let out_pointer = of_type(out_pointer, &ctype);
            let span = NOWHERE;
            CResult::Pointer(Box::new(Returned { ctype, is_const, nullable, out_pointer, span }))
        },
    );
    let results = prop_oneof![
        Just(CResult::Void),
        ctypes().prop_map(CResult::Value),
        ctypes().prop_map(CResult::Status),
        pointers,
    ];
    (names(), results, prop::collection::vec(arguments(), 0..4)).prop_map(
        |(name, result, arguments)| Overload {
            text: String::new(),
            span: NOWHERE,
            c_name: Spanned::new(name, NOWHERE),
            result,
            arguments: arguments.into(),
            unpacked: Vec::new(),
            adapter: None,
            kinds: None,
            callee: fishplate_model::Callee::Function,
        },
    )
}

fn forget(expr: &mut Expr) {
    expr.span = NOWHERE;
    match &mut expr.kind {
        ExprKind::Measure { array_span, .. } => *array_span = NOWHERE,
        ExprKind::Literal(_) | ExprKind::Name(_) | ExprKind::SizeOf(_) => {}
        ExprKind::Call(_, args) => args.iter_mut().for_each(forget),
        ExprKind::Unary(_, inner)
        | ExprKind::Cast(_, inner)
        | ExprKind::Member(inner, _)
        | ExprKind::Paren(inner) => forget(inner),
        ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => {
            forget(left);
            forget(right);
        }
        ExprKind::Conditional(test, yes, no) => {
            forget(test);
            forget(yes);
            forget(no);
        }
    }
}

/// The same overload without places.
fn without_places(mut overload: Overload) -> Overload {
    overload.text.clear();
    overload.span = NOWHERE;
    overload.c_name.span = NOWHERE;
    match &mut overload.result {
        CResult::Void => {}
        CResult::Value(ctype) | CResult::Status(ctype) => ctype.span = NOWHERE,
        CResult::Pointer(returned) => {
            returned.span = NOWHERE;
            returned.ctype.span = NOWHERE;
            forget_pointer(&mut returned.out_pointer);
        }
    }
    for argument in &mut overload.arguments {
        argument.span = NOWHERE;
        argument.name.span = NOWHERE;
        argument.ctype.span = NOWHERE;
        argument.default.as_mut().map(forget);
        if let Some(intent) = &mut argument.intent {
            intent.span = NOWHERE;
        }
        argument.retention.names_mut().for_each(|name| name.span = NOWHERE);
        if let Lifetime::Until(name) = &mut argument.retention.lifetime {
            name.span = NOWHERE;
        }
        match &mut argument.passing {
            Passing::Array { shape, length, .. } => {
                shape.iter_mut().chain(length).for_each(forget);
            }
            Passing::OutPointer(out_pointer) => forget_pointer(out_pointer),
            Passing::List { length, .. } => forget(length),
            Passing::Jagged { length, lengths, .. } => {
                forget(length);
                lengths.iter_mut().for_each(|lengths| lengths.span = NOWHERE);
            }
            Passing::AnyArray(any) => {
                any.shape.iter_mut().for_each(&forget);
                any.dims.iter_mut().for_each(|dims| dims.span = NOWHERE);
                if let Some(dtypes) = &mut any.dtypes {
                    (dtypes.span, dtypes.table.span) = (NOWHERE, NOWHERE);
                    dtypes.code.iter_mut().for_each(&forget);
                }
            }
            Passing::Callback(callback) => {
                callback.overload = without_places(callback.overload.clone());
                callback.asks.as_mut().map(forget);
                callback.fails.iter_mut().for_each(forget);
            }
            Passing::Value | Passing::Pointer | Passing::String | Passing::UserData => {}
        }
    }
    overload
}

#[test]
fn terminators_are_read_again() {
    let text = "void f(terminated const int x[], in terminated(index = 0 - 1, y = 2) double *rows[m][], \
                terminated const char *const names[], int m)";
    let overload = good(text);
    assert!(overload.arguments.raw[0].is_open());
    assert_eq!(print(&overload), text);
}

#[test]
fn arrays_of_any_rank_are_read_again() {
    for text in [
        "void f(dtype(native) const void x[...], hidden int n = size(x))",
        "void f(in out fortran double x[dims[]], const int dims[2])",
        "void f(out dtype(native, code(o)) void x[dims[]], int o, const long dims[n], int n)",
        "void f(dtype(native) fortran const void x[m][2*n], int m, int n)",
    ] {
        let overload = good(text);
        assert!(matches!(&overload.arguments.raw[0].passing, Passing::AnyArray(_)));
        assert_eq!(print(&overload), text);
    }
}

#[test]
fn jagged_arrays_are_read_again() {
    let text = "void f(inplace double *a[m][n[]], const float *const b[2*m][k[]], in int n[m], int k[2*m], int m)";
    let overload = good(text);
    assert!(matches!(&overload.arguments.raw[1].passing, Passing::Jagged { is_const: true, .. }));
    assert_eq!(print(&overload), text);
}

#[test]
fn messages_are_read_again() {
    for text in [
        "status const char *f(void)",
        "status own(g) char *f(int n)",
        "void f(int n, status const char **error)",
        "int f(status own(g) char **error)",
    ] {
        let overload = good(text);
        assert!(overload.return_code().is_some_and(CType::is_message), "{text}");
        assert_eq!(print(&overload), text);
    }
}

#[test]
fn callbacks_are_read_again() {
    for text in [
        "void f(double (*g)(double x, void *d), void *d)",
        "void f(nullable keep(a) status int (*g)(int n, char *s[n], out double y[2*n], void *d), void *d, int a)",
        "void f(until(stop) fails(-1) long (*g)(in out double *x, bytes const void b[n], int n, void *d), void *d)",
        "void f(replace(a, b, c) data(user(x)) void (*g)(double x), int a, const char *b, int c, void *app)",
        "void *f(nullable until(stop) void (*g)(void *d), void *d)",
        "void f(until(stop) replace(b) void (*g)(void *d), const char *b, void *d)",
        "void f(until(stop) replace void (*g)(void *d), void *d)",
        "own(free, each = g) char **f(out int *n)[n]",
        "borrow const char *const *f(void)[]",
        "own(each = g) nullable char **f(void)[2]",
        "void f(out own(free) const char *const *x[n], hidden int *n)",
        "void f(out own(free) borrow nullable char **x[])",
        "void f(replace(a) void (*g)(void *d), int a, void *d)",
        "void f(hidden void (*g)(int n, void *data) = NULL, void (*h)(void))",
        "void f(void (*g)(void))",
        "void f(own char *(*g)(const char *s, int n))",
        "void f(nullable keep(a) own(alloc) const char *nullable (*g)(void *d), int a, void *d)",
        "void f(nullable const char *(*g)(void))",
        "void f(borrow char *nullable (*g)(void))",
        "void f(fails(stop(a, 1), x > a ? -1 : 0) int (*g)(double x, void *d), int a, void *d)",
    ] {
        let overload = good(text);
        assert_eq!(print(&overload), text);
        assert_eq!(without_places(good(&print(&overload))), without_places(overload));
    }
}

fn forget_pointer(out_pointer: &mut ReturnedPointer) {
    out_pointer.holds.shape_mut().iter_mut().for_each(forget);
    if let Pointee::List(list) = &mut out_pointer.holds {
        list.free.iter_mut().for_each(|free| forget(free));
    }
    match &mut out_pointer.owner {
        Owner::Unspecified => {}
        Owner::Caller(free) => free.iter_mut().for_each(forget),
        Owner::Borrowed(owners) => owners.iter_mut().for_each(|name| name.span = NOWHERE),
    }
}

proptest! {
    #[test]
    fn printed_prototypes_parse_again(overload in overloads()) {
        let read = without_places(good(&print(&overload)));
        prop_assert_eq!(read, overload);
    }
}
