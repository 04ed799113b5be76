"""The tools compared. Each module has `function(name)`: that case as its users write it, compiled
if the tool compiles before the first call, or None if the tool cannot."""
