"""Broken connections, resends, several devices: everybody ends up with the same, and once."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from capolinea.client import Refusal, Seat
from capolinea.client import seat as client_seat
from capolinea.server import lounge
from capolinea.server import run as server_run
from capolinea.server.settings import Settings
from tests.server.matches import Json, Party, fresh_scene, party, returned, wire
from tests.server.tables import TIME, Choose, at_random, play, serving

TITLES = [("night-mail", 3), ("trial-by-trolley", 4), ("stop-the-train", 4)]


@pytest.fixture(autouse=True)
def _quick_and_steady(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_seat, "BACKOFF", (0.001, 0.002, 30))
    monkeypatch.setattr(server_run, "FAREWELL", 0.01)
    same_deal = SimpleNamespace(token_bytes=lambda length: bytes(range(length)))
    monkeypatch.setattr(lounge, "secrets", same_deal)


def shaky(seat: Seat) -> Shaky:
    return Shaky(seat.url, seat.cookie, seat.seat)


class Shaky(Seat):
    """Its connection breaks after every message that brings something new, and in between after the
    first, second or third, whatever it is. (Breaking after each and every one, it would never get
    further than to the first.)"""

    drops = 0

    def __init__(self, *of: Any) -> None:
        super().__init__(*of)
        self._lives = cycle([1, 50, 2, 50, 3, 50])
        self._left = 50

    def _take(self, text: str) -> None:
        super()._take(text)
        message = json.loads(text)
        news = message["t"] in ("frame", "done", "refused", "private", "chat")
        self._left -= 1
        if news or message.get("missed") or not self._left:
            self.drops += 1
            self._left = next(self._lives)
            assert self._socket is not None
            self._socket.transport.abort()


# --- what a broken connection loses ----------------------------------------------------------------


@pytest.mark.parametrize(("title", "seats"), TITLES)
async def test_a_connection_that_breaks_after_every_message(
    tmp_path: Path, title: str, seats: int
) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, title, seats)
        async with (
            table.sitting() as steady,
            shaky(table.socket(0)) as player,
            shaky(server.client().socket(table.code)) as watcher,
            server.client().socket(table.code) as steady_watcher,
        ):
            players = [player, *steady[1:]]
            await asyncio.gather(*(play(one, at_random(n)) for n, one in enumerate(players)))
            assert steady[0].result is not None
            await table.settled([*steady, player, watcher, steady_watcher])
            assert player.drops > 30
            assert watcher.drops > 10
            for broken, whole in ((player, steady[0]), (watcher, steady_watcher)):
                assert (broken.n, broken.scene) == (whole.n, whole.scene)
                assert broken.events == whole.events


class Leaky(Seat):
    """Four frames never reach it, as if something on the way had swallowed them."""

    swallowed = 0

    def _take(self, text: str) -> None:
        message = json.loads(text)
        if message["t"] == "frame" and message["n"] % 5 == 0 and self.swallowed < 4:
            self.swallowed += 1
        else:
            super()._take(text)


@pytest.mark.parametrize(("title", "seats"), TITLES)
async def test_a_client_that_misses_a_frame_asks_for_it(
    tmp_path: Path, title: str, seats: int
) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, title, seats)
        own = table.socket(0)
        async with table.sitting() as steady, Leaky(own.url, own.cookie, own.seat) as leaky:
            await table.play_until(steady, at_random(1), lambda: leaky.swallowed == 4)
            last = steady[0].n
            await table.play_until(steady, at_random(1), lambda: steady[0].n > last)
            await table.settled([leaky])
            assert (leaky.events, leaky.scene) == (steady[0].events, steady[0].scene)


async def test_hello_gets_exactly_what_is_missing(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            for seat in seats:
                seat.received = []
            first = {seat.seat: seat.n for seat in seats}
            await table.play_until(seats, at_random(1), lambda: seats[0].n > 12)
            for seat in seats:
                told = {
                    message["n"]: message["events"]
                    for message in map(json.loads, seat.received or [])
                    if message["t"] == "frame"
                }
                assert list(told) == list(range(first[seat.seat] + 1, seat.n + 1))
                for seen in range(first[seat.seat], seat.n + 1):
                    async with wire(
                        table.clients[seat.seat or 0], table.code, seat.seat, seat.match, seen
                    ) as back:
                        welcome = await back.next("welcome")
                    assert (welcome["n"], welcome["scene"]) == (seat.n, seat.scene)
                    missed = [(one["n"], one["events"]) for one in welcome["missed"]]
                    assert missed == [(n, told[n]) for n in range(seen + 1, seat.n + 1)]


@pytest.mark.parametrize(("match", "seen"), [("", 3), ("another", 3), (None, 10**6)])
async def test_who_has_seen_nothing_of_this_gets_everything(
    tmp_path: Path, match: str | None, seen: int
) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            await table.play_until(seats, at_random(1), lambda: seats[0].n > 5)
            named = seats[0].match if match is None else match
            async with wire(table.clients[0], table.code, 0, named, seen) as back:
                welcome = await back.next("welcome")
            assert [one["n"] for one in welcome["missed"]] == list(range(1, seats[0].n + 1))
            events = [event for one in welcome["missed"] for event in one["events"]]
            assert events == seats[0].events


@pytest.mark.parametrize(("title", "seats"), TITLES)
async def test_frames_lead_to_what_a_newcomer_sees_and_have_no_gaps(
    tmp_path: Path, title: str, seats: int
) -> None:
    """Viewers' numbers are their own: neither the log's, nor each other's."""
    async with serving(tmp_path) as server:
        table = await party(server, title, seats)
        async with table.sitting() as people, server.client().socket(table.code) as watcher:
            everybody = [*people, watcher]
            for one in everybody:
                one.received = []
            first = [one.n for one in everybody]
            choose = at_random(7)

            async def compare() -> None:
                await table.settled(everybody)
                for one in everybody:
                    assert one.scene == await fresh_scene(table.table, one.number)

            while not table.table.over:
                before = [one.n for one in everybody]

                def moved(before: list[int] = before) -> bool:
                    return [one.n for one in everybody] != before

                await table.play_until(everybody, choose, moved)
                await compare()
            for one, start in zip(everybody, first, strict=True):
                frames = [json.loads(text) for text in one.received or []]
                numbers = [frame["n"] for frame in frames if frame["t"] == "frame"]
                assert numbers == list(range(start + 1, one.n + 1))
            if title != "trial-by-trolley":  # where next to everything is public
                assert len({one.n for one in everybody}) > 1
                assert watcher.n - 1 < len(table.table.match.entries)  # one frame is the beginning


# --- once ------------------------------------------------------------------------------------------


async def _log(table: Party) -> list[tuple[bytes, bytes, str]]:
    rows = await table.server.hub.store.entries(table.table.row.id)
    return [(row.entry, row.state, row.client) for row in rows]


def _at_move(table: Party, seats: list[Seat]) -> Callable[[], bool]:
    """Seat 0 is asked for something that is no pass, and only it."""
    return lambda: (
        not table.table.match.state.window()
        and table.table.match.state.waiting() == [0]
        and seats[0].must
    )


async def test_a_resend_counts_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            await table.play_until(seats, at_random(3), _at_move(table, seats))
            before = len(await _log(table))
            message: Json = {"t": "do", "id": "once", "question": seats[0].question["id"]}
            message["do"] = seats[0].whole_choices()[0]
            async with wire(table.clients[0], table.code, 0) as one:
                await one.send(**message)
                assert (await one.answer("once"))["t"] == "done"
                await one.send(**message)
                assert (await one.answer("once"))["t"] == "done"
            async with wire(table.clients[0], table.code, 0) as two:
                await two.send(**message)
                assert (await two.answer("once"))["t"] == "done"
            log = await _log(table)
            assert len(log) == before + 1
            assert [client for _, _, client in log].count("once") == 1
            await table.settled(seats)
            n = seats[0].n

    async with serving(tmp_path) as server:
        client = server.client(table.clients[0].cookie)
        async with wire(client, table.code, 0) as one:
            assert (await one.next("welcome"))["n"] == n
            await one.send(**message)
            assert (await one.answer("once"))["t"] == "done"
            assert await _log(Party(server, table.code, [client])) == log


async def test_both_resends_at_the_same_time_count_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            await table.play_until(seats, at_random(3), _at_move(table, seats))
            before = len(await _log(table))
            question, do = seats[0].question["id"], seats[0].whole_choices()[0]
            async with (
                wire(table.clients[0], table.code, 0) as one,
                wire(table.clients[0], table.code, 0) as two,
            ):
                for socket in (one, two, one):
                    await socket.send(t="do", id="x", question=question, do=do)
                answers = [await one.answer("x"), await two.answer("x"), await one.answer("x")]
            assert [answer["t"] for answer in answers] == ["done"] * 3
            assert len(await _log(table)) == before + 1


def _windows(table: Party) -> Callable[[], bool]:
    return lambda: bool(table.table.match.state.window())


def _rather(*wanted: str) -> Choose:
    """Choices that begin with one of these, as long as there are some."""
    rng = random.Random(5)

    def choose(seat: Seat) -> list[Json]:
        choices = seat.whole_choices()
        good = [steps for steps in choices if steps[0]["do"] in wanted]
        return rng.choice(good or choices)

    return choose


async def test_a_pass_that_waits_for_the_window_to_close_counts_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            choose = _rather("load", "deliver", "sign")
            await table.play_until(seats, choose, _windows(table))
            waiting = table.table.match.state.waiting()
            first, other = waiting
            before = await _log(table)
            message: Json = {"t": "do", "id": "pass", "question": seats[first].question["id"]}
            message["do"] = [{"do": "pass"}]
            async with wire(table.clients[first], table.code, first) as one:
                for _ in range(2):
                    await one.send(**message)
                    assert (await one.answer("pass"))["t"] == "done"
            assert await _log(table) == before
            assert list(table.table.held) == [first]

    async with serving(tmp_path) as server:
        clients = [server.client(client.cookie) for client in table.clients]
        table = await returned(server, table.code, clients)
        assert list(table.table.held) == [first]
        async with wire(clients[first], table.code, first) as one:
            private = (await one.next("welcome"))["private"]
            assert private["held"] == [{"do": "pass"}]
            assert private["held_question"] == message["question"]
            await one.send(**message)
            assert (await one.answer("pass"))["t"] == "done"
            assert await _log(table) == before
            async with table.socket(other) as seat:
                await seat.do([{"do": "pass"}], "other")
                await seat.until(lambda seat: not seat.scene["awaited"].get("window"))
            # The window has closed, and the pass counts: a resend is still no second one, nor late.
            await one.send(**message)
            assert (await one.answer("pass"))["t"] == "done"
        log = await _log(table)
        assert [client for _, _, client in log[len(before) :]].count("pass") == 1
        assert len(log) == len(before) + 2


async def test_a_resent_undo_takes_back_one_move(tmp_path: Path) -> None:
    """Both freely and by agreement, which bots always give."""
    async with serving(tmp_path) as server:
        client = server.client()
        await client.__aenter__()
        room = await client.create("night-mail", bots=["random"], start=True)
        table = Party(server, room["code"], [client])
        async with table.sitting() as [seat]:

            def loaded_twice() -> bool:
                moves = [live.seat for live in table.table.match._live]
                return moves[-2:] == [0, 0] and seat.must

            rng = random.Random(2)

            def choose(seat: Seat) -> list[Json]:
                choices = seat.whole_choices()
                loads = [steps for steps in choices if steps[0]["do"] == "load"]
                return rng.choice(loads or choices)

            await table.play_until([seat], choose, loaded_twice)
            async with wire(client, table.code, 0) as one:
                for id in ("free", "asked"):
                    before = len(table.table.match._live)
                    for _ in range(3):
                        await one.send(t="undo", id=id)
                        assert (await one.answer(id))["t"] == "done"
                    log = await _log(table)
                    assert [client for _, _, client in log].count(id) == 1
                    assert len(table.table.match._live) < before
                    undone = [json.loads(entry) for entry, _, client in log if client == id]
                    assert undone[0]["to"] is not None


async def test_a_resent_line_of_chat_is_written_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        async with table.sitting() as seats:
            async with wire(table.clients[0], table.code, 0) as one:
                for _ in range(2):
                    await one.send(t="chat", id="c1", text="ciao")
                    assert (await one.answer("c1"))["t"] == "done"
            async with wire(table.clients[0], table.code, 0) as two:
                await two.send(t="chat", id="c1", text="ciao")
                assert (await two.answer("c1"))["t"] == "done"
                await two.send(t="chat", id="c2", text="ciao")
                assert (await two.answer("c2"))["t"] == "done"
            async with wire(table.clients[1], table.code, 1) as other:
                await other.send(t="chat", id="c1", text="ciao")
                assert (await other.answer("c1"))["t"] == "done"
            async with table.socket(1) as late:
                await late.until(lambda seat: seat.chat)
                assert len(table.lounge.talk.lines) == 3
            await seats[1].until(lambda seat: len(seat.chat) == 3)


# --- which question is answered --------------------------------------------------------------------


@pytest.mark.parametrize(("title", "seats"), TITLES)
async def test_simultaneous_voters_do_not_make_each_other_late(
    tmp_path: Path, title: str, seats: int
) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, title, seats)
        together = 0
        async with table.sitting() as people:
            choose = at_random(11)

            def several() -> bool:
                state = table.table.match.state
                return table.table.over or (len(state.waiting()) > 1 and not state.window())

            while together < 4:
                await table.play_until(people, choose, several)
                if table.table.over:
                    break
                waiting = [people[seat] for seat in table.table.match.state.waiting()]
                asked = {one.seat: one.question["id"] for one in waiting}
                answers = [(one, choose(one)) for one in waiting]
                rest = list(waiting)
                for one, steps in answers[:-1]:
                    await one.do(steps)
                    rest.remove(one)
                    await table.settled(people)
                    # What the others are asked is what they were asked.
                    assert {o.seat: o.question["id"] for o in rest} == {
                        o.seat: asked[o.seat] for o in rest
                    }
                last, steps = answers[-1]
                await last.do(steps)
                together += 1
            assert together


@pytest.mark.parametrize(("title", "seats"), TITLES)
async def test_all_vote_at_once(tmp_path: Path, title: str, seats: int) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, title, seats)
        async with table.sitting() as people:
            choose = at_random(12)

            def several() -> bool:
                state = table.table.match.state
                return len(state.waiting()) > 1 and not state.window()

            await table.play_until(people, choose, several)
            waiting = [people[seat] for seat in table.table.match.state.waiting()]
            before = len(table.table.match.entries)
            await asyncio.gather(*(one.do(choose(one)) for one in waiting))
            assert len(table.table.match.entries) == before + len(waiting)


async def test_an_answer_to_an_old_question_is_late_and_changes_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats:
            choose = _rather("load")
            await table.play_until(seats, choose, _at_move(table, seats))
            asked = seats[0].question["id"]
            await seats[0].do(choose(seats[0]))
            await table.settled(seats)
            log, numbers = await _log(table), [seat.n for seat in seats]
            for seat in seats:
                seat.received = []
            async with wire(table.clients[0], table.code, 0) as one:
                await one.next("status")
                for question in (asked, 0, -1, 10**9):
                    await one.send(t="do", id="late", question=question, do=[{"do": "depart"}])
                    refused = await one.answer("late")
                    assert refused["t"] == "refused"
                    assert refused["why"]["key"] == "table.late"
                    assert refused["question"] == seats[0].question["id"]
                assert {message["t"] for message in await one.silence()} <= {"room", "status"}
            for seat in seats:
                kinds = {json.loads(text)["t"] for text in seat.received or []}
                assert kinds <= {"room", "status"}
            assert (await _log(table), [seat.n for seat in seats]) == (log, numbers)


async def test_an_answer_meant_for_the_last_match_does_not_count_in_this_one(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        async with table.sitting() as seats:
            await table.settled(seats)
            old = seats[0].match
            await table.clients[0].command(table.code, "abandon")
            await table.clients[0].command(table.code, "start")
            new = table.table.row.id
            assert new != old
            [mover] = table.table.match.state.waiting()
            async with wire(table.clients[mover], table.code, mover) as one:
                asked = (await one.next("welcome"))["scene"]["question"]["id"]
                do = [{"do": "depart"}]
                await one.send(t="do", id="a", match=old, question=asked, do=do)
                refused = await one.answer("a")
                assert refused["why"]["key"] == "table.late"
                await one.send(t="undo", id="b", match=old)
                assert (await one.answer("b"))["why"]["key"] == "table.late"
                await one.send(t="do", id="a", match=new, question=asked, do=do)
                assert (await one.answer("a"))["t"] == "done"


# --- several devices -------------------------------------------------------------------------------


async def test_two_devices_on_one_seat(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats, table.socket(0) as tablet:
            phone = seats[0]
            for device in (phone, tablet):
                device.received = []
            turns = cycle([phone, tablet])
            choose, acted = at_random(4), {id(phone): 0, id(tablet): 0}
            while not table.table.over:
                await table.settled([*seats, tablet])
                asked = [seat for seat in seats if seat.must]
                if not asked:
                    await asyncio.sleep(0.001)
                    continue
                device = next(turns) if asked[0] is phone else asked[0]
                if device.must:
                    await table.answer(device, choose)
                    acted[id(device)] = acted.get(id(device), 0) + 1
            await table.settled([*seats, tablet])
            assert acted[id(phone)] > 1
            assert acted[id(tablet)] > 1
            assert (phone.scene, phone.events) == (tablet.scene, tablet.events)
            heard = [
                [text for text in device.received or [] if '"t":"frame"' in text]
                for device in (phone, tablet)
            ]
            assert heard[0] == heard[1]
            assert heard[0]


async def test_what_a_seat_keeps_is_on_all_its_devices_and_on_no_other(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        async with table.sitting() as seats, table.socket(0) as tablet:
            for seat in (*seats, tablet):
                seat.received = []
            await seats[0].keep(notes="Bruno lies")
            await tablet.until(lambda seat: seat.private.get("notes") == "Bruno lies")
            await seats[0].until(lambda seat: seat.private.get("notes") == "Bruno lies")
            await seats[1].write("ciao")
            assert not any("Bruno lies" in text for text in seats[1].received or [])
            async with table.socket(0) as third:
                assert third.private["notes"] == "Bruno lies"


async def test_both_devices_answer_at_once_and_one_of_them_counts(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 3)
        async with table.sitting() as seats, table.socket(0) as tablet:
            await table.play_until(seats, at_random(3), _at_move(table, seats))
            await table.settled([tablet])
            before = len(table.table.match.entries)
            steps = seats[0].whole_choices()[0]
            ends = await asyncio.gather(
                seats[0].do(steps), tablet.do(steps), return_exceptions=True
            )
            refusals = [end for end in ends if isinstance(end, Refusal)]
            assert [refusal.key for refusal in refusals] == ["table.late"]
            assert len(table.table.match.entries) == before + 1


def test_small_messages_are_not_held_back() -> None:
    """asyncio turns Nagle's algorithm off only where it knows that it is TCP."""
    with server_run.listening(Settings(port=0)) as bound:
        assert bound.proto == socket.IPPROTO_TCP


# --- the client ------------------------------------------------------------------------------------


async def test_a_client_comes_back_quickly_also_the_tenth_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The long pauses are for a server that does not answer, not for a network that often breaks."""
    monkeypatch.setattr(client_seat, "BACKOFF", (*client_seat.BACKOFF[:-1], 10 * TIME))

    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        async with table.sitting() as [seat, _]:
            for _ in range(10):
                seat.received = []
                await seat.drop()
                while not any('"t":"welcome"' in text for text in seat.received):
                    await asyncio.sleep(0.002)


async def test_a_client_that_is_not_let_in_again_gives_up(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table = await party(server, "night-mail", 2)
        await table.clients[0].command(table.code, "abandon")
        async with table.sitting() as seats:
            number = seats[0].room["people"][1]["number"]
            await seats[1].drop()
            await table.clients[0].command(table.code, "remove", person=number)
            await seats[1].until(lambda seat: seat.closed)
            with pytest.raises(ConnectionError):
                await asyncio.wait_for(seats[1].write("ciao"), TIME)
