"""Stop the Train!: what can be said at the table and kept in the record (ST-4.7).

Claims about a turn, by its drawer and its current player, true or not, once its card has been played;
and whom one suspects:

    {"claim": {"turn": 5, "drew": ["accelerate", "accelerate", "theft"], "discarded": ["theft"]}}
    {"claim": {"turn": 5, "received": ["accelerate", "accelerate"]}}
    {"accuse": 2}

A drawer claims three cards drawn, of which those discarded (one, or two with Gun to the Head) and
those passed on; a current player what they received, and which of it they discarded. Any part can be
left out.
"""

from __future__ import annotations

from typing import Any

from capolinea.engine import Line, Refused, Rng
from capolinea.games.stop_the_train.rules.turn import DRAWN
from capolinea.games.stop_the_train.views import TrainView

DRAWERS = ("drew", "discarded", "passed")
CURRENTS = ("received", "discarded")


def line(view: TrainView, seat: int, said: Any) -> Line:
    """The line that a saying makes, or Refused."""
    if not isinstance(said, dict) or len(said) != 1:
        raise Refused("refused.saying", "ST-4.7")
    if not _on_board(view, seat):
        raise Refused("refused.left", "ST-5.6")
    if view.step == "over":
        raise Refused("refused.over", "ST-4.5")
    kind, content = next(iter(said.items()))
    if kind == "claim" and isinstance(content, dict):
        return _claim(view, seat, content)
    if kind == "accuse":
        return _accuse(view, seat, content)
    raise Refused("refused.saying", "ST-4.7")


def _accuse(view: TrainView, seat: int, other: Any) -> Line:
    if type(other) is not int or not 0 <= other < len(view.players) or other == seat:
        raise Refused("refused.saying", "ST-4.7")
    if view.step == "keep":
        raise Refused("refused.accuse-now", "ST-4.7")
    if not _on_board(view, other):
        raise Refused("refused.accuse", "ST-5.6")
    return Line("saying.accuse", {"seat": seat, "other": other})


def _on_board(view: TrainView, seat: int) -> bool:
    return view.players[seat].status in ("aboard", "hanging")


def _claim(view: TrainView, seat: int, content: dict[str, Any]) -> Line:
    number = content.get("turn")
    if type(number) is not int or not 1 <= number <= len(view.turns):
        raise Refused("refused.claim-turn", "ST-4.7")
    turn = view.turns[number - 1]
    # Once more, if control was seized.
    to_play = number == len(view.turns) and "play" in view.beneath
    if not turn.effect or to_play:
        raise Refused("refused.claim-early", "ST-4.7")
    parts = {name: cards for name, cards in content.items() if name != "turn"}
    allowed = [
        *(DRAWERS if seat == turn.drawer else ()),
        *(CURRENTS if seat == turn.current else ()),
    ]
    if not allowed:
        raise Refused("refused.claim-who", "ST-4.7", turn=number)
    if not parts or not set(parts) <= set(allowed):
        raise Refused("refused.saying", "ST-4.7")
    kept = DRAWN - (2 if turn.gun else 1)
    discarded = DRAWN - kept if seat == turn.drawer else kept - 1
    sizes = {"drew": DRAWN, "discarded": discarded, "passed": kept, "received": kept}
    for name, cards in parts.items():
        _check_cards(view, cards, sizes[name])
    _check_whole(view, parts, seat == turn.drawer)
    return _line(seat, number, parts)


def _check_cards(view: TrainView, cards: Any, size: int) -> None:
    """So many cards as there must have been, and no more of a kind than the deck has."""
    if not isinstance(cards, list) or len(cards) != size:
        raise Refused("refused.claim-cards", "ST-4.7", count=size)
    for card in cards:
        if not isinstance(card, str) or cards.count(card) > view.table.effects.get(card, 0):
            raise Refused("refused.claim-cards", "ST-4.7", count=size)


def _check_whole(view: TrainView, parts: dict[str, list[str]], drawer: bool) -> None:
    """A claim may be false, but not contradict itself."""
    # A lone player passes to themselves.
    passed = parts.get("passed") or parts.get("received") or []
    fits = sorted(passed) == sorted(parts.get("received") or passed)
    discarded = parts.get("discarded", [])
    rest = discarded + passed if drawer else discarded
    whole = parts.get("drew") if drawer else parts.get("received")
    if whole is not None:
        fits = fits and all(rest.count(card) <= whole.count(card) for card in rest)
    if not fits or any(rest.count(card) > view.table.effects[card] for card in rest):
        raise Refused("refused.claim-whole", "ST-4.7")


def _line(seat: int, turn: int, parts: dict[str, list[str]]) -> Line:
    """Of what was drawn, discarded and passed, any two tell the third."""
    args: dict[str, Any] = {name: sorted(cards) for name, cards in parts.items()}
    if "received" in args and ("drew" in args or "passed" in args):
        args["passed"] = args.pop("received")
    for key, names in _LINES.items():
        if all(name in args for name in names):
            return Line(key, {"seat": seat, "turn": turn, **{name: args[name] for name in names}})
    raise AssertionError(parts)


#: Which line says what; the first one that fits is taken.
_LINES = {
    "saying.drew-discarded": ("drew", "discarded"),
    "saying.drew-passed": ("drew", "passed"),
    "saying.discarded-passed": ("discarded", "passed"),
    "saying.received-discarded": ("received", "discarded"),
    "saying.drew": ("drew",),
    "saying.discarded": ("discarded",),
    "saying.passed": ("passed",),
    "saying.received": ("received",),
}


def babble(view: TrainView, rng: Rng) -> Any | None:
    """Something that might be said now, for tests."""
    me = view.viewer
    if me is None or view.step in ("over", "keep") or not _on_board(view, me):
        return None
    done = [n for n, turn in enumerate(view.turns) if turn.effect and n < len(view.turns) - 1]
    own = [n for n in done if me in (view.turns[n].drawer, view.turns[n].current)]
    if own and rng.below(2):
        turn = view.turns[own[-1]]
        many = 1 if turn.gun else 2
        cards = ["accelerate", "speed-up"][:many]
        if turn.drawer == me:
            return {"claim": {"turn": own[-1] + 1, "passed": cards}}
        return {"claim": {"turn": own[-1] + 1, "received": cards}}
    there = [s for s in range(len(view.players)) if _on_board(view, s) and s != me]
    return {"accuse": there[rng.below(len(there))]} if there else None
