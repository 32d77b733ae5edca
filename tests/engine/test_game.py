"""What a title is: setting up, presets, data by name and one's own, content hashes."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
import pytest

from capolinea.engine import (
    Actions,
    Chance,
    Data,
    Deal,
    Family,
    Game,
    Line,
    Options,
    Problem,
    Record,
    Refused,
    Rng,
    State,
    View,
)
from capolinea.engine.chance import deal_seed
from capolinea.engine.game import content_hash
from capolinea.engine.match import Match
from capolinea.engine.options import Field
from capolinea.engine.problems import NotWritten
from capolinea.games.night_mail.title import GAME
from tests.engine.expect import problem, refused
from tests.engine.toy import Toy

SEED = bytes(range(32))
FAULTS = [Problem("track.empty"), Problem("track.dull")]


class TramOptions(Options, frozen=True):
    track: Annotated[str, Data("track")] = "short"
    speed: Annotated[int, msgspec.Meta(ge=1, le=9)] = 3


class Trams(Game):
    """A title with two sets of tracks; fewer than four may not go fast."""

    id = "trams"
    seats = range(2, 5)
    rules = "1"
    space = Actions(Family("go"))
    view_type = View
    endings = ("over",)
    longest = 10
    options = TramOptions
    presets = {"standard": {}, "fast": {"speed": 9, "track": "long"}}

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # type: ignore[misc]
        self.started: list[tuple[int, Options, Chance]] = []

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        self.started.append((seats, options, chance))
        return Toy()

    def imagine(self, view: View, rng: Rng) -> State:
        raise NotImplementedError

    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        raise NotImplementedError

    def read(self, view: View) -> list[Line]:
        return []

    def check(self, seats: int, options: Options) -> None:
        assert isinstance(options, TramOptions)
        if options.speed == 9 and seats < 4:
            raise Refused("refused.fast", "T-1")

    def data_faults(self, kind: str, content: Any) -> list[Problem]:
        return [Problem("track.empty", kind=kind)] if content == [] else []


@pytest.fixture
def trams(tmp_path: Path) -> Trams:
    for kind, name, content in (
        ("track", "short", ["a", "b"]),
        ("track", "long", ["a", "b", "Škofije"]),
        ("pack", "one", {"n": 1}),
    ):
        file = tmp_path / "data" / kind / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    (tmp_path / "data" / "track" / "notes.txt").write_text("not data")
    return Trams(tmp_path)


# --- a new match -------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_as_many_may_play_as_the_rules_allow(trams: Trams, seats: int) -> None:
    options = TramOptions(speed=5)
    assert isinstance(trams.new(seats, options, SEED), Toy)
    assert trams.started[0][:2] == (seats, options)


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_no_fewer_and_no_more_may_play(trams: Trams, seats: int) -> None:
    with refused("refused.seats", seats=seats, least=2, most=4):
        trams.new(seats, TramOptions(), SEED)
    assert trams.started == []


def test_options_that_do_not_go_together_are_refused_before_the_start(trams: Trams) -> None:
    with refused("refused.fast", "T-1"):
        trams.new(3, TramOptions(speed=9), SEED)
    assert trams.started == []
    trams.new(4, TramOptions(speed=9), SEED)


def test_a_table_is_laid_out_once_for_the_same_seats_and_options(trams: Trams) -> None:
    def lay_out(seats: int, options: TramOptions) -> list[int]:
        return [seats, options.speed]

    options = TramOptions()
    table = trams.laid_out(2, options, lay_out)
    assert table == [2, 3]
    assert trams.laid_out(2, options, lay_out) is table
    assert trams.laid_out(3, options, lay_out) == [3, 3]
    assert trams.laid_out(3, TramOptions(speed=5), lay_out) == [3, 5]


def test_a_title_need_not_check_anything(trams: Trams) -> None:
    Game.check(trams, 2, TramOptions())
    assert Game.data_faults(trams, "track", []) == []


def test_chance_comes_from_the_seed(trams: Trams) -> None:
    trams.new(2, TramOptions(), SEED)
    chance = trams.started[0][2]
    assert (chance.seed, chance.deal, chance.drawn) == (SEED, None, None)


def test_or_from_a_deal_and_then_the_seed_does_not_count(trams: Trams) -> None:
    deal: Deal = {"die": [3]}
    trams.new(2, TramOptions(), b"no seed at all", deal)
    chance = trams.started[0][2]
    assert (chance.seed, chance.deal) == (deal_seed(deal), deal)


def test_without_a_seed_or_a_deal_there_is_no_match(trams: Trams) -> None:
    with problem("chance.seed-length", bytes=0, needed=32):
        trams.new(2, TramOptions(), b"")


@pytest.mark.parametrize("method", ["start", "read"])
def test_a_title_that_lacks_a_method_cannot_be_made(method: str) -> None:
    whole = {name: getattr(Trams, name) for name in ("start", "imagine", "twin", "read")}
    del whole[method]
    with pytest.raises(TypeError, match=method):
        type("Half", (Game,), whole)()


def test_imagine_and_twin_can_be_written_later(trams: Trams) -> None:
    match = Match(GAME, ["A", "B"], seed=SEED)
    with pytest.raises(NotWritten):
        Game.imagine(trams, match.view(0), Rng())
    with pytest.raises(NotWritten):
        Game.twin(trams, match.record(), 0, Rng())


# --- what a title need not write -----------------------------------------------------------------


def test_a_title_that_knows_no_sayings_refuses_them(trams: Trams) -> None:
    with refused("refused.nothing-to-say"):
        trams.say(View(viewer=None), 0, {"anything": 1})
    assert trams.babble(View(viewer=0), Rng()) is None


def test_a_title_has_the_standard_preset_and_no_parts_unless_it_says_so() -> None:
    assert Game.presets == {"standard": {}}
    assert (Game.roles, Game.windows, Game.names, Game.bots) == ((), (), {}, {})
    assert Game.options is Options
    assert Game.example is False


# --- options -----------------------------------------------------------------------------------


def test_the_form_offers_the_built_in_sets_by_name_the_usual_one_first(trams: Trams) -> None:
    form = [
        Field("track", "data", "short", choices=["short", "long"]),
        Field("speed", "number", 3, least=1, most=9),
    ]
    assert trams.fields() == form
    assert trams.fields() == form


def test_presets_are_named_settings(trams: Trams) -> None:
    assert trams.preset("standard") == TramOptions()
    assert trams.preset("fast") == TramOptions(speed=9, track="long")


def test_an_unknown_preset_is_a_problem_that_lists_the_known_ones(trams: Trams) -> None:
    with problem("bad-option.preset", name="slow", known="standard, fast"):
        trams.preset("slow")


# --- data --------------------------------------------------------------------------------------


def test_built_in_data_is_what_the_folder_holds(trams: Trams) -> None:
    assert trams.data() == {
        "track": {"short": ["a", "b"], "long": ["a", "b", "Škofije"]},
        "pack": {"one": {"n": 1}},
    }


def test_a_title_without_a_data_folder_has_no_data(tmp_path: Path) -> None:
    assert Trams(tmp_path / "nowhere").data() == {}


def test_a_table_plays_with_the_set_that_it_names(trams: Trams) -> None:
    assert trams.content("track", TramOptions(track="long")) == ["a", "b", "Škofije"]


def test_or_with_its_own(trams: Trams) -> None:
    assert trams.content("track", TramOptions(data={"track": ["x"]})) == ["x"]


def test_data_of_another_kind_does_not_replace_the_named_set(trams: Trams) -> None:
    assert trams.content("track", TramOptions(data={"pack": ["x"]})) == ["a", "b"]


def test_an_unknown_set_is_a_problem_at_the_start(trams: Trams) -> None:
    with problem("bad-option.value", name="track", found="endless", allowed="long, short"):
        trams.new(2, TramOptions(track="endless"), SEED)
    assert trams.started == []


def test_every_fault_of_own_data_is_a_problem_at_the_start(trams: Trams) -> None:
    with pytest.raises(Problem) as caught:
        trams.new(2, TramOptions(data={"track": []}), SEED)
    assert caught.value.key == "data.faults"
    assert (caught.value.args_["kind"], caught.value.args_["count"]) == ("track", 1)
    assert [fault.key for fault in cast(list[Problem], caught.value.args_["faults"])] == [
        "track.empty"
    ]
    assert trams.started == []


def test_a_kind_of_data_that_the_title_does_not_have_offers_nothing(tmp_path: Path) -> None:
    with problem("bad-option.value", name="track", found="short", allowed=""):
        Trams(tmp_path / "nowhere").content("track", TramOptions())


# --- content hashes ----------------------------------------------------------------------------


def test_data_is_known_by_the_sha256_of_its_sorted_compact_utf8_json() -> None:
    content = {"b": {"d": True, "c": 1.5}, "a": [1, "Škofije", None]}
    form = '{"a":[1,"Škofije",null],"b":{"c":1.5,"d":true}}'
    assert content_hash(content) == sha256(form.encode("utf-8")).hexdigest()
    known = "975f753fd4f92ec1aa227c1ede864abe8f50c48e55c675b597cc9620be21da2d"
    assert content_hash(content) == known


def test_the_hash_does_not_depend_on_the_order_of_names_but_on_that_of_lists() -> None:
    assert content_hash({"a": 1, "b": 2}) == content_hash({"b": 2, "a": 1})
    assert content_hash([1, 2]) != content_hash([2, 1])
