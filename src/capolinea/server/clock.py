"""Time at a table: turns, reaction windows, people who left.

A window has one length for everybody and closes for all at once: when somebody passed, or that they
passed at all, cannot be told from it. Only when no length was set, or when one person plays with bots
at a table that nobody can watch, does it close as soon as all have answered, or have nothing to answer.
This is the only place where what somebody holds decides how long something takes.

No time counts before what happened has been shown (`stage.py`). Whoever is asked in a window may ask for
a moment more, once, for all to see.

Time stands still while nobody is there to see it pass, except where people have days. All times here
are times of play.
"""

from __future__ import annotations

import asyncio
from typing import Literal, Protocol

from capolinea.engine.match import Viewer
from capolinea.engine.problems import Problem
from capolinea.server.playtime import SET, Ticks
from capolinea.server.protocol import Clock
from capolinea.server.stage import Stage
from capolinea.server.table import NotKept, Table

#: So long people have at least who have just come back, also after a restart.
MERCY = 30_000
#: A person who was absent so often in a row when time was over is replaced.
PATIENCE = 2
#: The calendar may jump: so often, in seconds, it is looked at.
GLANCE = 60
#: What is due within so many milliseconds is waited for, at a table that everybody left.
SOON = 120_000

#: Seconds that everybody gets when somebody asks for a moment.
MOMENT = 10

#: What time goes by: it stands still, or the server's own clock, or the calendar.
Pace = Literal["", "awake", "days"]


class Company(Protocol):
    """Who sits at the table, and how they want to play."""

    @property
    def clock(self) -> Clock: ...

    def present(self) -> set[int]:
        """The seats whose person is connected."""

    def viewers(self) -> set[Viewer]:
        """As what the match is looked at now."""

    def others_may_see(self) -> bool:
        """Whether anybody but one person before a page may see the match, now or whenever they come."""

    def stand_in(self) -> str:
        """Which bot plays for who is away."""

    def tell_status(self) -> None:
        """How long there is."""


class Timekeeper:
    """The clock of one table."""

    def __init__(
        self,
        table: Table,
        company: Company,
        stage: Stage,
        awake: Ticks,
        grace: float,
    ) -> None:
        self.table = table
        self.company = company
        self.stage = stage
        self.awake = awake
        self.grace = int(grace * 1000)
        self._woken = asyncio.Event()
        #: Since when somebody is here, or watches.
        self._since = table.at()
        self._anybody = False
        self._was_alone = True
        #: None: nobody has looked yet.
        self._goes_by: Pace | None = None
        self._gone: dict[int, int] = {}
        #: How often in a row each seat's person was absent when time was over.
        self.missed: dict[int, int] = {}
        #: When to look again, as far as it knew when it last looked, and whether it waits for that.
        self._due: int | None = None
        self._waits = False

    def wake(self) -> None:
        """Something happened, somebody came or went, or the clock was changed."""
        self._woken.set()

    async def run(self) -> None:
        table = self.table
        while not table.over:
            self._woken.clear()
            try:
                await self._look_around()
                await table.pass_standing()
                due = await self._act()
            except NotKept:
                await asyncio.sleep(table.retry)
                continue
            self._due, self._waits = due, True
            try:
                async with asyncio.timeout(self._wait(due)):
                    await self._woken.wait()
            except TimeoutError:
                pass
            self._waits = False

    def _wait(self, due: int | None) -> float | None:
        if due is None:
            return None
        wait = max(0.0, (due - self.table.at()) / 1000)
        return min(wait, GLANCE) if self._goes_by == "days" else wait

    async def _look_around(self) -> None:
        """Somebody may have come or gone, the clock may be another one."""
        await self._keep_pace()
        came = bool(self.company.present()) != self._anybody
        # Who had no hurry as long as nobody watched has a moment, too.
        if came or (self._was_alone and not self._alone()):
            self._anybody = bool(self.company.present())
            self._since = self.table.at()
            self.company.tell_status()  # there is more time than people were told
        self._was_alone = self._alone()

    async def _keep_pace(self) -> None:
        table, pace, before = self.table, self._pace(), self._goes_by
        if pace == "days":
            was_set = abs(table.days() - table.at()) > SET
            if was_set or before in ("", "awake"):
                await table.adjust_days()
        if pace == before:
            return
        table.time.go_by(self.awake if pace else None, table.days if pace == "days" else None)
        if before is None:
            self._since = table.at()  # with days that ran on while the server did not
        self._goes_by = pace

    def _pace(self) -> Pace:
        if not self.table.going_on:
            return ""
        if self.company.clock.kind == "days":
            return "days"
        # What only bots play goes on, and hurries nobody.
        return "awake" if self.company.present() or not self.table.people() else ""

    # --- when nobody is there ---------------------------------------------------------------------

    @property
    def idle(self) -> bool:
        """Whether there is nothing for it to do for a while."""
        soon = self._due is not None and self._due - self.table.at() <= SOON
        return self._waits and not self._woken.is_set() and not soon

    @property
    def by_calendar(self) -> bool:
        return self._goes_by == "days"

    def due(self) -> int | None:
        """When something happens by itself, in milliseconds since 1970, if nobody comes before: only
        where people have days, for other clocks stand still then. Soon enough that the days until then are
        believed."""
        if self._due is None:
            return None
        return self.table.now() + min(self._due - self.table.at(), SET // 2)

    # --- how long there is -----------------------------------------------------------------------

    def left(self) -> dict[str, int]:
        """Milliseconds that each seat that is waited for has, or that the window stays open."""
        now = self.table.at()
        return {name: max(0, due - now) for name, due in self._dues().items()}

    def banks(self) -> list[int]:
        """Milliseconds in each seat's bank, if there are banks."""
        clock = self.company.clock
        if not clock.bank:
            return []
        return [self._bank(seat, clock) for seat in range(len(self.table.match.names))]

    def _bank(self, seat: int, clock: Clock) -> int:
        over = sum(max(0, took - clock.turn * 1000) for took in self.table.fold.took[seat])
        return max(0, clock.bank * 1000 - over)

    def _dues(self) -> dict[str, int]:
        """When time is over: by seat, or "window" alone."""
        table, clock = self.table, self.company.clock
        if not table.going_on or not (self.company.present() or clock.kind == "days"):
            return {}
        waiting = table.match.state.waiting()
        talk = table.match.state.talk() if clock.kind != "days" else -1
        if table.match.state.window():
            length = talk if talk >= 0 else clock.window or clock.turn
            if clock.kind == "none" and self._alone():
                length = 0  # who plays alone with bots may take all the time in the world
            length += MOMENT * len(table.moments()) if length else 0
            asked = max(self._asked_at(seat) for seat in waiting)
            return {"window": self._when(asked + length * 1000)} if length else {}
        if talk >= 0:
            # A talk takes the time that the title gives it, whoever hears it: a bot that all have
            # spoken to does not wait so long.
            when = {str(s): self._when(self._asked_at(s) + talk * 1000) for s in waiting}
            return when if talk and table.people() else {}
        if not clock.turn:
            return {}
        return {
            str(seat): self._when(
                self._asked_at(seat) + clock.turn * 1000 + self._bank(seat, clock)
            )
            for seat in waiting
            if table.match.players[seat] != "bot"
        }

    def _asked_at(self, seat: int) -> int:
        """When a seat's time began: nobody thinks about what they are still being shown. But how long a
        talk is, the rules say."""
        if self.company.clock.kind == "days" or self.table.match.state.talk() >= 0:
            return self.table.fold.asked_at[seat]
        return self.stage.seen_at(seat)

    def _when(self, due: int) -> int:
        """Then, or when who has just come back has had a moment to look."""
        return max(due, self._since + min(MERCY, self._shortest()))

    def _shortest(self) -> int:
        clock = self.company.clock
        window = self.table.match.state.window() and clock.window
        return 1000 * (window or clock.turn)

    # --- what time does --------------------------------------------------------------------------

    async def _act(self) -> int | None:
        """Do what is due; when to look again, if nothing happens before."""
        table, now = self.table, self.table.at()
        if not table.going_on:
            return None
        state = table.match.state
        if state.window() and self._all_answered():
            await table.close_window(table.asked())
            return now
        dues = self._dues()
        for name, due in dues.items():
            if due <= now:
                if name == "window":
                    await table.close_window(table.asked())
                else:
                    await self._time_out(int(name))
                return now
        away = await self._replace_absent(now)
        if away is not None and away <= now:
            return now
        times = [*dues.values(), *([away] if away is not None else [])]
        return min(times) if times else None

    def _all_answered(self) -> bool:
        table = self.table
        missing = [seat for seat in table.match.state.waiting() if seat not in table.held]
        if self._alone():
            missing = [seat for seat in missing if not self._holds_nothing(seat)]
        if missing:
            return False
        # Minutes of talk hide who took how long to think; seconds of a reaction must all be waited for.
        talked = table.match.state.talk() >= 0
        return talked or not self.company.clock.window or self._alone()

    def _holds_nothing(self, seat: int) -> bool:
        """Whether a person could not but pass. Only who is alone is spared the question for that."""
        return seat in self.table.people() and self.table.has_nothing(seat)

    def _alone(self) -> bool:
        """Whether nobody is there, or may come, to see how long the one person takes."""
        people = self.table.people()
        unwatched = not self.company.others_may_see() and self.company.viewers() <= set(people)
        return not people or (len(people) == 1 and unwatched)

    async def _time_out(self, seat: int) -> None:
        table = self.table
        await table.time_out(seat, table.question(seat).id)
        self.missed[seat] = 0 if seat in self.company.present() else self.missed.get(seat, 0) + 1
        if self.missed[seat] >= PATIENCE and table.match.players[seat] == "person":
            self.missed[seat] = 0
            await self._hand_to_bot(seat)

    async def _replace_absent(self, now: int) -> int | None:
        """Who has been away for long is replaced, as long as somebody else is here to play with."""
        here = self.company.present()
        absent = {seat for seat in self.table.people() if seat not in here}
        self._gone = {seat: self._gone.get(seat, now) for seat in absent}
        if not here or self.company.clock.kind == "days":
            self._gone.clear()
            return None
        for seat, since in self._gone.items():
            if now - since >= self.grace:
                await self._hand_to_bot(seat)
                return now
        return min(self._gone.values()) + self.grace if self._gone else None

    async def _hand_to_bot(self, seat: int) -> None:
        try:
            await self.table.control(seat, "bot", self.company.stand_in())
        except NotKept:
            raise
        except Problem:
            pass  # the match has ended in the meantime
