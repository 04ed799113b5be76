//! Generated C compiles, without a warning, for every op and every function of every dtype.

use std::sync::Arc;

use fishplate_graph::{
    DType, Function, Graph, Op, Origin, Reduction, Subscript, Tensor, Value, Var,
};
use fishplate_graph_c::library::{Library, Parameter};
use fishplate_graph_c::print;
use fishplate_testing::compile_strictly;

fn compile(source: &str) {
    compile_strictly("a graph", source, &["-fopenmp-simd", "-fwrapv"]);
}

fn array(dtype: DType, ndim: usize) -> Tensor {
    Tensor::new(dtype, vec![None; ndim])
}

#[test]
fn every_function_of_every_dtype() {
    for dtype in DType::ALL {
        let mut graph = Graph::new();
        let arrays: Vec<Var> = (0..3).map(|_| graph.add_input(array(dtype, 1))).collect();
        let scalars: Vec<Var> = (0..3).map(|_| graph.add_input(Tensor::scalar(dtype))).collect();
        let test = graph.add_input(array(DType::Bool, 1));
        let casts = DType::ALL.into_iter().map(Function::Cast);
        for function in Function::ALL.iter().copied().chain(casts) {
            for from in [&arrays, &scalars] {
                let mut inputs: Vec<Var> = from[..function.arity()].to_vec();
                if function == Function::Where {
                    inputs[0] = test;
                }
                if let Ok(outputs) = graph.apply(Op::Map(function), &inputs, &[]) {
                    graph.outputs.extend(outputs);
                }
            }
        }
        for reduction in Reduction::ALL {
            for keepdims in [false, true] {
                let op = Op::Reduce { reduction, axes: vec![0], keepdims };
                if let Ok(outputs) = graph.apply(op, &arrays[..1], &[]) {
                    graph.outputs.extend(outputs);
                }
            }
        }
        compile(&print(&graph, true).source);
    }
}

#[test]
fn every_other_op() {
    let mut graph = Graph::new();
    let x = graph.add_input(array(DType::Float64, 2));
    let v = graph.add_input(array(DType::Float64, 1));
    let i = graph.add_input(Tensor::scalar(DType::Int64));
    let s = graph.add_input(Tensor::scalar(DType::Float64));
    let at = graph.add_input(array(DType::Int64, 2));
    let mask = graph.add_input(array(DType::Bool, 1));
    let two = graph.add_constant(Arc::new(Value::int64(2)));
    let range = Subscript::Range { start: true, stop: false, step: -2 };
    let all = Subscript::Range { start: false, stop: false, step: 1 };
    let nodes: Vec<(Op, Vec<Var>)> = vec![
        (Op::Transpose(vec![1, 0]), vec![x]),
        (Op::Expand(vec![0, 2]), vec![x]),
        (Op::Expand(vec![0]), vec![s]),
        (Op::Squeeze(vec![0]), vec![x]),
        (Op::Squeeze(vec![0]), vec![v]),
        (Op::BroadcastTo, vec![v, two, i]),
        (Op::BroadcastTo, vec![s, i]),
        (Op::Reshape, vec![x, i]),
        (Op::Reshape, vec![s, i, i]),
        (Op::Reshape, vec![x]),
        (Op::Slice(vec![range, Subscript::Index]), vec![x, i, two]),
        (Op::Slice(vec![Subscript::Index, Subscript::Index]), vec![x, i, two]),
        (Op::SetSlice { spec: vec![range, all], increase: false }, vec![x, v, i]),
        (Op::SetSlice { spec: vec![range, all], increase: true }, vec![x, s, i]),
        (Op::SetSlice { spec: vec![Subscript::Index], increase: true }, vec![v, s, i]),
        (Op::MatMul, vec![x, x]),
        (Op::MatMul, vec![v, v]),
        (Op::Gemm, vec![x, x, x, s, s]),
        (Op::Take(1), vec![x, at]),
        (Op::Mask, vec![x, mask]),
        (Op::Put { axis: 1, increase: false }, vec![x, s, at]),
        (Op::Put { axis: 0, increase: true }, vec![x, x, mask]),
        (Op::Accumulate { reduction: Reduction::Sum, axis: 1 }, vec![x]),
        (Op::Join(1), vec![x, x, x]),
        (Op::Arange(DType::Float64), vec![s, s, s]),
        (Op::Arange(DType::Int64), vec![i, two, i]),
        (Op::Full, vec![s, i, two]),
        (Op::Full, vec![s]),
        (Op::ShapeI(1), vec![x]),
        (Op::Shape, vec![x]),
        (Op::MakeVector, vec![s, s]),
        (Op::DeepCopy, vec![x]),
        (Op::DeepCopy, vec![s]),
        (Op::View, vec![x]),
    ];
    for (op, inputs) in nodes {
        let outputs = graph.apply(op, &inputs, &[]).expect("the inputs fit");
        graph.outputs.extend(outputs);
    }
    graph.outputs.extend([x, s, two]);
    compile(&print(&graph, true).source);
    compile(&exported(&graph));
    // The same in parts, as large graphs are printed.
    for _ in 0..100 {
        graph.apply(Op::Map(Function::Exp), &[s], &[]).expect("the input fits");
    }
    compile(&print(&graph, true).source);
    compile(&exported(&graph));
}

/// The graph and its runtime in one file, and its header.
fn exported(graph: &Graph) -> String {
    let parameter = |name: &str, number: usize, tensor: &Tensor| Parameter {
        name: format!("{name}{number}"),
        tensor: tensor.clone(),
        note: String::new(),
    };
    let inputs = graph.variables().iter().filter_map(|variable| match variable.origin {
        Origin::Input(number) => Some(parameter("x", number, &variable.tensor)),
        _ => None,
    });
    let outputs = graph.outputs.iter().enumerate();
    let library = Library {
        name: "exported".to_owned(),
        about: "every */ op".to_owned(),
        command: String::new(),
        inputs: inputs.collect(),
        outputs: outputs.map(|(k, &var)| parameter("y", k, graph.tensor(var))).collect(),
        steps: vec!["a \"step\"\nof two lines".to_owned()],
        fp_contract: false,
    };
    library.source(&print(graph, true))
}
