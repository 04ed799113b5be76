"""The base class of ops.

Purpose: operations that compute outputs from inputs.
Invariant: an op has no mutable state; differences between two applications are in the `Apply`.
Reason: equal ops on equal inputs give equal outputs, so such nodes can be merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .nodes import Apply
from .places import here
from .props import HasProps
from .protocol import COp, MethodNotDefined
from .type import Type


class Op(HasProps, COp):
    """An operation that computes outputs from inputs.

    A subclass defines `make_node`, or `itypes` and `otypes`, and at least one of `perform` and
    `c_code`.

    Attributes
    ----------
    view_map : dict of int to list of int
        The outputs that may share memory with inputs.
    destroy_map : dict of int to list of int
        The outputs that use the memory of inputs.
    default_output : int or None
        The output that a call of the op returns, if not all.
    itypes, otypes : sequence of Type
        The types of inputs and outputs, if they are always the same.
    check_input : bool
        Whether C code validates values from Python.
    numbers_as_arrays : bool or None
        Whether C code receives tensors of rank 0 as `PyArrayObject *` of rank 0, as in Theano, and
        not as C numbers. None: as arrays where `c_code` uses one of them as an array.
    params_type : Type or None
        The type of the result of `get_params`, which is `sub["params"]` in C code.
    """

    view_map: dict[int, list[int]] = {}
    destroy_map: dict[int, list[int]] = {}
    default_output: int | None = None
    check_input: bool = True
    numbers_as_arrays: bool | None = None
    params_type: Type | None = None
    itypes: Sequence[Type] | None = None
    otypes: Sequence[Type] | None = None

    def make_node(self, *inputs: Any) -> Apply:
        """Applies this op to `inputs`: checks them and creates the outputs."""
        if self.itypes is None or self.otypes is None:
            raise NotImplementedError(
                f"{type(self).__qualname__} must define make_node, or itypes and otypes"
            )
        if len(inputs) != len(self.itypes):
            raise TypeError(f"{self} takes {len(self.itypes)} inputs, got {len(inputs)}")
        checked = []
        for index, (kind, given) in enumerate(zip(self.itypes, inputs, strict=True)):
            try:
                checked.append(kind.filter_variable(given))
            except TypeError as error:
                raise TypeError(f"{self}: input {index}: {error}") from error
        return Apply(self, checked, [kind.make_variable() for kind in self.otypes])

    def perform(
        self, node: Apply, inputs: Sequence[Any], output_storage: Sequence[list[Any]]
    ) -> None:
        """Computes the outputs in Python.

        Parameters
        ----------
        node : Apply
            The node.
        inputs : sequence of object
            The values of its inputs.
        output_storage : sequence of list
            For each output a list of one item, to be set.
        """
        raise NotImplementedError(f"{self} ({type(self).__qualname__}) has no perform")

    def get_params(self, node: Apply) -> Any:
        """The parameters of C code other than the op's inputs."""
        raise MethodNotDefined(self, "get_params")

    def has_perform(self) -> bool:
        """Whether the op can be computed in Python."""
        return type(self).perform is not Op.perform or "perform" in self.__dict__

    def has_c_code(self, node: Apply) -> bool:
        """Whether a node of this op can be computed in C."""
        return type(self).c_code is not COp.c_code or "c_code" in self.__dict__

    def __call__(
        self, *inputs: Any, name: str | None = None, return_list: bool = False, **kwargs: Any
    ) -> Any:
        """Applies the op.

        Parameters
        ----------
        *inputs, **kwargs
            The arguments of `make_node`.
        name : str, optional
            The name of the (default) output.
        return_list : bool
            Return a list, even if there is only one output.
        """
        node = self.make_node(*inputs, **kwargs)
        if not isinstance(node, Apply):
            raise TypeError(
                f"{type(self).__qualname__}.make_node must return an Apply, not "
                f"{'None' if node is None else type(node).__name__}"
            )
        node.made_at = here()  # not a line of the op's own make_node
        if name is not None:
            node.outputs[self.default_output or 0].name = name
        if self.default_output is not None:
            output = node.outputs[self.default_output]
            return [output] if return_list else output
        if len(node.outputs) == 1 and not return_list:
            return node.outputs[0]
        return list(node.outputs)

    def __repr__(self) -> str:
        return str(self)
