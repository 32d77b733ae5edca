"""Writes web/src/generated: the types of all that the browser gets, made from the Python side.

A field that is renamed there breaks the build here. Run by the build of the browser's side; needs what
./play installs.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web" / "src"
HEAD = "// Made by tools/webtypes.py from the Python side: do not edit.\n"


def main() -> None:
    from capolinea import games
    from capolinea.engine.options import Field
    from capolinea.server import protocol

    folder = WEB / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    wire = [
        kind
        for kind in vars(protocol).values()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and not kind.__name__.startswith("_")
    ]
    files = {"protocol": types([*wire, Field], protocol)}
    for name in games.OWN:
        game = games.load(name)
        files[name] = types([game.view_type, *previews(game)])
    files["words"] = words(games)
    for name, text in files.items():
        put(folder / f"{name}.ts", HEAD + text)


def put(file: Path, text: str) -> None:
    """Only if it changed: who watches the file should not build again for nothing."""
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")


# --- structs -------------------------------------------------------------------------------------


def previews(game: Any) -> list[type]:
    """The title's own Preview, if it has one."""
    from capolinea.engine.views import Preview

    folder = sys.modules[type(game).__module__].__package__
    __import__(f"{folder}.preview") if (game.folder / "preview.py").exists() else None
    return [kind for kind in Preview.__subclasses__() if kind.__module__.startswith(folder or "?")]


class Types:
    """TypeScript for structs, each written once, those inside before those around them."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}

    def struct(self, kind: type) -> str:
        name = kind.__name__
        if name in self.written:
            return name
        self.written[name] = ""  # it may contain itself
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)
        lines = []
        if info.tag_field is not None:
            lines.append(f"  {info.tag_field}: {json.dumps(info.tag)};")
        optional = kind.__struct_config__.omit_defaults  # type: ignore[attr-defined]
        for field in info.fields:
            mark = "?" if optional and not field.required else ""
            lines.append(f"  {_name(field.encode_name)}{mark}: {self.of(field.type)};")
        self.written[name] = f"export interface {name} {{\n" + "\n".join(lines) + "\n}\n"
        return name

    def of(self, kind: inspect.Type) -> str:
        match kind:
            case inspect.Metadata(type=inner):
                return self.of(inner)
            case inspect.StrType() | inspect.BytesType():
                return "string"
            case inspect.IntType() | inspect.FloatType():
                return "number"
            case inspect.BoolType():
                return "boolean"
            case inspect.NoneType():
                return "null"
            case inspect.LiteralType(values=values):
                return " | ".join(json.dumps(value) for value in values)
            case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
                return f"{_wrapped(self.of(item))}[]"
            case inspect.TupleType(item_types=items):
                return f"[{', '.join(self.of(item) for item in items)}]"
            case inspect.DictType(key_type=key, value_type=value):
                return f"Record<{self.of(key)}, {self.of(value)}>"
            case inspect.UnionType(types=several):
                return " | ".join(dict.fromkeys(self.of(one) for one in several))
            case inspect.StructType(cls=cls):
                return self.struct(cls)
        return "unknown"


def _name(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _wrapped(text: str) -> str:
    return f"({text})" if " | " in text else text


def types(kinds: Iterable[type], module: Any = None) -> str:
    made = Types()
    for kind in kinds:
        made.struct(kind)
    parts = list(made.written.values())
    if module is not None:
        for union in ("Command", "ClientMessage", "ServerMessage"):
            names = " | ".join(kind.__name__ for kind in vars(module)[union].__args__)
            parts.append(f"export type {union} = {names};\n")
        parts.append(f"export const CLOCKS = {msgspec.json.encode(module.CLOCKS).decode()};\n")
    return "\n".join(parts)


# --- words ---------------------------------------------------------------------------------------

_KINDS = {"": "string | number", "number": "number", "percent": "number", "seat": "number"}


def words(games: Any) -> str:
    """Every key that the browser's code may say by name, with the arguments that it takes."""
    from capolinea.words import COMMON

    folders = [COMMON, WEB / "words", *WEB.glob("titles/*/words")]
    entries: dict[str, str] = {}
    for folder in folders:
        file = folder / "en.json"
        if file.exists():
            for key, raw in json.loads(file.read_text("utf-8")).items():
                entries[key] = _arguments(raw)
    lines = [f"  {json.dumps(key)}: {taken};" for key, taken in sorted(entries.items())]
    titles = " | ".join(json.dumps(name) for name in games.OWN)
    return (
        f"export type Title = {titles};\n\nexport interface Texts {{\n" + "\n".join(lines) + "\n}\n"
    )


def _arguments(raw: object) -> str:
    from capolinea.words.message import arguments

    fields = [f"{name}: {_kind(space)}" for name, space in arguments(raw).items()]
    return f"{{ {'; '.join(fields)} }}" if fields else "Record<string, never>"


def _kind(space: str) -> str:
    if " " in space:
        return "never"  # no argument can be two kinds of thing
    kind = _KINDS.get(space.rstrip("+"), "string | number | boolean")
    return f"readonly ({kind})[]" if space.endswith("+") else kind


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    main()
