"""What a title is: how to set it up, what its actions, views and words are.

A title subclasses `Game` once and `State` once. `games/night_mail` is a small complete example, and
CONTRIBUTING.md walks through it.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from capolinea.engine.actions import Actions
from capolinea.engine.chance import Chance, Deal, QuickChance, deal_seed
from capolinea.engine.events import Told
from capolinea.engine.options import Field, Options, describe
from capolinea.engine.parameters import ItsOptions, ItsState, ItsView
from capolinea.engine.problems import NotWritten, Problem, Refused
from capolinea.engine.rng import Rng
from capolinea.engine.text import cleaned
from capolinea.engine.views import Line, View

if TYPE_CHECKING:
    from capolinea.engine.record import Record

T = TypeVar("T")

#: So many sets of data are kept loaded.
MOST_LOADED = 16


def lasting(times: dict[int, str]) -> dict[str, int]:
    """How long events are shown, written the other way round: milliseconds → what lasts so long."""
    return {f"event.{name}": time for time, names in times.items() for name in names.split()}


class Game(ABC, Generic[ItsState, ItsView, ItsOptions]):
    """One per title; holds no match. `Game` by itself is any title's."""

    #: How records and the command line call the title, e.g. "stop-the-train".
    id: ClassVar[str]
    #: The numbers of players that the rules allow.
    seats: ClassVar[range]
    #: Those of them that the box does not mention.
    unofficial: ClassVar[tuple[int, ...]] = ()
    #: About how long a match of people takes; 0: it does not say.
    minutes: ClassVar[int] = 0
    #: Which rules these are: raised when a match that was kept would fold differently.
    rules: ClassVar[str]
    #: Earlier rules that kept matches still need: version → "module:object" of the Game that has them.
    older: ClassVar[dict[str, str]] = {}
    #: All actions there are.
    space: ClassVar[Actions]
    #: The type of the views, with no room for a field that is not declared.
    view_type: ClassVar[type[View]]
    #: Every way in which a match can end.
    endings: ClassVar[tuple[str, ...]]
    #: No match has more moves than this.
    longest: ClassVar[int]
    #: The folder with the title's `words/` and `data/`.
    folder: ClassVar[Path]

    options: ClassVar[type[Options]] = Options
    #: Named settings of some options; "standard" is what the defaults say.
    presets: ClassVar[dict[str, dict[str, Any]]] = {"standard": {}}
    #: The parts that players may be dealt, if there are such.
    roles: ClassVar[tuple[str, ...]] = ()
    #: The names of the reaction windows.
    windows: ClassVar[tuple[str, ...]] = ()
    #: How long everybody is shown what happened, in milliseconds: event key → time; none for what is not
    #: listed.
    shows: ClassVar[dict[str, int]] = {}
    #: What people take in before the table goes on: event key → seconds that it waits for them at most.
    rests: ClassVar[dict[str, int]] = {}
    #: Further names that have words: namespace → ids. `{card:card}` in a text looks up `card.<id>`.
    names: ClassVar[dict[str, tuple[str, ...]]] = {}
    #: The title's own bots: name → "module:class".
    bots: ClassVar[dict[str, str]] = {}
    #: An example rather than a game to choose for an evening.
    example: ClassVar[bool] = False

    _fields: list[Field] | None = None
    _loaded: dict[tuple[str, str], Any] | None = None
    #: The table that was laid out last: for how many, with which options, and what lies there.
    _table: tuple[int, Options, Any] | None = None
    #: The table that was checked last.
    _checked_seats = 0
    _checked_options: Options | None = None

    # --- what a title writes ---------------------------------------------------------------------

    @abstractmethod
    def start(self, seats: int, options: ItsOptions, chance: Chance) -> ItsState:
        """Set up a match. Seats and options have been checked."""

    def imagine(self, view: ItsView, rng: Rng) -> ItsState:
        """A full state that whoever sees this view could be in."""
        raise NotWritten("fault.imagine.not-written")

    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        """Another deal and other hidden moves with the same history in this viewer's eyes.

        Write it from the rulebook, never with the help of `view` or `seen_by`: it is what those are
        tested against. `Match.dealt` gives a record's chance as a deal to start from.
        """
        raise NotWritten("fault.secrets.not-written")

    @abstractmethod
    def read(self, view: ItsView) -> list[Line]:
        """The table read aloud: every fact of the view as a line."""

    def check(self, seats: int, options: ItsOptions) -> None:
        """Raise Refused where options do not go together, or not with so many players."""

    def data_faults(self, kind: str, content: Any) -> list[Problem]:
        """Every fault of a set of data that somebody brought, each with its place."""
        return []

    def parse_data(self, kind: str, name: str, text: str) -> Any:
        """The content of a file that somebody brought; `name` is the file's, with its ending."""
        return read_json(name, text)

    def data_about(self, kind: str, content: Any) -> list[Line]:
        """What there is to say about a set of data that somebody brought: how many cards it has."""
        return []

    def texts(self, options: ItsOptions, lang: str) -> dict[str, Any]:
        """Words that come with the table's data rather than with the title: key → message."""
        return {}

    def describe(self, view: ItsView, action: int) -> Line:
        """An action as a menu has it; a title can say more when it looks at the view."""
        return self.space.line(action)

    def say(self, view: ItsView, seat: int, said: Any) -> Line:
        """The line that a saying of this seat makes, or Refused if it is not of the title's form or time.

        The view is a spectator's: neither a yes nor a no can tell what not everybody knows."""
        raise Refused("refused.nothing-to-say")

    def worded(self, view: ItsView, text: str) -> Any | None:
        """What this seat would say now with plain words, in the title's form; None: not the moment."""
        return None

    def showing(self, events: Sequence[Told]) -> int:
        """Milliseconds that everybody's page takes to show these. They are what a spectator is told: how
        long it takes can tell nobody more than that."""
        return sum(self.shows.get(event.key, 0) for event in events)

    def wordless(self, said: Any) -> Any:
        """A saying without the free text in it, for who hands on a record without that."""
        return said

    def babble(self, view: ItsView, rng: Rng) -> Any | None:
        """Something that this seat might say now, for tests; None for nothing."""
        return None

    def older_keys(self, state: ItsState) -> list[bytes]:
        """How `key()` has written this state at other times, if it was ever changed: matches that were
        kept then are known by it."""
        return []

    # --- what every title has --------------------------------------------------------------------

    def under(self, rules: str) -> Game | None:
        """The title as it was under these rules, if that is kept beside today's."""
        if rules not in self.older:
            return None
        game = resolve_name(self.older[rules])
        assert isinstance(game, Game)
        return game

    def new(
        self, seats: int, options: ItsOptions, seed: bytes, deal: Deal | None = None
    ) -> ItsState:
        """A new match, from a seed or from an explicit deal (then the seed does not count)."""
        chance = Chance(seed) if deal is None else Chance(deal_seed(deal), deal)
        return self._begin(seats, options, chance)

    def quick(self, seats: int, options: ItsOptions, rng: Rng) -> ItsState:
        """A new match for playouts, faster to deal; it has no seed, so no record can be made of it."""
        return self._begin(seats, options, QuickChance(rng))

    def _begin(self, seats: int, options: ItsOptions, chance: Chance) -> ItsState:
        if self._checked_seats != seats or self._checked_options is not options:
            self._check(seats, options)
        return self.start(seats, options, chance)

    def _check(self, seats: int, options: ItsOptions) -> None:
        """All that can be wrong with a table; not looked at again for the same options."""
        if seats not in self.seats:
            raise Refused("refused.seats", seats=seats, least=self.seats[0], most=self.seats[-1])
        self.check(seats, options)
        for field in self.fields():
            if field.kind == "data":
                self.content(field.name, options)
        self._checked_seats, self._checked_options = seats, options

    def fields(self) -> list[Field]:
        """The options as a form needs them."""
        if self._fields is None:
            names = {kind: list(sets) for kind, sets in self.data().items()}
            self._fields = describe(self.options, names)
        return self._fields

    def preset(self, name: str) -> ItsOptions:
        if name not in self.presets:
            raise Problem("bad-option.preset", name=name, known=", ".join(self.presets))
        return cast(ItsOptions, self.options(**self.presets[name]))

    def data(self) -> dict[str, dict[str, Any]]:
        """The built-in data: kind → name → content, from `data/<kind>/<name>.json`."""
        return _built_in(self.folder / "data")

    def content(self, kind: str, options: ItsOptions) -> Any:
        """The data of this kind that a table plays with: its own, or a built-in set by name."""
        if kind in options.data:
            faults = self.data_faults(kind, options.data[kind])
            if faults:
                raise faulty(kind, faults)
            return options.data[kind]
        name = getattr(options, kind)
        sets = self.data().get(kind, {})
        if name not in sets:
            raise Problem("bad-option.value", name=kind, found=name, allowed=", ".join(sets))
        return sets[name]

    def loaded(self, kind: str, options: ItsOptions, load: Callable[[str, Any], T]) -> T:
        """What the rules make of a table's data, made once: a built-in set is known by its name, one
        that somebody brought by its hash, and that is loaded without a name."""
        own = kind in options.data
        known = kind, content_hash(options.data[kind]) if own else str(getattr(options, kind))
        if self._loaded is None:
            self._loaded = {}
        if known not in self._loaded:
            if len(self._loaded) == MOST_LOADED:
                self._loaded.clear()
            self._loaded[known] = load("" if own else known[1], self.content(kind, options))
        found: T = self._loaded[known]
        return found

    def laid_out(
        self, seats: int, options: ItsOptions, lay_out: Callable[[int, ItsOptions], T]
    ) -> T:
        """What a table has before anything is dealt, made once for the same options: most matches are
        like the one before. Play with a copy of it."""
        table = self._table
        if table is None or table[0] != seats or table[1] is not options:
            table = self._table = seats, options, lay_out(seats, options)
        found: T = table[2]
        return found


@cache
def _built_in(folder: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for file in sorted(folder.glob("*/*.json")):
        found.setdefault(file.parent.name, {})[file.stem] = json.loads(file.read_text("utf-8"))
    return found


#: So many faults of a file are named; whoever made more has enough to do with these.
MOST_FAULTS = 200


def faulty(what: str, faults: list[Problem]) -> Problem:
    """The problem that names the faults of a file, and how many there are in all."""
    return Problem("data.faults", kind=what, count=len(faults), faults=faults[:MOST_FAULTS])


#: No text of a set of data is longer.
LONGEST_TEXT = 500


def read_json(name: str, text: str) -> Any:
    """What a file has in it; a Problem says where it stops being JSON."""
    try:
        return cleaned(json.loads(text.removeprefix("\ufeff")), LONGEST_TEXT)
    except json.JSONDecodeError as error:
        at = {"line": error.lineno, "column": error.colno}
        raise Problem("data.json", file=name, **at) from error
    except (
        ValueError,
        RecursionError,
    ) as error:  # a number of a thousand digits, a thousand brackets
        raise Problem("data.unfit", file=name) from error


def content_hash(content: Any) -> str:
    """What a set of data is known by: the SHA-256 of its JSON in canonical form."""
    form = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(form.encode()).hexdigest()


def literal(written: dict[str, str], lang: str) -> str:
    """A text that came with data, in this language or the one there is, as a message that says just
    that: braces on somebody's card are no slots."""
    text = written.get(lang) or next(iter(written.values()))
    return text.replace("{", "{{").replace("}", "}}")
