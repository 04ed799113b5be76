"""Writes and reads zip archives by libzip; fails if Python's zipfile reads or writes others."""

from __future__ import annotations

import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import archive

CONTENTS = {
    "notes.txt": b"to be or not to be " * 200,
    "data/empty": b"",
    "data/x": bytes(range(256)),
}


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<28} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def write(path: Path) -> None:
    """An archive with the contents, of which one is stored and the others are compressed."""
    done: list[float] = []
    with archive.Archive(str(path), archive.CREATE | archive.EXCL) as made:
        made.progress(lambda _, part: done.append(part))
        for name, data in CONTENTS.items():
            index = made.add(name, made.source(data))
            made.compress(index, archive.CM_STORE if name == "data/x" else archive.CM_DEFLATE, 9)
            made.set_time(index, 1_000_000_000)
        made.add_folder("folder")
        made.set_comment("written by libzip")
    assert done[0] == 0
    assert done[-1] == 1


def read_by_python(path: Path) -> None:
    with zipfile.ZipFile(path) as opened:
        assert opened.testzip() is None
        assert {name: opened.read(name) for name in CONTENTS} == CONTENTS
        assert opened.namelist() == [*CONTENTS, "folder/"]
        assert opened.comment == b"written by libzip"
        assert opened.getinfo("data/x").compress_type == zipfile.ZIP_STORED
        assert opened.getinfo("notes.txt").compress_type == zipfile.ZIP_DEFLATED


def read(path: Path) -> None:
    """An archive of zipfile, whose entries are compared with what zipfile says of them."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in CONTENTS.items():
            made.writestr(name, data)
        made.comment = b"written by zipfile"
        entries = made.infolist()
    with archive.Archive(str(path), archive.RDONLY) as opened:
        assert opened.comment() == "written by zipfile"
        assert opened.count() == len(entries)
        for k, entry in enumerate(entries):
            stat = opened.stat(k)
            assert opened.name(k) == entry.filename
            assert opened.find(entry.filename) == opened.stat(entry.filename).index == k
            assert (stat.size, stat.comp_size) == (entry.file_size, entry.compress_size)
            assert stat.crc == entry.CRC == zlib.crc32(CONTENTS[entry.filename])
            # Files are read at once, or in pieces.
            with opened.open(k) as file:
                assert file.read(stat.size + 1) == CONTENTS[entry.filename]
            with opened.open(entry.filename) as file:
                pieces = list(iter(lambda read=file.read: read(100), b""))
            assert b"".join(pieces) == CONTENTS[entry.filename]
        print(f"{opened.count()} entries, of {sum(opened.stat(k).size for k in range(3))} bytes")


def change(path: Path) -> None:
    with archive.Archive(str(path)) as opened:
        opened.rename(0, "renamed.txt")
        opened.delete(opened.find("data/empty"))
        opened.replace(2, opened.source(b"other bytes"))
        opened.encrypt(2, archive.EM_AES_256, "secret")
    with zipfile.ZipFile(path) as changed:
        assert changed.namelist() == ["renamed.txt", "data/x"]
        assert changed.read("renamed.txt") == CONTENTS["notes.txt"]
    with archive.Archive(str(path)) as opened:
        show_error("open without a password", lambda: opened.open("data/x"))
        opened.set_password("secret")
        with opened.open("data/x") as file:
            assert file.read(100) == b"other bytes"

    # Without close() or a `with`, nothing is written.
    before = path.read_bytes()
    discarded = archive.Archive(str(path))
    discarded.delete(0)
    del discarded
    assert path.read_bytes() == before


def fail(folder: Path, path: Path) -> None:
    broken = folder / "broken.zip"
    broken.write_bytes(path.read_bytes()[:100])
    show_error("an absent file", lambda: archive.Archive(str(folder / "absent.zip")))
    show_error("a broken file", lambda: archive.Archive(str(broken)))
    show_error(
        "an existing file", lambda: archive.Archive(str(path), archive.CREATE | archive.EXCL)
    )
    opened = archive.Archive(str(path))
    show_error("find('absent')", lambda: opened.find("absent"))
    show_error("open(99)", lambda: opened.open(99))

    # A source belongs to the archive that has taken it over, and is its caller's after a failure.
    source = opened.source(b"bytes")
    show_error("add with a name twice", lambda: opened.add("renamed.txt", source))
    opened.add("new", source)
    show_error("add with a source twice", lambda: opened.add("newer", source))

    # An archive whose contents cannot be read is not written; it is open, to be discarded.
    opened.add("absent", opened.source(str(folder / "no such file")))
    show_error("close()", opened.close)
    assert not opened.closed


def main() -> None:
    print("libzip", archive.version())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "ours.zip")
        read_by_python(folder / "ours.zip")
        read(folder / "theirs.zip")
        change(folder / "theirs.zip")
        fail(folder, folder / "theirs.zip")


if __name__ == "__main__":
    main()
