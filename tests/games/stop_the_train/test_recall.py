"""Stop the Train!: a view has all that its seat ever drew, passed, got or looked at."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from capolinea.engine import Match, Rng
from capolinea.engine.playout import Rota
from capolinea.games.stop_the_train.title import GAME, TrainOptions
from capolinea.games.stop_the_train.views import TrainView
from tests.games.stop_the_train.sight import (
    ADA,
    BRUNO,
    CARLA,
    DECK,
    DORA,
    PRIVATE,
    looks,
    own,
    scene,
    seen,
    to_box,
    to_bridge,
)
from tests.games.stop_the_train.tables import NAMES


def test_after_many_turns_a_player_still_has_all_that_they_once_knew() -> None:
    deck = ["id-check", "accelerate", "hard-brake", *DECK[3:]]
    t = scene(["passenger-list", "secret-ballot"], [], [], ["spy"], deck=deck)
    t.works(ADA, "passenger-list")
    t.discard("hard-brake")
    t.lay("id-check", "second")
    t.works(DORA, "spy")
    t.quiet()
    t.do(BRUNO, {"do": "look", "seat": DORA})
    to_bridge(t)
    t.works(ADA, "secret-ballot")
    t.passes()
    t.throw_off(CARLA, DORA, DORA, CARLA)
    t.quiet()
    to_box(t)
    t.passes()
    t.vote("fast-track", "viaduct", "viaduct", "scenic-route")
    t.quiet()
    for _ in range(8):
        t.at(t.train.track.box + 1, speed=30)
        t.turn("hard-brake")
    first = seen(t, ADA)["turns"][0]
    assert first["drew"] == ["accelerate", "hard-brake", "id-check"]
    assert first["discarded"] == ["hard-brake"]
    assert first["passed"] == seen(t, BRUNO)["turns"][0]["passed"] == ["accelerate", "id-check"]
    assert first["set_aside"] == seen(t, BRUNO)["turns"][0]["set_aside"] == "accelerate"
    assert [look["look"] for look in looks(t, ADA)] == ["passenger-list"]
    assert looks(t, BRUNO) == [
        {"look": "identity", "turn": 1, "seat": DORA, "roles": ["photographer"]}
    ]
    assert [look["effects"] for look in looks(t, DORA)] == [["accelerate"]]
    assert own(t, ADA)["secret_ballots"] == {"1": CARLA}
    assert own(t, ADA)["votes"] == ["fast-track"]
    assert len(own(t, ADA)["dealt"]) == 3
    assert own(t, ADA)["returned"] in own(t, ADA)["dealt"]


class Memory:
    """What one seat was told for itself alone, kept as a player with pencil and paper would."""

    def __init__(self) -> None:
        self.turn = 0
        #: Turn → what was told of its cards.
        self.cards: dict[int, dict[str, Any]] = {}
        self.seen: list[tuple[str, list[str]]] = []

    def hear(self, key: str, args: dict[str, Any]) -> None:
        if key.startswith("event.drew"):
            self.turn = args["turn"]
            self.cards[self.turn] = {}
        now = self.cards.get(self.turn, {})
        match key:
            case "event.drew.own":
                now["drew"] = args["cards"]
            case "event.discarded.own":
                now["discarded"] = args["cards"]
            case "event.passed.own":
                now["passed"] = args["cards"]
            case "event.set-aside.own":
                now["set_aside"] = args["effect"]
            case "event.seized":
                now.pop("set_aside", None)  # it is played now, for all to see
            case "event.looked.own":
                self.seen.append(("identity", [args["role"]]))
            case "event.passenger-list.own":
                self.seen.append(("passenger-list", args["roles"]))
            case "event.spy.own":
                self.seen.append(("spy", [args["effect"]]))
            case "event.coal.own":
                self.seen.append(("coal", args["cards"]))
            case "event.coaled.own":
                self.seen.append(("coal-chosen", args["cards"]))
            case "event.upgrade.own":
                self.seen.append(("upgrade", args["cards"]))
            case "event.upgraded.own":
                self.seen.append(("upgrade-chosen", [args["card"]]))

    def robbed(self, seat: int, args: dict[str, Any]) -> None:
        self.seen.append(("took" if args["seat"] == seat else "lost", [args["card"]]))


@pytest.mark.parametrize("number", range(12))
def test_the_last_view_has_all_that_a_player_was_ever_told(number: int) -> None:
    seats = 3 + number % 4
    rng = Rng(b"recall %d" % number)
    match = Match(
        GAME,
        NAMES[:seats],
        TrainOptions(start_speed="30"),
        seed=rng.bytes(32),
        viewers=range(seats),
    )
    votes: list[list[str]] = [[] for _ in range(seats)]
    ballots: list[dict[str, int]] = [{} for _ in range(seats)]
    play_out(match, rng, votes, ballots)
    for seat in range(seats):
        memory = Memory()
        for frame in match.frames(seat):
            for event in frame.events:
                if event.key == "event.robbed.own":
                    memory.robbed(seat, event.args)
                memory.hear(event.key, event.args)
        view = match.view(seat)
        assert isinstance(view, TrainView)
        assert view.own is not None
        for told_turn, cards in memory.cards.items():
            shown = msgspec.to_builtins(view.turns[told_turn - 1])
            assert {part: shown[part] for part in PRIVATE if part in shown} == cards
        things = [(look.look, look.roles + look.effects + look.cards) for look in view.own.seen]
        assert things == memory.seen
        assert view.own.votes == votes[seat]
        assert view.own.secret_ballots == ballots[seat]


def play_out(match: Match, rng: Rng, votes: list[list[str]], ballots: list[dict[str, int]]) -> None:
    """A random match to its end; writes down each seat's route votes and secret ballots."""
    rota = Rota()
    while (seat := rota.next(match.state, rng)) >= 0:
        steps: list[int] = []
        while legal := match.legal(seat, steps):
            steps.append(legal[rng.below(len(legal))])
        before = match.view(None)
        assert isinstance(before, TrainView)
        match.move(seat, steps)
        done = GAME.space.json(steps[0])
        if done["do"] == "vote":
            number = len(before.vote.counted)
            for mine in votes:
                mine += [""] * (number + 1 - len(mine))
            votes[seat][number] = str(done["route"])
        if done["do"] == "throw-off" and before.meeting is not None and before.meeting.secret:
            ballots[seat][str(len(before.meetings) + 1)] = int(done["seat"])
