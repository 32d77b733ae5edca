"""Which keys Python code names."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from capolinea.words.catalogue import read
from capolinea.words.languages import languages

_KEY = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9_=-]+)+")


def constants(folder: Path, without: Iterable[Path] = ()) -> set[str]:
    """All strings that look like keys, in the Python files below a folder."""
    skipped = [path.resolve() for path in without]
    found: set[str] = set()
    for file in folder.resolve().rglob("*.py"):
        if not any(file.is_relative_to(path) for path in skipped):
            found.update(_strings(ast.parse(file.read_text(encoding="utf-8"), str(file))))
    return {text for text in found if _KEY.fullmatch(text)}


def in_catalogues(found: Iterable[str], *folders: Path) -> set[str]:
    """Those that begin as some key does, which leaves out "setup.py", "os.path" and the like."""
    known = {
        key.split(".")[0]
        for folder in folders
        for lang in languages(folder)
        for key in read(folder / f"{lang}.json")[0]
    }
    return {key for key in found if key.split(".")[0] in known}


def _strings(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.Expr(ast.Constant()):
            return  # a docstring
        case ast.JoinedStr():
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    yield from _strings(part.value)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _strings(child)
