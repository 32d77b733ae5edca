"""Views and lines: typed, with no room for what was not declared."""

from __future__ import annotations

import msgspec
import pytest

import capolinea.engine
from capolinea.engine import Line, Preview, Shown, View


class Setup(Shown):
    speed: int


class TableView(View):
    table: Setup


WHOLE = {"viewer": None, "table": {"speed": 3}}


def test_a_view_is_written_and_read_back() -> None:
    view = TableView(viewer=None, table=Setup(speed=3))
    assert msgspec.to_builtins(view) == WHOLE
    assert msgspec.convert(WHOLE, TableView) == view


@pytest.mark.parametrize("stray", [{**WHOLE, "seed": 1}, {**WHOLE, "table": {"speed": 3, "x": 1}}])
def test_a_view_has_no_room_for_a_stray_field_at_any_depth(stray: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert(stray, TableView)


def test_a_view_always_says_whose_it_is() -> None:
    with pytest.raises(msgspec.ValidationError, match="viewer"):
        msgspec.convert({"table": {"speed": 3}}, TableView)


def test_a_line_is_a_key_and_arguments() -> None:
    assert msgspec.to_builtins(Line("read.deck")) == {"key": "read.deck"}
    assert msgspec.to_builtins(Line("k", {"n": 1})) == {"key": "k", "args": {"n": 1}}
    with pytest.raises(msgspec.ValidationError, match="stray"):
        msgspec.convert({"key": "k", "stray": 1}, Line)
    with pytest.raises(AttributeError):
        Line("k").key = "other"  # type: ignore[misc]


def test_a_preview_has_no_lines_unless_given() -> None:
    assert Preview().lines == []


def test_all_that_the_engine_names_is_there() -> None:
    for name in capolinea.engine.__all__:
        assert hasattr(capolinea.engine, name)
