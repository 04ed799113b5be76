"""The methods of types and ops that are written in C.

Purpose: the names, the parameters and the defaults of the methods that the C linker calls.
Invariant: methods without a sensible default raise `MethodNotDefined`; the others return an empty
default.
Reason: the linker calls all of them, and a class defines those it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .nodes import Apply


class MethodNotDefined(NotImplementedError, AttributeError):
    """A method that the C linker needs, and that the type or op does not define."""

    def __init__(self, owner: object = None, method: str | None = None) -> None:
        if method is None:  # Theano's classes raise it in this way
            super().__init__(*([] if owner is None else [owner]))
        else:
            super().__init__(f"{owner} ({type(owner).__qualname__}) does not define {method}")
            self.undefined_of = owner


class CObject:
    """The common methods of types and ops.

    Each of these methods may take one additional argument, the C compiler.
    """

    def c_headers(self) -> list[str]:
        """Headers to include, with their quotes or brackets; plain names get brackets."""
        return []

    def c_header_dirs(self) -> list[str]:
        """Folders to search for headers."""
        return []

    def c_libraries(self) -> list[str]:
        """Libraries to link with, without `-l`."""
        return []

    def c_lib_dirs(self) -> list[str]:
        """Folders to search for libraries."""
        return []

    def c_compile_args(self) -> list[str]:
        """Options for the compiler."""
        return []

    def c_no_compile_args(self) -> list[str]:
        """Options that are removed for the compiler."""
        return []

    def c_support_code(self) -> str | list[str]:
        """Functions and structs that the other code uses."""
        return ""

    def c_init_code(self) -> str | list[str]:
        """Code that runs once, when the module is loaded."""
        return []

    def c_compiler(self) -> Any:
        """The required compiler; None: any."""
        return None

    def c_code_cache_version(self) -> tuple[Any, ...]:
        """The version of the code. Empty: compiled for this process only."""
        return ()


class CType(CObject):
    """The C side of a type. `name` is the variable's name in C, `sub` has `fail` and more."""

    def has_c_code(self) -> bool:
        """Whether values of this type can be handled in C."""
        return type(self).c_declare is not CType.c_declare or "c_declare" in self.__dict__

    def c_element_type(self) -> str | None:
        """The C type of an element, if values have elements; else None."""
        return None

    def c_is_simple(self) -> bool:
        """Whether a value is cheap to create: then it is not reused between calls."""
        return False

    def c_literal(self, data: Any) -> str:
        """`data` as an expression in C."""
        raise MethodNotDefined(self, "c_literal")

    def c_declare(self, name: str, sub: dict[str, str], check_input: bool = True) -> str:
        """Declares the C variables of one value."""
        raise MethodNotDefined(self, "c_declare")

    def c_init(self, name: str, sub: dict[str, str]) -> str:
        """Initialises them."""
        raise MethodNotDefined(self, "c_init")

    def c_extract(self, name: str, sub: dict[str, str], check_input: bool = True) -> str:
        """Reads them from the Python object `py_<name>`."""
        raise MethodNotDefined(self, "c_extract")

    def c_extract_out(self, name: str, sub: dict[str, str], check_input: bool = True) -> str:
        """Reads an output of an earlier call from `py_<name>`, which is None if unset."""
        try:
            extract = self.c_extract(name, sub, check_input)
        except TypeError:  # the manual's own methods work without `check_input`
            extract = self.c_extract(name, sub)
        return (
            f"if (py_{name} == Py_None) {{\n{self.c_init(name, sub)}\n}} else {{\n{extract}\n}}\n"
        )

    def c_sync(self, name: str, sub: dict[str, str]) -> str:
        """Stores the C value in the Python object `py_<name>`."""
        raise MethodNotDefined(self, "c_sync")

    def c_cleanup(self, name: str, sub: dict[str, str]) -> str:
        """Releases the resources of declare, init, extract and the ops."""
        raise MethodNotDefined(self, "c_cleanup")


class COp(CObject):
    """The C side of an op. `name` is the node's own name in C."""

    def c_code(
        self,
        node: Apply,
        name: str,
        inputs: list[str],
        outputs: list[str],
        sub: dict[str, str],
    ) -> str:
        """Computes the C variables `outputs` from `inputs`."""
        raise MethodNotDefined(self, "c_code")

    def c_code_cleanup(
        self,
        node: Apply,
        name: str,
        inputs: list[str],
        outputs: list[str],
        sub: dict[str, str],
    ) -> str:
        """Runs after `c_code`, whether it failed or not."""
        return ""

    def c_support_code_apply(self, node: Apply, name: str) -> str:
        """Functions and structs of one node."""
        return ""

    def c_init_code_apply(self, node: Apply, name: str) -> str:
        """Runs once for the node, when the module is loaded."""
        return ""

    def c_support_code_struct(self, node: Apply, name: str) -> str:
        """Members of the struct that lives as long as the linked function."""
        return ""

    def c_init_code_struct(self, node: Apply, name: str, sub: dict[str, str]) -> str:
        """Initialises these members."""
        return ""

    def c_cleanup_code_struct(self, node: Apply, name: str) -> str:
        """Releases the resources of these members."""
        return ""

    def c_code_cache_version_apply(self, node: Apply) -> tuple[Any, ...]:
        """The version of the code of one node."""
        return self.c_code_cache_version()
