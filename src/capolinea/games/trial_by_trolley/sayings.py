"""Trial by Trolley: what can be said at the table and kept in the record.

Pleas, that somebody has no more to plead (TT-2.6), what a Modifier points at (TT-2.5), and the
Conductor's reason. Each is free text or a line that every reader gets in their own language, about
cards that lie on the table:

    {"plea": "Spare us, we have cake!"}
    {"plea": {"line": "plea.save", "cards": ["mime"]}}
    {"rest": true}
    {"point": {"track": "north", "place": 1, "modifier": 0, "thing": 0}}
    {"reason": {"line": "verdict.lives", "cards": ["mime"]}}
"""

from __future__ import annotations

from typing import Any

from capolinea.engine import Line, Refused, Rng
from capolinea.games.trial_by_trolley.rules import TRACK_NAMES
from capolinea.games.trial_by_trolley.views import TrolleyView

LONGEST = 500
#: Lines about how many cards each.
PLEAS = {
    "plea.save": 1,
    "plea.think": 1,
    "plea.who-else": 1,
    "plea.them": 1,
    "plea.worse": 2,
    "plea.choose": 2,
    "plea.history": 1,
    "plea.honest": 2,
}
REASONS = {
    "verdict.lives": 1,
    "verdict.heart": 1,
    "verdict.harm": 1,
    "verdict.absurd": 1,
    "verdict.coin": 0,
}


def line(view: TrolleyView, seat: int, said: Any) -> Line:
    """The line that a saying makes, or Refused."""
    if not isinstance(said, dict) or len(said) != 1:
        raise Refused("refused.saying", "TT-2.6")
    kind, content = next(iter(said.items()))
    if kind == "plea":
        return _plea(view, seat, content)
    if kind == "rest" and content is True:
        _pleads(view, seat)
        return Line("saying.rest", {"seat": seat})
    if kind == "point":
        return _point(view, seat, content)
    if kind == "reason":
        return _reason(view, seat, content)
    raise Refused("refused.saying", "TT-2.6")


def _plea(view: TrolleyView, seat: int, content: Any) -> Line:
    _pleads(view, seat)
    cards = {place.card for team in view.teams for place in team.track}
    return _text_or_line(seat, content, "saying.plea", PLEAS, cards)


def _pleads(view: TrolleyView, seat: int) -> None:
    if view.phase != "plea":
        raise Refused("refused.plea-closed", "TT-2.6")
    if seat == view.conductor:
        raise Refused("refused.plea-conductor", "TT-2.6")


def _reason(view: TrolleyView, seat: int, content: Any) -> Line:
    """By who judged last, until the next verdict."""
    if not view.past or view.past[-1].conductor != seat:
        raise Refused("refused.reason", "TT-2.6")
    cards = {place.card for place in (*view.past[-1].north, *view.past[-1].south)}
    return _text_or_line(seat, content, "saying.reason", REASONS, cards)


def _text_or_line(
    seat: int, content: Any, text_key: str, lines: dict[str, int], cards: set[str]
) -> Line:
    if isinstance(content, str):
        if not 0 < len(content.strip()) <= LONGEST:
            raise Refused("refused.length", "TT-2.6", most=LONGEST)
        return Line(text_key, {"seat": seat, "text": content.strip()})
    named = content.get("cards") if isinstance(content, dict) else None
    key = content.get("line") if isinstance(content, dict) else None
    if not isinstance(key, str) or not isinstance(named, list) or len(named) != lines.get(key):
        raise Refused("refused.saying", "TT-2.6")
    if any(not isinstance(card, str) or card not in cards for card in named):
        raise Refused("refused.not-on-table", "TT-2.6")
    return Line(key, {"seat": seat, **dict(zip(("card", "other"), named, strict=False))})


def _point(view: TrolleyView, seat: int, content: Any) -> Line:
    """TT-2.5: the one who laid a Modifier says which person or thing it means."""
    fields = {"track", "place", "modifier", "thing"}
    if (
        not isinstance(content, dict)
        or set(content) != fields
        or content["track"] not in TRACK_NAMES
    ):
        raise Refused("refused.saying", "TT-2.5")
    track = view.teams[TRACK_NAMES.index(content["track"])].track
    place, number, thing = content["place"], content["modifier"], content["thing"]
    if type(place) is not int or not 0 <= place < len(track):
        raise Refused("refused.saying", "TT-2.5")
    card, laid = track[place].card, track[place].modifiers
    if type(number) is not int or not 0 <= number < len(laid):
        raise Refused("refused.saying", "TT-2.5")
    if laid[number].by != seat:
        raise Refused("refused.point", "TT-2.5")
    args = {"seat": seat, "modifier": laid[number].card, "card": card}
    if isinstance(thing, str) and 0 < len(thing.strip()) <= 80:
        return Line("saying.point", {**args, "thing": thing.strip()})
    if type(thing) is int and 0 <= thing < view.things.get(card, 0):
        return Line("saying.point.thing", {**args, "thing": f"{card}.{thing}"})
    raise Refused("refused.saying", "TT-2.5")


def worded(view: TrolleyView, text: str) -> Any | None:
    """Plain words are a plea while the pleas are open, and a reason right after one's verdict."""
    if view.phase == "plea" and view.own is not None:
        return {"plea": text}
    if view.phase == "innocent" and view.past and view.past[-1].conductor == view.viewer:
        return {"reason": text}
    return None


def wordless(said: Any) -> Any:
    """A saying with dots for what somebody typed."""
    [(kind, content)] = said.items()
    if isinstance(content, str):
        return {kind: "…"}
    if kind == "point" and isinstance(content["thing"], str):
        return {kind: {**content, "thing": "…"}}
    return said


def babble(view: TrolleyView, rng: Rng) -> Any | None:
    """Something that might be said now, for tests."""
    if view.viewer is None:
        return None
    if view.phase == "plea" and view.viewer != view.conductor:
        cards = [place.card for team in view.teams for place in team.track]
        key = list(PLEAS)[rng.below(len(PLEAS))]
        named = [cards[rng.below(len(cards))] for _ in range(PLEAS[key])]
        return {"plea": {"line": key, "cards": named}} if rng.below(3) else {"plea": "Mercy!"}
    if view.past and view.past[-1].conductor == view.viewer:
        return {"reason": {"line": "verdict.coin", "cards": []}}
    for side, team in zip(TRACK_NAMES, view.teams, strict=True):
        for place, shown in enumerate(team.track):
            for number, laid in enumerate(shown.modifiers):
                if laid.by == view.viewer:
                    point = {"track": side, "place": place, "modifier": number, "thing": "her"}
                    return {"point": point}
    return None
