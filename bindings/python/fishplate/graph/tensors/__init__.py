"""Tensors: the built-in type, its variables with NumPy's operators, and the built-in ops."""
