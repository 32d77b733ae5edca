"""A table's options: typed, with defaults, limits and presets, and a description to draw a form from.

A title's options are a struct; each field is one of

    bool                                              a switch
    Annotated[int, Meta(ge=2, le=9)]                  a number with limits
    Literal["fast", "slow"]                           a choice of one
    list[Literal["rogue", "stuntman"]]                a choice of any
    Annotated[str, Data("track")]                     a set of data: a built-in one by name, or one's own;
                                                      such a field is called like its kind
    Annotated[bool, Beside("pack")]                   a switch that counts only where a table brings its
                                                      own data of this kind

Every field has a default; a change of options is a change of the match.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import inspect

from capolinea.engine.problems import Problem
from capolinea.engine.rng import Rng


def Data(kind: str) -> msgspec.Meta:
    """Marks an option that names a set of data of this kind."""
    return msgspec.Meta(extra={"data": kind})


def Beside(kind: str) -> msgspec.Meta:
    """Marks a switch that means something only beside data of one's own."""
    return msgspec.Meta(extra={"beside": kind})


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every title's options."""

    #: Content of data that is not built in: kind → content.
    data: dict[str, Any] = {}


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """One option as a form needs it. Its words are `option.<name>` and `option.<name>.help`."""

    name: str
    kind: str  # "switch", "number", "choice", "choices" or "data"
    default: Any
    least: int | None = None
    most: int | None = None
    choices: list[str] = []
    #: Counts only where the table brings its own data of this kind.
    beside: str = ""

    def allowed(self) -> str:
        """What may be written for it, in short."""
        if self.kind == "switch":
            return "yes, no"
        if self.kind == "number":
            return f"{self.least} … {self.most}"
        return ", ".join(self.choices)


def describe(options: type[Options], data: dict[str, list[str]] | None = None) -> list[Field]:
    """The fields of a form for these options; `data` names the built-in sets of each kind."""
    info = inspect.type_info(options)
    assert isinstance(info, inspect.StructType)
    hints = get_type_hints(options)
    fields = []
    for field in info.fields:
        if field.name == "data":
            continue
        default = field.default
        if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        fields.append(_field(field.name, field.type, default, data or {}, hints[field.name]))
    return fields


def _field(
    name: str, kind: inspect.Type, default: Any, data: dict[str, list[str]], hint: Any
) -> Field:
    match kind:
        case inspect.BoolType():
            return Field(name, "switch", default)
        case inspect.Metadata(type=inspect.BoolType(), extra={"beside": str(of)}):
            return Field(name, "switch", default, beside=of)
        case inspect.IntType(ge=int(least), le=int(most)):
            return Field(name, "number", default, least, most)
        case inspect.LiteralType():
            # From the hint, since msgspec sorts them: a form shows choices as they were written.
            return Field(name, "choice", default, choices=list(get_args(hint)))
        case inspect.ListType(item_type=inspect.LiteralType()):
            return Field(name, "choices", default, choices=list(get_args(get_args(hint)[0])))
        case inspect.Metadata(type=inspect.StrType(), extra={"data": str(of)}) if of == name:
            # The usual set first; the others as the folder has them.
            sets = sorted(data.get(of, []), key=lambda one: one != default)
            return Field(name, "data", default, choices=sets)
    raise TypeError(f"option {name!r}: {kind} is none of the kinds that options.py lists")


def parse(
    options: type[Options], written: dict[str, str], data: dict[str, list[str]] | None = None
) -> Options:
    """Options from words like a command line has; a Problem names what, and what would do."""
    fields = {field.name: field for field in describe(options, data)}
    values: dict[str, Any] = {}
    for name, text in written.items():
        if name not in fields:
            near = get_close_matches(name, fields, 1)
            known = ", ".join(fields)
            if near:
                raise Problem("bad-option.unknown.near", name=name, near=near[0], known=known)
            raise Problem("bad-option.unknown", name=name, known=known or "–")
        values[name] = _read(fields[name], text)
    return options(**values)


def _read(field: Field, text: str) -> Any:
    if field.kind == "switch" and text.lower() in _SWITCH:
        return _SWITCH[text.lower()]
    if field.kind == "number" and re.fullmatch(r"[+-]?\d{1,9}", text):
        assert field.least is not None
        assert field.most is not None
        if field.least <= int(text) <= field.most:
            return int(text)
    if field.kind in ("choice", "data") and text in field.choices:
        return text
    if field.kind == "choices":
        chosen = [word for word in text.split("+") if word]
        if set(chosen) <= set(field.choices) and len(set(chosen)) == len(chosen):
            return chosen
    raise Problem("bad-option.value", name=field.name, found=text, allowed=field.allowed())


_SWITCH = {"yes": True, "true": True, "on": True, "1": True} | {
    "no": False,
    "false": False,
    "off": False,
    "0": False,
}


def convert(options: type[Options], values: dict[str, Any]) -> Options:
    """Options from JSON, with limits checked."""
    try:
        return msgspec.convert(values, options)
    except msgspec.ValidationError as error:
        raise Problem("bad-option.json", detail=str(error)) from None


def plain(options: Options) -> dict[str, Any]:
    """Options as JSON, without the content of data."""
    built: dict[str, Any] = msgspec.to_builtins(options)
    del built["data"]
    return built


def draw(options: type[Options], rng: Rng, data: dict[str, list[str]] | None = None) -> Options:
    """Options at random, for tests: half of the fields keep their default."""
    values: dict[str, Any] = {}
    for field in describe(options, data):
        if rng.below(2):
            values[field.name] = _any(field, rng)
    return options(**values)


def _any(field: Field, rng: Rng) -> Any:
    if field.kind == "switch":
        return bool(rng.below(2))
    if field.kind == "number":
        assert field.least is not None
        assert field.most is not None
        return field.least + rng.below(field.most - field.least + 1)
    if field.kind == "choices":
        return [choice for choice in field.choices if rng.below(2)]
    return field.choices[rng.below(len(field.choices))] if field.choices else field.default
