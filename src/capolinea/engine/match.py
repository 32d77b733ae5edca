"""A match: entries folded through the rules, and what each viewer receives of it.

Server, bots, replay and tests all use this. It keeps the record, the state that the record folds to,
and for every viewer who is watched a stream of frames with a counter of its own: an entry of which
this viewer learns nothing leaves no trace in their stream, not even a gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from capolinea.engine.chance import Chance, Deal, deal_seed, seed_hash
from capolinea.engine.events import Event, Told
from capolinea.engine.game import Game, content_hash
from capolinea.engine.options import Options, convert, plain
from capolinea.engine.problems import Problem, Refused
from capolinea.engine.record import (
    FORMAT,
    VERSION,
    Control,
    DataUsed,
    Entry,
    Move,
    Record,
    RecordProblem,
    Say,
    Undo,
    check_of,
    compare,
)
from capolinea.engine.result import Result
from capolinea.engine.state import State
from capolinea.engine.text import cleaned
from capolinea.engine.views import Line, Preview, View

_CONTROL = {
    "person": "log.control.person",
    "bot": "log.control.bot",
    "clock": "log.control.clock",
}

#: A seat's number, or None for a spectator.
Viewer = int | None

#: Choices by their first step: action → the choices that may follow, {} when it is whole.
Tree = dict[int, "Tree"]


class Awaited(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the game waits for: these seats or, in a reaction window, the window and no names."""

    seats: list[int] = []
    window: str = ""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat can do. The id changes only when what this seat is asked changes."""

    id: int
    #: The game waits for this seat.
    must: bool
    #: The first steps of all that it may do.
    legal: list[int]
    #: How many of its own last moves it may take back freely.
    undo: int


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that was said, and the line that it makes."""

    seat: int
    said: Any
    line: Line


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a viewer receives at one step of their own stream."""

    n: int
    events: list[Told]
    view: Any
    awaited: Awaited
    said: list[Said]
    players: list[str]
    question: Question | None


class _Live(msgspec.Struct, frozen=True):
    """A move that stands: its entry, seat and steps, and whether it is a barrier."""

    entry: int
    seat: int
    steps: tuple[int, ...]
    barrier: bool


class Match:
    """One match of a title."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        options: Options | None = None,
        *,
        seed: bytes = b"",
        deal: Deal | None = None,
        viewers: Iterable[Viewer] = (),
        brief: bool = False,
    ) -> None:
        self.game = game
        self.names = list(names)
        self.options = options if options is not None else game.options()
        self.seed = deal_seed(deal) if deal is not None else seed
        self.deal = deal
        self.state: State = game.new(len(self.names), self.options, self.seed, deal)
        self.entries: list[Entry] = []
        #: What the state was known by after each entry.
        self.checks: list[str] = []
        #: The record that it was read from, which says how it is written again.
        self._read: Record | None = None
        self.said: list[Said] = []
        self.players = ["person"] * len(self.names)
        self._live: list[_Live] = []
        #: The states before the last moves, as far back as these may be taken back freely.
        self._before: list[State] = []
        #: Only the newest frame of each stream is kept, for whoever tells each frame as it comes.
        self._brief = brief
        self._streams: dict[Viewer, list[Frame]] = {viewer: [] for viewer in viewers}
        self._tell(self.state.opening())

    # --- entries -----------------------------------------------------------------------------------

    def move(self, seat: int, steps: Sequence[int], at: int | None = None) -> list[Event]:
        """One step or all steps of a compound choice: wholly done, or Refused and nothing changed."""
        state, events = self._after(seat, steps)
        if state.midway() >= 0:
            raise Refused("refused.unfinished")
        entry, window = len(self.entries), self.state.window()
        if state.barrier() or not self._live or self._live[-1].seat != seat:
            self._before = []
        if not state.barrier():
            self._before.append(self.state)
        self.state = state
        self._live.append(_Live(entry, seat, tuple(steps), state.barrier()))
        self._enter(Move(seat, [self.game.space.json(step) for step in steps], at))
        # A pass in a window that stays open is nobody else's business: only who passed sees it.
        passed = not events and window != "" and window == state.window()
        return self._tell(events, mover=seat, to=[seat] if passed else None)

    def undoable(self, seat: int) -> int:
        """How many of its own last moves this seat may take back freely."""
        count = 0
        for live in reversed(self._live):
            if live.seat != seat or live.barrier:
                break
            count += 1
        return count

    def last_move(self, seat: int) -> int | None:
        """The entry of this seat's last move that stands, if there is one."""
        own = [live.entry for live in self._live if live.seat == seat]
        return own[-1] if own else None

    def length(self) -> int:
        """How many actions stand, each step of a compound choice being one."""
        return sum(len(live.steps) for live in self._live)

    def undo(
        self, seat: int, to: int | None = None, agreed: bool = False, at: int | None = None
    ) -> list[Event]:
        """Take back the entry `to` and every move since; by default from the seat's own last move on.

        Beyond a barrier only if everybody `agreed`; never once the seed has been published.
        """
        self._check_seat(seat)
        if self.state.result() is not None:
            raise Refused("refused.undo-over")
        if to is None:
            to = self.last_move(seat)
        if to is None:
            raise Refused("refused.undo")
        kept = [live for live in self._live if live.entry < to]
        if to not in {live.entry for live in self._live}:
            raise Refused("refused.undo-what", entry=to)
        if len(self._live) - len(kept) > self.undoable(seat) and not agreed:
            raise Refused("refused.undo")
        undone = len(self._live) - len(kept)
        self._live = kept
        if undone <= len(self._before):
            self.state = self._before[-undone]
            del self._before[-undone:]
        else:
            self.state = self._fold_moves()
            self._before = []
        self._enter(Undo(seat, to, agreed, at))
        told = Event("log.undone.agreed" if agreed else "log.undone", {"seat": seat})
        return self._tell([told], mover=seat)

    def say(self, seat: int, said: Any, at: int | None = None) -> list[Event]:
        """Say something in the title's own form, or Refused."""
        self._check_seat(seat)
        try:
            # Ours, and JSON for certain.
            said = msgspec.json.decode(msgspec.json.encode(cleaned(said)))
        except (TypeError, RecursionError):
            raise Refused("refused.not-json") from None
        line = self.game.say(self.state.view(None), seat, said)
        self.said.append(Said(seat, said, line))
        self._enter(Say(seat, said, at))
        return self._tell([Event(line.key, dict(line.args))])

    def control(self, seat: int, by: str, name: str = "", at: int | None = None) -> list[Event]:
        """A person, a bot or the clock now plays this seat."""
        self._check_seat(seat)
        if by not in _CONTROL:
            raise Refused("refused.control", by=by)
        self.players[seat] = by
        self._enter(Control(seat, by, name, at))
        return self._tell([Event(_CONTROL[by], {"seat": seat})])

    # --- what can be asked of it -----------------------------------------------------------------

    def legal(self, seat: int, begun: Sequence[int] = ()) -> list[int]:
        """What this seat may do now or, having begun a compound choice, what may come next."""
        self._check_seat(seat)
        if not begun:
            return self.state.legal(seat)
        state, _ = self._after(seat, begun)
        return state.legal(seat) if state.midway() == seat else []

    def tree(self, seat: int) -> Tree:
        """All that this seat may do, step by step: action → what may come next, {} when it is whole."""
        return _tree(self.state, seat)

    def default(self, seat: int) -> list[int]:
        """What the clock plays for a seat that is waited for: all steps of a whole choice."""
        state = self.state.copy()
        steps = [state.default(seat)]
        state.play(seat, steps[0])
        while state.midway() == seat:
            steps.append(state.default(seat))
            state.play(seat, steps[-1])
        return steps

    def preview(self, seat: int, steps: Sequence[int]) -> Preview:
        """What these steps would do, as far as the seat can know, or Refused."""
        self._check_seat(seat)
        return self.state.preview(seat, steps)

    def view(self, viewer: Viewer) -> View:
        if viewer is not None:
            self._check_seat(viewer)
        return self.state.view(viewer)

    def awaited(self) -> Awaited:
        window = self.state.window()
        return Awaited(window=window) if window else Awaited(self.state.waiting())

    def result(self) -> Result | None:
        return self.state.result()

    def newest(self, viewer: Viewer) -> Frame:
        """The last frame of a viewer who is watched."""
        return self._streams[viewer][-1]

    def frames(self, viewer: Viewer, since: int = 0) -> list[Frame]:
        """What this viewer has received after frame number `since`: what a reconnecting one is sent."""
        if viewer not in self._streams:
            replayed = Match._folded(self.game, self.record(reveal=True), [viewer])
            self._streams[viewer] = replayed._streams[viewer]
        return self._streams[viewer][since:]

    # --- records -----------------------------------------------------------------------------------

    def record(self, reveal: bool = False) -> Record:
        """The match as a record. The seed is in it once the match is over, or if `reveal` says so."""
        result = self.state.result()
        seeded = self.deal is None
        # One that was read keeps what it says: the same bytes, whatever the title has got since.
        header = self._header() if self._read is None else self._read
        return msgspec.structs.replace(
            header,
            seed=self.seed.hex() if seeded and (reveal or result is not None) else "",
            entries=list(self.entries),
            checks=list(self.checks) if header.version > 1 else [],
            result=result,
        )

    def _header(self) -> Record:
        return Record(
            format=FORMAT,
            version=VERSION,
            title=self.game.id,
            rules=self.game.rules,
            data=self._data_used(),
            options=plain(self.options),
            seats=list(self.names),
            seed_hash=seed_hash(self.seed) if self.deal is None else "",
            deal=self.deal,
        )

    @classmethod
    def fold(cls, game: Game, record: Record, viewers: Iterable[Viewer] = ()) -> Match:
        """The match that a record is, by today's rules or, where these lead elsewhere, by those that it
        names; a RecordProblem names the first thing that does not fit."""
        try:
            return cls._folded(game, record, viewers)
        except Exception as error:  # rules that have changed may fall over what they once allowed
            older = game.under(record.rules)
            if older is not None:
                return cls._folded(older, record, viewers)
            if isinstance(error, RecordProblem) and record.rules != game.rules:
                found, known = record.rules, game.rules
                raise RecordProblem("record.rules", found=found, known=known, why=error) from error
            raise

    @classmethod
    def _folded(cls, game: Game, record: Record, viewers: Iterable[Viewer]) -> Match:
        match = cls.begin(game, record, viewers)
        for number, entry in enumerate(record.entries):
            match.follow(entry, number, _check(record, number))
        if record.result is not None:
            compare(record.result, match.result())
        return match

    @classmethod
    def reach(cls, game: Game, record: Record) -> tuple[Game, int]:
        """By which rules, today's or those that it names, a record folds farther, and how many of its
        entries. A RecordProblem if it cannot even begin."""
        reached = game, cls._reach(game, record)
        older = game.under(record.rules)
        if older is not None and reached[1] < len(record.entries):
            reached = max(reached, (older, cls._reach(older, record)), key=lambda one: one[1])
        if reached[1] < 0:
            cls.begin(game, record)  # and why
        return reached

    @classmethod
    def _reach(cls, game: Game, record: Record) -> int:
        """How many entries fold by the rules of this game; -1 if it does not begin."""
        number = -1
        try:
            match = cls.begin(game, record)
            for number, entry in enumerate(record.entries):
                match.follow(entry, number, _check(record, number))
        except Exception:  # as in `fold`
            return number
        return len(record.entries)

    @classmethod
    def dealt(cls, game: Game, record: Record) -> Deal:
        """All outcomes of chance in a record, written out: the record's seed as a deal."""
        match = cls.begin(game, record)
        chance = Chance(match.seed, match.deal)
        chance.drawn = {}
        match.state = game.start(len(match.names), match.options, chance)
        for number, entry in enumerate(record.entries):
            match.follow(entry, number)
        return chance.drawn

    def follow(
        self, entry: Entry, number: int | None = None, check: str | None = None
    ) -> list[Event]:
        """Add an entry as a record has it; a RecordProblem names the entry if it does not fit.

        With a check it must also lead to the state that it led to then; if not, the match is now of no
        use to anybody.
        """
        at_entry = len(self.entries) if number is None else number
        try:
            events = self._follow(entry)
        except Problem as problem:
            raise RecordProblem("record.entry", entry=at_entry, why=problem) from problem
        if check not in (None, self.checks[-1]) and check not in self._older_checks():
            raise RecordProblem("record.differs", entry=at_entry)
        return events

    def _follow(self, entry: Entry) -> list[Event]:
        match entry:
            case Move(seat=seat, do=do, at=at):
                return self.move(seat, [self.game.space.parse(step) for step in do], at)
            case Undo(seat=seat, to=to, agreed=agreed, at=at):
                return self.undo(seat, to, agreed, at)
            case Say(seat=seat, said=said, at=at):
                return self._say_again(seat, said, at)
            case Control(seat=seat, by=by, name=name, at=at):
                return self.control(seat, by, name, at)

    def _say_again(self, seat: int, said: Any, at: int | None) -> list[Event]:
        """What was accepted once stands for ever. Where today's title would not let it be said, its
        form is nobody's business any more: all learn only that there was something."""
        self._check_seat(seat)
        known = len(self.entries)
        try:
            return self.say(seat, said, at)
        except Exception:
            if len(self.entries) > known:
                raise  # it was said, and something else is wrong
            self._enter(Say(seat, said, at))
            return self._tell([Event("log.said", {"seat": seat})])

    def _older_checks(self) -> list[str]:
        return [check_of(key) for key in self.game.older_keys(self.state)]

    @classmethod
    def begin(
        cls, game: Game, record: Record, viewers: Iterable[Viewer] = (), brief: bool = False
    ) -> Match:
        """The match of a record before its first entry."""
        if record.title != game.id:
            raise RecordProblem("record.title", found=record.title, expected=game.id)
        options = _options(game, record)
        if record.deal is not None:
            if record.seed or record.seed_hash:
                raise RecordProblem("record.seed-and-deal")
            return cls._built(game, record, options, b"", viewers, brief)
        if not record.seed:
            raise RecordProblem("record.no-seed")
        try:
            seed = bytes.fromhex(record.seed)
        except ValueError:
            raise RecordProblem("record.field", where="seed", detail=record.seed) from None
        if record.seed_hash != seed_hash(seed):
            raise RecordProblem("record.seed-hash")
        return cls._built(game, record, options, seed, viewers, brief)

    @classmethod
    def _built(
        cls,
        game: Game,
        record: Record,
        options: Options,
        seed: bytes,
        viewers: Iterable[Viewer],
        brief: bool,
    ) -> Match:
        names, deal = record.seats, record.deal
        try:
            match = cls(game, names, options, seed=seed, deal=deal, viewers=viewers, brief=brief)
        except Problem as problem:
            raise RecordProblem("record.start", why=problem) from problem
        match._read = record
        return match

    # --- inside ------------------------------------------------------------------------------------

    def _enter(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.checks.append(check_of(self.state.key()))

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.names):
            raise Refused("refused.no-seat", found=seat)

    def _after(self, seat: int, steps: Sequence[int]) -> tuple[State, list[Event]]:
        """A copy of the state after these steps; the state itself stays as it is."""
        self._check_seat(seat)
        if not steps:
            raise Refused("refused.no-steps")
        state = self.state.copy()
        events: list[Event] = []
        for number, step in enumerate(steps):
            if not 0 <= step < self.game.space.size:
                raise Refused("refused.no-action", found=step)
            if number and state.midway() != seat:
                raise Refused("refused.too-many-steps")
            events += state.apply(seat, step)
        return state, events

    def _fold_moves(self) -> State:
        chance = self.state.chance
        state: State = self.game.start(len(self.names), self.options, chance)
        for live in self._live:
            for step in live.steps:
                state.play(live.seat, step)
        return state

    def _tell(
        self, events: list[Event], mover: Viewer = None, to: list[Viewer] | None = None
    ) -> list[Event]:
        """Give these viewers, or every one who is watched, their part; the events themselves are for
        who may know all."""
        viewers = [one for one in self._streams if to is None or one in to]
        if not viewers:
            return events
        awaited, said, players = self.awaited(), list(self.said), list(self.players)
        shared = [event.seen_by(None) if event.for_all else None for event in events]
        for viewer, view in zip(viewers, self.state.views(viewers), strict=True):
            frames = self._streams[viewer]
            told = _told(events, shared, viewer)
            last = frames[-1] if frames else None
            frame = Frame(
                n=last.n + 1 if last is not None else 1,
                events=told,
                view=view,
                awaited=awaited,
                said=said,
                players=players,
                question=self._question(viewer, last, mover, told),
            )
            if last is None or told or _differs(frame, last):
                if self._brief:
                    frames.clear()
                frames.append(frame)
        return events

    def _question(
        self, viewer: Viewer, last: Frame | None, mover: Viewer, told: list[Told]
    ) -> Question | None:
        if viewer is None:
            return None
        must = viewer in self.state.waiting()
        legal = self.state.legal(viewer)
        undo = self.undoable(viewer)
        before = last.question if last is not None else None
        if before is None or last is None:
            return Question(1, must, legal, undo)
        # Its own move, another window and news in a window make it another question too, even if the
        # choices are alike: an answer that was meant for the one must not count for the other.
        window = self.state.window()
        news = window != "" and mover is not None and bool(told)
        changed = (must, legal) != (before.must, before.legal) or (
            mover == viewer or window != last.awaited.window or news
        )
        return Question(before.id + 1 if changed else before.id, must, legal, undo)

    def _data_used(self) -> dict[str, DataUsed]:
        used = {}
        for field in self.game.fields():
            if field.kind == "data":
                content = self.game.content(field.name, self.options)
                carried = content if field.name in self.options.data else None
                name = getattr(self.options, field.name)
                used[field.name] = DataUsed(name, content_hash(content), carried)
        return used


def _tree(state: State, seat: int) -> Tree:
    tree: Tree = {}
    for action in state.legal(seat):
        after = state.copy()
        after.play(seat, action)
        tree[action] = _tree(after, seat) if after.midway() == seat else {}
    return tree


def _told(events: list[Event], shared: list[Told | None], viewer: Viewer) -> list[Told]:
    """What this viewer is told of these events; what all are told is one thing for all of them."""
    told = []
    for event, for_all in zip(events, shared, strict=True):
        seen = for_all if for_all is not None else event.seen_by(viewer)
        if seen is not None:
            told.append(seen)
    return told


def _differs(frame: Frame, last: Frame) -> bool:
    """Whether a viewer would notice anything but the number."""
    parts = ("view", "awaited", "said", "players", "question")
    return any(getattr(frame, part) != getattr(last, part) for part in parts)


def _check(record: Record, number: int) -> str | None:
    """What the state is to be known by after this entry, as far as the record says it."""
    return record.checks[number] if number < len(record.checks) else None


def _options(game: Game, record: Record) -> Options:
    """The record's options with its data: what is named must be what it was, what is carried is used.

    An option that the title has got since is as it usually is.
    """
    kinds = {field.name for field in game.fields() if field.kind == "data"} & set(record.options)
    if set(record.data) != kinds:
        raise RecordProblem("record.data-kinds", found=sorted(record.data), needed=sorted(kinds))
    own = {}
    for kind, used in record.data.items():
        if record.options.get(kind) != used.name:
            raise RecordProblem("record.data-name", kind=kind, name=used.name)
        content = used.content
        if content is None:
            content = game.data().get(kind, {}).get(used.name)
        else:
            own[kind] = content
        if content is None:
            raise RecordProblem("record.data-unknown", kind=kind, name=used.name)
        if content_hash(content) != used.sha256:
            raise RecordProblem("record.data-hash", kind=kind, name=used.name)
    try:
        return convert(game.options, {**record.options, "data": own})
    except Problem as problem:
        raise RecordProblem("record.options", why=problem) from problem
