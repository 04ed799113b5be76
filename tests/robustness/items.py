"""Batched calls: a caller's arguments, and their broadcast by NumPy.

The model is a Python loop: each item is a plain call of `model.py`.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from random import Random

import numpy as np
import present
from layout import Laid, lay_out, random_values
from model import Call, Given, Outcome
from present import Shown
from spec import EXCLUSIVE, Arg, Proto

Shape = tuple[int, ...]

# ---- Arguments -----------------------------------------------------------------------------------


def lead(r: Random) -> Shape:
    """The items' shape of a call; () is one item."""
    return tuple(
        r.choice([0, 1, 1, 2, 2, 2, 3, 3]) for _ in range(r.choice([0, 0, 1, 1, 1, 2, 2, 3]))
    )


def _part(r: Random, items: Shape) -> Shape:
    """Leading dimensions that broadcast to these."""
    dropped = r.choice([0, 0, 0, len(items), r.randint(0, len(items))])
    return tuple(1 if r.random() < 0.2 else size for size in items[dropped:])


def _in_items(r: Random, arg: Arg, values: np.ndarray) -> Laid:
    """Items that C can use in place, with any distance between them."""
    return lay_out(r, values, "items", core=len(arg.shape), arg=arg)


def _repeated(r: Random, laid: Laid, rank: int) -> Laid:
    """The same with a further leading dimension of stride 0."""
    array = np.broadcast_to(laid.array, (r.choice([1, 2]), *laid.array.shape))
    return replace(laid, array=array) if array.ndim > rank else laid


def array(r: Random, arg: Arg, shape: Shape) -> Shown:
    """Items of an array, or of a scalar: of C's own layout, or of any."""
    values = random_values(r, shape, arg.scalar.dtype)
    if arg.intent in EXCLUSIVE or r.random() < 0.4:
        laid = _in_items(r, arg, values)
        return Shown(present.dressed(r, laid), values, (), "items", laid)
    return present.array(r, arg, shape)


def _shared(r: Random, arg: Arg, value: int, shape: Shape) -> Shown:
    """A number that all items share, repeated for each."""
    values = np.full(shape, value, arg.scalar.dtype)
    laid = lay_out(r, values, r.choice(["exact", "strided", "negative"]))
    if values.size == 0:
        return Shown(laid.array, None, (ValueError,), "shared by none", laid)
    if values.size > 1 and r.random() < 0.1:
        values.flat[-1] = value + 1
        laid = lay_out(r, values, "exact")
        return Shown(laid.array, None, (ValueError,), "not shared", laid)
    return Shown(laid.array, values, (), "shared", laid)


def good(r: Random, arg: Arg, items: Shape, core: Shape, value: int | None, shared: bool) -> Shown:
    """A valid value; `value`: this number, of an integer that is a dimension."""
    part = items if arg.is_written or arg.intent == "out" else _part(r, items)
    if arg.is_array:
        if r.random() < 0.04:
            part = (*part[:-1], 4) if part else (4,)  # perhaps wrong: the model decides
        return array(r, arg, part + core)
    if arg.intent == "out":
        return array(r, arg, part)  # a number cannot be written to
    if part == ():
        return present.scalar(r, arg, value)
    if value is not None and shared:
        return _shared(r, arg, value, part)
    if value is not None:
        values = np.full(part, value, arg.scalar.dtype)
        laid = lay_out(r, values, "strided")
        return Shown(laid.array, values, (), "dims", laid)
    shown = array(r, arg, part)
    if not arg.is_written and shown.laid is not None and r.random() < 0.2 and len(items) < 3:
        if shown.value is shown.laid.array:
            laid = _repeated(r, shown.laid, len(part))
            logical = np.broadcast_to(np.asarray(shown.logical), laid.array.shape)
            return Shown(laid.array, logical, (), f"{shown.form} repeated", laid)
    return shown


def wrong(r: Random, arg: Arg, items: Shape, core: Shape, shared: bool) -> Shown:
    """An invalid value, whether the call is a batch or not."""
    writes = arg.is_written or arg.intent == "out"
    choices = ["str", "object", "type", "strings"]
    choices += ["readonly", "list", "cast"] if writes else []
    if core:
        choices += ["rank"]
    if arg.intent in EXCLUSIVE and (core or items):
        choices += ["unaligned"] * (arg.scalar.dtype.itemsize > 1)
    form = r.choice(choices)
    shape = items + core
    values = random_values(r, shape, arg.scalar.dtype)
    if form == "rank":
        laid = lay_out(r, random_values(r, core[1:], arg.scalar.dtype), "exact")
        # Of rank 0 it is a number, not an array.
        return Shown(laid.array, None, (ValueError, TypeError), form, laid)
    if form == "readonly":
        laid = lay_out(r, values, "exact")
        laid.array.flags.writeable = False
        return Shown(laid.array, None, (ValueError,), form, laid)
    if form == "list":
        return Shown(values.tolist(), None, (TypeError,), form)
    if form == "unaligned":
        laid = lay_out(r, values, "items", unaligned=True, core=len(core), arg=arg)
        if not laid.array.flags.aligned and values.ndim > 0:
            return Shown(laid.array, None, (ValueError,), form, laid)
    sources = present.castable(arg.scalar.dtype, form == "cast")
    # Single numbers are read with a check of the range instead.
    if shared:
        sources = [source for source in sources if source.kind not in "iu"]
    if form in ("type", "cast") and sources and shape:
        laid = lay_out(r, random_values(r, shape, r.choice(sources)), "exact")
        return Shown(laid.array, None, (TypeError,), f"{form} {laid.array.dtype}", laid)
    if form == "strings":
        return Shown(np.full(shape, "x"), None, (TypeError,), form)
    return Shown(object() if form == "object" else "text", None, (TypeError,), form)


# ---- The expected outcome ------------------------------------------------------------------------


def _rank(arg: Arg) -> int:
    return len(arg.shape)


def _lead_of(arg: Arg, given: Given) -> Shape:
    shape = np.shape(given.logical)
    return tuple(shape[: max(0, len(shape) - _rank(arg))])


def _of_item(arg: Arg, given: Given, items: Shape, index: Shape) -> Given:
    """The part of a value for one item; `index` () for no item: zeros, and the shared values."""
    if given.logical is None:
        return given
    logical = np.asarray(given.logical)
    if len(index) < len(items) and not arg.is_array and logical.size > 0:
        return replace(given, logical=logical.flat[0])
    core = logical.shape[logical.ndim - _rank(arg) :] if _rank(arg) else ()
    if len(index) < len(items):
        return replace(given, logical=np.zeros(core, logical.dtype))
    if arg.intent == "out":
        return replace(given, logical=np.zeros(core, logical.dtype))
    own = np.broadcast_to(logical, items + core)[index]
    return replace(given, logical=np.asarray(own))


class Map:
    """One batched call of one prototype."""

    def __init__(
        self, proto: Proto, given: dict[str, Given], returns: tuple[str, ...] | None
    ) -> None:
        self.proto = proto
        self.given = given
        self.returns = returns
        numbers = proto.item_buffers(returns)
        self.args = {arg.name: arg for arg in [*proto.args, *numbers]}
        self.for_numbers = {arg.name for arg in numbers}
        self.buffers = {arg.name for arg in proto.buffers()} | self.for_numbers

    def maps(self) -> bool:
        """Some value has items, or is the output buffer of numbers."""
        if any(self.given[name].value is not None for name in self.for_numbers & self.given.keys()):
            return True
        return any(
            np.ndim(given.logical) > _rank(self.args[name])
            for name, given in self.given.items()
            if given.logical is not None and (name not in self.buffers or self._takes_items())
        )

    def _takes_items(self) -> bool:
        """Without an input, the function takes no larger buffers."""
        return bool([*self.proto.required(), *self.proto.optional()])

    def run(self) -> Outcome:
        if not self.maps():
            return Call(self.proto, self.given).run(self.returns)
        outcome = Outcome()
        inputs = {
            name: _lead_of(self.args[name], given)
            for name, given in self.given.items()
            if name not in self.buffers and given.logical is not None
        }
        try:
            items = np.broadcast_shapes(*inputs.values())
        except ValueError:
            # Any of them may be named; their other mistakes are reported first.
            outcome.errors = [(ValueError, name) for name in self.given]
            outcome.errors += self._once((), (0,)).errors
            return outcome
        # Inputs are broadcast to larger buffers.
        larger = [
            _lead_of(self.args[name], given)
            for name, given in self.given.items()
            if name in self.buffers
            and given.logical is not None
            and np.ndim(given.logical) >= _rank(self.args[name])
        ]
        with contextlib.suppress(ValueError):
            items = np.broadcast_shapes(items, *larger)
        for name, own in inputs.items():
            full = (1,) * (len(items) - len(own)) + own
            if self.args[name].is_written and full != items:
                outcome.errors.append((ValueError, name))
        if outcome.errors:
            outcome.errors += self._once((), (0,)).errors
            return outcome
        once = self._once((), items) if 0 in items else self._once((0,) * len(items), items)
        for name in self.buffers & self.given.keys():
            given, core = self.given[name], _rank(self.args[name])
            if given.logical is not None:
                shape = np.shape(given.logical)
                # A wrong rank implies a wrong shape; with the right rank, `_once` checks the shape.
                if len(shape) < core or _lead_of(self.args[name], given) != items:
                    once.errors.append((ValueError, name))
        if once.errors:
            return once
        return self._each(items, once)

    def _is_written(self, name: str) -> bool:
        return name in self.args and self.args[name].is_written

    def _item(self, index: Shape, items: Shape) -> dict[str, Given]:
        return {
            name: _of_item(self.args[name], given, items, index)
            for name, given in self.given.items()
        }

    def _once(self, index: Shape, items: Shape) -> Outcome:
        """The outcome apart from an item's own numbers: errors, and results to infer from."""
        shared = self.proto.shared()
        call = Call(replace(self.proto, status=False), self._item(index, items))
        outcome = call.run(self.returns)
        kept = []
        for exception, name in outcome.errors:
            arg = self.args.get(name or "")
            own = arg is not None and not arg.is_array and arg.name not in shared
            is_refused = name in self.given and exception in self.given[name].refused
            if is_refused or not (exception is OverflowError and own):
                kept.append((exception, name))
        if outcome.errors and not kept:
            outcome.errors = []
            call._effect(self.returns)
        outcome.errors = kept
        return outcome

    def in_c_order(self) -> bool:
        """The order of items: that in which arrays are stored, if it is not C order."""
        arrays = [shown.laid.array for shown in self.given.values() if getattr(shown, "laid", None)]
        steps = [[abs(step) for step in array.strides] for array in arrays]
        return all(own == sorted(own, reverse=True) for own in steps)

    def _each(self, items: Shape, once: Outcome) -> Outcome:
        outcome = Outcome()
        done: list[Outcome] = []
        for index in np.ndindex(items):
            item = Call(self.proto, self._item(index, items)).run(self.returns)
            if item.errors:
                outcome.errors += item.errors
                outcome.failed = outcome.failed or index
                if self.in_c_order():
                    return outcome
            done.append(item)
        if outcome.errors:
            return outcome

        def together(parts: list[object], like: object) -> object:
            """The items' values of one result, in one array."""
            if like is None:
                return None
            known = np.asarray(like)
            flat = np.array(parts, known.dtype).reshape(items + known.shape)
            return flat

        for at, like in enumerate(once.results):
            whole = together([item.results[at] for item in done], like)
            given = self.given.get(once.names[at])
            if given is not None and given.logical is not None and self._is_written(once.names[at]):
                whole = np.asarray(whole).reshape(np.shape(given.logical))  # a copy of that
            outcome.results.append(whole)
        for name, like in once.written.items():
            whole = together([item.written[name] for item in done], like)
            outcome.written[name] = np.asarray(whole).reshape(np.shape(self.given[name].logical))
        return outcome
