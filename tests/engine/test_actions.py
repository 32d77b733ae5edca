"""The space of actions: small integers, each with a readable JSON form."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capolinea.engine import Actions, Family, Line, actions
from tests.engine.expect import problem, some

SPACE = Actions(
    Family("roll"),
    Family("load", letter=["short", "long"]),
    Family("send", letter=["short", "long"], seat=3),
)
WRITTEN: list[dict[str, str | int]] = [
    {"do": "roll"},
    {"do": "load", "letter": "short"},
    {"do": "load", "letter": "long"},
    {"do": "send", "letter": "short", "seat": 0},
    {"do": "send", "letter": "short", "seat": 1},
    {"do": "send", "letter": "short", "seat": 2},
    {"do": "send", "letter": "long", "seat": 0},
    {"do": "send", "letter": "long", "seat": 1},
    {"do": "send", "letter": "long", "seat": 2},
]


def test_the_example_in_the_manual_is_true() -> None:
    assert doctest.testmod(actions).attempted > 0
    assert doctest.testmod(actions).failed == 0


def test_numbers_go_by_family_and_then_by_argument_the_last_one_fastest() -> None:
    assert [SPACE.json(action) for action in range(SPACE.size)] == WRITTEN


@pytest.mark.parametrize(("action", "written"), list(enumerate(WRITTEN)))
def test_the_written_form_is_read_back(action: int, written: dict[str, str | int]) -> None:
    assert SPACE.parse(written) == action
    assert SPACE.number(**written) == action  # type: ignore[arg-type]


def test_the_order_of_written_arguments_does_not_matter() -> None:
    assert SPACE.parse({"seat": 2, "letter": "long", "do": "send"}) == 8


def test_the_written_form_names_arguments_in_the_order_of_the_family() -> None:
    assert list(SPACE.json(8)) == ["do", "letter", "seat"]


def test_the_space_is_as_large_as_its_families_together() -> None:
    assert SPACE.size == 9
    assert Actions().size == 0


def test_an_action_as_a_line_for_a_person() -> None:
    assert SPACE.line(0) == Line("action.roll")
    assert SPACE.line(7) == Line("action.send", {"letter": "long", "seat": 1})


def test_the_space_as_a_table() -> None:
    assert SPACE.table() == [
        (0, 0, "roll", ""),
        (1, 2, "load", "letter: short…long"),
        (3, 8, "send", "letter: short…long, seat: 0…2"),
    ]


def test_two_families_of_one_name_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="'roll'"):
        Actions(Family("roll"), Family("roll", seat=2))


@pytest.mark.parametrize("action", [-1, 9])
def test_a_number_outside_of_the_space_is_a_problem(action: int) -> None:
    with problem("bad-action.number", found=action, size=9):
        SPACE.json(action)
    with problem("bad-action.number", found=action, size=9):
        SPACE.line(action)


@pytest.mark.parametrize("data", [None, 3, "roll", ["roll"], {}, {"do": 3}, {"roll": 1}])
def test_what_is_not_written_as_an_action_is_a_problem(data: object) -> None:
    with problem("bad-action.form", found=repr(data)):
        SPACE.parse(data)


def test_an_unknown_verb_is_a_problem_that_lists_the_known_ones() -> None:
    with problem("bad-action.unknown", do="jump", known="roll, load, send"):
        SPACE.parse({"do": "jump"})


def test_a_missing_argument_is_a_problem() -> None:
    with problem("bad-action.arguments", do="send", needed="letter, seat", found="seat"):
        SPACE.parse({"do": "send", "seat": 1})
    with problem("bad-action.arguments", do="load", needed="letter", found="–"):
        SPACE.parse({"do": "load"})


def test_an_argument_too_many_is_a_problem() -> None:
    with problem("bad-action.arguments", do="roll", needed="–", found="seat, x"):
        SPACE.parse({"do": "roll", "seat": 1, "x": 2})


@pytest.mark.parametrize("seat", [-1, 3, True, 1.0, "1", None, [1]])
def test_only_the_written_form_of_a_number_will_do(seat: object) -> None:
    with problem("bad-action.value", do="send", argument="seat", found=repr(seat)):
        SPACE.parse({"do": "send", "letter": "long", "seat": seat})


@pytest.mark.parametrize("letter", ["", "Long", 0, None, ["long"]])
def test_only_one_of_the_names_will_do(letter: object) -> None:
    with problem("bad-action.value", do="load", argument="letter", found=repr(letter)):
        SPACE.parse({"do": "load", "letter": letter})


sizes = st.lists(st.lists(st.integers(1, 4), max_size=3), min_size=1, max_size=4)


@some
@given(sizes)
def test_any_space_reads_back_what_it_writes(sizes: list[list[int]]) -> None:
    families = [
        Family(f"do{number}", **{f"a{place}": size for place, size in enumerate(arguments)})
        for number, arguments in enumerate(sizes)
    ]
    space = Actions(*families)
    written = [space.json(action) for action in range(space.size)]
    assert [space.parse(form) for form in written] == list(range(space.size))
    assert len({repr(form) for form in written}) == space.size
