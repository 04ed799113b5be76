"""From a graph to what computes it: C by Rust, C by user-defined ops, or Python."""
