"""Converts graphs of types and ops with their own C code for Rust.

Purpose: a graph in the form of the C linker, and the meaning of its numbers.
Invariant: each method of types and ops is called once.
Reason: linked source can be inspected without a compiler.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fishplate import _native

from ..core.graph import FunctionGraph
from ..core.nodes import Apply, Constant, Variable
from ..errors import Operand, annotate, introduce, made_at
from ..tensors.builtin import Builtin
from ..tensors.type import TensorType
from .compiled import Compiled


class Translation:
    """A graph in C.

    Parameters
    ----------
    graph : FunctionGraph
        The graph.
    name : str
        The function's name.
    parts : sequence of (FunctionGraph or Compiled)
        The graph in parts, in order.
    recycled : collection of int
        The outputs whose memory the next call may reuse.
    numbers : mapping
        The numbers of nodes in messages.

    Attributes
    ----------
    linked : _native.LinkedProgram
        The C function.
    """

    def __init__(
        self,
        graph: FunctionGraph,
        name: str,
        parts: Sequence[FunctionGraph | Compiled],
        recycled: Sequence[int],
        numbers: Mapping[Apply, int],
    ) -> None:
        self.graph = graph
        self.name = name
        self._positions = numbers
        self._program = _native.CProgram(name)
        self._numbers: dict[Variable, int] = {}
        self._variables: list[Variable | None] = []
        self._nodes: list[Apply | None] = []
        self._calls: dict[int, tuple[str, Compiled]] = {}
        self._data: dict[int, Any] = {}
        self._translate(parts, recycled)
        try:
            self.linked = self._program.link()
        except Exception as error:
            self._add_place(error, error.__dict__.pop("__fishplate_node__", None))
            raise

    def explain_refused(self, error: Exception) -> Exception:
        """The compiler's messages, with the places at which the responsible nodes were created."""
        text, nodes = error.args
        made = _native.CompileError(f"{self.name}(): the C compiler refuses\n{text}")
        for number in nodes:
            self._add_place(made, number)
        return made

    def explain_unloaded(self, error: ImportError) -> Exception:
        """Why the compiled library cannot be loaded."""
        missing = re.search(r"undefined symbol: (\w+)|symbol not found[^']*'_(\w+)'", str(error))
        if missing is None:
            error.add_note(f"raised by c_init_code of a type or an op of {self.name}()")
            return error
        symbol = missing[1] or missing[2]
        users = self.linked.who_says(symbol)
        text = "".join(f"\n  used by {title}" for _, title in users)
        made = _native.CompileError(
            f"{self.name}(): no library that c_libraries names defines {symbol}{text}"
        )
        for number in {node for node, _ in users}:
            self._add_place(made, number)
        return made

    def _add_place(self, error: BaseException, number: int | None) -> None:
        node = None if number is None else self._nodes[number]
        if node is not None:
            error.add_note(f"{node}\n{made_at(node.made_at)}")

    def orphans(self) -> tuple[Any, ...]:
        """The objects for creating the function."""
        return tuple(self._data[number] for number in self.linked.orphans)

    def _translate(
        self, parts: Sequence[FunctionGraph | Compiled], recycled: Sequence[int]
    ) -> None:
        for variable in self.graph.inputs:
            self._number(variable, given=True)
        for part in parts:
            if isinstance(part, Compiled):
                self._translate_call(part)
            else:
                for node in part.nodes:
                    self._translate_node(node)
        self._program.set_inputs([self._numbers[variable] for variable in self.graph.inputs])
        self._program.set_outputs(
            [
                (self._number(variable), index in recycled)
                for index, variable in enumerate(self.graph.outputs)
            ]
        )

    def _translate_node(self, node: Apply) -> None:
        inputs = [self._number(variable) for variable in node.inputs]
        outputs = [self._number(variable, given=True) for variable in node.outputs]
        if not isinstance(node.op, Builtin) and wants_arrays(node):
            self._translate_with_arrays(node, inputs, outputs)
            return
        if isinstance(node.op, Builtin):
            i = node.op.params[0] if node.op.params else None
            if not self._program.built_in(node.op.name, inputs[0], outputs[0], i):
                raise NotImplementedError(f"{node.op} cannot produce C code")
        else:
            self._program.node(node.op, node, inputs, outputs, self._params(node))
        self._nodes.append(node)

    def _translate_with_arrays(
        self, node: Apply, inputs: Sequence[int], outputs: Sequence[int]
    ) -> None:
        """A node whose C receives tensors of rank 0 as arrays."""
        arrays: dict[int, int] = {}

        def array(variable: Variable, number: int) -> int:
            if not _is_number(variable):
                return number
            if number not in arrays:
                assert isinstance(variable.type, TensorType)
                arrays[number] = self._program.array(variable.type.dtype, variable.name)
                self._variables.append(variable)
            return arrays[number]

        takes = [array(*pair) for pair in zip(node.inputs, inputs, strict=True)]
        for number, made in arrays.items():
            self._program.built_in("number_as_array", number, made)
            self._nodes.append(node)
        given = len(arrays)
        gives = [array(*pair) for pair in zip(node.outputs, outputs, strict=True)]
        self._program.node(node.op, node, takes, gives, self._params(node))
        self._nodes.append(node)
        for number, made in list(arrays.items())[given:]:
            self._program.built_in("array_as_number", made, number)
            self._nodes.append(node)

    def _translate_call(self, part: Compiled) -> None:
        what = ", ".join(str(node.op) for node in part.graph.nodes)
        what = what if len(what) <= 60 else f"{what[:56]} ..."
        function = self._program.callee(part.function, what)
        self._data[function] = part.function
        self._variables.append(None)
        inputs = [self._number(variable) for variable in part.graph.inputs]
        outputs = [self._number(variable, given=True) for variable in part.graph.outputs]
        self._program.call(what, function, inputs, outputs)
        self._calls[len(self._nodes)] = (what, part)
        self._nodes.append(None)  # it reports itself which of its nodes failed

    def _number(self, variable: Variable, given: bool = False) -> int:
        """The number of a variable; constants are added here."""
        number = self._numbers.get(variable)
        if number is None:
            kind = _kind(variable.type)
            if isinstance(variable, Constant) and not given:
                number = self._program.constant(kind, variable.data, variable.name)
                self._data[number] = variable.data
            elif given:
                number = self._program.variable(kind, variable.name)
            else:
                raise TypeError(f"{introduce(variable)} is not an input, and no node computes it")
            self._numbers[variable] = number
            self._variables.append(variable)
        return number

    def _params(self, node: Apply) -> int | None:
        """The constant that holds the op's parameters."""
        kind = node.op.params_type
        if kind is None:
            return None
        data = kind.filter(node.op.get_params(node))
        number = self._program.constant(_kind(kind), data, None)
        self._data[number] = data
        self._variables.append(None)
        return number

    def explain(self, error: BaseException, block: int) -> None:
        """Adds the failed node to an exception."""
        given = error.__dict__.pop("__fishplate_operands__", None)
        operands = given and [Operand(*one) if isinstance(one, tuple) else one for one in given]
        position = self.linked.position(block) if block > 0 else None
        if position is None:
            error.add_note(
                f"In {self.name}(): the C code of some type or op set it, and went on without "
                "sub['fail']"
            )
            return
        number, index, method = position
        if index is not None:
            node = self._nodes[index]
            if node is not None:
                annotate(error, node, self._positions[node], operands, self.name)
            elif not hasattr(error, "__notes__"):
                what, part = self._calls[index]
                taken = [introduce(v) for v in part.graph.inputs if v.owner is not None]
                takes = "\n".join(["", *(f"  takes {one}" for one in taken)])
                error.add_note(f"In {self.name}(), before {what} was computed, which{takes}")
        elif number is not None:
            variable = self._variables[number]
            what = "the parameters of an op" if variable is None else introduce(variable)
            error.add_note(f"In {method} of {what}, in {self.name}()")


def _is_number(variable: Variable) -> bool:
    kind = variable.type
    return isinstance(kind, TensorType) and not kind.shape and kind.is_tensor_in_c()


# How C uses an array: as the first argument of NumPy's macros and of macros that count
# references, compared with NULL, through a pointer.
_AS_ARRAY = (
    r"(?:PyArray_\w+|Py_X?(?:INC|DEC)REF|Py_X?SETREF|Py_CLEAR|Py_X?NewRef)"
    r"\s*\(\s*(?:\([^()]*\)\s*)*{0}\s*[,)]|\b{0}\s*(?:->|[!=]=\s*NULL)|NULL\s*[!=]=\s*{0}\b"
    r"|\b{0}\s*=\s*\(\s*PyArrayObject\s*\*"
)


def wants_arrays(node: Apply) -> bool:
    """Whether the C code of a node's op uses tensors of rank 0 as arrays of rank 0.

    Used as numbers, such code would not compile.
    """
    wanted = node.op.numbers_as_arrays
    if not any(map(_is_number, (*node.inputs, *node.outputs))):
        return False
    if wanted is not None:
        return bool(wanted)
    inputs = [f"fp_input{index}" for index in range(node.nin)]
    outputs = [f"fp_output{index}" for index in range(node.nout)]
    sub = {"fail": "fp_fail", "id": "0", "failure_var": "fp_failure", "params": "fp_params"}
    try:
        text = node.op.c_code(node, "fp_node", inputs, outputs, sub)
    except Exception:
        return False  # it is called again later, and then reports the error
    names = [*zip(inputs, node.inputs, strict=True), *zip(outputs, node.outputs, strict=True)]
    numbers = [name for name, variable in names if _is_number(variable)]
    return isinstance(text, str) and any(
        re.search(_AS_ARRAY.format(name), text) for name in numbers
    )


def _kind(kind: Any) -> Any:
    """The form of a type for Rust."""
    if isinstance(kind, TensorType) and kind.is_built_in():
        return (kind.dtype, tuple(kind.shape))
    return kind
