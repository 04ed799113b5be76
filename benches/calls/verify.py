"""Whether a tool answers a call rightly, found in a process of its own.

A wrong call may write where it should not, or crash: neither may reach the process
that measures, nor the next row.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from json import dumps, loads
from types import ModuleType
from typing import Any

from rows import Row


class Status(StrEnum):
    """The outcome of a call."""

    OK = "ok"  # the right answer, or a wrong call refused
    REFUSED = "refused"  # a right call refused
    ACCEPTED = "accepted"  # a call that need not work, with the right answer all the same
    WRONG = "WRONG"  # a wrong answer, or a wrong call accepted
    CRASH = "CRASH"


@dataclass(frozen=True)
class Verdict:
    """The outcome of a call, and the message or the result that shows it."""

    status: Status
    detail: str = ""

    @property
    def timed(self) -> bool:
        return self.status is Status.OK


def call_of(row: Row, arguments: list[str]) -> Callable[..., Any]:
    """The call as a function of `f` and the arguments."""
    function: Callable[..., Any] = eval(f"lambda f, {', '.join(arguments)}: {row.call}")
    return function


def _describe(value: object) -> str:
    return " ".join(repr(value).split())[:120]


def _answered(row: Row, result: Any, given: dict[str, Any]) -> Verdict:
    right = row.right is not None and row.right(result, given)
    shown = f"gave {_describe(result)}"
    if row.wrong:
        return Verdict(Status.ACCEPTED if right else Status.WRONG, shown)
    return Verdict(Status.OK) if right else Verdict(Status.WRONG, shown)


def _judge(row: Row, module: ModuleType) -> Verdict:
    given = row.make()
    # A call is made more than once: the second must be independent of the first.
    for arguments in (row.make(), given):
        try:
            result = call_of(row, list(arguments))(
                getattr(module, row.function), *arguments.values()
            )
        except Exception as error:
            detail = f"{type(error).__name__}: {' '.join(str(error).split())}"
            return Verdict(Status.OK if row.wrong else Status.REFUSED, detail[:300])
    return _answered(row, result, given)


def _judge_and_send(row: Row, module: ModuleType, pipe: int) -> None:
    warnings.simplefilter("ignore")
    try:
        verdict = _judge(row, module)
    except BaseException as error:  # such as the panic of a Rust function
        verdict = Verdict(Status.CRASH, f"{type(error).__name__}: {error}")
    os.write(pipe, dumps(asdict(verdict)).encode())


def verify(row: Row, module: ModuleType) -> Verdict:
    """Makes the call in a forked process and checks its result."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _judge_and_send(row, module, writer)
        finally:
            # The parent's clean-up functions are skipped in every case.
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        message = stream.read()
    _, status = os.waitpid(child, 0)
    if not message:
        return Verdict(Status.CRASH, f"wait status {status}")
    fields = loads(message)
    return Verdict(Status(fields["status"]), fields["detail"])
