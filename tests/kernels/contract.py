"""The rows of xndtools' contract, as kernels.

Each row of the contract is an intent; each heading names the arguments and kinds concerned. A
kernel's name is its kind, its argument and its intent: `xnd_matrix_f_inplace_output`.
"""

from __future__ import annotations

# The intents, as lists of a kernel. `{a}` is the argument with its shape or value.
INTENTS = {
    "input": "input: {a}",
    "inplace": "inplace: {a}",
    "inout": "inout: {a}",
    "output": "output: {a}",
    "hide": "hide: {a}",
    "input_output": "input: {a}\noutput: {bare}",
    "inplace_output": "inplace: {a}\noutput: {bare}",
    "inout_output": "inout: {a}\noutput: {bare}",
}
KINDS = {"c": "C", "fortran": "Fortran", "xnd": "Xnd"}

SCALARS = {
    "value": "void see(int64_t s);",
    "value_return": "int64_t plus_twenty(int64_t s);",
    "pointer": "void bump(int64_t *s);",
    "pointer_return": "int64_t bump_and_tell(int64_t *s);",
}


def kernel(name: str, prototype: str, *lines: str) -> str:
    return "\n".join([f"[KERNEL {name}]", f"prototypes: {prototype}", *lines, ""])


def module(name: str, kernels: list[str]) -> str:
    """A configuration without ellipses, as the contract has it."""
    return "\n".join([f"[MODULE {name}]", "includes: contract.h", "ellipses: none", "", *kernels])


def scalars() -> str:
    """All kernels: scalars; by value and by address, without and with `= s0`."""
    kernels = []
    for kind, spelling in KINDS.items():
        for function, prototype in SCALARS.items():
            for intent, lists in INTENTS.items():
                for suffix, value in (("", "s"), ("_default", "s = 5")):
                    lines = lists.format(a=value, bare="s")
                    name = f"{kind}_{function}_{intent}{suffix}"
                    kernels.append(kernel(name, prototype, f"kinds: {spelling}", lines))
    return module("scalars", kernels)


def sizes(intent: str, array: str) -> str:
    """The source of the sizes: an array argument, else arguments of their own."""
    if intent in ("output", "hide"):
        return "input: m, n" if array == "matrix" else "input: n"
    if array == "matrix":
        return "hide: m = shape(a, 0), n = shape(a, 1)"
    return "hide: n = len(a)"


def merged(*lists: str) -> list[str]:
    """Lists of the same key as one."""
    keys: dict[str, list[str]] = {}
    for line in "\n".join(lists).splitlines():
        key, entries = line.split(": ")
        keys.setdefault(key, []).append(entries)
    return [f"{key}: {', '.join(entries)}" for key, entries in keys.items()]


def vectors() -> str:
    """A vector in the kinds C and Xnd; contiguity is C's."""
    kernels = []
    for kind in ("c", "xnd"):
        for intent, lists in INTENTS.items():
            lines = merged(lists.format(a="a(n)", bare="a"), sizes(intent, "vector"))
            prototype = "int64_t touch(int64_t n, int64_t *a);"
            kernels.append(
                kernel(f"{kind}_vector_{intent}", prototype, f"kinds: {KINDS[kind]}", *lines)
            )
    return module("vectors", kernels)


def matrices() -> str:
    """A C tensor in the kinds C and Xnd, an F tensor in Fortran and Xnd."""
    kernels = []
    for kind, order in (("c", "c"), ("xnd", "c"), ("fortran", "f"), ("xnd", "f")):
        for intent, lists in INTENTS.items():
            lines = merged(lists.format(a="a(m, n)", bare="a"), sizes(intent, "matrix"))
            if order == "f":
                lines.append("fortran: a")
            prototype = "int64_t touch_matrix(int64_t m, int64_t n, int64_t *a);"
            name = f"{kind}_matrix_{order}_{intent}"
            kernels.append(kernel(name, prototype, f"kinds: {KINDS[kind]}", *lines))
    return module("matrices", kernels)


def mixed() -> str:
    """Two tensors of both layouts, which only the kind Xnd accepts; and of the same layout."""
    kernels = []
    for name, fortran in (("cc", ""), ("ff", "a, b"), ("cf", "b"), ("fc", "a")):
        for intent, lists in INTENTS.items():
            both = lists.format(a="a(m, n), b(m, n)", bare="a, b")
            lines = merged(both, sizes(intent, "matrix"))
            if fortran:
                lines.append(f"fortran: {fortran}")
            prototype = "int64_t touch_two(int64_t m, int64_t n, int64_t *a, int64_t *b);"
            kernels.append(kernel(f"{name}_{intent}", prototype, "kinds: Xnd", *lines))
    return module("mixed", kernels)
