"""Night Mail: the table read aloud, from a view alone."""

from __future__ import annotations

from capolinea.engine import Line
from capolinea.games.night_mail.views import NightMailView, Own


def read(view: NightMailView) -> list[Line]:
    lines = []
    if view.branch:
        where = {"station": view.station, "branch": view.branch, "left": view.stations_left}
        lines.append(Line("read.train.branch", where))
    else:
        lines.append(Line("read.train", {"station": view.station, "left": view.stations_left}))
    lines.append(Line("read.deck", {"count": view.deck}))
    for seat, player in enumerate(view.players):
        args = {"seat": seat, "points": player.points, "bag": player.bag, "hand": player.hand}
        lines.append(Line("read.player", args))
    if view.offer is not None:
        offer = {"seat": view.current, "mail": view.offer.mail, "signer": view.offer.signer}
        lines.append(Line("read.offer", offer))
    if view.own is not None:
        lines += _own(view.own)
    return lines


def _own(own: Own) -> list[Line]:
    lines = [
        Line("read.employer", {"branch": own.employer}),
        Line("read.hand", {"cards": own.hand}),
        Line("read.bag", {"cards": own.bag}),
    ]
    for peek in own.peeks:
        lines.append(Line("read.peek", {"seat": peek.seat, "cards": peek.bag}))
    if own.vote:
        lines.append(Line("read.vote", {"branch": own.vote}))
    return lines
