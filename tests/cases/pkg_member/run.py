from pathlib import Path

import outer.inner.member
from outer.inner import member

assert member.one() == 1
assert member.__name__ == outer.inner.member.one.__module__ == "outer.inner.member"
folder = Path(member.__file__).parent
assert folder.name == "inner" and folder.parent.name == "outer"
assert (folder / "member.pyi").is_file()
assert (folder.parent / "py.typed").is_file()
# The packages are the user's: no file is created that could shadow them.
assert not list(folder.parent.rglob("__init__.py"))
