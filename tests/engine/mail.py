"""Night Mail with known cards, and random play of any title through `Match`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from capolinea.engine import Deal, Game, Match, Options, Rng, Viewer
from capolinea.engine.playout import Rota
from capolinea.engine.record import Move, Undo
from capolinea.games.night_mail.title import GAME, NightMailOptions

NAMES = ["Ada", "Bruno", "Carla"]
VIEWERS: list[Viewer] = [None, 0, 1, 2]

number = GAME.space.number
PASS, DEPART, KEEP = number("pass"), number("depart"), number("keep")
BANDIT, GUARD = number("bandit"), number("guard")
LOAD_POSTCARD, LOAD_LETTER = number("load", mail="postcard"), number("load", mail="letter")
DELIVER_POSTCARD = number("deliver", mail="postcard")
DELIVER_LETTER = number("deliver", mail="letter")
NORTH, SOUTH = number("vote", branch="north"), number("vote", branch="south")


def sign(seat: int) -> int:
    return number("sign", seat=seat)


def telegram(seat: int) -> int:
    return number("telegram", seat=seat)


#: What is drawn: Ada holds mail, Bruno a Bandit and a Telegram, Carla a Guard.
DRAWN = [0, 1, 10, 25, 37, 11, 31, 19, 2]


def deal() -> Deal:
    """Ada begins; the first throw is a 2, the second a 6, which takes the train to the junction."""
    return {"deck": [list(DRAWN)], "start": [0], "die": [1, 5]}


def mail(viewers: Iterable[Viewer] = VIEWERS) -> Match:
    """A table of three at the start of a short line, everybody watched."""
    return Match(GAME, NAMES, GAME.preset("short"), deal=deal(), viewers=viewers)


OWN_LINE = {
    "trunk": ["Molo", "Bivio"],
    "north": ["Nord", "Colle"],
    "south": ["Sud", "Saline"],
}


def own_line() -> Options:
    return NightMailOptions(hand=2, data={"line": OWN_LINE})


def choose(match: Match, seat: int, rng: Rng) -> list[int]:
    """All steps of something that this seat may do."""
    steps: list[int] = []
    legal = match.legal(seat)
    while legal:
        steps.append(legal[rng.below(len(legal))])
        legal = match.legal(seat, steps)
    return steps


def play(match: Match, rng: Rng, entries: int = 10_000, chatter: bool = False) -> Match:
    """Play on at random, with undo, sayings and changes of control if there is to be chatter."""
    rota = Rota()
    while len(match.entries) < entries:
        seat = rota.next(match.state, rng)
        if seat < 0:
            break
        if rota.may_decline and rng.below(2):
            continue
        match.move(seat, choose(match, seat, rng))
        if chatter:
            _chatter(match, rng)
    return match


def _chatter(match: Match, rng: Rng) -> None:
    seat = rng.below(len(match.names))
    said = match.game.babble(match.view(seat), rng)
    match rng.below(12):
        case 0 if match.undoable(seat):
            match.undo(seat)
        case 1 if match.result() is None and _has_moved(match, seat):
            match.undo(seat, agreed=True)
        case 2 if said is not None:
            match.say(seat, said)
        case 3:
            match.control(seat, ("person", "bot", "clock")[rng.below(3)])


def _has_moved(match: Match, seat: int) -> bool:
    """Whether a move of this seat stands."""
    undone = [entry.to for entry in match.entries if isinstance(entry, Undo)]
    return any(
        isinstance(entry, Move) and entry.seat == seat and number < min(undone, default=999)
        for number, entry in enumerate(match.entries)
    )


def random_match(
    number: int, game: Game = GAME, viewers: Sequence[Viewer] = (), **options: Any
) -> Match:
    """A whole match with everything in it; the number decides all of it."""
    rng = Rng(number.to_bytes(8, "big"))
    seats = game.seats[rng.below(len(game.seats))]
    names = [f"Spieler {seat + 1}" for seat in range(seats)]
    match = Match(
        game, names, game.options(**options), seed=rng.bytes(32), viewers=viewers[: seats + 1]
    )
    return play(match, rng, chatter=True)
