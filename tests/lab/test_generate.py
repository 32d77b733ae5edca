"""What follows from a title's declarations is written down as the generator would write it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from capolinea import games
from capolinea.engine import Actions, Family
from capolinea.lab.generate import BEGIN, files, generated, main

SPACE = Actions(Family("pass"), Family("to", seat=3), Family("on", track=["n", "s"], place=3))


def made(source: str) -> str:
    return generated(source, SPACE)


def state(*fields: str, wanted: str = "slots, copy, key", more: str = "") -> str:
    declared = "\n".join(f"        self.{field}" for field in fields)
    return f"""
class Small(State):
    def __init__(self) -> None:
        super().__init__()
{declared}
{more}
    # --- generated: {wanted}
    # --- end
"""


@pytest.mark.parametrize("title", games.TITLES)
def test_the_files_are_as_they_would_be_written(title: str) -> None:
    assert main(["--check", title]) == 0


@pytest.mark.parametrize("title", games.TITLES)
def test_every_title_has_its_numbers_and_its_state_from_there(title: str) -> None:
    wanted = [
        word
        for file in files(games.load(title).folder)
        for what in re.findall(f"{BEGIN}(.+)", file.read_text("utf-8"))
        for word in what.split(", ")
    ]
    assert {"actions", "slots"} <= set(wanted)
    assert {"copy", "copied"} & set(wanted)


def test_numbers_of_actions_are_those_of_the_space() -> None:
    source = "class Do:\n    # --- generated: actions\n    GONE: Final = 9\n    # --- end\n"
    assert made(source).splitlines() == [
        "class Do:",
        "    # --- generated: actions",
        "    PASS: Final = 0",
        "    TO: Final = 1  # + seat",
        "    ON: Final = 4  # + track * 3 + place",
        "    END: Final = 10",
        "    # --- end",
    ]


def test_a_field_is_copied_and_in_the_key_as_it_is_declared() -> None:
    source = made(
        state(
            "rounds = 60",
            "turn: Key[int] = 0",
            "deck: Key[Own[list[int]]] = []",
            "used: And[list[int]] = []",
            "hands: Key[Deep[list[list[int]]]] = []",
            "now: Own[Turn] = NO_TURN",
            "turns: Key[Own[list[Turn]]] = []",
            "notes: Key[list[list[Note]]] = []",
            "shown: New[dict[int, object]] = {}",
        )
    )
    for line in (
        "other = Small.__new__(Small)",
        "other.told = []",
        "other.shown = {}",
        "other.seats = self.seats",
        "other.rounds = self.rounds",
        "other.deck = self.deck[:]",
        "other.used = self.used",
        "other.hands = [one[:] for one in self.hands]",
        "other.now = self.now.copy()",
        "other.turns = self.turns[:]",
    ):
        assert source.count(f" {line}\n") == 1, line
    key = source[source.index("parts: list[object] = [") : source.index("return key_of")]
    assert [line.strip() for line in key.splitlines()[1:-1]] == [
        "self.turn,",
        "[self.deck, self.used],",
        "self.hands,",
        "[one.parts() for one in self.turns],",
        "[[one.parts() for one in each] for each in self.notes],",
        "]",
    ]


def test_slots_are_all_that_is_declared() -> None:
    source = made(state("b = 1", "a: Key[int] = 0"))
    slots = next(
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__slots__"
    )
    assert ast.literal_eval(slots) == ("a", "b")


def test_what_is_written_is_written_again_in_the_same_way() -> None:
    once = made(state(*(f"field_{n}: Key[int] = 0" for n in range(40))))
    assert made(once) == once


def test_a_key_by_hand_has_the_fields_that_are_declared() -> None:
    by_hand = "    def key(self) -> bytes:\n        return bytes([self.turn])\n"
    fine = state("turn: Key[int] = 0", "rounds = 9", wanted="slots, copy", more=by_hand)
    assert "def copy(self)" in made(fine)
    for fields in (["turn = 0"], ["turn: Key[int] = 0", "more: Key[int] = 0"]):
        with pytest.raises(SystemExit, match="declared otherwise"):
            made(state(*fields, wanted="slots, copy", more=by_hand))


@pytest.mark.parametrize("line", ["a, self.b = 0, 0", "a = self.b = 0", "a: int"])
def test_a_line_that_declares_anything_else_than_one_field_is_named(line: str) -> None:
    with pytest.raises(SystemExit, match="no field: "):
        made(state(line))


def test_a_state_without_a_key_is_named() -> None:
    with pytest.raises(SystemExit, match="Small has no key"):
        made(state("turn = 0", wanted="slots, copy"))


def test_an_unknown_wish_is_named() -> None:
    with pytest.raises(SystemExit, match="there is no pickle"):
        made(state("turn = 0", wanted="slots, key, pickle"))


def test_checking_names_a_file_that_differs_and_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "do.py"
    file.write_text("# --- generated: actions\n# --- end\n", "utf-8")
    monkeypatch.setattr(type(games.load("night-mail")), "folder", tmp_path)
    assert main(["--check", "night-mail"]) == 1
    assert capsys.readouterr().out == f"{file}\n"
    assert "PASS" not in file.read_text("utf-8")
    assert main(["night-mail"]) == 0
    assert "PASS: Final = 0\n" in file.read_text("utf-8")
    assert main(["--check", "night-mail"]) == 0
