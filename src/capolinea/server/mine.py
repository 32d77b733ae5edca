"""What a seat keeps: notes, windows that it always passes, whom to call, for what it asked for time."""

from __future__ import annotations

from typing import Any

from capolinea.engine.game import Game
from capolinea.engine.problems import Problem, Refused
from capolinea.engine.text import clean
from capolinea.server import webhooks
from capolinea.server.documents import Document
from capolinea.server.protocol import Keep
from capolinea.server.settings import Settings


class Mine(Document):
    """What a seat keeps for itself, as it is stored."""

    notes: str = ""
    passes: list[str] = []
    webhook: str = ""
    #: The question for which it has asked for a moment more.
    moment: int = 0


def kept(message: Keep, game: Game, settings: Settings) -> dict[str, Any]:
    """What somebody wants to keep for their seat, if they may."""
    changes: dict[str, Any] = {}
    if message.notes is not None:
        notes = clean(message.notes, lines=True)
        if len(notes) > settings.notes_length:
            raise Refused("table.notes-too-long", most=settings.notes_length)
        changes["notes"] = notes
    if message.passes is not None:
        unknown = [name for name in message.passes if name not in game.windows]
        if unknown:
            raise Problem("table.no-window", name=unknown[0], known=", ".join(game.windows))
        changes["passes"] = message.passes
    if message.webhook is not None:
        if message.webhook:
            webhooks.check(message.webhook, settings.webhooks)
        changes["webhook"] = message.webhook
    return changes
