"""Helpers for the run.py of the cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def raises(
    exception: type[BaseException],
    text: str,
    function: Callable[..., Any],
    /,
    *args: Any,
    **kwargs: Any,
) -> None:
    """The call raises exactly this type with exactly this text; `...` stands for any text."""
    try:
        result = function(*args, **kwargs)
    except BaseException as error:
        assert type(error) is exception, f"{type(error).__name__}: {error}"
        pattern = ".*".join(re.escape(part) for part in text.split("..."))
        assert re.fullmatch(pattern, str(error), re.DOTALL), (
            f"the message was\n{error}\nnot\n{text}"
        )
    else:
        raise AssertionError(f"returned {result!r} instead of raising {exception.__name__}: {text}")


def same(got: Any, wanted: Any) -> None:
    """An array result: values, shape and dtype."""
    wanted = np.asarray(wanted)
    assert isinstance(got, np.ndarray), type(got)
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), (got.dtype, got.shape)
    np.testing.assert_array_equal(got, wanted)


def unaligned(values: Any) -> np.ndarray:
    """A contiguous array with these values, one byte off its alignment."""
    values = np.asarray(values)
    raw = np.zeros(values.nbytes + 1, np.uint8)
    array = raw[1:].view(values.dtype).reshape(values.shape)
    array[...] = values
    assert values.dtype.itemsize == 1 or values.size == 0 or not array.flags.aligned
    return array


def swapped(values: Any) -> np.ndarray:
    """These values with their bytes the other way round in memory."""
    values = np.asarray(values)
    return values.astype(values.dtype.newbyteorder())


def strided(values: Any, step: int = 2) -> np.ndarray:
    """A view with these values and gaps along every axis; a negative step walks backwards."""
    values = np.asarray(values)
    gap = abs(step)
    base = np.zeros(tuple(gap * n for n in values.shape), values.dtype)
    view = base[tuple(slice(None, None, gap) for _ in values.shape)]
    if step < 0:
        view = view[tuple(slice(None, None, -1) for _ in values.shape)]
    view[...] = values
    return view


def readonly(values: Any) -> np.ndarray:
    """A read-only array with these values."""
    array = np.array(values)
    array.flags.writeable = False
    return array


def layouts(values: Any) -> Iterator[tuple[str, np.ndarray]]:
    """These values in every layout that memory can have, each writable and fresh."""
    values = np.asarray(values)
    yield "C-contiguous", np.array(values, order="C")
    yield "F-contiguous", np.array(values, order="F")
    yield "strided", strided(values)
    yield "negative strides", strided(values, -1)
    yield "negative strides with gaps", strided(values, -3)
    yield "byte-swapped", swapped(values)
    yield "byte-swapped and strided", strided(swapped(values))
    yield "unaligned", unaligned(values)
    yield "unaligned and byte-swapped", unaligned(swapped(values))
