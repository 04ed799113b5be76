//! Wrapped functions as ops: for each kind of argument, the generated C compiles.

use std::collections::HashMap;
use std::path::Path;

use fishplate_driver::{OpFunction, plan_file, print_graph};
use fishplate_graph::{DType, Graph, Tensor, Var};
use fishplate_host_python::Python;
use fishplate_testing::compile_strictly;

/// The functions of an interface that can be ops.
fn functions(path: &str) -> Vec<OpFunction> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let plan = plan_file(&path, &Python).value.expect("the interface is good");
    let constants: HashMap<String, String> =
        [("SCALE", "2.5"), ("TABLE_SIZE", "3"), ("RIGHT", "7"), ("false", "0")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
    let functions = plan.functions.iter().filter_map(|function| {
        let interface = function.interface.as_ref()?;
        // Any address but 0, which would mean a macro.
        let addresses = vec![1; function.calls.len()];
        OpFunction::read(&function.name, interface, &constants, &addresses).ok()
    });
    functions.collect()
}

/// A graph of one call with these parameters.
fn call(function: &OpFunction, overload: usize, given: &[usize]) -> Option<Graph> {
    let mut graph = Graph::new();
    let parameters = &function.overloads[overload].parameters;
    let inputs: Vec<Var> = given
        .iter()
        .map(|&index| {
            let parameter = &parameters[index];
            let dtype = DType::from_name(parameter.dtype).expect("a dtype");
            // Integers may be wider than in C.
            let dtype = match parameter.rank {
                0 if dtype.is_integer() => DType::Int64,
                _ => dtype,
            };
            graph.add_input(Tensor::new(dtype, vec![None; parameter.rank]))
        })
        .collect();
    let op = function.op(overload, given).ok()?;
    graph.outputs = graph.apply(op, &inputs, &[]).expect("the inputs are as it wants them");
    Some(graph)
}

#[test]
fn compilers_take_every_kind_of_argument() {
    let mut ops = 0;
    for path in ["tests/graph/kinds/kinds.toml", "examples/stats/stats.toml"] {
        for function in functions(path) {
            for (index, overload) in function.overloads.iter().enumerate() {
                let all: Vec<usize> = (0..overload.parameters.len()).collect();
                let required: Vec<usize> =
                    all.iter().copied().filter(|&k| overload.parameters[k].required).collect();
                for given in [&all, &required] {
                    let Some(graph) = call(&function, index, given) else { continue };
                    compile_strictly(&function.name, &print_graph(&graph, true).source, &[]);
                    ops += 1;
                }
            }
        }
    }
    assert!(ops > 60, "{ops} ops");
}

#[test]
fn the_text_does_not_say_where_functions_are() {
    let functions = functions("examples/stats/stats.toml");
    let mean = functions.iter().find(|one| one.name == "mean").expect("there is a mean");
    let source = print_graph(&call(mean, 0, &[0]).expect("it can be an op"), true).source;
    let step = source.split("/* double stats_mean").nth(1).expect("a step");
    let expected = "(size_t n, const double x[n]) */
    {
        fp_uint64 n_;
        fp_view1 x_ = V0;
        if (!rt->pack(call, 0, (fp_operand){FP_FLOAT64, 1, FP_TEMPORARY, 0}, 0, (fp_view *)&x_)) {
            return 0;
        }
        n_ = (fp_uint64)(x_.shape[0]);
        const int left = x_.shape[0] >= 4096 && rt->leave(call);
        V1 = ((double (*)(fp_uint64, void *))pointers[0])(n_, x_.data);
        if (left) {
            rt->enter(call);
        }
        if (x_.data != V0.data) {
            rt->drop(call, x_.data);
        }
    }
";
    assert!(step.starts_with(expected), "{step}");
}
