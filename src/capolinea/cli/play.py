"""`capolinea play`: a match against bots in the terminal, for any title.

It knows what a browser would know: the frames of one seat, and what this seat may do.
"""

from __future__ import annotations

import secrets
from argparse import Namespace
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from textwrap import fill

from capolinea import bots, games
from capolinea.bots.match import BotMatch
from capolinea.cli.files import write
from capolinea.cli.screen import Screen, typed
from capolinea.cli.seat import Left, Seat
from capolinea.cli.settings import chosen
from capolinea.cli.titles import described, span
from capolinea.cli.voice import Voice
from capolinea.engine.chance import seed_hash
from capolinea.engine.game import Game
from capolinea.engine.match import Match
from capolinea.engine.problems import Problem
from capolinea.engine.record import dumps

USUAL_PLAYERS = 3


def run(asked: Namespace, voice: Voice) -> int:
    try:
        seat = _sit_down(asked, voice, Screen())
        return _play(seat, asked.save)
    except EOFError:
        code = 0
    except KeyboardInterrupt:
        code = 130
    print()
    print(voice("play.bye"))
    return code


def _play(seat: Seat, save: str | None) -> int:
    try:
        seat.play()
        _offer(seat, save)
    except Left:
        _offer(seat, save)
    except (EOFError, KeyboardInterrupt):
        # Nobody is there to be asked any more; what was asked for at the start is done.
        if save:
            _save(seat, save)
        raise
    print(seat.voice("play.bye"))
    return 0


def _offer(seat: Seat, save: str | None) -> None:
    """Keep the match in a file, if that is wanted."""
    name = save or seat.read(seat.voice("play.save"))
    while name and not _save(seat, name):
        name = seat.read(seat.voice("play.save"))


def _save(seat: Seat, name: str) -> bool:
    # With its seed, over or not: the match was this person's alone, and should be one to replay.
    record = seat.match.record(reveal=True)
    try:
        write(name, dumps(record))
    except Problem as problem:
        print(seat.voice.problem(problem))
        return False
    print(seat.voice("play.saved", file=name))
    return True


# --- sitting down ------------------------------------------------------------------------------


def _sit_down(asked: Namespace, voice: Voice, screen: Screen) -> Seat:
    guided = asked.title is None
    game = games.load(_choose_title(voice, screen) if guided else asked.title)
    voice.adopt(game)
    options = chosen(game, asked.option, asked.preset)
    players = asked.players or (_ask_players(game, voice) if guided else _usual(game))
    name = asked.name or (_ask(voice("play.your-name"), voice("play.guest")) if guided else "")
    seat = (asked.seat or 1) - 1
    if seat >= players:
        raise Problem("cli.no-seat", seat=seat + 1, seats=players)
    names = _names(voice, name or voice("play.guest"), seat, players)
    deal, thoughts = _seeds(asked.seed)
    match = Match(game, names, options, seed=deal, viewers=[seat])
    voice.adopt(game, names, match.options)
    print()
    print(screen.heading(voice.title))
    print(screen.dim(voice("play.seal", hash=seed_hash(deal))))
    # A title's own bot plays better than one for any title.
    wanted = asked.bots or [next(iter(game.bots), "random")]
    others = [wanted[number % len(wanted)] for number in range(players - 1)]
    others.insert(seat, "")
    table = BotMatch(match, [bots.load(name, game) if name else None for name in others], thoughts)
    return Seat(table, seat, voice, screen)


def _choose_title(voice: Voice, screen: Screen) -> str:
    titles = described(voice)
    print(screen.heading(voice("play.titles")))
    for number, title in enumerate(titles, 1):
        name = voice("play.title", name=title["name"], players=span(title["players"]))
        print(f"{number:3}  {screen.strong(name)}")
        print(fill(title["blurb"], 76, initial_indent="     ", subsequent_indent="     "))
    while True:
        answer = _ask(voice("play.which"), "1")
        if answer.isdecimal() and 1 <= int(answer) <= len(titles):
            return str(titles[int(answer) - 1]["id"])
        if answer in games.TITLES:
            return answer
        if answer == "q":
            raise EOFError
        print(voice("play.no-such", found=answer, most=len(titles)))


def _ask_players(game: Game, voice: Voice) -> int:
    while True:
        players = span(list(game.seats))
        answer = _ask(voice("play.how-many", players=players), str(_usual(game)))
        if answer.isdecimal() and int(answer) in game.seats:
            return int(answer)
        print(voice("play.not-so-many", found=answer, players=players))


def _ask(question: str, otherwise: str) -> str:
    return typed(f"{question} [{otherwise}] ") or otherwise


def _usual(game: Game) -> int:
    return min(max(USUAL_PLAYERS, game.seats[0]), game.seats[-1])


def _names(voice: Voice, own: str, seat: int, players: int) -> list[str]:
    """The person's name, and others for the bots."""
    others = (name for name in _bot_names(voice("play.names").split()) if name != own)
    return [own if number == seat else next(others) for number in range(players)]


def _bot_names(names: Sequence[str]) -> Iterator[str]:
    yield from names
    for number in count(2):
        yield from (f"{name} {number}" for name in names)


def _seeds(seed: int | None) -> tuple[bytes, bytes]:
    """For the deal and for the bots, which must know nothing of each other."""
    if seed is None:
        return secrets.token_bytes(32), secrets.token_bytes(32)
    deal, thoughts = (
        sha256(f"capolinea play {seed} {what}".encode()).digest() for what in ("deal", "bots")
    )
    return deal, thoughts
