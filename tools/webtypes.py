"""Writes web/src/generated: the types of all that the browser gets, made from the Python side.

A field that is renamed there breaks the build here. Run by the build of the browser's side; needs what
./play installs.
"""

import json
import sys
from collections.abc import Iterable, Iterator
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
        files[name] = title(game)
    files["words"] = words(games)
    for name, text in files.items():
        put(folder / f"{name}.ts", HEAD + text)


def put(file: Path, text: str) -> None:
    """Only if it changed: who watches the file should not build again for nothing."""
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")


# --- structs -------------------------------------------------------------------------------------


def preview_of(game: Any) -> type:
    """The title's own Preview, or the plain one."""
    from capolinea.engine.views import Preview

    folder = sys.modules[type(game).__module__].__package__
    __import__(f"{folder}.preview") if (game.folder / "preview.py").exists() else None
    own = [kind for kind in Preview.__subclasses__() if kind.__module__.startswith(folder or "?")]
    return own[0] if own else Preview


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
        usual = msgspec.json.encode(
            {"kind": "none", **msgspec.to_builtins(module.RoomSettings().clock)}
        )
        parts.append(f"export const USUAL_CLOCK: Clock = {usual.decode()};\n")
    return "\n".join(parts)


# --- what is done and told --------------------------------------------------------------------------

#: So many names can be told apart by whoever reads an error; the squares of a board are just names.
_FEW = 32
#: How the keys begin of what a board may look at; the log has other lines, too.
TOLD = ("event.", "saying.")


def title(game: Any) -> str:
    """All that a board of this title is drawn from, and all that it may send."""
    preview = preview_of(game)
    return "\n".join(
        [
            types([game.view_type, preview]),
            _union("Action", actions(game)),
            _union("Event", events(game)),
            _facts(game),
            f"""export interface Game {{
  view: {game.view_type.__name__};
  preview: {preview.__name__};
  action: Action;
  event: Event & {{ sets?: Facts; private?: boolean; others?: string }};
}}
""",
        ]
    )


def actions(game: Any) -> list[str]:
    """What can be done, family by family."""
    return [
        _fields({"do": json.dumps(do)} | {n: _one_of(v) for n, v in family.arguments.items()})
        for do, family in game.space.families.items()
    ]


def events(game: Any) -> list[str]:
    """What is told, by its key: an event takes the arguments that its words need."""
    from capolinea.words.message import arguments

    catalogue = json.loads((game.folder / "words" / "en.json").read_text("utf-8"))
    told = [key for key in catalogue if key.startswith(TOLD)]
    return [_event(game, key, arguments(catalogue[key])) for key in told]


def _event(game: Any, key: str, taken: dict[str, str]) -> str:
    args = {name: _told(game, space) for name, space in taken.items()}
    mark = "" if args else "?"
    return _fields({"key": json.dumps(key), f"args{mark}": _fields(args)})


def _told(game: Any, space: str) -> str:
    """What such an argument can be: spaces are those of its words, one or (for two readings) several."""
    one = space.rstrip("+").split(" ")[0]
    plain = {"": "string | number", "text": "string"} | dict.fromkeys(_NUMBERS, "number")
    kind = plain.get(one) or _one_of(list(game.names.get(one, ())) or [""] * (_FEW + 1))
    return f"{_wrapped(kind)}[]" if space.endswith("+") else kind


def _facts(game: Any) -> str:
    """The fields of the view that an event can set, by their paths."""
    made = Types()
    lines = []
    for path, kind in _paths(inspect.type_info(game.view_type)):
        name = f"[path: `{path}`]" if "$" in path else f"{_name(path)}?"
        lines.append(f"  {name}: {made.of(kind)};")
    return "export type Facts = {\n" + "\n".join(lines) + "\n};\n"


def _paths(kind: inspect.Type) -> Iterator[tuple[str, inspect.Type]]:
    """The fields of a struct and of those in it: `train.speed`, `players.${number}.status`."""
    if not isinstance(kind, inspect.StructType):
        return
    for field in kind.fields:
        yield field.encode_name, field.type
        inner, step = field.type, field.encode_name
        if isinstance(inner, inspect.ListType):
            inner, step = inner.item_type, step + ".${number}"
        if isinstance(inner, inspect.StructType):
            for one in inner.fields:
                yield f"{step}.{one.encode_name}", one.type


def _one_of(values: list[Any]) -> str:
    if not isinstance(values[0], str):
        return "number"
    return " | ".join(map(json.dumps, values)) if len(values) <= _FEW else "string"


def _fields(fields: dict[str, str]) -> str:
    inside = "; ".join(f"{name}: {kind}" for name, kind in fields.items())
    return f"{{ {inside} }}" if inside else "Record<string, never>"


def _union(name: str, members: list[str]) -> str:
    return f"export type {name} =\n" + "\n".join(f"  | {one}" for one in members) + ";\n"


# --- words ---------------------------------------------------------------------------------------

_NUMBERS = ("number", "percent", "seat")
_KINDS = {"": "string | number"} | dict.fromkeys(_NUMBERS, "number")


def words(games: Any) -> str:
    """Every key that the browser's code may say by name, with the arguments that it takes."""
    from capolinea.words import COMMON

    folders = [COMMON, WEB / "words", *WEB.glob("titles/*/words"), *WEB.glob("titles/*/poster")]
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
