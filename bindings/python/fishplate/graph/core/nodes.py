"""The nodes of a graph: variables, constants, and applications of ops.

Purpose: the data structure of graphs.
Invariant: a variable is the output `index` of its `owner`, or has no owner; an `Apply` and its
outputs refer to one another.
Reason: graphs are built by ordinary Python expressions; there is no registry, and unreferenced
parts are freed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from .copying import reduce_node, reduce_output
from .places import Place, here

if TYPE_CHECKING:
    from .op import Op
    from .type import Type


class Variable:
    """A value that is not known until a function is called.

    Parameters
    ----------
    type : Type
        Its type.
    owner : Apply, optional
        The node that computes it; None for an input.
    index : int, optional
        The index among the outputs of `owner`.
    name : str, optional
        For display, and for keyword arguments.
    made_at : Place, optional
        Its place in the code; by default the innermost line outside of this package.

    Notes
    -----
    Variables are compared by identity, so they can be keys; `fishplate.graph.eq` compares values.
    """

    def __init__(
        self,
        type: Type,
        owner: Apply | None = None,
        index: int | None = None,
        name: str | None = None,
        *,
        made_at: Place | None = None,
    ) -> None:
        if name is not None and not isinstance(name, str):
            raise TypeError(f"the name of a variable is a str, not {_class_name(name)}")
        self.type = type
        self.owner = owner
        self.index = index
        self.name = name
        self._place = here() if made_at is None and owner is None else made_at

    @property
    def made_at(self) -> Place | None:
        """The `Place` in the user's code that created it, or None."""
        return self._place if self.owner is None else self.owner.made_at

    def clone(self, name: str | None = None) -> Variable:
        """A new variable of this type, without an owner."""
        return self.type.make_variable(name or self.name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return reduce_output(self) or super().__reduce_ex__(protocol)

    def __copy__(self) -> Variable:
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update(self.__dict__)
        return made

    def __str__(self) -> str:
        if self.name is not None:
            return self.name
        if self.owner is not None:
            return f"{self.owner.op}.{self.index}"
        return f"<{self.type}>"

    def __repr__(self) -> str:
        return f"<{self}: {self.type}>" if self.name or self.owner else str(self)

    # The picture that notebooks show; `fishplate.graph.show` draws it.
    _repr_svg_: ClassVar[Callable[[Variable], str]]


class Constant(Variable):
    """A value that is known in advance.

    Parameters
    ----------
    type : Type
        The type, whose `filter` sees the value.
    data : object
        The value. The graph refers to it: it must not be changed.
    name : str, optional
        For display.
    """

    def __init__(self, type: Type, data: object, name: str | None = None) -> None:
        super().__init__(type, None, None, name)
        self.data: Any = type.filter(data)

    @property
    def value(self) -> Any:
        """The value."""
        return self.data

    def clone(self, name: str | None = None) -> Constant:
        """Another constant with this value."""
        return self.__class__(self.type, self.data, name or self.name)

    def __str__(self) -> str:
        if self.name is not None:
            return self.name
        text = " ".join(str(self.data).split())
        return text if len(text) <= 24 else f"{text[:20]} ..."

    def __repr__(self) -> str:
        return f"<{self}: {self.type}>"


class Apply:
    """An op applied to variables.

    Parameters
    ----------
    op : Op
        The operation.
    inputs, outputs : sequence of Variable
        The outputs must be new: they become this node's.
    made_at : Place, optional
        Its place in the code; by default the innermost line outside of this package.
    """

    def __init__(
        self,
        op: Op,
        inputs: Sequence[Variable],
        outputs: Sequence[Variable],
        *,
        made_at: Place | None = None,
    ) -> None:
        for role, variables in (("inputs", inputs), ("outputs", outputs)):
            if not isinstance(variables, (list, tuple)):
                raise TypeError(
                    f"the {role} of an Apply are a list of variables, not {_class_name(variables)}"
                )
            for variable in variables:
                if not isinstance(variable, Variable):
                    raise TypeError(
                        f"the {role} of {op} must be variables, not {_class_name(variable)}"
                    )
        for output in outputs:
            if any(output is given for given in inputs):
                raise ValueError(
                    f"{output!r} is an input and an output of {op}: an output is a new variable, "
                    "such as x.type(); that it may be the very value is for view_map to say"
                )
        if len({id(output) for output in outputs}) != len(outputs):
            raise ValueError(f"a variable is twice among the outputs of {op}")
        self.op = op
        self.inputs: list[Variable] = list(inputs)
        self.outputs: list[Variable] = list(outputs)
        self.made_at = here() if made_at is None else made_at
        for index, output in enumerate(self.outputs):
            if isinstance(output, Constant) or output.owner is not None:
                raise ValueError(f"an output of {op} must be a new variable, and {output!r} is not")
            output.owner = self
            output.index = index

    @classmethod
    def of_new(cls, op: Op, inputs: Sequence[Variable], outputs: list[Variable]) -> Apply:
        """The same for variables that need no check: the outputs were created for this node, at
        its place."""
        node = cls.__new__(cls)
        node.op = op
        node.inputs = list(inputs)
        node.outputs = outputs
        node.made_at = outputs[0].made_at
        for index, output in enumerate(outputs):
            output.owner = node
            output.index = index
        return node

    @property
    def out(self) -> Variable:
        """The output, if there is only one (or the op has a default output)."""
        if self.op.default_output is not None:
            return self.outputs[self.op.default_output]
        if len(self.outputs) != 1:
            raise AttributeError(f"{self.op} has {len(self.outputs)} outputs")
        return self.outputs[0]

    @property
    def nin(self) -> int:
        """The number of inputs."""
        return len(self.inputs)

    @property
    def nout(self) -> int:
        """The number of outputs."""
        return len(self.outputs)

    def clone_with_new_inputs(self, inputs: Sequence[Variable]) -> Apply:
        """This op applied to other inputs.

        The outputs keep their types if all inputs keep theirs; otherwise the op creates the node
        again.
        """
        if all(new.type == old.type for new, old in zip(inputs, self.inputs, strict=True)):
            outputs = [output.type.make_variable(output.name) for output in self.outputs]
            return Apply(self.op, list(inputs), outputs, made_at=self.made_at)
        node = self.op.make_node(*inputs)
        node.made_at = self.made_at
        return node

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_node(self)

    def __copy__(self) -> Apply:
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update(self.__dict__)
        return made

    def __str__(self) -> str:
        return f"{self.op}({', '.join(map(str, self.inputs))})"

    def __repr__(self) -> str:
        return f"<Apply {self}>"


def _class_name(value: object) -> str:
    return type(value).__name__
