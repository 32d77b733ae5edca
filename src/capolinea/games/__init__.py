"""The titles. A new one of ours is a folder here and a line in OWN; anybody else's is a package of their
own with an entry point `capolinea.titles`."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points
from pkgutil import resolve_name

from capolinea.engine.game import Game
from capolinea.engine.problems import Problem
from capolinea.words import languages
from capolinea.words.catalogue import load as read_catalogue

#: Title → where its Game is; loaded only when asked for.
OWN = {
    "stop-the-train": "capolinea.games.stop_the_train.title:GAME",
    "tachite-al-tram": "capolinea.games.tachite_al_tram.title:GAME",
    "trial-by-trolley": "capolinea.games.trial_by_trolley.title:GAME",
    "night-mail": "capolinea.games.night_mail.title:GAME",
}
#: With those that other packages bring.
TITLES = {point.name: point.value for point in entry_points(group="capolinea.titles")} | OWN


def check_known(title: str) -> str:
    """Raise a Problem if this is not in the list. `module:object` is for those who start the program."""
    if title not in TITLES:
        raise Problem("title.unknown", name=title, known=", ".join(TITLES))
    return title


def load_all() -> dict[str, Exception]:
    """Load every title. What cannot be loaded is not there, and this is why: it may be anybody's."""
    failed = {}
    for name in list(TITLES):
        try:
            check_words(load(name))
        except Exception as error:
            failed[name] = error
            del TITLES[name]
    return failed


def load(name: str) -> Game:
    """A title by its id, or anybody's by `module:object`."""
    if name in TITLES:
        game = _load(TITLES[name])
        if game.id != name:  # its matches would be kept under a name that nobody finds
            raise Problem("title.other-id", name=name, id=game.id)
        return game
    if ":" in name:
        return _load(name)
    near = get_close_matches(name, TITLES, 1)
    if near:
        raise Problem("title.unknown.near", name=name, near=near[0])
    raise Problem("title.unknown", name=name, known=", ".join(TITLES))


@cache  # a class, too, is one title: what it has laid out and loaded it keeps
def _load(where: str) -> Game:
    try:
        found = resolve_name(where)
    except (ImportError, AttributeError, ValueError) as error:
        raise Problem("title.import", where=where, detail=str(error)) from error
    if isinstance(found, type) and issubclass(found, Game):
        found = found()
    if not isinstance(found, Game):
        raise Problem("title.not-a-game", where=where)
    return found


def check_words(game: Game) -> None:
    """Raise DamagedCatalogue if the words of a title cannot be read. It need not have any."""
    folder = game.folder / "words"
    for lang in languages(folder):
        read_catalogue(folder / f"{lang}.json")


def declared_keys(game: Game) -> set[str]:
    """The words that a title needs for what it declares: options, actions, names, endings."""
    keys = {"title.name", "title.blurb"}
    for field in game.fields():
        keys |= {f"option.{field.name}", f"option.{field.name}.help"}
        if field.kind in ("choice", "choices", "data"):
            keys |= {f"option.{field.name}.{choice}" for choice in field.choices}
    keys |= {f"preset.{name}" for name in game.presets}
    keys |= {f"action.{do}" for do in game.space.families}
    keys |= {f"ending.{name}" for name in game.endings}
    keys |= {f"role.{name}" for name in game.roles}
    keys |= {f"window.{name}" for name in game.windows}
    keys |= {f"{namespace}.{name}" for namespace, names in game.names.items() for name in names}
    return keys
