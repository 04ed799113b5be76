"""The parts of graphs: variables, nodes, and the base classes of types and ops."""
