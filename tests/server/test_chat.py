"""Chat: who reads what, who may write, and that it is gone when the match is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from capolinea.client import Failed, Refusal, Seat
from capolinea.engine.problems import Refused
from capolinea.server.chat import Talk
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import AddChat, Change, StoreFailed
from tests.server.live import Live, living
from tests.server.tables import TIME, Guest, Running, serving

NAMES = ("Ada", "Bruno", "Carla", "Dora", "Emil")


class Company(AsyncExitStack):
    """People with sockets in a room, the first of them its host."""

    def __init__(
        self,
        server: Live | Running,
        people: int = 2,
        title: str = "night-mail",
        **settings: Any,
    ) -> None:
        super().__init__()
        self.server = server
        self.title = title
        self.clients = [Guest(server.url) for _ in range(people)]
        self.seats: list[Seat] = []
        self.code = ""
        self.settings = settings

    async def __aenter__(self) -> Company:
        await super().__aenter__()
        host = self.clients[0]
        room = await host.create(self.title, name=NAMES[0], settings=self.settings)
        self.code = room["code"]
        for number, client in enumerate(self.clients[1:], 1):
            await client.command(self.code, "sit", seat=number, name=NAMES[number])
            await client.command(self.code, "ready")
        for number in range(len(self.clients)):
            self.seats.append(await self.sit(number))
        return self

    async def sit(self, number: int) -> Seat:
        return await self.enter_async_context(self.clients[number].socket(self.code, number))

    async def watcher(self) -> Seat:
        client = Guest(self.server.url)
        await client.get("/api/me")
        return await self.enter_async_context(client.socket(self.code))

    async def host(self, do: str, **more: Any) -> None:
        await self.clients[0].command(self.code, do, **more)

    async def start(self, *others: Seat) -> None:
        await self.host("start")
        for seat in (*self.seats, *others):
            await seat.until(lambda seat: seat.match and seat.match == seat.room["match"])

    async def end(self) -> None:
        await self.host("abandon")
        await self.seats[0].until(lambda seat: seat.room["phase"] == "over")

    def stored(self) -> list[str]:
        """What the store has of the chat."""
        assert isinstance(self.server, Live)
        rows = self.server.run(self.server.hub.store.chat(self.code, 10_000))
        return [json.loads(row.line)["line"]["text"] for row in rows]


async def settle(*seats: Seat) -> None:
    """Whatever was on its way has come: answers follow what was told before them."""
    for seat in seats:
        await seat.send({"t": "ping"})
        async with asyncio.timeout(TIME):
            while (await seat._news.get())["t"] != "pong":
                pass


def texts(seat: Seat) -> list[str]:
    return [line["text"] for line in seat.chat]


async def refused(work: Coroutine[Any, Any, Any], key: str) -> dict[str, Any]:
    with pytest.raises(Refusal) as refusal:
        await work
    assert refusal.value.key == key
    return refusal.value.arguments


# --- to the table --------------------------------------------------------------------------------


async def test_table_chat_reaches_everybody_with_who_wrote_it(server: Live) -> None:
    async with Company(server) as company:
        first, second = company.seats
        watcher = await company.watcher()
        await first.write("Good evening!")
        await second.write("Dober večer, Ada")
        await watcher.write("May I watch?")
        await settle(first, second, watcher)
        for seat in (first, second, watcher):
            assert texts(seat) == ["Good evening!", "Dober večer, Ada", "May I watch?"]
            assert [line["name"] for line in seat.chat[:2]] == ["Ada", "Bruno"]
            assert [line["person"] for line in seat.chat] == [1, 2, 3]
            assert {line["to"] for line in seat.chat} == {"table"}


async def test_a_line_keeps_the_name_under_which_it_was_written(server: Live) -> None:
    async with Company(server) as company:
        await company.seats[1].write("I am Bruno")
        await company.clients[1].command(company.code, "rename", name="Benno")
        await company.seats[1].write("Now I am Benno")
        again = await company.sit(0)
        await settle(again)
        assert [line["name"] for line in again.chat] == ["Bruno", "Benno"]


async def test_whoever_comes_later_or_again_reads_what_was_said(server: Live) -> None:
    async with Company(server) as company:
        first, second = company.seats
        await first.write("one")
        await second.drop()
        await first.write("two")
        await second.until(lambda seat: len(seat.chat) == 2)
        assert texts(second) == ["one", "two"]
        await company.start()
        await first.write("three")
        watcher = await company.watcher()
        await settle(watcher)
        assert texts(watcher) == ["one", "two", "three"]


async def test_a_line_that_is_sent_again_is_the_same_line(server: Live) -> None:
    async with Company(server) as company:
        first, second = company.seats
        for _ in range(3):
            await first._ask({"t": "chat", "text": "once"}, "the-same")
        await second._ask({"t": "chat", "text": "mine"}, "the-same")
        await settle(first, second)
        assert texts(second) == ["once", "mine"]


# --- to the team ---------------------------------------------------------------------------------


def teams(company: Company) -> tuple[list[list[int]], int]:
    """Who is with whom, and who pulls the lever."""
    table = company.server.hub.lounges[company.code].table
    assert table is not None
    found = {tuple(table.match.state.team(seat)) for seat in range(len(company.seats))}
    both = [list(team) for team in sorted(found) if team]
    assert len(both) == 2
    (alone,) = set(range(len(company.seats))) - {seat for team in both for seat in team}
    return both, alone


async def test_team_chat_reaches_exactly_the_team(server: Live) -> None:
    async with Company(server, 5, "trial-by-trolley") as company:
        watcher = await company.watcher()
        await company.start(watcher)
        (one, other), conductor = teams(company)
        await company.seats[one[0]].write("the nun, I say", to="team")
        await company.seats[other[1]].write("not the nun", to="team")
        await company.seats[conductor].write("Hurry up!")
        await refused(company.seats[conductor].write("me too", to="team"), "chat.no-team")
        await refused(watcher.write("and I", to="team"), "chat.no-team")
        await settle(*company.seats, watcher)
        again = [await company.sit(number) for number in range(5)]
        late = await company.watcher()
        await settle(*again, late)
        for seats in (company.seats, again):
            for number, seat in enumerate(seats):
                heard = {"Hurry up!"}
                if number in one:
                    heard.add("the nun, I say")
                if number in other:
                    heard.add("not the nun")
                assert set(texts(seat)) == heard
        assert texts(watcher) == texts(late) == ["Hurry up!"]


async def test_the_numbers_of_lines_do_not_count_those_one_may_not_read(server: Live) -> None:
    async with Company(server, 5, "trial-by-trolley") as company:
        await company.start()
        (one, _), conductor = teams(company)
        await company.seats[conductor].write("first")
        for n in range(4):
            await company.seats[one[0]].write(f"secret {n}", to="team")
        await company.seats[conductor].write("second")
        await settle(company.seats[conductor])
        lines = company.seats[conductor].chat
        assert texts(company.seats[conductor]) == ["first", "second"]
        assert all(0 <= line["n"] - line["at"] <= 5 for line in lines), "a time, not a count"


async def test_team_chat_on_one_screen_reaches_the_seats_of_the_team(server: Live) -> None:
    client = Guest(server.url)
    code = (await client.create("trial-by-trolley", name="Ada"))["code"]
    for number in range(1, 5):
        await client.command(code, "sit", seat=number, name=NAMES[number], further=True)
    await client.command(code, "start")
    async with AsyncExitStack() as stack:
        seats = [
            await stack.enter_async_context(client.socket(code, number)) for number in range(5)
        ]
        table = server.hub.lounges[code].table
        assert table is not None
        writer = next(seat for seat in range(5) if table.match.state.team(seat))
        team = set(table.match.state.team(writer))
        await seats[writer].write("whisper", to="team")
        await settle(*seats)
        assert {number for number in range(5) if seats[number].chat} == team


async def test_what_was_meant_for_one_team_reaches_no_other(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Company(server, 5, "trial-by-trolley") as company:
        await company.start()
        table = company.server.hub.lounges[company.code].table
        assert table is not None
        writer = teams(company)[0][0][0]
        line: dict[str, Any] = {"t": "chat", "text": "our plan", "to": "team"}
        line |= {"match": table.row.id, "team": table.match.state.team(writer)}
        # It was written before the round was over, and arrives after it.
        while table.match.state.team(writer) in ([], line["team"]):
            for seat, question in table.asked().items():
                await table.time_out(seat, question)
            await table.close_window(table.asked())
        now: dict[str, Any] = {"team": table.match.state.team(writer)}
        others = ({"match": "another"}, {"match": ""})
        for wrong in (line, {**line, "team": []}, *({**line, **now, **one} for one in others)):
            sent = company.seats[writer]._ask(wrong, "the-line")
            await refused(sent, "chat.other-team")
        await settle(*company.seats)
        assert not any(texts(seat) for seat in company.seats)
        await company.seats[writer].write("our new plan", to="team")
        await settle(*company.seats)
        readers = [number for number, seat in enumerate(company.seats) if texts(seat)]
        assert readers == sorted(table.match.state.team(writer))


async def test_the_team_is_still_there_on_another_device(server: Live) -> None:
    async with Company(server, 5, "trial-by-trolley") as company:
        await company.start()
        (one, other), _ = teams(company)
        await company.seats[one[0]].write("our plan", to="team")
        for number, reads in ((one[1], ["our plan"]), (other[0], [])):
            path = f"/api/rooms/{company.code}/seats/{number}"
            key = (await company.clients[number].post(f"{path}/link"))["key"]
            phone = Guest(server.url)
            await phone.post(f"{path}/key", {"key": key})
            async with phone.socket(company.code, number) as seat:
                await settle(seat)
                assert texts(seat) == reads


async def test_titles_without_teams_have_no_team_chat(server: Live) -> None:
    async with Company(server) as company:
        await refused(company.seats[0].write("psst", to="team"), "chat.no-team")
        await company.start()
        await refused(company.seats[0].write("psst", to="team"), "chat.no-team")


async def test_when_the_match_is_over_nobody_takes_a_teams_place(server: Live) -> None:
    async with Company(server, 5, "trial-by-trolley") as company:
        await company.host("configure", settings={"keep_chat": True})
        await company.start()
        (one, other), _ = teams(company)
        await company.seats[one[0]].write("our plan", to="team")
        await company.end()
        await refused(company.seats[one[0]].write("so?", to="team"), "chat.no-team")
        # The chair changes hands; what was said there does not.
        await company.clients[one[1]].command(company.code, "sit", seat=6)
        await company.clients[other[0]].command(company.code, "sit", seat=one[1])
        moved = await company.enter_async_context(company.clients[one[1]].socket(company.code, 6))
        intruder = await company.enter_async_context(
            company.clients[other[0]].socket(company.code, one[1])
        )
        await settle(moved, intruder)
        assert texts(moved) == ["our plan"]
        assert texts(intruder) == []


# --- those who watch -----------------------------------------------------------------------------


async def test_those_who_watch_talk_among_themselves_while_a_match_is_on(server: Live) -> None:
    async with Company(server) as company:
        first, second = company.seats
        one, two = await company.watcher(), await company.watcher()
        await company.start(one, two)
        await one.write("Ada will lose")
        await first.write("Quiet, please")
        # Who plays may look from the outside, but not listen there.
        spy = await company.enter_async_context(company.clients[0].socket(company.code))
        late = await company.watcher()
        await two.write("Hush!")
        await settle(first, second, spy, late, one)
        assert texts(first) == texts(second) == texts(spy) == ["Quiet, please"]
        for seat in (one, two, late):
            assert texts(seat) == ["Ada will lose", "Quiet, please", "Hush!"]
        assert [line["to"] for line in one.chat] == ["watchers", "table", "watchers"]
        await spy.write("I have heard nothing")
        await settle(second)
        assert texts(second)[-1] == "I have heard nothing", "who plays speaks to the table"
        await company.end()
        await one.write("Well played")
        await settle(first)
        assert texts(first)[-1] == "Well played"


# --- who does not want to read whom --------------------------------------------------------------


async def test_mute_by_person(server: Live) -> None:
    async with Company(server, 3) as company:
        first, second, third = company.seats
        await third.write("before")
        await second.send({"t": "mute", "person": 3})
        await second.until(lambda seat: seat.room.get("muted"))
        third.received = []
        await third.write("bla bla")
        await first.write("Hello")
        again = await company.sit(1)
        await settle(first, second, again)
        assert texts(second) == ["before", "Hello"]
        assert texts(again) == ["Hello"]
        assert texts(first) == ["before", "bla bla", "Hello"]
        assert not any("muted" in message for message in third.received), "nobody is told"
        # By going out and coming in again nobody gets around it.
        await company.clients[2].command(company.code, "leave")
        await company.clients[2].command(company.code, "sit", seat=2, name="Not Carla")
        back = await company.sit(2)
        await back.write("here I am again")
        await settle(second)
        assert texts(second) == ["before", "Hello"]
        number = next(p for p in back.room["people"] if p["name"] == "Not Carla")["number"]
        await second.send({"t": "mute", "person": number, "muted": False})
        await settle(second)
        await back.write("friends?")
        await settle(second)
        assert texts(second)[-1] == "friends?"


async def test_nobody_mutes_somebody_who_is_not_there(server: Live) -> None:
    async with Company(server) as company:
        seat = company.seats[0]
        seat.received = []
        await seat.send({"t": "mute", "person": 77})
        await settle(seat)
        answers = [json.loads(message) for message in seat.received]
        assert [a["why"]["key"] for a in answers if a["t"] == "refused"] == ["room.no-person"]


async def test_hush_by_host(server: Live) -> None:
    async with Company(server, 3) as company:
        first, second, third = company.seats
        await company.host("hush", person=3)
        await first.until(lambda seat: seat.room["people"][2].get("hushed"))
        await refused(third.write("but"), "chat.hushed")
        await second.write("Peace")
        await settle(first, third)
        assert texts(first) == texts(third) == ["Peace"]
        await company.clients[2].command(company.code, "leave")
        await company.clients[2].command(company.code, "sit", seat=2, name="Dora")
        back = await company.sit(2)
        await refused(back.write("a new me"), "chat.hushed")
        number = next(p for p in back.room["people"] if p["name"] == "Dora")["number"]
        await company.host("hush", person=number, hushed=False)
        await back.write("sorry")
        with pytest.raises(Failed):
            await company.clients[1].command(company.code, "hush", person=1)


async def test_who_left_the_room_does_not_write_there(server: Live) -> None:
    async with Company(server) as company:
        await company.clients[1].command(company.code, "leave")
        await refused(company.seats[1].write("one more thing"), "room.stranger")


# --- how much ------------------------------------------------------------------------------------


async def test_slow_mode_counts_for_each_person(server: Live) -> None:
    async with Company(server) as company:
        first, second = company.seats
        await company.host("configure", settings={"slow": 60})
        await first.write("one")
        assert await refused(first.write("two"), "chat.slow") == {"seconds": 60}
        await second.write("mine")
        await refused(first.write("three"), "chat.slow")
        await company.host("configure", settings={"slow": 0})
        await first.write("four")
        await settle(second)
        assert texts(second) == ["one", "mine", "four"]


async def test_nobody_fills_the_page_of_all_others(tmp_path: Path) -> None:
    """Neither a person, nor many of one address."""
    with living(tmp_path, chat_per_minute=5, address_chat_per_minute=8) as server:
        async with Company(server) as company:
            first, second = company.seats
            for number in range(5):
                await first.write(f"{number}")
            assert (await refused(first.write("more"), "chat.slow"))["seconds"] <= 12
            for number in range(3):
                await second.write(f"{number}")
            assert (await refused(second.write("more"), "chat.slow"))["seconds"] <= 8
            await settle(first, second)
            assert len(texts(second)) == 8


def test_slow_mode_ends_when_it_says() -> None:
    talk = Talk("BCDFGH", 200)
    talk.check("ada", False, "one", 300, 5, 10_000)
    with pytest.raises(Refused) as refusal:
        talk.check("ada", False, "two", 300, 5, 12_100)
    assert refusal.value.args_ == {"seconds": 3}
    assert talk.check("ada", False, "two", 300, 5, 15_000) == "two"
    with pytest.raises(Refused):
        talk.check("ada", False, "x" * 301, 300, 5, 20_000)
    assert talk.check("ada", False, "short", 300, 5, 20_000) == "short", (
        "a refused line costs nothing"
    )


async def test_lines_have_a_longest_length(server: Live) -> None:
    async with Company(server) as company:
        first, second = company.seats
        await first.write("ü" * 300)
        assert await refused(first.write("ü" * 301), "chat.too-long") == {"most": 300}
        await refused(first.write("x" * 20_001), "socket.form")
        await settle(second)
        assert texts(second) == ["ü" * 300]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("  hello\t you ", "hello  you"),
        ("one\ntwo\n\nthree", "one\ntwo\n\nthree"),
        ("top" + "\n \n" * 50 + "bottom", "top\n\nbottom"),
        ("\u202edrawkcab\x07\u2066", "drawkcab"),
        ("👩\u200d🚀 می\u200cخواهم", "👩\u200d🚀 می\u200cخواهم"),
        ("<b>{name}</b>", "<b>{name}</b>"),
    ],
)
def test_lines_show_what_they_are(written: str, read: str) -> None:
    assert Talk("BCDFGH", 200).check("ada", False, written, 300, 0, 0) == read


@pytest.mark.parametrize("filler", [" ", "\n", " \n", "\u0301", "\u200d", "\t"])
def test_a_long_line_costs_no_more_than_its_length(filler: str) -> None:
    """Whoever writes holds up nobody: as much text takes as long in long lines as in short ones."""

    def seconds(size: int) -> float:
        text = f"a{filler * (size // len(filler))}b"
        began = process_time()
        for _ in range(100_000 // size):
            Talk("BCDFGH", 200).check("ada", False, text, size + 2, 0, 0)
        return process_time() - began

    assert seconds(20_000) < 4 * seconds(2_000) + 0.1


@pytest.mark.parametrize("nothing", ["", " \n ", "\u202e", "\u200d\u200c", "\x00"])
def test_an_empty_line_says_nothing(nothing: str) -> None:
    with pytest.raises(Refused) as refusal:
        Talk("BCDFGH", 200).check("ada", False, nothing, 300, 0, 0)
    assert refusal.value.key == "chat.nothing"


async def test_so_many_lines_are_shown_to_who_comes(tmp_path: Path) -> None:
    async with serving(tmp_path, chat_lines=3) as server, Company(server) as company:
        for n in range(5):
            await company.seats[0].write(str(n))
        again = await company.sit(1)
        await settle(again, company.seats[1])
        assert texts(again) == ["2", "3", "4"]
        assert texts(company.seats[1]) == ["0", "1", "2", "3", "4"]


# --- what remains --------------------------------------------------------------------------------


async def test_nothing_is_kept_after_the_match(server: Live) -> None:
    async with Company(server) as company:
        first, _ = company.seats
        watcher = await company.watcher()
        await first.write("before the match")
        await company.start(watcher)
        await first.write("during the match")
        await watcher.write("from outside")
        assert sorted(company.stored()) == [
            "before the match",
            "during the match",
            "from outside",
        ]
        await company.end()
        assert company.stored() == []
        again = await company.sit(1)
        await settle(again)
        assert texts(again) == []
        # What is said between matches can be read until the next one is over ...
        await first.write("a rematch?")
        again = await company.sit(1)
        await settle(again)
        assert texts(again) == ["a rematch?"]
        await company.start()
        await company.end()
        assert company.stored() == []
        await first.write("good night")
    # ... or until everybody has gone.
    lounge = server.hub.lounges[company.code]
    async with asyncio.timeout(TIME):
        while lounge.sockets:
            await asyncio.sleep(0.01)
    server.hub.quiet = 0
    server.run(server.hub.put_away())
    assert company.stored() == []


async def test_a_table_can_keep_its_chat(server: Live) -> None:
    async with Company(server, keep_chat=True) as company:
        await company.start()
        await company.seats[0].write("to remember")
        await company.end()
        await company.start()
        again = await company.sit(1)
        await settle(again)
        assert texts(again) == company.stored() == ["to remember"]


async def test_chat_is_never_in_the_record(server: Live) -> None:
    async with Company(server, keep_chat=True) as company:
        await company.start()
        await company.seats[0].write("xyzzy")
        await company.end()
        match = company.seats[0].match
        for path in ("record", "replay?as=truth", "replay?as=0", ""):
            found = await company.clients[0].request(
                "GET", f"/api/matches/{match}/{path}".rstrip("/")
            )
            assert b"Ada" in found
            assert b"xyzzy" not in found
        rows = server.run(server.hub.store.entries(match))
        assert not any(b"xyzzy" in row.entry for row in rows)


async def test_after_a_restart_one_reads_what_one_may(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Company(server, 5, "trial-by-trolley") as company:
        watcher = await company.watcher()
        await company.seats[0].send({"t": "mute", "person": 2})
        await company.seats[0].until(lambda seat: seat.room.get("muted"))
        await company.start(watcher)
        (one, _), _ = teams(company)
        await company.seats[one[0]].write("our plan", to="team")
        await company.seats[1].write("from Bruno")
        await watcher.write("from outside")
    async with serving(tmp_path) as server, AsyncExitStack() as stack:
        seats = []
        for number, client in enumerate(company.clients):
            client.url = server.url
            seats.append(await stack.enter_async_context(client.socket(company.code, number)))
        await settle(*seats)
        said = {"our plan": (one[0], set(one)), "from Bruno": (1, set(range(5)))}
        for number, seat in enumerate(seats):
            muted = {1} if number == 0 else set()
            assert set(texts(seat)) == {
                text
                for text, (writer, readers) in said.items()
                if number in readers and writer not in muted
            }
        # A line after the restart is a new one also for who was there before.
        before = max(line["n"] for seat in seats for line in seat.chat)
        await seats[2].write("On we go")
        await settle(*seats)
        for seat in seats:
            assert seat.chat[-1]["text"] == "On we go"
            assert seat.chat[-1]["n"] > before


async def test_a_line_that_is_sent_again_after_a_restart_is_the_same_line(tmp_path: Path) -> None:
    line = {"t": "chat", "text": "once"}
    async with serving(tmp_path) as server, Company(server) as company:
        await company.seats[0]._ask(line, "the-same")
    async with serving(tmp_path) as server:
        client = company.clients[0]
        client.url = server.url
        async with client.socket(company.code, 0) as seat:
            await seat._ask(line, "the-same")
            await settle(seat)
            assert texts(seat) == ["once"]


class Forgetful(SqliteStore):
    """A disk that is full, as far as chat is concerned."""

    async def write(self, *changes: Change) -> None:
        if any(isinstance(change, AddChat) for change in changes):
            raise StoreFailed
        await super().write(*changes)


async def test_what_cannot_be_stored_is_told_to_nobody(tmp_path: Path) -> None:
    store = Forgetful(tmp_path / "capolinea.db")
    async with serving(tmp_path, store) as server, Company(server) as company:
        first, second = company.seats
        await refused(first.write("lost"), "table.not-kept")
        again = await company.sit(1)
        await settle(first, second, again)
        assert not texts(first) + texts(second) + texts(again)


async def test_nothing_in_the_chat_tells_who_somebody_is(server: Live) -> None:
    async with Company(server, 5, "trial-by-trolley") as company:
        await company.start()
        (one, _), _ = teams(company)
        for seat in company.seats:
            seat.received = []
        await company.seats[one[0]].write("our plan", to="team")
        await company.seats[0].write("hello")
        again = await company.sit(one[1])
        await settle(*company.seats, again)
        lines = [line for seat in (*company.seats, again) for line in seat.chat]
        assert lines
        fields = {"t", "n", "person", "name", "to", "text", "at"}
        assert all(set(line) == fields for line in lines)
        told = json.dumps(lines) + "".join(t for s in company.seats for t in s.received or [])
        for client in company.clients:
            assert client.cookie.partition("=")[2].partition(".")[0] not in told
