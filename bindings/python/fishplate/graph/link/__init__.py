"""Linkers: C by Rust, C by user-defined ops, or Python."""
