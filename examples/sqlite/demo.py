"""Keeps a table by SQLite, and compares with Python's sqlite3; fails where they differ."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlite

Value = int | float | str | bytes | None


def run(database: sqlite.Database, sql: str, *values: Value) -> Iterator[tuple[Value, ...]]:
    """The rows of each statement in `sql`, the first of which gets the values."""
    while sql.strip():
        statement, sql = database.prepare(sql)
        if statement is None:  # a comment, say
            continue
        for index, value in enumerate(values, 1):
            statement.bind(index, *(() if value is None else (value,)))
        read: dict[int, Callable[[int], Any]] = {
            sqlite.INTEGER: statement.integer,
            sqlite.FLOAT: statement.float,
            sqlite.TEXT: statement.text,
            sqlite.BLOB: statement.blob,
            sqlite.NULL: lambda _: None,
        }
        with statement:
            while statement.step() == sqlite.ROW:
                columns = range(statement.columns())
                yield tuple(read[statement.kind(column)](column) for column in columns)
        values = ()


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def main() -> None:
    rows = [
        (1, "Zürich", 8.54, b"\x00\x01", None),
        (2, "København", 12.57, b"", 1 << 62),
        (3, "東京", 139.69, bytes(range(256)), -1),
    ]
    query = "select id, name, east, data, number from place where id >= ? order by name"
    with TemporaryDirectory() as folder:
        path = str(Path(folder, "places.db"))
        with sqlite.Database(path) as database:
            print(f"SQLite {sqlite.version()}")
            list(
                run(
                    database, "create table place(id integer primary key, name, east, data, number)"
                )
            )
            for row in rows:
                list(run(database, "insert into place values (?, ?, ?, ?, ?)", *row))
            print(f"    {database.last_row()} rows in {Path(database.path() or '').name}")
            ours = list(run(database, query, 1))
            print("\n".join(f"    {row[:3]}" for row in ours))

        with sqlite3.connect(path) as other:
            assert ours == other.execute(query, (1,)).fetchall()
            other.execute("update place set east = round(east)")
        other.close()

        with sqlite.Database(path) as database:
            assert [row[2] for row in run(database, query, 2)] == [13.0, 140.0]
            assert list(run(database, "select 1; -- no more\n select 'two'; ")) == [(1,), ("two",)]

            # A statement keeps its database, which is closed once the statement is.
            statement, _ = database.prepare("select count(*) from place")
            database.close()
            assert statement.step() == sqlite.ROW and statement.integer(0) == 3
            statement.close()

        print("\nWrong calls say what is wrong:")
        with sqlite.Database() as database:
            first, _ = database.prepare("select ?")
            show_error("prepare('selct 1')", lambda: database.prepare("selct 1"))
            show_error("first.bind(2, 'x')", lambda: first.bind(2, "x"))
            show_error("first.bind(1, [1])", lambda: first.bind(1, [1]))
            list(run(database, "create table t(x check (x > 0))"))
            show_error("insert into t ...", lambda: list(run(database, "insert into t values (0)")))
        show_error("prepare('select 1')", lambda: database.prepare("select 1"))
        show_error("Database(folder)", lambda: sqlite.Database(folder))


if __name__ == "__main__":
    main()
