"""A table's options: described for a form, read from words and from JSON, drawn at random."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from capolinea.engine import Data, Options, Problem, Rng
from capolinea.engine.options import Field, convert, describe, draw, parse, plain
from tests.engine.expect import problem


class AllKinds(Options, frozen=True):
    loud: bool = True
    speed: Annotated[int, msgspec.Meta(ge=-2, le=9)] = 4
    mood: Literal["calm", "wild"] = "calm"
    roles: list[Literal["cook", "rogue", "spy"]] = msgspec.field(default_factory=lambda: ["cook"])
    track: Annotated[str, Data("track")] = "short"


SETS = {"track": ["short", "long"]}
KNOWN = "loud, speed, mood, roles, track"


# --- describing --------------------------------------------------------------------------------


def test_every_kind_of_option_is_described_for_a_form() -> None:
    assert describe(AllKinds, SETS) == [
        Field("loud", "switch", True),
        Field("speed", "number", 4, least=-2, most=9),
        Field("mood", "choice", "calm", choices=["calm", "wild"]),
        Field("roles", "choices", ["cook"], choices=["cook", "rogue", "spy"]),
        Field("track", "data", "short", choices=["short", "long"]),
    ]


def test_the_usual_set_of_data_comes_first_and_the_others_keep_their_order() -> None:
    sets = {"track": ["a", "z", "b", "short", "long"]}
    assert describe(AllKinds, sets)[-1].choices == ["short", "a", "z", "b", "long"]


def test_without_built_in_sets_data_has_nothing_to_choose_from() -> None:
    assert describe(AllKinds)[-1] == Field("track", "data", "short")
    assert describe(AllKinds, {"other": ["x"]})[-1] == Field("track", "data", "short")


class ByName(Options, frozen=True, kw_only=True):
    loud: bool = False


def test_the_content_of_data_is_no_field_of_the_form_wherever_it_stands() -> None:
    assert describe(ByName) == [Field("loud", "switch", False)]


def test_a_title_without_options_has_an_empty_form() -> None:
    assert describe(Options) == []


class Limitless(Options, frozen=True):
    speed: int = 1


class HalfLimited(Options, frozen=True):
    speed: Annotated[int, msgspec.Meta(ge=1)] = 1


class Words(Options, frozen=True):
    speed: str = ""


class Numbers(Options, frozen=True):
    speed: list[int] = []


@pytest.mark.parametrize("options", [Limitless, HalfLimited, Words, Numbers])
def test_an_option_of_another_kind_is_a_mistake_that_names_it(options: type[Options]) -> None:
    with pytest.raises(TypeError, match="'speed'"):
        describe(options)


def test_what_may_be_written_for_each_kind() -> None:
    assert [field.allowed() for field in describe(AllKinds, SETS)] == [
        "yes, no",
        "-2 … 9",
        "calm, wild",
        "cook, rogue, spy",
        "short, long",
    ]


def test_a_field_for_a_form_leaves_out_what_it_has_not() -> None:
    assert msgspec.to_builtins(describe(AllKinds)[0]) == {
        "name": "loud",
        "kind": "switch",
        "default": True,
    }


# --- reading words -----------------------------------------------------------------------------


def test_nothing_written_gives_the_defaults() -> None:
    assert parse(AllKinds, {}) == AllKinds()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("loud", "yes", True),
        ("loud", "true", True),
        ("loud", "on", True),
        ("loud", "1", True),
        ("loud", "no", False),
        ("loud", "false", False),
        ("loud", "off", False),
        ("loud", "0", False),
        ("loud", "NO", False),
        ("speed", "-2", -2),
        ("speed", "9", 9),
        ("speed", "+5", 5),
        ("mood", "wild", "wild"),
        ("roles", "", []),
        ("roles", "spy", ["spy"]),
        ("roles", "spy+rogue", ["spy", "rogue"]),
        ("track", "long", "long"),
    ],
)
def test_each_kind_is_read_from_words(name: str, text: str, value: object) -> None:
    assert getattr(parse(AllKinds, {name: text}, SETS), name) == value


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("loud", "maybe", "yes, no"),
        ("loud", "", "yes, no"),
        ("speed", "-3", "-2 … 9"),
        ("speed", "10", "-2 … 9"),
        ("speed", "fast", "-2 … 9"),
        ("speed", "1.5", "-2 … 9"),
        ("speed", "", "-2 … 9"),
        ("speed", "yes", "-2 … 9"),
        ("mood", "Wild", "calm, wild"),
        ("mood", "calm+wild", "calm, wild"),
        ("roles", "clown", "cook, rogue, spy"),
        ("roles", "spy+clown", "cook, rogue, spy"),
        ("roles", "spy+spy", "cook, rogue, spy"),
        ("track", "endless", "short, long"),
    ],
)
def test_a_value_that_will_not_do_is_a_problem_that_says_what_would(
    name: str, text: str, allowed: str
) -> None:
    with problem("bad-option.value", name=name, found=text, allowed=allowed):
        parse(AllKinds, {name: text}, SETS)


def test_an_unknown_option_is_a_problem_that_lists_the_known_ones() -> None:
    with problem("bad-option.unknown", name="xyz", known=KNOWN):
        parse(AllKinds, {"xyz": "1"})


def test_a_slip_of_the_pen_is_a_problem_that_names_the_nearest_option() -> None:
    with problem("bad-option.unknown.near", name="sped", near="speed", known=KNOWN):
        parse(AllKinds, {"sped": "1"})


def test_where_there_are_no_options_every_one_is_unknown() -> None:
    with problem("bad-option.unknown", name="speed", known="–"):
        parse(Options, {"speed": "1"})


def test_the_content_of_data_cannot_be_written_in_words() -> None:
    with problem("bad-option.unknown", name="data", known=KNOWN):
        parse(AllKinds, {"data": "{}"})


# --- JSON --------------------------------------------------------------------------------------

WHOLE: dict[str, Any] = {
    "loud": False,
    "speed": 9,
    "mood": "wild",
    "roles": ["rogue", "spy"],
    "track": "long",
}


def test_options_from_json_and_back_without_the_content_of_data() -> None:
    options = convert(AllKinds, {**WHOLE, "data": {"track": [1, 2]}})
    assert isinstance(options, AllKinds)
    assert options.data == {"track": [1, 2]}
    assert plain(options) == WHOLE


def test_defaults_are_written_out_so_that_a_record_says_all() -> None:
    assert plain(AllKinds()) == {
        "loud": True,
        "speed": 4,
        "mood": "calm",
        "roles": ["cook"],
        "track": "short",
    }


def test_what_json_leaves_out_is_the_default() -> None:
    assert convert(AllKinds, {"speed": -2}) == AllKinds(speed=-2)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"speed": -3}, "$.speed"),
        ({"speed": 10}, "$.speed"),
        ({"speed": "4"}, "$.speed"),
        ({"loud": 1}, "$.loud"),
        ({"mood": "odd"}, "$.mood"),
        ({"roles": ["clown"]}, "$.roles[0]"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_json_that_is_no_options_is_a_problem_that_says_where(
    values: dict[str, Any], named: str
) -> None:
    with pytest.raises(Problem) as caught:
        convert(AllKinds, values)
    assert caught.value.key == "bad-option.json"
    assert list(caught.value.args_) == ["detail"]
    assert named in str(caught.value.args_["detail"])


def test_options_do_not_change() -> None:
    for options, name in ((AllKinds(), "loud"), (AllKinds(), "data"), (Options(), "data")):
        with pytest.raises(AttributeError):
            setattr(options, name, {})


# --- at random ---------------------------------------------------------------------------------


def drawn() -> list[AllKinds]:
    rng = Rng(b"options")
    options = [draw(AllKinds, rng, SETS) for _ in range(300)]
    return [option for option in options if isinstance(option, AllKinds)]


def test_options_at_random_keep_to_their_limits_and_reach_all_of_them() -> None:
    options = drawn()
    assert len(options) == 300
    assert {option.loud for option in options} == {True, False}
    assert {option.speed for option in options} == set(range(-2, 10))
    assert {option.mood for option in options} == {"calm", "wild"}
    assert {option.track for option in options} == {"short", "long"}
    assert len({tuple(option.roles) for option in options}) == 8
    for option in options:
        assert convert(AllKinds, plain(option)) == option


def test_options_at_random_keep_the_default_in_half_of_the_fields() -> None:
    kept = sum(option.speed == 4 for option in drawn())
    assert 130 < kept < 195  # a half, and a twelfth of the others
    assert 60 < sum(not option.loud for option in drawn()) < 90  # a half of the others


def test_data_without_built_in_sets_keeps_its_default() -> None:
    rng = Rng()
    options = [draw(AllKinds, rng) for _ in range(20)]
    assert {plain(option)["track"] for option in options} == {"short"}


def test_the_same_generator_draws_the_same_options() -> None:
    assert draw(AllKinds, Rng(b"x"), SETS) == draw(AllKinds, Rng(b"x"), SETS)


@pytest.mark.parametrize("text", ["--5", "+-1", "9" * 5000, "1.0", "٣x"])
def test_what_only_looks_like_a_number_is_none(text: str) -> None:
    with pytest.raises(Problem) as caught:
        parse(AllKinds, {"speed": text}, SETS)
    assert caught.value.key == "bad-option.value"
