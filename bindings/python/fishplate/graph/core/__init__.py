"""What graphs are made of: variables, nodes, and the base classes of types and ops."""
