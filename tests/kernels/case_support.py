"""The helpers of the cases, by a name of their own: the robustness tests have a `support` too."""

import importlib.util
from pathlib import Path

_spec = importlib.util.spec_from_file_location(
    "case_support_of_cases", Path(__file__).parent.parent / "cases" / "support.py"
)
assert _spec is not None and _spec.loader is not None
_support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_support)
layouts, raises, same = _support.layouts, _support.raises, _support.same
