"""Keeps a table by SQLite, and compares with Python's sqlite3; fails if they differ."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import sqlite

Value = int | float | str | bytes | None


def run(database: sqlite.Database, sql: str, *values: Value) -> Iterator[tuple[Value, ...]]:
    """The rows of each statement in `sql`; the first one receives the values."""
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


def backwards(a: bytes, b: bytes) -> int:
    """An order of strings by their ends."""
    a, b = a[::-1], b[::-1]
    return (a > b) - (a < b)


def value(given: sqlite.Value) -> Value:
    """An argument of a function, as a Python value."""
    read: dict[int, Callable[[], Value]] = {
        sqlite.INTEGER: given.integer,
        sqlite.FLOAT: given.float,
        sqlite.TEXT: given.text,
        sqlite.BLOB: given.blob,
        sqlite.NULL: lambda: None,
    }
    return read[given.kind()]()


def create_function(
    database: sqlite.Database, name: str, count: int, function: Callable[..., Value]
) -> None:
    """Registers a Python function with SQL."""

    def called(context: sqlite.Context, given: tuple[sqlite.Value | None, ...]) -> None:
        result = function(*(value(one) for one in given if one is not None))
        context.result(*(() if result is None else (result,)))

    database.create_function(name, count, called)


def whole(x: float, step: float = 1.0) -> float:
    """`x` as a multiple of `step`."""
    return round(x / step) * step


def join(*parts: Value) -> str:
    return "-".join(map(str, parts))


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def show_functions(path: str) -> None:
    """The database keeps each under its name, a function also under its number of arguments."""
    with sqlite.Database(path) as database, sqlite3.connect(path) as other:
        database.create_collation("ending", backwards)
        database.create_collation("length", lambda a, b: len(a) - len(b))
        other.create_collation("ending", lambda a, b: backwards(a.encode(), b.encode()))
        other.create_collation("length", lambda a, b: len(a.encode()) - len(b.encode()))
        functions: list[tuple[str, int, Callable[..., Value]]] = [
            ("whole", 1, whole),
            ("whole", 2, whole),
            ("joined", -1, join),
            ("reversed", 1, lambda value: value[::-1]),
            ("absent", 0, lambda: None),
        ]
        for name, count, function in functions:
            create_function(database, name, count, function)
            other.create_function(name, count, function)
        print("\nFunctions and orders in Python:")
        for query in (
            "select name, whole(east / 7), whole(east, 5) from place order by name collate ending",
            "select joined(id, name), absent(), id from place order by name collate length",
            "select reversed(x'0102'), reversed(name), joined() from place where whole(east) > 10",
        ):
            ours = list(run(database, query))
            assert ours == other.execute(query).fetchall()
            print(f"    {ours[0]}")

        # A function of the same name is replaced; None removes it; others stay.
        database.create_function("whole", 1, lambda context, given: context.result("replaced"))
        assert list(run(database, "select whole(1.4), whole(1.4, 1)")) == [("replaced", 1.0)]
        database.create_function("whole", 1, None)
        show_error("select whole(1.4)", lambda: list(run(database, "select whole(1.4)")))
        assert list(run(database, "select whole(1.4, 1)")) == [(1.0,)]
    other.close()


def show_rows(path: str) -> None:
    """Calls for each row and for each change, and their exceptions."""
    with sqlite.Database(path) as database:
        seen: list[list[str | None]] = []
        changes: list[tuple[int, str, int]] = []
        database.exec(
            "select id, null from place; select 'ab'", lambda values, names: seen.append(values)
        )
        assert seen == [["1", None], ["2", None], ["3", None], ["ab"]]
        database.on_update(lambda how, _, table, row: changes.append((how, table, row)))
        database.exec("insert into place(id) values (7); delete from place where id > 6")
        assert changes == [(sqlite.INSERT, "place", 7), (sqlite.DELETE, "place", 7)]
        database.on_update(None)
        database.exec("update place set number = 0")
        assert len(changes) == 2

        # Exceptions that they raise are raised by the call.
        print("\nExceptions come through:")

        def refuse(*_: object) -> NoReturn:
            raise LookupError("not this one")

        show_error("exec('select 1', refuse)", lambda: database.exec("select 1", refuse))
        create_function(database, "inverse", 1, lambda x: 1 / x)
        show_error("select inverse(0)", lambda: list(run(database, "select inverse(0)")))
        assert list(run(database, "select inverse(4)")) == [(0.25,)]
        database.create_collation("ending", refuse)
        query = "select name from place order by name collate ending"
        show_error("order by name collate ending", lambda: database.exec(query))
        database.on_update(refuse)
        show_error("update place ...", lambda: database.exec("update place set id = -id"))


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

        show_functions(path)
        show_rows(path)

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
