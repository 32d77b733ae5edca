"""Stop the Train!: the table read aloud, every fact of the view as a line."""

from __future__ import annotations

from capolinea.engine import Line
from capolinea.games.stop_the_train.views import TrainView


def read(view: TrainView) -> list[Line]:
    lines = [
        Line("read.turn", {"turn": view.turn, "left": view.deck // 3}),
        Line("read.speed", {"speed": view.speed, "least": view.slowest, "most": view.fastest}),
        _where(view),
        Line("read.permits", {"count": view.organiser}),
        Line("read.record.broken" if view.records else "read.record.unbroken"),
    ]
    if view.table.freight:
        on_line = view.freight >= 0
        lines.append(
            Line("read.freight", {"at": view.freight}) if on_line else Line("read.no-freight")
        )
    if view.turns and view.turns[-1].effect:
        turn = view.turns[-1]
        lines.append(Line("read.played", {"seat": turn.current, "effect": turn.effect}))
    lines += _players(view)
    for card in view.waiting_cards:
        lines.append(Line("read.on-table", {"seat": card.seat, "card": card.card}))
    lines += _vote(view)
    if view.meeting is not None:
        lines += [Line("read.falling", {"seat": seat}) for seat in view.meeting.falling]
    lines += _own(view)
    for seat, role in enumerate(view.characters):
        lines.append(Line("read.character", {"seat": seat, "role": role}))
    return lines


def _where(view: TrainView) -> Line:
    """How far to the signal box, or to Paris."""
    spaces = {section.id: section.spaces for section in view.table.sections}
    if not view.route:
        return Line("read.before-box", {"at": view.at, "left": spaces["line"] - view.at})
    left = spaces["line"] + spaces[view.route] + spaces["paris"] - view.at
    return Line("read.on-route", {"at": view.at, "route": view.route, "left": left})


def _players(view: TrainView) -> list[Line]:
    return [
        Line(
            "read.player",
            {
                "seat": seat,
                "status": player.status,
                "permits": player.permits,
                "cards": player.interventions,
            },
        )
        for seat, player in enumerate(view.players)
    ]


def _vote(view: TrainView) -> list[Line]:
    lines = []
    if view.vote.closed:
        lines.append(Line("read.closed", {"route": view.vote.closed}))
    if view.vote.decided and not view.route:
        lines.append(Line("read.decided", {"route": view.vote.decided}))
    return lines


def mission(view: TrainView, role: str) -> str:
    """What `role-text.…` tells of a character at this table: options change some (ST-6.1)."""
    if role == "mi6-agent" and view.table.strict_agent:
        return "mi6-agent.strict"
    if role == "rogue" and view.table.freight:
        return "rogue.freight"
    if role == "speedster" and view.table.two_hills:
        return "speedster.two-hills"
    return role


def _own(view: TrainView) -> list[Line]:
    own = view.own
    if own is None:
        return []
    lines = [
        Line("read.you", {"role": own.character}),
        Line("read.mission", {"role": mission(view, own.character)}),
    ]
    if own.cards:
        lines.append(Line("read.cards", {"cards": own.cards}))
    if own.effects:
        lines.append(Line("read.effects", {"cards": own.effects}))
    for seen in own.seen:
        if seen.look == "identity":
            lines.append(Line("read.identity", {"seat": seen.seat, "role": seen.roles[0]}))
        if seen.look == "passenger-list":
            lines.append(Line("read.list", {"roles": seen.roles}))
    return lines
