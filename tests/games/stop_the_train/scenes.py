"""Moments of Stop the Train! at which tests begin, and what the table hears.

    t = watched(["burn"], [], [], [])
    vote_called(t)                          # the train has just halted at the signal box
    heard(t, lambda: t.works(0, "burn", organiser=True))[None]

Seat 0 draws and seat 1 is the current player in all of them. The train stands beyond the first bridge,
so that every card for any time has its use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from capolinea.engine import Refused, Result, Viewer
from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.cards import EFFECT_NAMES, ROUTE_NAMES
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES, CARDS
from capolinea.games.stop_the_train.rules.track import LAST_TUNNEL, MEETING_PLACE, TUNNEL
from capolinea.games.stop_the_train.title import GAME, TrainOptions
from tests.games.stop_the_train.tables import Staged, table

Scene = Callable[[Staged], None]

FAST, VIADUCT, SCENIC = ROUTE_NAMES
#: Every kind of card but those on trial.
KINDS = [row.name for row in CARDS if row.count]
ANY_TIME = {
    "burn",
    "forgery",
    "passenger-list",
    "spy",
    "tailwind",
    "ticket-upgrade",
    "more-coal",
    "train-fault",
    "rooftop-showdown",
}

TRACK = GAME.track(TrainOptions())
BOX = TRACK.box
#: The first bridge, which is on every path.
BRIDGE, BRIDGE_END = TRACK.bridges[0][:2]


def first_place(route: str, mark: int, beyond: int = 0) -> int:
    """The first place on a route, beyond some other, that has one of these marks."""
    marks = TRACK.marks[ROUTE_NAMES.index(route)]
    return next(place for place, found in enumerate(marks) if place > beyond and found & mark)


#: On the viaduct of the Viaduct route, and in the last tunnel by way of the Fast Track.
ON_THE_VIADUCT = first_place(VIADUCT, MEETING_PLACE, BOX)
IN_THE_LAST_TUNNEL = first_place(FAST, LAST_TUNNEL)
IN_A_TUNNEL = first_place(FAST, TUNNEL)
#: On the Fast Track, where nothing happens on the next eight spaces.
OPEN = next(
    place
    for place in range(BOX + TRACK.train, len(TRACK.spaces[0]))
    if not any(TRACK.marks[0][place - TRACK.train + 1 : place + 9])
)


def watched(*hands: Sequence[str], **options: Any) -> Staged:
    """A table at which a spectator and every seat are listened to."""
    return table(*hands, viewers=[None, *range(len(hands))], **options)


def four(**options: Any) -> Staged:
    """Four players without interventions."""
    t = watched([], [], [], [], **options)
    give_nothing(t)
    return t


# --- hands and cards --------------------------------------------------------------------------------


def give(t: Staged, seat: int, *cards: str) -> None:
    """From now on the seat holds these interventions and no others."""
    t.train.hold(seat, sorted(CARD_NAMES.index(card) for card in cards))


def everything(t: Staged, *seats: int) -> None:
    """These seats hold one card of every kind."""
    for seat in seats:
        give(t, seat, *KINDS)


def give_nothing(t: Staged) -> None:
    for seat in range(t.train.seats):
        give(t, seat)


def lose(t: Staged, *seats: int) -> None:
    """These seats have left the train earlier."""
    for seat in seats:
        t.train.leave(seat, where.OFF)


def permits(t: Staged, *numbers: int, organiser: int = 2) -> None:
    t.train.permits = list(numbers)
    t.train.organiser = organiser


def kinds(*effects: str) -> list[int]:
    return [EFFECT_NAMES.index(effect) for effect in effects]


def targets(t: Staged, seat: int, card: str) -> list[dict[str, Any]]:
    """What this seat may name when it plays this card."""
    return t.legal(seat, {"do": "intervene", "card": card})


def named(*seats: int) -> list[dict[str, Any]]:
    return [{"do": "name", "seat": seat} for seat in seats]


def ballots(*others: int) -> list[dict[str, Any]]:
    return [{"do": "throw-off", "seat": other} for other in others]


def routes(*names: str) -> list[dict[str, Any]]:
    return [{"do": "route", "route": name} for name in names]


def statuses(t: Staged) -> list[str]:
    return [player.status for player in t.view().players]


def refused(t: Staged, seat: int, *steps: dict[str, Any] | str) -> tuple[str, str]:
    """The message and the rule by which this is refused; nothing has changed."""
    before = t.train.key()
    with pytest.raises(Refused) as caught:
        t.do(seat, *steps)
    assert t.train.key() == before
    return caught.value.key, caught.value.rule


def refused_card(t: Staged, seat: int, card: str) -> tuple[str, str]:
    return refused(t, seat, {"do": "intervene", "card": card})


# --- what the table hears ---------------------------------------------------------------------------

Heard = list[tuple[str, dict[str, Any]]]


def heard(t: Staged, action: Callable[[], None]) -> dict[Viewer, Heard]:
    """What every viewer who is watched hears of it."""
    watched = [None, *range(t.train.seats)]
    before = {viewer: len(t.match.frames(viewer)) for viewer in watched}
    action()
    return {
        viewer: [
            (event.key, dict(event.args))
            for frame in t.match.frames(viewer, before[viewer])
            for event in frame.events
        ]
        for viewer in watched
    }


def shown(t: Staged, action: Callable[[], None]) -> dict[str, Any]:
    """The public facts that were told to a spectator meanwhile, the last word on each."""
    before = len(t.match.frames(None))
    action()
    facts: dict[str, Any] = {}
    for frame in t.match.frames(None, before):
        for event in frame.events:
            facts |= event.sets
    return facts


# --- moments ----------------------------------------------------------------------------------------


def arrive(t: Staged, place: int, route: str = "") -> None:
    """A turn at the end of which the front of the train stands here; special events come next."""
    t.at(place - 1, 30, route)
    t.turn("maintain-speed", quiet=False)
    if t.step == "effect-played":
        t.passes()


def draw(t: Staged) -> None:
    """On the Fast Track; the drawer holds three cards."""
    t.at(OPEN, 120, FAST)
    t.train.pile = kinds("apply-the-brakes", "speed-up")
    t.train.discards = kinds("full-speed-ahead", "accelerate", "hard-brake")
    permits(t, *([0] * (t.train.seats - 1)), 1, organiser=1)


def play(t: Staged) -> None:
    """The current player can play Accelerate or Hit the Brakes!; Speed Up! was discarded."""
    draw(t)
    t.hand("accelerate", "hit-the-brakes", "speed-up")
    t.discard("speed-up")


def effect_played(t: Staged) -> None:
    """Accelerate lies on the table, Hit the Brakes! was set aside."""
    play(t)
    t.lay("accelerate")


def side(t: Staged) -> None:
    """The current player takes a permit by Sleight of Hand A."""
    draw(t)
    t.turn("sleight-of-hand-a", "second", quiet=False)
    t.passes()


def last_tunnel(t: Staged) -> None:
    draw(t)
    arrive(t, IN_THE_LAST_TUNNEL, FAST)


def tunnel(t: Staged) -> None:
    last_tunnel(t)
    t.passes()


def vote_called(t: Staged) -> None:
    draw(t)
    t.train.route = -1
    arrive(t, BOX)


def vote(t: Staged) -> None:
    vote_called(t)
    t.passes()


def vote_decided(t: Staged) -> None:
    """All have voted for the Viaduct."""
    vote(t)
    t.vote(*[VIADUCT] * len(t.train.waiting()))


def tied_vote(t: Staged) -> None:
    """Four players: two votes each for the Viaduct and the Scenic Route."""
    vote(t)
    t.vote(VIADUCT, SCENIC, SCENIC, VIADUCT)


def meeting(t: Staged) -> None:
    draw(t)
    arrive(t, ON_THE_VIADUCT, VIADUCT)


def ballot(t: Staged) -> None:
    meeting(t)
    t.passes()


def throw(t: Staged, victim: int) -> None:
    """Everybody votes for the victim, who votes for the first they can."""
    while t.step == "ballot":
        voter = t.train.waiting()[0]
        t.throw_off(victim if voter != victim else t.legal(voter)[0]["seat"])


def aftermath(t: Staged) -> None:
    """Seat 2 has been voted off."""
    ballot(t)
    throw(t, 2)


def peace(t: Staged) -> None:
    """A meeting of four has ended in a tie."""
    ballot(t)
    t.throw_off(3, 2, 3, 2)


def answer(t: Staged) -> None:
    """A Passenger List of the drawer's waits for an answer."""
    draw(t)
    if "passenger-list" not in t.cards(0):
        give(t, 0, "passenger-list")
    t.play(0, "passenger-list")


def rescue(t: Staged) -> None:
    """Seat 2 was voted off and has dragged seat 1 along; seat 0 offers seat 2 a hand."""
    aftermath(t)
    give(t, 2, "youre-coming-with-me")
    give(t, 0, "extend-your-hand")
    t.works(2, "youre-coming-with-me", 1)
    t.works(0, "extend-your-hand", 2)


def upgrade(t: Staged) -> None:
    """Seat 2 looks through the undealt cards."""
    draw(t)
    give(t, 2, "ticket-upgrade")
    t.works(2, "ticket-upgrade")


def coal(t: Staged) -> None:
    """Seat 2 looks through the discards."""
    draw(t)
    give(t, 2, "more-coal")
    t.works(2, "more-coal")


# --- how it goes on ---------------------------------------------------------------------------------


def go_on(t: Staged) -> None:
    """Everybody passes, declines, and votes for the first they can, until somebody draws."""
    while t.step not in ("draw", "over"):
        if t.train.window():
            t.passes()
        else:
            seat = t.train.waiting()[0]
            t.do(seat, t.legal(seat)[0])


def stop(t: Staged) -> Result:
    """The deck is exhausted: the turn at hand is the last one."""
    t.train.deck = []
    if t.step == "draw":
        t.at(BOX, 30)
        t.turn("maintain-speed", quiet=False)
    go_on(t)
    found = t.match.result()
    assert found is not None
    assert found.ending == "stopped"
    return found


def crash(t: Staged) -> Result:
    """The train runs past the last space."""
    go_on(t)
    t.at(len(TRACK.spaces[0]) - 1, route=FAST)
    t.turn("maintain-speed")
    found = t.match.result()
    assert found is not None
    assert found.ending == "crashed"
    return found
