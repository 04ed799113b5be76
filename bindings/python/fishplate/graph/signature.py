"""Signatures of functions.

Purpose: convert arguments to the values of inputs.
Invariant: every resulting value is valid for its input's type.
Reason: the same for every linker, with errors that name the function and the argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .core.nodes import Constant, Variable
from .tensors.convert import as_variable

_ABSENT: Any = object()


class In:
    """An input with its options.

    Parameters
    ----------
    variable : Variable
        The input.
    value : object, optional
        Its default.
    name : str, optional
        The keyword; by default the variable's name.
    borrow : bool
        The result may share the argument's memory.
    mutable : bool
        The function may write to the argument's memory.
    allow_downcast : bool, optional
        Accept values that lose precision; None: as specified for the function.
    """

    def __init__(
        self,
        variable: Variable,
        value: Any = _ABSENT,
        name: str | None = None,
        borrow: bool = False,
        mutable: bool = False,
        allow_downcast: bool | None = None,
        strict: bool = False,
    ) -> None:
        if not isinstance(variable, Variable):
            raise TypeError(f"an input must be a variable, not {type(variable).__name__}")
        self.variable = variable
        self.name = name if name is not None else variable.name
        self.borrow = borrow or mutable
        self.mutable = mutable
        self.allow_downcast = allow_downcast
        self.strict = strict
        self.has_value = value is not _ABSENT
        self.value = variable.type.filter(value) if self.has_value else None

    def options(self) -> dict[str, Any]:
        """Everything but the variable, as keywords."""
        found: dict[str, Any] = {
            "name": self.name,
            "borrow": self.borrow,
            "mutable": self.mutable,
            "allow_downcast": self.allow_downcast,
            "strict": self.strict,
        }
        if self.has_value:
            found["value"] = self.value
        return found

    def __repr__(self) -> str:
        return f"In({self.variable!r})"


class Out:
    """An output with its options.

    Parameters
    ----------
    variable : Variable
        The output.
    borrow : bool
        The result may share memory with arguments, shared variables and other results.
    """

    def __init__(self, variable: Any, borrow: bool = False) -> None:
        self.variable: Variable = (
            variable if isinstance(variable, Variable) else as_variable(variable)
        )
        self.borrow = borrow

    def __repr__(self) -> str:
        return f"Out({self.variable!r})"


class Signature:
    """The inputs of a function, and the matching of arguments.

    Parameters
    ----------
    name : str
        The function's name.
    inputs : sequence of In
        The inputs in order.
    """

    def __init__(self, name: str, inputs: Sequence[In]) -> None:
        self.name = name
        self.inputs = list(inputs)
        self._position: dict[str, int] = {}
        seen: set[Variable] = set()
        for index, given in enumerate(self.inputs):
            if isinstance(given.variable, Constant):
                raise TypeError(f"{name}(): a constant cannot be an input: {given.variable!r}")
            if given.variable in seen:
                raise ValueError(f"{name}(): {given.variable!r} is twice among the inputs")
            seen.add(given.variable)
            if given.name is not None:
                # A name that is used twice cannot be a keyword.
                self._position[given.name] = -1 if given.name in self._position else index

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """The values of the inputs."""
        if len(args) > len(self.inputs):
            raise TypeError(
                f"{self.name}() takes {len(self.inputs)} positional arguments, got {len(args)}"
            )
        values = [*args, *[_ABSENT] * (len(self.inputs) - len(args))]
        for keyword, value in kwargs.items():
            index = self._position.get(keyword)
            if index is None:
                raise TypeError(f"{self} got an unexpected keyword argument '{keyword}'")
            if index < 0:
                raise TypeError(f"{self}: more than one argument is named '{keyword}'")
            if values[index] is not _ABSENT:
                raise TypeError(f"{self} got multiple values for argument '{keyword}'")
            values[index] = value
        return [
            self._value(index, given, value)
            for index, (given, value) in enumerate(zip(self.inputs, values, strict=True))
        ]

    def _value(self, index: int, given: In, value: Any) -> Any:
        if value is _ABSENT:
            if given.has_value:
                return given.variable.type.copy_value(given.value)
            raise TypeError(f"{self} missing required argument {self.label(index)}")
        try:
            if given.strict or given.allow_downcast is not None:
                return given.variable.type.filter(value, given.strict, given.allow_downcast)
            return given.variable.type.filter(value)
        except (TypeError, ValueError, OverflowError) as error:
            if type(error) not in (TypeError, ValueError, OverflowError):
                raise
            message = f"{self.name}(): argument {self.label(index)}: {error}"
            raise type(error)(message) from error

    def taker(self, index: int) -> Callable[[Any], Any]:
        """A valid value for an argument, or an error."""
        return lambda value: self._value(index, self.inputs[index], value)

    def keyword(self, index: int) -> str:
        """The name of an argument; one without a name is positional only."""
        return self.inputs[index].name or str(index + 1)

    def label(self, index: int) -> str:
        """An argument by its name, or by its number."""
        name = self.inputs[index].name
        return str(index + 1) if name is None else f"'{name}'"

    def __str__(self) -> str:
        shown = []
        for index, given in enumerate(self.inputs):
            name = given.name or f"argument {index + 1}"
            shown.append(f"{name}={given.value!r}" if given.has_value else name)
        return f"{self.name}({', '.join(shown)})"


class Form:
    """The form of results: single, a list, a dict, or none.

    Parameters
    ----------
    kind : {"one", "list", "dict", "none"}
        The form.
    keys : sequence of object
        The keys of the dict.
    """

    def __init__(self, kind: str, keys: Sequence[Any] = ()) -> None:
        self.kind = kind
        self.keys = list(keys)

    @staticmethod
    def of(outputs: Any) -> tuple[Form, list[Out]]:
        """The form of the requested outputs, and the outputs in order."""
        if outputs is None:
            return Form("none"), []
        if isinstance(outputs, (list, tuple)):
            return Form("list" if outputs else "none"), [_out(item) for item in outputs]
        if isinstance(outputs, Mapping):
            return Form("dict", list(outputs)), [_out(item) for item in outputs.values()]
        return Form("one"), [_out(outputs)]

    def pack(self, values: list[Any]) -> Any:
        """The values in this form."""
        if self.kind == "one":
            return values[0]
        if self.kind == "list":
            return values
        if self.kind == "dict":
            return dict(zip(self.keys, values, strict=True))
        return None


def _out(output: Any) -> Out:
    return output if isinstance(output, Out) else Out(output)
