"""Tables of Trial by Trolley with known cards, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from capolinea.engine import Match, Viewer
from capolinea.games.trial_by_trolley.rules import Trolley
from capolinea.games.trial_by_trolley.title import GAME, TrolleyOptions
from capolinea.games.trial_by_trolley.views import TrolleyView

NAMES = ["Ada", "Bruno", "Carla", "Dora", "Ezio", "Fritz", "Gina", "Hugo", "Ines", "Jan"]
NAMES += ["Karin", "Luca", "Mitzi"]


def pack(innocent: int = 30, guilty: int = 24, modifier: int = 60) -> dict[str, Any]:
    """A pack of i1, i2 … g1, g2 … m1, m2 …, which are drawn in this order (see `table`)."""
    counts = {"innocent": innocent, "guilty": guilty, "modifier": modifier}
    return {
        "cards": [
            {"id": f"{deck[0]}{n}", "deck": deck, "tag": "family", "text": {"en": f"{deck} {n}"}}
            for deck, count in counts.items()
            for n in range(1, count + 1)
        ]
    }


def table(
    players: int,
    *,
    conductor: int = 0,
    viewers: Sequence[Viewer] = (),
    own: dict[str, Any] | None = None,
    **options: Any,
) -> Match:
    """A match in which cards come in the order of their numbers: i1, i2, i3 are the first hand."""
    content = own or pack()
    decks = [card["deck"] for card in content["cards"]]
    return Match(
        GAME,
        NAMES[:players],
        TrolleyOptions(pack="test", data={"pack": content}, **options),
        deal={
            "conductor": [conductor],
            **{
                deck: [list(range(decks.count(deck)))]
                for deck in ("innocent", "guilty", "modifier")
            },
        },
        viewers=viewers,
    )


def do(match: Match, seat: int, *steps: dict[str, Any]) -> None:
    match.move(seat, [GAME.space.parse(step) for step in steps])


def innocent(place: int) -> dict[str, Any]:
    return {"do": "innocent", "place": place}


def guilty(place: int) -> dict[str, Any]:
    return {"do": "guilty", "place": place}


def modifier(place: int, track: str, at: int) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"do": "modifier", "place": place}, {"do": "on", "track": track, "place": at}


CLOSE: dict[str, Any] = {"do": "close"}
EXTEND: dict[str, Any] = {"do": "extend"}
DECLINE: dict[str, Any] = {"do": "decline"}


def verdict(track: str) -> dict[str, Any]:
    return {"do": "verdict", "track": track}


def play_until(match: Match, phase: str) -> None:
    """Let everybody play what the clock would, until this phase begins."""
    while view(match, None).phase != phase:
        seat = match.state.waiting()[0]
        match.move(seat, match.default(seat))


def play_round(match: Match, track: str) -> None:
    """Let the round end with this verdict."""
    play_until(match, "verdict")
    do(match, view(match, None).conductor, verdict(track))


def state(match: Match) -> Trolley:
    assert isinstance(match.state, Trolley)
    return match.state


def view(match: Match, viewer: Viewer) -> TrolleyView:
    seen = match.view(viewer)
    assert isinstance(seen, TrolleyView)
    return seen


def tracks(match: Match) -> list[list[str]]:
    return [[place.card for place in team.track] for team in view(match, None).teams]


def teams(match: Match) -> list[list[int]]:
    return [team.players for team in view(match, None).teams]


def hand(match: Match, seat: int, deck: str) -> list[str]:
    """What a player sees in their own hand."""
    own = view(match, seat).own
    assert own is not None
    for one in own.hands:
        if one.seat == seat:
            cards: list[str] = getattr(one, deck)
            return cards
    return []
