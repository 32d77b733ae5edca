"""Stop the Train!: the table read aloud, and actions as a menu has them."""

from __future__ import annotations

from typing import Any

from capolinea.engine import Line
from capolinea.games.stop_the_train.title import GAME
from tests.games.stop_the_train.tables import Staged, table


def read(t: Staged, viewer: int | None = None) -> list[tuple[str, dict[str, Any]]]:
    return [(line.key, line.args) for line in GAME.read(t.view(viewer))]


def menu(t: Staged, seat: int, **action: Any) -> Line:
    return GAME.describe(t.view(seat), GAME.space.parse(action))


def test_everybody_hears_what_was_played_and_where_the_train_is() -> None:
    t = table([], [], [], [])
    assert "read.played" not in dict(read(t))
    t.turn("accelerate", quiet=False)
    assert ("read.played", {"seat": 1, "effect": "accelerate"}) in read(t)
    box = t.train.track.box
    assert ("read.before-box", {"at": 0, "left": box}) in read(t)
    t.at(box + 3, route="viaduct")
    last = len(t.train.track.spaces[1]) - 1
    where = {"at": box + 3, "route": "viaduct", "left": last - box - 3}
    assert ("read.on-route", where) in read(t)


def test_only_oneself_hears_the_own_character_and_cards() -> None:
    t = table(["burn", "spy"], [], [], [], characters=["engineer"])
    assert ("read.you", {"role": "engineer"}) in read(t, 0)
    assert ("read.cards", {"cards": ["burn", "spy"]}) in read(t, 0)
    assert not {"read.you", "read.cards", "read.effects"} & set(dict(read(t)))
    assert "read.effects" in dict(read(t, 0))
    assert "read.effects" not in dict(read(t, 1))


def test_when_it_is_over_all_characters_are_read_out() -> None:
    t = table([], [], [], [], characters=["engineer", "saboteur"])
    assert "read.character" not in dict(read(t))
    t.train.deck = []
    t.turn("maintain-speed")
    shown = [args for key, args in read(t) if key == "read.character"]
    assert shown[:2] == [{"seat": 0, "role": "engineer"}, {"seat": 1, "role": "saboteur"}]


def test_the_freight_train_is_read_out_only_where_there_is_one() -> None:
    assert not [key for key, _ in read(table([], [], [])) if "freight" in key]
    t = table([], [], [], freight=True)
    assert "read.no-freight" in dict(read(t))
    t.train.freight = 4
    assert ("read.freight", {"at": 4}) in read(t)


def test_a_side_is_named_by_its_card_if_there_is_but_one() -> None:
    t = table([], [], [], [])
    t.hand("theft", "accelerate", "maintain-speed")
    t.discard("maintain-speed")
    line = menu(t, 1, do="side", side="second")
    assert line == Line("action.side.card", {"side": "theft.second"})
    assert menu(t, 1, do="play", effect="theft") == Line("action.play", {"effect": "theft"})
    t = table([], [], [], [])
    t.hand("theft", "id-check", "maintain-speed")
    t.discard("maintain-speed")
    assert menu(t, 1, do="side", side="first") == Line("action.side", {"side": "first"})


def test_to_pass_in_a_meeting_is_to_be_ready_for_the_vote() -> None:
    t = table([], [], [], [])
    assert menu(t, 1, do="pass") == Line("action.pass")
    t.at(t.train.track.bridges[0][0] - 3, 90)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    assert t.step == "meeting"
    assert menu(t, 1, do="pass") == Line("action.pass.meeting")


def test_the_own_mission_is_told_as_the_options_have_it() -> None:
    def mission(character: str, **options: Any) -> str:
        t = table(*[[]] * 6, characters=[character], **options)
        told: str = dict(read(t, 0))["read.mission"]["role"]
        return told

    assert mission("mi6-agent") == "mi6-agent"
    assert mission("mi6-agent", strict_agent=True) == "mi6-agent.strict"
    assert mission("rogue", strict_agent=True) == "rogue"
    assert mission("rogue", freight=True) == "rogue.freight"
    assert mission("speedster", two_hills=True) == "speedster.two-hills"
