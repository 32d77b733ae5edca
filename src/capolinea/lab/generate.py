"""Write what follows from a title's declarations: the numbers of its actions, and the slots, copies and
keys of its states.

    python -m capolinea.lab.generate [--check] [TITLE …]

It stands between two marks in the title's own files, and says in the first what is wanted:

    # --- generated: actions            of the title's `space`: the first number of each family
    # --- generated: slots, copy, key   of the `__init__` above it, see `engine/fields.py`
    # --- end

A class that copies something in a way of its own asks for `copied` and calls that in its `copy`; one that
writes its own `key` asks for none, and is held to the fields that are declared as parts of it. Classes
that are no states ask for `parts`. With --check nothing is written; what is not as it would be is named.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from capolinea import games
from capolinea.engine import state as engine_state
from capolinea.engine.actions import Actions

BEGIN, END = "# --- generated: ", "# --- end"
REGION = re.compile(rf"^( *){BEGIN}(.+)\n(?:.*\n)*?\1{END}$", re.MULTILINE)
#: No line that is written here is longer.
WIDTH = 100
MARKS = {"Key", "And", "Own", "Deep", "New"}
#: What `key_of` writes by itself.
PLAIN = {"int", "i64", "bool", "str"}


@dataclass
class Field:
    """One attribute as `__init__` declares it."""

    name: str
    marks: set[str]
    #: How many lists are around what is in it, and what that is.
    depth: int
    kind: str
    first: str

    @property
    def in_key(self) -> bool:
        return bool(self.marks & {"Key", "And"})

    def copied(self) -> str:
        if self.marks & {"Own", "Deep"} and not self.depth:
            return f"self.{self.name}.copy()"
        if "Deep" in self.marks:
            return nested(f"self.{self.name}", self.depth, "[:]")
        return f"self.{self.name}[:]" if "Own" in self.marks else f"self.{self.name}"

    def part(self) -> str:
        if self.kind in PLAIN:
            return f"self.{self.name}"
        return nested(f"self.{self.name}", self.depth + 1, ".parts()")


def nested(what: str, depth: int, end: str) -> str:
    """This done to each of a list, or of the lists in a list."""
    if depth == 1:
        return what + end
    inner = "one" if depth == 2 else f"each{depth - 1}" if depth > 3 else "each"
    return f"[{nested(inner, depth - 1, end)} for {inner} in {what}]"


# --- reading ---------------------------------------------------------------------------------------


def fields(cls: ast.ClassDef) -> list[Field]:
    """The attributes that a class declares, in their order."""
    found = []
    for statement in method(cls, "__init__").body:
        match statement:
            case ast.AnnAssign(ast.Attribute(attr=name), hint, ast.expr() as value):
                found.append(field(name, hint, ast.unparse(value)))
            case ast.Assign([ast.Attribute(attr=name)], value):
                found.append(Field(name, set(), 0, "", ast.unparse(value)))
            case ast.Expr():
                pass  # super().__init__(), or what is said about it
            case _:
                raise SystemExit(f"{cls.name}.__init__: no field: {ast.unparse(statement)}")
    return found


def field(name: str, hint: ast.expr, first: str) -> Field:
    marks = set()
    depth = 0
    while isinstance(hint, ast.Subscript) and isinstance(hint.value, ast.Name):
        if hint.value.id in MARKS:
            marks.add(hint.value.id)
        elif hint.value.id == "list":
            depth += 1
        else:
            break
        hint = hint.slice
    return Field(name, marks, depth, ast.unparse(hint), first)


def method(cls: ast.ClassDef, name: str) -> ast.FunctionDef:
    for found in cls.body:
        if isinstance(found, ast.FunctionDef) and found.name == name:
            return found
    raise SystemExit(f"{cls.name} has no {name}")


def of_every_state() -> list[Field]:
    source = Path(str(engine_state.__file__)).with_name("state.py").read_text("utf-8")
    return fields(class_at(source, source.index("class State(") + 1))


def class_at(source: str, place: int) -> ast.ClassDef:
    """The last class that begins before this place."""
    line = source.count("\n", 0, place) + 1
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    return max((one for one in classes if one.lineno <= line), key=lambda one: one.lineno)


# --- writing ---------------------------------------------------------------------------------------


def actions(space: Actions) -> Iterator[str]:
    for do, family in space.families.items():
        yield f"{do.upper().replace('-', '_')}: Final = {space.first[do]}{counted(family.arguments)}"
    yield f"END: Final = {space.size}"


def counted(arguments: dict[str, list[object]]) -> str:
    """What is added to the first number of a family."""
    if not arguments:
        return ""
    terms = []
    size = 1
    for name, values in reversed(arguments.items()):
        terms.append(name if size == 1 else f"{name} * {size}")
        size *= len(values)
    return "  # + " + " + ".join(reversed(terms))


def slots(declared: list[Field]) -> Iterator[str]:
    """They are quicker to read than a dict of so many attributes, where this does not compile."""
    names = textwrap.wrap(", ".join(sorted(f'"{f.name}"' for f in declared)), WIDTH - 10)
    yield "__slots__ = ("
    yield from (f"    {line}" for line in names[:-1])
    yield f"    {names[-1]},"
    yield ")  # fmt: skip"


def copied(name: str, cls: str, declared: list[Field]) -> Iterator[str]:
    yield f"def {name}(self) -> {cls}:"
    yield "    if COMPILED:"
    yield f"        other = {cls}()"
    yield "    else:"
    yield f"        other = {cls}.__new__({cls})"
    for one in declared:
        if "New" in one.marks:
            yield f"        other.{one.name} = {one.first}"
    for one in declared:
        if "New" not in one.marks:
            yield f"    other.{one.name} = {one.copied()}"
    yield "    return other"


def parts_of(declared: list[Field]) -> Iterator[str]:
    """The parts of a key, one a line; several fields in one part are a list."""
    groups: list[list[str]] = []
    for one in declared:
        if "And" in one.marks:
            groups[-1].append(one.part())
        elif one.in_key:
            groups.append([one.part()])
    for group in groups:
        line = f"{group[0]}," if len(group) == 1 else f"[{', '.join(group)}],"
        if len(line) + 12 <= WIDTH:
            yield line
        else:
            yield "["
            yield from (f"    {part}," for part in group)
            yield "],"


def key(declared: list[Field]) -> Iterator[str]:
    yield "def key(self) -> bytes:"
    yield "    parts: list[object] = ["
    yield from (f"        {line}" for line in parts_of(declared))
    yield "    ]"
    yield "    return key_of(parts)"


def parts(declared: list[Field]) -> Iterator[str]:
    inside = [one.part() for one in declared if one.in_key]
    line = f"    return [{', '.join(inside)}]"
    yield "def parts(self) -> list[object]:"
    if len(line) + 4 <= WIDTH:
        yield line
    else:
        yield "    return ["
        yield from (f"        {part}," for part in inside)
        yield "    ]"


def made(what: str, source: str, place: int, space: Actions) -> list[str]:
    """The lines of one region."""
    wanted = what.split(", ")
    if wanted == ["actions"]:
        return list(actions(space))
    cls = class_at(source, place)
    own = fields(cls)
    is_state = any(ast.unparse(base) == "State" for base in cls.bases)
    everything = [*of_every_state(), *own] if is_state else own
    if is_state and "key" not in wanted:
        check_key(cls, own)
    blocks = []
    for one in wanted:
        match one:
            case "slots":
                blocks.append(slots(own))
            case "copy" | "copied":
                blocks.append(copied(one, cls.name, everything))
            case "key":
                blocks.append(key(own))
            case "parts":
                blocks.append(parts(own))
            case _:
                raise SystemExit(f"{BEGIN}{what}: there is no {one}")
    return [*"\n\n".join("\n".join(block) for block in blocks).split("\n"), ""]


def check_key(cls: ast.ClassDef, own: list[Field]) -> None:
    """A key that is written by hand has what is declared, and nothing else."""
    named = {node.attr for node in ast.walk(method(cls, "key")) if isinstance(node, ast.Attribute)}
    for one in own:
        if one.in_key is not (one.name in named):
            raise SystemExit(f"{cls.name}.key: {one.name} is declared otherwise")


def generated(source: str, space: Actions) -> str:
    """A file as it ought to be."""

    def region(found: re.Match[str]) -> str:
        indent, what = found[1], found[2]
        lines = made(what, source, found.start(), space)
        return "\n".join(
            [
                f"{indent}{BEGIN}{what}",
                *(f"{indent}{line}" if line else "" for line in lines),
                f"{indent}{END}",
            ]
        )

    return REGION.sub(region, source)


def files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*.py") if BEGIN in p.read_text("utf-8"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m capolinea.lab.generate")
    parser.add_argument("--check", action="store_true", help="write nothing, name what differs")
    parser.add_argument("titles", nargs="*", metavar="TITLE")
    asked = parser.parse_args(arguments)
    differs = 0
    for title in asked.titles or list(games.TITLES):
        game = games.load(title)
        for file in files(game.folder):
            before = file.read_text("utf-8")
            after = generated(before, game.space)
            if after != before:
                differs += 1
                print(file)
                if not asked.check:
                    file.write_text(after, "utf-8", newline="\n")
    return 1 if asked.check and differs else 0


if __name__ == "__main__":
    sys.exit(main())
