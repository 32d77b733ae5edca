"""What each viewer of Stop the Train! sees and receives, for tests that compare two matches."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from capolinea.engine import Viewer
from tests.games.stop_the_train.tables import Staged, table

ADA, BRUNO, CARLA, DORA = range(4)
EVERYBODY: list[Viewer] = [ADA, BRUNO, CARLA, DORA, None]
CAST = ["saboteur", "chanteuse", "engineer", "photographer"]
#: In the order in which they are drawn, turn by turn.
DECK = [
    *("full-speed-ahead", "accelerate", "apply-the-brakes"),
    *("full-speed-ahead", "accelerate", "maintain-speed"),
    *("full-speed-ahead", "accelerate", "speed-up"),
    *("full-speed-ahead", "full-speed-ahead", "accelerate"),
    *("accelerate", "accelerate", "accelerate"),
]
#: What of a turn only its drawer, or its drawer and its current player, may see.
PRIVATE = ("drew", "discarded", "passed", "set_aside")


def scene(
    *hands: Sequence[str],
    deck: Sequence[str] = DECK,
    characters: Sequence[str] = CAST,
    **options: Any,
) -> Staged:
    """Ada, Bruno, Carla and Dora, with everybody and a spectator watching; Ada has drawn."""
    four = [*hands, *([] for _ in range(4 - len(hands)))]
    return table(*four, deck=deck, characters=characters, viewers=EVERYBODY, **options)


def seen(t: Staged, viewer: Viewer) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(t.view(viewer))
    return shown


def own(t: Staged, seat: int) -> dict[str, Any]:
    mine: dict[str, Any] = seen(t, seat)["own"]
    return mine


def looks(t: Staged, seat: int) -> list[dict[str, Any]]:
    """What a seat alone has learned."""
    found: list[dict[str, Any]] = own(t, seat).get("seen", [])
    return found


def told(t: Staged, viewer: Viewer) -> list[tuple[str, dict[str, Any]]]:
    """The events of a viewer's newest message."""
    return [(event.key, event.args) for event in t.match.frames(viewer)[-1].events]


def count_frames(t: Staged) -> list[int]:
    return [len(t.match.frames(viewer)) for viewer in EVERYBODY]


def received(t: Staged, viewer: Viewer) -> bytes:
    """All that a viewer was ever sent."""
    return msgspec.json.encode(t.match.frames(viewer))


def only(who: Collection[Viewer], one: Staged, two: Staged) -> None:
    """What these two matches differ in shows to these viewers, and to nobody else in any byte."""
    for viewer in EVERYBODY:
        differs = received(one, viewer) != received(two, viewer)
        assert differs == (viewer in who), f"viewer {viewer}"


def turn(t: Staged, discard: str, play: str, side: str = "") -> None:
    """A turn with the cards that were dealt, in which nobody intervenes."""
    t.discard(discard)
    t.lay(play, side)
    t.quiet()


def to_bridge(t: Staged) -> None:
    """A turn that ends on the first bridge: a meeting is called."""
    t.at(t.train.track.bridges[0][0] - 1, speed=30)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    assert t.step == "meeting"


def to_box(t: Staged) -> None:
    """A turn that ends at the signal box: a vote is called."""
    t.at(t.train.track.box - 1, speed=30)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    assert t.step == "vote-called"


def by_kind(names: Sequence[str], kinds: Sequence[str]) -> list[str]:
    return sorted(names, key=list(kinds).index)


def choose_coal(t: Staged, *effects: str) -> None:
    t.do(DORA, *({"do": "coal", "effect": effect} for effect in effects))
