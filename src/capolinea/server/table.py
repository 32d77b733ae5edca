"""A match at a table: act, store, then tell each viewer their part.

Everything that changes a match goes through here, one thing at a time: the entry is tried on the
match, written to the store, and only then told. If it cannot be written nobody hears of it, and the
match is folded anew from what the store has. The match in memory is nothing but a cache of the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

import msgspec

from capolinea.engine.events import Told
from capolinea.engine.game import Game
from capolinea.engine.match import Question, Tree, Viewer
from capolinea.engine.problems import Problem, Refused
from capolinea.engine.record import Control, Entry, Move, RecordProblem, Undo
from capolinea.engine.result import Result
from capolinea.engine.views import Line
from capolinea.server import documents, logs
from capolinea.server.delta import Deltas
from capolinea.server.fold import Fold, check_writer, header_of
from capolinea.server.metrics import Metrics
from capolinea.server.mine import Mine
from capolinea.server.playtime import PlayTime
from capolinea.server.protocol import (
    Asked,
    Choice,
    Frame,
    Missed,
    Private,
    PrivateNews,
    Scene,
    ServerMessage,
    Welcome,
    encode,
)
from capolinea.server.rights import Part
from capolinea.server.store import (
    WRITER,
    AddEntries,
    Change,
    EndMatch,
    EndProposal,
    EntryRow,
    Held,
    Hold,
    MatchRow,
    PutMatch,
    PutPrivate,
    Release,
    Store,
    StoreFailed,
    Taken,
)

P = ParamSpec("P")
T = TypeVar("T")

#: What is said of a match that the rules lead elsewhere than it went.
FROZEN = "table.folds-differently"

#: So many things a seat may say in a match: all of it is told to everybody who comes. So often it may
#: take something back, and change hands.
MOST_SAID = 300
MOST_UNDONE = 300
MOST_HANDED = 300
#: Bytes of JSON.
LONGEST_SAYING = 4000
#: With so many entries a match still goes on, but nothing that is not waited for happens in it.
LONG_ENOUGH = 10_000


class Audience(Protocol):
    """Who is told of a match."""

    def is_watched(self, viewer: Viewer) -> bool:
        """Whether somebody looks at it as this viewer."""

    def send(self, message: bytes, part: Part) -> None:
        """To all who see this part of it."""

    def lose(self, viewer: Viewer) -> None:
        """It cannot be shown to this viewer any more: they have to come back."""

    def changed(self, told: list[Viewer]) -> None:
        """Something happened, and these viewers have news."""


class _Nobody:
    def is_watched(self, viewer: Viewer) -> bool:
        return False

    def send(self, message: bytes, part: Part) -> None: ...

    def lose(self, viewer: Viewer) -> None: ...

    def changed(self, told: list[Viewer]) -> None: ...


NOBODY: Audience = _Nobody()


class Late(Refused):
    """An answer to a question that is not asked any more."""

    def __init__(self, question: int) -> None:
        super().__init__("table.late")
        self.question = question


class NotKept(Problem):
    """It could not be stored, so it did not happen."""


class Overtaken(NotKept):
    """Another worker wrote the next entry first, or ended the match. What it did is known now."""


def _in_turn(
    do: Callable[Concatenate[Table, P], Awaitable[T]],
) -> Callable[Concatenate[Table, P], Coroutine[Any, Any, T]]:
    """Whatever is done at a table is done so: one thing at a time, from what the store has. Where another
    worker was quicker: with what it did, look again whether this can still be done, and do it."""

    @wraps(do)
    async def done(table: Table, /, *args: P.args, **named: P.kwargs) -> T:
        async with table.lock:
            for _ in range(table.tries):
                await table.refresh()
                with suppress(Overtaken):
                    return await do(table, *args, **named)
        raise NotKept("table.not-kept")

    return done


class Table:
    """One match, live. `now` is what people read on their clocks, in milliseconds since 1970."""

    #: Seconds before another try when the store is in trouble.
    retry = 1.0
    #: How often something is tried at which another worker may be quicker.
    tries = 5

    def __init__(
        self, store: Store, row: MatchRow, game: Game, now: Callable[[], int], metrics: Metrics
    ) -> None:
        self.store = store
        self.metrics = metrics
        self.row = row
        #: The title, and the rules of it that this match is played by.
        self.title = self.game = game
        self.now = now
        #: How long it has been played.
        self.time = PlayTime()
        self.lock = asyncio.Lock()
        self.audience = NOBODY
        self.mine: dict[int, Mine] = {}
        self.held: dict[int, Held] = {}
        self._scenes: dict[Viewer, Scene] = {}
        #: The number of the last frame that each viewer may have heard of.
        self._told: dict[Viewer, int] = {}
        #: In memory and store are not the same: fold anew before anything else.
        self._stale = False
        #: There is something in memory that is not in the store yet.
        self._ahead = False
        #: A write that goes on although who wanted it is gone.
        self._unfinished: asyncio.Future[None] | None = None

    # --- from the store --------------------------------------------------------------------------

    async def load(self) -> None:
        """Fold the match from its log."""
        row = await self.store.match(self.row.id) or self.row
        check_writer(row)
        rows = await self.store.entries(self.row.id)
        held = await self.store.held(self.row.id)
        private = await self.store.private(self.row.id)
        try:
            fold = await asyncio.to_thread(Fold.of, self.title, row, rows)
        except RecordProblem:
            # Not even its beginning can be read by these rules: there is nothing to show but the record.
            await self._freeze(row)
            raise
        if fold.broken:
            row = await self._freeze(row)
        elif row.frozen:
            row = await self._thaw(row, fold)
        result = fold.match.result()
        if result is not None and row.ended is None:
            row = msgspec.structs.replace(row, ended=self.now())
        self.row = row
        self.held = {one.seat: one for one in held if _is_json(one.do)}
        self.mine = _readable(private)
        self._adopt(fold)
        self._stale = self._ahead = False

    def _adopt(self, fold: Fold) -> None:
        self.fold = fold
        self.match = fold.match
        self.time.reach(fold.at)
        self.game = fold.match.game
        self._told = self._told or {viewer: len(told) for viewer, told in fold.told.items()}
        self._drop_stale_answers()

    async def _freeze(self, row: MatchRow) -> MatchRow:
        """It cannot go on under these rules; it is kept as it is, and shown as far as it can be."""
        if row.frozen:
            return row
        row = msgspec.structs.replace(row, frozen=FROZEN)
        if row.ended is None:  # of what is over it is only said
            await self.store.write(PutMatch(row))
            # Not the whole id: whoever knows that may open the match.
            logs.tell("match-frozen", logging.WARNING, match=row.id[:8], title=self.game.id)
        return row

    async def _thaw(self, row: MatchRow, fold: Fold) -> MatchRow:
        """The rules lead again to what was played: it goes on, and no time has passed for anybody."""
        rested = row.rested
        if row.ended is None:
            rested = max(rested, self.now() - row.began - fold.at)
        row = msgspec.structs.replace(row, frozen="", rested=rested)
        await self.store.write(PutMatch(row))
        logs.tell("match-thawed", match=row.id[:8], title=self.game.id)
        return row

    async def refresh(self) -> None:
        """After a write of which we cannot say that it went through: what the store has is what
        happened. To be called with the lock."""
        if not self._stale:
            return
        if self._unfinished is not None:
            await asyncio.wait([self._unfinished])
            self._unfinished = None
        seats = range(len(self.match.names))
        frozen, private = self.row.frozen, [self._private(seat) for seat in seats]
        try:
            await self.load()
        except StoreFailed:
            raise NotKept("table.not-kept") from None
        told = self._tell_news()
        for seat in seats:
            if self._private(seat) != private[seat]:
                self._tell_private(seat)
        self.audience.changed(told if self.row.frozen == frozen else list(self.fold.told))

    # --- asking ----------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.row.ended is not None

    @property
    def unsettled(self) -> bool:
        """What is in memory may be told to nobody yet, not even who is waited for."""
        return self._ahead or self._stale

    @property
    def going_on(self) -> bool:
        return self.can_go_on and not self.row.paused

    @property
    def can_go_on(self) -> bool:
        """Now, or when the pause is over."""
        return not (self.over or self.row.frozen)

    def check_going_on(self) -> None:
        """Raise Refused if nobody can do anything now."""
        self._check_can_go_on()
        if self.row.paused:
            raise Refused("table.paused")

    def _check_can_go_on(self) -> None:
        if self.row.frozen:
            raise Refused("table.frozen")
        if self.over:
            raise Refused("table.over")

    def at(self) -> int:
        """Milliseconds of play since the match began; they never fall."""
        return self.time.at()

    def days(self) -> int:
        """The same by the calendar, which also runs while nobody is there, and no server."""
        return self.now() - self.row.began - self.row.rested

    def question(self, seat: int) -> Question:
        question = self.match.newest(seat).question
        assert question is not None
        return question

    def people(self) -> list[int]:
        """The seats that persons play."""
        return [seat for seat, by in enumerate(self.match.players) if by == "person"]

    def talking(self) -> bool:
        """Whether somebody who may still say something has not yet spoken. In a window everybody who
        talks is waited for anyway, and says when they have."""
        state = self.match.state
        silent = set(self.people()) - set(state.waiting()) - self.fold.spoken
        return state.talk() >= 0 and not state.window() and bool(silent)

    # --- acting ----------------------------------------------------------------------------------

    @_in_turn
    async def act(
        self, seat: int, do: list[dict[str, Any]], question: int, client: str = "", bot: str = ""
    ) -> None:
        """Answer a question. In a reaction window a pass is kept until the window closes. A `bot` does so
        only as long as the seat is its own."""
        if self._counted(seat, client):
            return
        self.check_going_on()
        self._check_bot(seat, bot)
        if question != self.question(seat).id:
            raise Late(self.question(seat).id)
        if not self.question(seat).must:
            self._check_length()
        steps = [self.game.space.parse(step) for step in do]
        if self._passes(seat, steps):
            await self._hold(seat, do, client)
        else:
            await self._commit([lambda: self.match.move(seat, steps, self.at())], client)

    @_in_turn
    async def say(self, seat: int, said: Any, client: str = "", bot: str = "") -> None:
        if self._counted(seat, client):
            return
        self.check_going_on()
        self._check_bot(seat, bot)
        self._check_length()
        if sum(one.seat == seat for one in self.match.said) >= MOST_SAID:
            raise Refused("table.said-enough", most=MOST_SAID)
        if len(encode(said)) > LONGEST_SAYING:
            raise Refused("table.said-long", most=LONGEST_SAYING)
        await self._commit([lambda: self.match.say(seat, said, self.at())], client)

    @_in_turn
    async def undo(
        self,
        seat: int,
        to: int | None = None,
        agreed: bool = False,
        client: str = "",
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Take back the seat's last move or, if all have agreed to that, the entry `to`; `check` may
        still refuse it."""
        if self._counted(seat, client):
            return
        check()
        self.check_going_on()
        self._check_length()
        if self._count(Undo, seat) >= MOST_UNDONE:
            raise Refused("table.undone-enough", most=MOST_UNDONE)
        await self._commit([lambda: self.match.undo(seat, to, agreed, self.at())], client)

    @_in_turn
    async def control(self, seat: int, by: str, name: str = "", *also: Change) -> None:
        """Let a person, a bot or the clock play this seat from now on; `also` is stored with that."""
        self._check_can_go_on()
        if (self.match.players[seat], self.fold.levels[seat]) != (by, name):
            # Whoever leaves can always be replaced: that is the last time, then.
            if by == "person" or self.match.players[seat] != "person":
                self._check_length()
                if self._count(Control, seat) >= MOST_HANDED:
                    raise Refused("table.handed-enough", most=MOST_HANDED)
            await self._commit([lambda: self.match.control(seat, by, name, self.at())], "", also)
        elif also:
            await self._write(*also)

    def _check_bot(self, seat: int, bot: str) -> None:
        """Raise Late if somebody else plays by now what a bot has thought about."""
        if bot and (self.match.players[seat], self.fold.levels[seat]) != ("bot", bot):
            raise Late(self.question(seat).id)

    def _check_length(self) -> None:
        """Raise Refused if the match has become so long that only what must be happens."""
        if len(self.match.entries) >= LONG_ENOUGH:
            raise Refused("table.long-enough", most=LONG_ENOUGH)

    def _count(self, kind: type[Entry], seat: int) -> int:
        return sum(isinstance(one, kind) and one.seat == seat for one in self.match.entries)

    @_in_turn
    async def time_out(self, seat: int, question: int) -> None:
        """The seat's time is over: what harms least is played, if the question still stands."""
        waited = seat in self.match.state.waiting() and not self.match.state.window()
        if self.going_on and waited and self.question(seat).id == question:
            steps = self.match.default(seat)
            await self._commit([lambda: self.match.move(seat, steps, self.at())])

    def asked(self) -> dict[int, int]:
        """The seats that are waited for, and what each is asked."""
        return {seat: self.question(seat).id for seat in self.match.state.waiting()}

    @_in_turn
    async def close_window(self, asked: dict[int, int]) -> None:
        """Every answer counts now, whoever has not answered passes; if that is still what is asked:
        a card played in the meantime is news to which all may answer."""
        if not self.going_on or not self.match.state.window() or self.asked() != asked:
            return
        await self._commit([self._answer(seat) for seat in asked], self._clients(list(asked)))

    @_in_turn
    async def abandon(self) -> None:
        """End it where it stands, without a result."""
        if self.over:
            return
        now = self.now()
        await self._write(EndMatch(self.row.id, now), Release(self.row.id))
        self.row = msgspec.structs.replace(self.row, ended=now)
        self.audience.changed([])

    @_in_turn
    async def pause(self, paused: bool, *also: Change) -> None:
        """Pause or go on; `also` is stored with that."""
        row, changes = self.row, list(also)
        if paused != (row.paused is not None):
            row = msgspec.structs.replace(row, paused=self.now() if paused else None)
            changes.append(PutMatch(row))
        if changes and not self.over:
            await self._write(*changes)
            self.row = row
            self.audience.changed([])

    @_in_turn
    async def adjust_days(self) -> None:
        """From now on it goes by the calendar: what was not play until now is none there either."""
        row = msgspec.structs.replace(self.row, rested=self.row.rested + self.days() - self.at())
        await self._write(PutMatch(row))
        self.row = row

    @_in_turn
    async def keep(self, seat: int, changes: dict[str, Any]) -> None:
        """Change what a seat keeps for itself."""
        mine = msgspec.structs.replace(self.mine.get(seat, Mine()), **changes)
        await self._write(PutPrivate(self.row.id, seat, documents.write(mine)))
        self.mine[seat] = mine
        self._tell_private(seat)
        self.audience.changed([])

    @_in_turn
    async def ask_moment(self, seat: int, question: int) -> None:
        """Everybody gets more time in this window; a seat may ask for that once."""
        self.check_going_on()
        if question != self.question(seat).id:
            raise Late(self.question(seat).id)
        state = self.match.state
        if not state.window() or state.talk() >= 0 or seat not in state.waiting():
            raise Refused("table.no-moment")
        if seat not in self.moments():
            mine = msgspec.structs.replace(self.mine.get(seat, Mine()), moment=question)
            await self._write(PutPrivate(self.row.id, seat, documents.write(mine)))
            self.mine[seat] = mine
            self.audience.changed([])

    def moments(self) -> list[int]:
        """The seats that have asked for more time in this window."""
        asked = self.asked() if self.match.state.window() else {}
        return [seat for seat in asked if self.mine.get(seat, Mine()).moment == asked[seat]]

    def has_nothing(self, seat: int) -> bool:
        """Whether this seat could not but pass in a window."""
        tree = self.match.tree(seat)
        return len(tree) == 1 and list(tree) == self.match.default(seat)

    @_in_turn
    async def pass_standing(self) -> None:
        """Answer for who wants windows of this kind passed. Nobody hears of it."""
        window = self.match.state.window()
        for seat in self.match.state.waiting() if window and self.going_on else ():
            wanted = window in self.mine.get(seat, Mine()).passes
            # The person's wish: a bot that plays the seat has a will of its own.
            if wanted and seat not in self.held and seat in self.people():
                steps = self.match.default(seat)
                await self._hold(seat, [self.game.space.json(step) for step in steps], "")

    @_in_turn
    async def preview(self, seat: int, do: list[dict[str, Any]]) -> Any:
        return self.match.preview(seat, [self.game.space.parse(step) for step in do])

    @_in_turn
    async def read(self, viewer: Viewer) -> tuple[list[Line], list[int]]:
        """The table read aloud to this viewer, and which of the lines nobody else may hear."""
        lines = self.game.read(self.match.view(viewer))
        known = self.game.read(self.match.view(None))
        return lines, [place for place, line in enumerate(lines) if line not in known]

    # --- showing ---------------------------------------------------------------------------------

    @_in_turn
    async def welcome(self, viewer: Viewer, match: str, seen: int) -> Welcome:
        """What is missing to who has `seen` so many frames of this `match`. They are told everything from
        now on."""
        told = self.fold.told[viewer]
        since = seen if match == self.row.id and 0 <= seen <= len(told) else 0
        scene = self._scene(viewer)
        if not self.audience.is_watched(viewer):
            self._scenes[viewer] = scene
        return Welcome(
            match=self.row.id,
            title=self.game.id,
            seat=viewer,
            names=self.match.names,
            seed_hash=self.match.record().seed_hash,
            n=len(told),
            scene=scene,
            missed=[Missed(n, _events(one)) for n, one in enumerate(told[since:], since + 1)],
            private=self._private(viewer) if viewer is not None else None,
        )

    def forget(self, viewer: Viewer) -> None:
        """Nobody looks at it as this viewer any more."""
        self._scenes.pop(viewer, None)

    def tell(self, message: ServerMessage, viewers: Iterable[Viewer]) -> None:
        coded = encode(message)
        for viewer in viewers:
            self.audience.send(coded, self.part(viewer))

    def part(self, viewer: Viewer) -> Part:
        """What this viewer knows of the match, as rights know it."""
        return Part(self.row.id, viewer)

    # --- inside: windows -------------------------------------------------------------------------

    def _passes(self, seat: int, steps: list[int]) -> bool:
        """Whether this answer is the one that is told to nobody.

        When it counts can be seen by when the window closes, so it is kept until then.
        """
        state = self.match.state
        in_window = state.window() != "" and seat in state.waiting()
        return in_window and steps == self.match.default(seat)

    async def _hold(self, seat: int, do: list[dict[str, Any]], client: str) -> None:
        held = Held(seat, self.question(seat).id, encode(do), client)
        await self._write(Hold(self.row.id, held))
        self.held[seat] = held
        self._tell_private(seat)
        self.audience.changed([])

    def _answer(self, seat: int) -> Callable[[], object]:
        """The move of a seat when the window closes."""
        question = self.question(seat).id

        def answer() -> object:
            if self.question(seat).id != question:
                return None  # another's pass was the last that was needed
            return self.match.move(seat, self.match.default(seat), self.at())

        return answer

    def _clients(self, seats: list[int]) -> list[str]:
        return [self.held[seat].client if seat in self.held else "" for seat in seats]

    def _drop_stale_answers(self) -> None:
        """An answer to a question that is not asked any more is no answer."""
        self.held = {
            seat: held
            for seat, held in self.held.items()
            if held.question == self.question(seat).id and self.match.state.window()
        }

    # --- inside: act, store, tell ----------------------------------------------------------------

    @_in_turn
    async def counted(self, seat: int, client: str) -> bool:
        """Whether what this client calls so has been done already."""
        return self._counted(seat, client)

    def _counted(self, seat: int, client: str) -> bool:
        if not client:
            return False
        held = self.held.get(seat)
        return (seat, client) in self.fold.clients or (held is not None and held.client == client)

    async def _commit(
        self,
        makes: list[Callable[[], object]],
        clients: str | list[str] = "",
        also: Iterable[Change] = (),
    ) -> None:
        """Make entries, store them as one and with `also`, tell them. A Refused leaves everything as
        it was."""
        named = [clients] * len(makes) if isinstance(clients, str) else clients
        kept, row = self.held, self._signed()
        self._ahead = True
        try:
            rows = await self._make(list(zip(makes, named, strict=True)))
            self._drop_stale_answers()
            changes: list[Change] = [AddEntries(row.id, rows), *also]
            if self.match.result() is not None:
                row = msgspec.structs.replace(row, ended=self.now())
            if row != self.row:
                changes.append(PutMatch(row))
            if self._shown(Move | Undo):
                changes.append(EndProposal(row.id, "undo"))  # to what was the last move before
            if kept != self.held:
                changes.append(Release(row.id))
                changes += [Hold(row.id, held) for held in self.held.values()]
            await self._write(*changes)
        finally:
            self._ahead = False
        self.metrics.entries.inc(len(rows))
        self.row, self.fold.rules = row, self.game.rules
        told = self._tell_news()
        for seat in kept.keys() - self.held.keys():
            self._tell_private(seat)
        self.audience.changed(told)

    def _shown(self, kind: Any) -> bool:
        """Whether the newest entry is of this kind, and something that everybody sees."""
        news = len(self.fold.told[None]) > self._told[None]
        return news and isinstance(self.match.entries[-1], kind)

    def _signed(self) -> MatchRow:
        """The row as it is with an entry of ours: who writes, and by which rules it has gone on."""
        if self.row.writer == WRITER and self.fold.rules == self.game.rules:
            return self.row
        header = msgspec.structs.replace(header_of(self.row), rules=self.game.rules)
        return msgspec.structs.replace(self.row, header=encode(header), writer=WRITER)

    async def _make(self, makes: list[tuple[Callable[[], object], str]]) -> list[EntryRow]:
        """The entries, made in memory; as they will be stored."""
        rows = []
        try:
            for make, client in makes:
                n = len(self.match.entries)
                make()
                if len(self.match.entries) > n:
                    rows.append(self.fold.note(client))
        except BaseException as error:
            # Of a move that is refused nothing stays; of several, those before it. A fault of the
            # rules may leave anything.
            if rows or not isinstance(error, Problem):
                self._stale = True
                await self.refresh()
            raise
        return rows

    async def _write(self, *changes: Change) -> None:
        writing = asyncio.ensure_future(self.store.write(*changes))
        try:
            with self.metrics.commit_seconds.time():
                await asyncio.shield(writing)
        except StoreFailed as error:
            # Whether another was faster or the disk is full: what happened is what the store has.
            self._stale = True
            await self.refresh()
            kind = Overtaken if isinstance(error, Taken) else NotKept
            raise kind("table.not-kept") from None
        except BaseException:
            # Who stops waiting does not stop the write; whoever comes next sees how it ended.
            self._stale = True
            self._unfinished = writing
            writing.add_done_callback(lambda done: done.cancelled() or done.exception())
            self.audience.changed([])
            raise

    def _tell_news(self) -> list[Viewer]:
        """Tell every viewer what they have not been told yet; who there was something for."""
        told_to = []
        deltas = Deltas()
        for viewer, told in self.fold.told.items():
            known = self._told[viewer]
            if known == len(told):
                continue
            self._told[viewer] = len(told)
            told_to.append(viewer)
            if not self.audience.is_watched(viewer):
                continue
            try:
                self._tell_frames(viewer, known, deltas)
            except Exception as error:  # the title's fault: all others are told, and play on
                logs.tell_error("match-not-shown", error)
                self.audience.lose(viewer)
        return told_to

    def _tell_frames(self, viewer: Viewer, known: int, deltas: Deltas) -> None:
        scene, told = self._scene(viewer), self.fold.told[viewer]
        changes = deltas.delta(self._scenes.get(viewer), scene)
        self._scenes[viewer] = scene
        for n, one in enumerate(told[known:], known + 1):
            last = n == len(told)
            self.tell(Frame(self.row.id, n, _events(one), changes if last else []), [viewer])

    def _tell_private(self, seat: int) -> None:
        self.tell(PrivateNews(self._private(seat)), [seat])

    # --- inside: scenes --------------------------------------------------------------------------

    def _scene(self, viewer: Viewer) -> Scene:
        frame = self.match.newest(viewer)
        asked = None
        if viewer is not None and frame.question is not None:
            choices = _choices(self.game, frame.view, self.match.tree(viewer))
            asked = Asked(frame.question.id, frame.question.must, choices, frame.question.undo)
        result: Result | None = self.match.result()
        team = self.match.state.team(viewer) if viewer is not None else []
        return Scene(frame.view, frame.awaited, frame.said, frame.players, asked, result, team)

    def _private(self, seat: int) -> Private:
        mine, held = self.mine.get(seat, Mine()), self.held.get(seat)
        if held is None:
            return Private(mine.notes, mine.passes, mine.webhook)
        do = msgspec.json.decode(held.do)
        return Private(mine.notes, mine.passes, mine.webhook, do, held.question)


def _events(coded: msgspec.Raw) -> list[Told]:
    """They are only passed on: as JSON they are as good as themselves."""
    return cast(list[Told], coded)


def _readable(private: dict[int, bytes]) -> dict[int, Mine]:
    """What seats keep for themselves. What cannot be read stays as it is until its seat keeps something
    new."""
    found = {}
    for seat, doc in private.items():
        try:
            found[seat] = documents.read(doc, Mine)
        except documents.UNREADABLE as error:
            logs.tell_error("notes-not-read", error)
    return found


def _is_json(doc: bytes) -> bool:
    try:
        msgspec.json.decode(doc)
    except documents.UNREADABLE as error:
        logs.tell_error("answer-not-read", error)
        return False
    return True


def _choices(game: Game, view: Any, tree: Tree) -> list[Choice]:
    return [
        Choice(game.space.json(action), game.describe(view, action), _choices(game, view, then))
        for action, then in tree.items()
    ]
