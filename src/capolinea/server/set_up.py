"""What a room is to play, with which options and data of its own, and whether it can be begun."""

from __future__ import annotations

from typing import Any, NamedTuple

from capolinea import bots, games
from capolinea.engine.game import Game
from capolinea.engine.options import Options, convert, plain
from capolinea.engine.problems import Problem
from capolinea.server.documents import Beside
from capolinea.server.protocol import OwnData


class Chosen(NamedTuple):
    """What a room is set up with, plain, so that another process can look at it."""

    title: str
    preset: str
    options: dict[str, Any]
    #: The content of data that is not built in.
    data: dict[str, Any]
    #: How many would play; 0: nobody would yet.
    seats: int


class SetUp(NamedTuple):
    """What comes of it, the same for all who look at the room."""

    preset: str
    options: dict[str, Any]
    data: dict[str, OwnData]
    #: Why so many cannot begin with that, if they cannot.
    hindrance: Problem | None = None


def usual_bot(game: Game) -> str:
    """A title's own bot plays better than one for any title."""
    return next(iter(game.bots), "random")


def check_bot(game: Game, bot: str) -> None:
    known = bots.known(game)
    if bot not in known:
        raise Problem("bot.unknown", name=bot, known=", ".join(known))


def check_options(chosen: Chosen) -> None:
    """Raise a Problem if something is chosen that the title does not have."""
    game, options = games.load(chosen.title), options_of(chosen)
    check_kinds(game, chosen.data)
    for kind in _kinds(game):
        if kind not in chosen.data:  # of that every fault was named when it came
            game.content(kind, options)


def options_of(chosen: Chosen) -> Options:
    """The options as they were chosen; raises a Problem if the title does not have them."""
    game = games.load(chosen.title)
    own = {**plain(game.preset(chosen.preset)), **chosen.options}
    return convert(game.options, {**own, "data": chosen.data})


def fitting(chosen: Chosen) -> Chosen:
    """As much of it as the title has today: another version of the server may have had other presets,
    options and data. That is no reason to keep people out."""
    game = games.load(chosen.title)
    data = {kind: own for kind, own in chosen.data.items() if kind in _kinds(game)}
    options = {
        name: value for name, value in chosen.options.items() if _has(game, name, value, data)
    }
    preset = chosen.preset if chosen.preset in game.presets else "standard"
    return chosen._replace(preset=preset, options=options, data=data)


def _has(game: Game, option: str, value: Any, data: dict[str, Any]) -> bool:
    """Whether the title has such an option, and this for it."""
    try:
        options = convert(game.options, {option: value})
        if option in _kinds(game) and option not in data:
            game.content(option, options)
    except Problem:
        return False
    return True


def check_kinds(game: Game, data: dict[str, Any]) -> None:
    """Whether the title has such data."""
    kinds = _kinds(game)
    for kind in data:
        if kind not in kinds:
            raise Problem("bad-option.unknown", name=kind, known=", ".join(kinds) or "–")


def _kinds(game: Game) -> list[str]:
    return [field.name for field in game.fields() if field.kind == "data"]


def beside(data: dict[str, Any]) -> dict[str, Beside]:
    return {kind: Beside.of(content) for kind, content in data.items()}


def set_up_of(title: str, preset: str, options: dict[str, Any], data: Any, seats: int) -> SetUp:
    """What comes of what was `Chosen`: also tries whether so many can begin with it, which takes a while
    with data of somebody's own."""
    chosen, game = Chosen(title, preset, options, data, seats), games.load(title)
    fit = fitting(chosen)
    full = options_of(fit)
    about = {
        kind: OwnData(str(fit.options.get(kind, kind)), game.data_about(kind, content))
        for kind, content in fit.data.items()
    }
    hindrance = None
    try:
        check_options(chosen)
        if seats:
            game.new(seats, full, bytes(32))
    except Problem as problem:
        hindrance = problem.again()
    return SetUp(fit.preset, plain(full), about, hindrance)
