"""Tables of Night Mail with known cards, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from capolinea.engine import Match, Viewer
from capolinea.games.night_mail.rules import KIND, KIND_NAMES, NightMail
from capolinea.games.night_mail.title import GAME, NightMailOptions
from capolinea.games.night_mail.views import NightMailView

NAMES = ["Ada", "Bruno", "Carla", "Dora", "Ezio"]


def table(
    *hands: Sequence[str],
    die: Sequence[int] = (),
    employers: Sequence[str] = (),
    draws: Sequence[str] = (),
    viewers: Sequence[Viewer] = (),
    **options: Any,
) -> Match:
    """A match with these hands, in which Ada begins; `die` lists pips, `draws` what is drawn later."""
    unused = list(range(len(KIND)))

    def card(name: str) -> int:
        found = next(card for card in unused if KIND_NAMES[KIND[card]] == name)
        unused.remove(found)
        return found

    deck = [card(name) for hand in hands for name in hand] + [card(name) for name in draws]
    wanted = [("north", "south").index(name) for name in employers]
    places = list(range(len(hands) + 1))
    order = []
    for side in wanted:
        place = next(place for place in places if place % 2 == side)
        places.remove(place)
        order.append(place)
    return Match(
        GAME,
        NAMES[: len(hands)],
        NightMailOptions(**{"hand": len(hands[0]), **options}),
        deal={
            "start": [0],
            "deck": [deck],
            "employers": [order],
            "die": [pips - 1 for pips in die],
        },
        viewers=viewers,
    )


def do(match: Match, seat: int, *steps: dict[str, Any] | str) -> None:
    """A move by its JSON form; a word alone is an action without arguments."""
    written = [{"do": step} if isinstance(step, str) else step for step in steps]
    match.move(seat, [GAME.space.parse(step) for step in written])


def load(mail: str) -> dict[str, Any]:
    return {"do": "load", "mail": mail}


def deliver(mail: str, signer: int) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"do": "deliver", "mail": mail}, {"do": "sign", "seat": signer}


def vote(branch: str) -> dict[str, Any]:
    return {"do": "vote", "branch": branch}


def telegram(seat: int) -> dict[str, Any]:
    return {"do": "telegram", "seat": seat}


def legal(match: Match, seat: int) -> list[dict[str, Any]]:
    return [dict(GAME.space.json(action)) for action in match.legal(seat)]


def state(match: Match) -> NightMail:
    assert isinstance(match.state, NightMail)
    return match.state


def view(match: Match, viewer: Viewer) -> NightMailView:
    seen = match.view(viewer)
    assert isinstance(seen, NightMailView)
    return seen


def points(match: Match) -> list[int]:
    return [player.points for player in view(match, None).players]
