"""What types and ops written in C may define.

Purpose: the names, the parameters and the defaults of the methods that the C linker calls.
Invariant: methods that have no sensible default raise `MethodNotDefined`; the others say nothing
to add.
Reason: the linker asks for everything, and a class defines what it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .nodes import Apply


class MethodNotDefined(NotImplementedError, AttributeError):
    """A method that the C linker needs, and that the type or op does not define."""

    def __init__(self, owner: object = None, method: str | None = None) -> None:
        if method is None:  # as Theano's own classes raise it
            super().__init__(*([] if owner is None else [owner]))
        else:
            super().__init__(f"{owner} ({type(owner).__qualname__}) does not define {method}")
            self.undefined_of = owner


class CObject:
    """What types and ops have in common.

    Each of these methods may take one argument more, the C compiler.
    """

    def c_headers(self) -> list[str]:
        """Headers to include, with their quotes or brackets; plain names get brackets."""
        return []

    def c_header_dirs(self) -> list[str]:
        """Folders to look for headers in."""
        return []

    def c_libraries(self) -> list[str]:
        """Libraries to link with, without `-l`."""
        return []

    def c_lib_dirs(self) -> list[str]:
        """Folders to look for libraries in."""
        return []

    def c_compile_args(self) -> list[str]:
        """Options for the compiler."""
        return []

    def c_no_compile_args(self) -> list[str]:
        """Options that the compiler must not get."""
        return []

    def c_support_code(self) -> str | list[str]:
        """Functions and structs that the other code uses."""
        return ""

    def c_init_code(self) -> str | list[str]:
        """Code that runs once, when the module is loaded."""
        return []

    def c_compiler(self) -> Any:
        """The compiler that this must be compiled with; None: any."""
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
        """The C type of an element, where values have elements; else None."""
        return None

    def c_is_simple(self) -> bool:
        """Whether a value is cheap to make: then nothing of it is kept from call to call."""
        return False

    def c_literal(self, data: Any) -> str:
        """`data` as an expression in C."""
        raise MethodNotDefined(self, "c_literal")

    def c_declare(self, name: str, sub: dict[str, str], check_input: bool = True) -> str:
        """Declares the C variables of one value."""
        raise MethodNotDefined(self, "c_declare")

    def c_init(self, name: str, sub: dict[str, str]) -> str:
        """Gives them a first value."""
        raise MethodNotDefined(self, "c_init")

    def c_extract(self, name: str, sub: dict[str, str], check_input: bool = True) -> str:
        """Reads them from the Python object `py_<name>`."""
        raise MethodNotDefined(self, "c_extract")

    def c_extract_out(self, name: str, sub: dict[str, str], check_input: bool = True) -> str:
        """Reads an earlier call's output from `py_<name>`, which is None if there is none."""
        try:
            extract = self.c_extract(name, sub, check_input)
        except TypeError:  # the manual's own methods do without `check_input`
            extract = self.c_extract(name, sub)
        return (
            f"if (py_{name} == Py_None) {{\n{self.c_init(name, sub)}\n}} else {{\n{extract}\n}}\n"
        )

    def c_sync(self, name: str, sub: dict[str, str]) -> str:
        """Puts the C value into the Python object `py_<name>`."""
        raise MethodNotDefined(self, "c_sync")

    def c_cleanup(self, name: str, sub: dict[str, str]) -> str:
        """Gives back whatever declare, init, extract and the ops acquired."""
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
        """Sets these members."""
        return ""

    def c_cleanup_code_struct(self, node: Apply, name: str) -> str:
        """Gives back what these members hold."""
        return ""

    def c_code_cache_version_apply(self, node: Apply) -> tuple[Any, ...]:
        """The version of the code of one node."""
        return self.c_code_cache_version()
