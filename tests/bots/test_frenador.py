"""The bot for Tachite al Tram: sensible, by what its seat sees alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pytest

from capolinea import bots
from capolinea.bots.bot import Seen
from capolinea.bots.frenador.bot import Frenador
from capolinea.bots.match import BotMatch
from capolinea.engine import Match, Rng
from capolinea.games.tachite_al_tram.rules.board import PASSENGER_NAMES
from capolinea.games.tachite_al_tram.rules.drive import set_off
from capolinea.games.tachite_al_tram.rules.steps import Do, Phase
from capolinea.games.tachite_al_tram.rules.tiles import TILE_NAMES
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.title import GAME, TramOptions
from tests.games.tachite_al_tram.scenes import give, hand, keep, put, sq, square_of

NAMES = ["Ada", "Bruno", "Carla", "Dario"]


def table(
    at: str,
    to: str = "opicina",
    aboard: Sequence[str] = (),
    waiting: Mapping[str, Sequence[str]] = MappingProxyType({}),
    players: int = 2,
) -> tuple[Match, Trams]:
    """A match on our own board, in which Ada is to build. Who is not aboard and does not wait, the top
    one last, has been set down."""
    match = Match(GAME, NAMES[:players], TramOptions(first=1), seed=bytes(32))
    trams = match.state
    assert isinstance(trams, Trams)
    trams.at[0] = sq(at)
    give(trams, 0, to=to)
    trams.aboard[0] = kinds(aboard)
    stops = [waiting.get(place, ()) for place in ("A2", "F1", "G7", "A10", "F12", "B13")]
    trams.waiting_at = [kinds(pile) for pile in stops]
    trams.out = list(trams.board.passenger_counts)
    for pile in (trams.aboard[0], *trams.waiting_at):
        for kind in pile:
            trams.out[kind] -= 1
    return match, trams


def kinds(names: Sequence[str]) -> list[int]:
    return [PASSENGER_NAMES.index(name) for name in names]


FOUR = ("vecion", "lem", "panzon", "ciacoleta")


def in_phase(trams: Trams, phase: int) -> None:
    trams.phase = phase
    trams.choices = []


def rolled(trams: Trams, die: int) -> None:
    trams.die = die
    set_off(trams, die)
    trams.choices = []


def moved(match: Match) -> Trams:
    """After what the bot does in seat 0."""
    match.move(0, chosen(match))
    trams = match.state
    assert isinstance(trams, Trams)
    return trams


def chosen(match: Match, bot: Frenador | None = None) -> list[int]:
    """All steps of what the bot does in seat 0."""
    bot = bot or Frenador()
    steps: list[int] = []
    while legal := match.legal(0, steps):
        steps.append(bot.choose(seen(match, steps), legal, Rng(b"test"), may_decline=False))
        assert steps[-1] in legal
    return steps


def seen(match: Match, begun: Sequence[int] = ()) -> Seen:
    return Seen(match.game, match.options, 0, match.view(0), match.awaited(), (), tuple(begun))


# --- whole games -----------------------------------------------------------------------------------


def test_it_is_listed_with_the_title_and_loaded_by_name() -> None:
    assert isinstance(bots.load("frenador", GAME), Frenador)


@pytest.mark.parametrize(("seats", "seat"), [(2, 0), (3, 1)])
def test_it_beats_who_plays_at_random(seats: int, seat: int) -> None:
    for number in range(2):
        match = Match(GAME, NAMES[:seats], TramOptions(points="8"), seed=bytes([number] * 32))
        names = ["frenador" if place == seat else "random" for place in range(seats)]
        BotMatch(match, [bots.load(name, GAME) for name in names], bytes([number])).play()
        result = match.result()
        assert result is not None
        assert result.ending == "frenador"
        assert result.winners == [seat]


def test_it_plays_on_when_it_is_started_anew_in_the_middle_of_a_choice() -> None:
    match, trams = table("D11", "opicina", FOUR)
    trams.points[0] = 8
    hand(trams, 0, "straight", "curve", "crossing")
    lay, on = chosen(match)
    legal = match.legal(0, [lay])
    assert Frenador().choose(seen(match, [lay]), legal, Rng(b"other"), may_decline=False) == on


# --- build -----------------------------------------------------------------------------------------


def test_it_builds_towards_its_destination() -> None:
    match, trams = table("D11", "opicina", FOUR)
    trams.points[0] = 8
    hand(trams, 0, "straight", "curve", "crossing")
    assert chosen(match) == [Do.LAY + TILE_NAMES.index("straight"), Do.ON + sq("D12")]


def test_it_builds_towards_a_passenger_that_fits() -> None:
    match, trams = table("D1", "opicina", waiting={"F1": ["lole"]})
    trams.points[0] = 11
    hand(trams, 0, "straight", "slip", "slip")
    assert chosen(match) == [Do.LAY + TILE_NAMES.index("straight"), Do.ON + sq("E1")]


def test_it_swaps_a_tile_when_nothing_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    match, trams = table("D13", "opicina", FOUR)
    hand(trams, 0, "slip", "slip", "slip")
    monkeypatch.setattr("capolinea.bots.frenador.bot.layings", lambda *_: [])
    assert chosen(match) == [Do.SWAP + TILE_NAMES.index("slip")]


# --- move ------------------------------------------------------------------------------------------


def test_it_avoids_the_third_damage() -> None:
    # Nothing leads away from F9: rolling would be the third damage.
    match, trams = table("F9", "opicina", ["vecion", "lem"])
    give(trams, 0, damage=2)
    in_phase(trams, Phase.MOVE)
    assert chosen(match) == [Do.STAY]


def test_with_two_damage_it_goes_where_the_rails_go_on() -> None:
    # From D11, three squares: around, or towards A10, where the rails end on C10.
    match, trams = table("D11", "oberdan", ["vecion", "lem"], {"A10": ["nagana"]})
    give(trams, 0, damage=2)
    rolled(trams, 3)
    trams = moved(match)
    assert square_of(trams, 0) == "E11"
    assert trams.damage[0] == 2
    assert len(trams.aboard[0]) == 2


def test_it_drives_home_who_is_aboard() -> None:
    match, trams = table("D11", "opicina", FOUR)
    trams.points[0] = 8
    put(trams, "D12", "straight")
    rolled(trams, 5)
    trams = moved(match)
    assert square_of(trams, 0) == "D14"
    assert chosen(match) == [Do.SET_DOWN]


def test_it_rolls_again_when_the_roll_is_bad_and_a_card_allows_it() -> None:
    # A single square would be a collision and the third damage; any other roll makes twelve points.
    match, trams = table("D12", "opicina", FOUR, players=3)
    put(trams, "D12", "straight")
    give(trams, 0, damage=2)
    trams.points[0] = 8
    trams.at[1], trams.at[2] = sq("D13"), sq("D11")
    keep(trams, 0, "nero-in-b")
    rolled(trams, 1)
    assert chosen(match) == [Do.USE]


def test_it_plans_for_passengers_that_find_a_seat() -> None:
    # F1 is nearer, but La Ciacoleta would not sit with these; El Lem would, and waits at A2.
    waiting = {"F1": ["ciacoleta"], "A2": ["lem"]}
    match, trams = table("D1", "opicina", ["vecion", "cotoler", "lole"], waiting)
    trams.points[0] = 8
    give(trams, 0, futiz="zelante")
    for place, tile in (("E1", "straight 1"), ("B3", "straight 1")):
        put(trams, place, tile)
    rolled(trams, 6)
    trams = moved(match)
    assert square_of(trams, 0) == "A2"


# --- workshop, pick up, misfortunes ------------------------------------------------------------------


def test_in_the_workshop_it_takes_a_futiz_and_who_is_battered_repairs() -> None:
    match, trams = table("D8", "opicina", waiting={"F1": ["lole"]})
    in_phase(trams, Phase.WORKSHOP)
    taken = chosen(match)[0] - Do.FUTIZ
    assert 0 <= taken < 4
    match, trams = table("D8", "opicina", FOUR)
    give(trams, 0, damage=2)
    trams.points[0] = 8
    trams.futiz[0] = taken
    in_phase(trams, Phase.WORKSHOP)
    assert chosen(match) == [Do.REPAIR]


def test_it_picks_up_who_fits_and_leaves_whom_it_does_not_need() -> None:
    match, trams = table("A2", "opicina", waiting={"A2": ["lem", "lole"]})
    in_phase(trams, Phase.PICK_UP)
    assert chosen(match) == [Do.BOARD]
    match, trams = table("A2", "opicina", ["cotoler"], {"A2": ["lem", "lole"]})
    trams.points[0] = 11
    in_phase(trams, Phase.PICK_UP)
    assert chosen(match) == [Do.LEAVE]


def test_it_leaves_bad_luck_behind_that_could_cost_it_a_full_tram() -> None:
    match, trams = table("A2", "opicina", ["vecion", "lem", "lole"], {"A2": ["cotoler"]})
    give(trams, 0, damage=2)
    in_phase(trams, Phase.PICK_UP)
    assert chosen(match) == [Do.LEAVE]


def test_boars_take_a_tile_that_rivals_need_and_we_do_not() -> None:
    match, trams = table("D14", "opicina")
    put(trams, "E1", "straight 1")
    put(trams, "D12", "straight")
    trams.at[1] = sq("D11")
    give(trams, 1, to="opicina")
    in_phase(trams, Phase.BOARS)
    assert chosen(match) == [Do.ON + sq("D12")]
