"""The part of the package that is written in Rust: see bindings/python/src."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from threading import RLock
from typing import Any, final

VERSION: str
SYMBOL: str

@final
class Built:
    path: Path | None
    name: str
    sources: list[Path]
    not_kept: str | None
    commands: list[str]
    text: str
    json: str

def load_file(file: str) -> Built: ...
def load_inline(
    code: str,
    *,
    name: str | None,
    headers: Sequence[str],
    include_dirs: Sequence[str],
    libraries: Sequence[str],
    library_dirs: Sequence[str],
    cflags: Sequence[str],
    defines: Sequence[str],
) -> Built: ...
def run_command(arguments: Sequence[str]) -> int: ...

class NoCompiler(RuntimeError): ...

Kind = tuple[str, Sequence[int | None]]

def infer(
    name: str,
    params: Sequence[object],
    inputs: Sequence[Kind],
    known: Sequence[int | None] | None = None,
) -> list[tuple[str, list[int | None]]]: ...

Array = tuple[str, Sequence[int], bytes]

class Graph:
    def __init__(self) -> None: ...
    def input(self, dtype: str, shape: Sequence[int | None]) -> int: ...
    def constant(self, dtype: str, shape: Sequence[int], bytes: bytes) -> int: ...
    def apply(
        self, name: str, params: Sequence[object], inputs: Sequence[int], site: int
    ) -> list[int]: ...
    def apply_call(self, op: OpCall, inputs: Sequence[int], site: int) -> list[int]: ...
    def set_outputs(self, outputs: Sequence[int]) -> None: ...
    def outputs(self) -> list[int]: ...
    def kind(self, var: int) -> tuple[str, list[int | None]]: ...
    def nodes(self) -> list[tuple[str, list[int], list[int], list[int]]]: ...
    def constants(self) -> list[tuple[int, bytes]]: ...
    def rewrite(
        self,
        excluded: Sequence[str],
        evaluate: Callable[
            [str, tuple[object, ...], list[Array]],
            Sequence[Array] | None,
        ],
    ) -> tuple[Graph, list[tuple[str, int, list[str]]]]: ...
    def find(
        self, excluded: Sequence[str], evaluator: str, *, vector_math: bool, fp_contract: bool
    ) -> tuple[str, list[bytes]] | None: ...
    def remember(
        self,
        linked: LinkedGraph,
        excluded: Sequence[str],
        evaluator: str,
        *,
        vector_math: bool,
        fp_contract: bool,
    ) -> None: ...
    def link(self, *, reuse: bool = True) -> LinkedGraph: ...

class OpSource:
    def __init__(
        self,
        name: str,
        interface: str,
        addresses: Sequence[int],
        constants: Mapping[str, str],
    ) -> None: ...
    @property
    def batched(self) -> bool: ...
    @property
    def overloads(
        self,
    ) -> list[tuple[list[tuple[str, str, int, bool, bool, bool]], list[tuple[bool, int]]]]: ...
    def op(self, overload: int, given: Sequence[int]) -> OpCall: ...

class OpCall:
    def infer(
        self,
        inputs: Sequence[tuple[str, Sequence[int | None]]],
        known: Sequence[int | None],
    ) -> list[tuple[str, list[int | None]]]: ...

class LinkedGraph:
    @property
    def source(self) -> str: ...
    @property
    def constants(self) -> list[bytes]: ...
    @property
    def functions(self) -> list[int]: ...
    def compile(self, *, vector_math: bool, fp_contract: bool) -> tuple[str, bool, str | None]: ...

def export_library(
    linked: LinkedGraph,
    folder: str | PathLike[str],
    out: str | PathLike[str],
    name: str,
    about: str,
    inputs: Sequence[tuple[str, str, Sequence[int | None], str]],
    outputs: Sequence[tuple[str, str, Sequence[int | None], str]],
    steps: Sequence[str],
    *,
    vector_math: bool,
    fp_contract: bool,
    native: bool,
) -> list[Path]: ...
def export_module(
    linked: LinkedGraph,
    out: str | PathLike[str],
    module: str,
    function: str,
    doc: str,
    inputs: Sequence[tuple[str, str, Sequence[int | None], tuple[Sequence[int], bytes] | None]],
    outputs: Sequence[tuple[str, int]],
    steps: Sequence[str],
    *,
    listed: bool,
    recycle_outputs: bool,
    include_dirs: Sequence[str],
    vector_math: bool,
    fp_contract: bool,
    native: bool,
) -> None: ...

class Cell:
    value: Any
    def __init__(self, value: object = None) -> None: ...

class Function:
    def __init__(
        self,
        library: str | PathLike[str],
        symbol: str,
        name: str,
        inputs: tuple[tuple[object, ...], ...],
        outputs: tuple[tuple[str, int, Cell | None], ...],
        pointers: tuple[int, ...],
        on_error: Callable[..., BaseException],
        detail: object,
        listed: bool = False,
        recycle_outputs: bool = True,
        keys: tuple[object, ...] | None = None,
        locks: tuple[RLock, ...] = (),
        exact: bool = False,
    ) -> None: ...
    @classmethod
    def forward(
        cls,
        name: str,
        detail: object,
        target: Callable[..., Any] | None,
        count: int,
        cells: tuple[Cell, ...],
        outputs: tuple[Cell | None, ...],
        listed: bool,
        keys: tuple[object, ...] | None,
        locks: tuple[RLock, ...],
    ) -> Function: ...
    def free(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...

class CompileError(RuntimeError): ...

def type_fragment(
    dtype: str,
    shape: tuple[int | None, ...],
    method: str,
    name: str,
    fail: str,
    check_input: bool,
) -> str: ...
def type_literal(dtype: str, data: object) -> str | None: ...

class CProgram:
    def __init__(self, name: str) -> None: ...
    def variable(self, kind: object, name: str | None) -> int: ...
    def array(self, dtype: str, name: str | None) -> int: ...
    def constant(self, kind: object, value: object, name: str | None) -> int: ...
    def node(
        self,
        op: object,
        apply: object,
        inputs: Sequence[int],
        outputs: Sequence[int],
        params: int | None = None,
    ) -> None: ...
    def built_in(self, name: str, input: int, output: int, i: int | None = None) -> bool: ...
    def call(
        self, name: str, function: int, inputs: Sequence[int], outputs: Sequence[int]
    ) -> None: ...
    def callee(self, function: object, name: str) -> int: ...
    def set_inputs(self, inputs: Sequence[int]) -> None: ...
    def set_outputs(self, outputs: Sequence[tuple[int, bool]]) -> None: ...
    def link(self) -> LinkedProgram: ...

class LinkedProgram:
    @property
    def source(self) -> str: ...
    @property
    def orphans(self) -> list[int]: ...
    @property
    def unversioned(self) -> list[str]: ...
    def position(self, block: int) -> tuple[int | None, int | None, str] | None: ...
    def who_says(self, word: str) -> list[tuple[int | None, str]]: ...
    def compile(self, *, fp_contract: bool) -> tuple[Path, bool, str | None]: ...
