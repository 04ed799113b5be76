"""The comments of source files: the remaining text when the code is blanked.

Lines keep their numbers, so that a place in the comments is one in the file. Code between two
comments becomes a mark, so that no phrase extends from one comment to the next.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

CODE = "|"
C = re.compile(r'(?P<comment>/\*.*?\*/|//[^\n]*)|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)
RUST = re.compile(
    r'(?P<comment>/\*.*?\*/|//[^\n]*)|r(#*)".*?"\2|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\\n]|\\[^\n]+?)\'',
    re.S,
)
LUA = re.compile(
    r"(?P<comment>--\[\[.*?\]\]|--[^\n]*)"
    r'|\[(=*)\[.*?\]\2\]|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'',
    re.S,
)
LANGUAGES = {".c": C, ".cpp": C, ".h": C, ".hpp": C, ".rs": RUST, ".lua": LUA}
LEADER = re.compile(r"^[ \t]*(?:/\*+<?|//[/!]?|\*(?!/)|--+(?:\[\[)?|#)?|(?:\*/|\]\])$", re.M)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def comments(file: Path) -> str:
    """The text of a file's comments and docstrings."""
    text = file.read_text()
    if file.suffix in (".py", ".pyi"):
        spans = sorted(python_comments(text))
    else:
        found = LANGUAGES[file.suffix].finditer(text)
        spans = [match.span() for match in found if match["comment"]]
    kept, end = [], 0
    for start, stop in spans:
        kept += [blank(text[end:start]), LEADER.sub("", text[start:stop])]
        end = stop
    return "".join(kept) + blank(text[end:])


def blank(code: str) -> str:
    return (CODE if code.strip() else "") + (re.sub(r"[^\n]", "", code) or " ")


def python_comments(text: str) -> list[tuple[int, int]]:
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    spans = [
        (lines[token.start[0] - 1] + token.start[1], lines[token.end[0] - 1] + token.end[1])
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            first = node.body[0]
            # The columns of `ast` count bytes, but a docstring begins and ends with ASCII.
            start = text.index('"', lines[first.lineno - 1])
            spans.append((start, lines[first.end_lineno or 0] - 1))
    return spans
