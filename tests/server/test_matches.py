"""Matches from outside: replay, download, upload, play from here; and the seed that was promised."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from capolinea import games
from capolinea.cli import main
from capolinea.client import Failed, Refusal, Seat
from capolinea.engine.match import Match, Viewer
from capolinea.engine.record import Record, Say, altered, dumps, dumps_lines, loads
from capolinea.patch import patched
from tests.server.live import UNHURRIED, Live, living, said_why
from tests.server.tables import TIME, Choose, Guest, at_random

Json = dict[str, Any]
FIXTURES = Path(__file__).parents[1] / "fixtures"
TITLES = {"night-mail": 3, "stop-the-train": 4, "trial-by-trolley": 3}
REASON = "They had cake."


# --- matches that were played --------------------------------------------------------------------


class Played:
    """A match that is over, as its first player knew it."""

    def __init__(self, seat: Seat, record: Record, seeds: list[str]) -> None:
        self.id = seat.match
        self.code = str(seat.room["code"])
        self.seat = seat
        self.record = record
        self.seeds = seeds
        self.game = games.load(record.title)


async def answer(seat: Seat, choose: Choose) -> bool:
    """Whether it was in time; else something else is asked now."""
    question = seat.question["id"]
    try:
        await seat.do(choose(seat))
    except Refusal as refusal:
        if refusal.key not in ("table.late", "table.over"):
            raise
        return bool(seat.question["id"] == question)
    return True


async def play_on(seat: Seat, choose: Choose) -> None:
    """Play to the end; whoever judges gives a reason, and whoever is heard says so."""
    reasons = 0
    heard = -1
    async for _ in seat.news():
        view = seat.view
        pleads = view.get("phase") == "plea" and view["conductor"] != seat.number
        if pleads and heard < view["round"]:
            heard = view["round"]
            with suppress(Refusal):  # unless somebody has heard enough
                await seat.say({"rest": True})
        past = seat.view.get("past", []) if "conductor" in seat.view else []
        if len(past) > reasons and past[-1]["conductor"] == seat.number:
            reasons = len(past)
            with suppress(Refusal):  # unless that was the end
                await seat.say({"reason": REASON})
        while seat.must and seat.result is None and not await answer(seat, choose):
            pass


async def played(live: Live, title: str) -> Played:
    client = Guest(live.url)
    async with client:
        room = await client.create(
            title, name="Ada Lovelace", bots=["random"] * (TITLES[title] - 1)
        )
        seat = client.socket(room["code"], 0)
        seat.received = []
        async with seat:
            await client.command(room["code"], "start")
            await seat.until(lambda seat: seat.match)
            row = await live.hub.store.match(seat.match)
            assert row is not None
            seed = json.loads(row.header)["seed"]
            running = await client.get(f"/api/matches/{seat.match}")
            told = json.dumps(running) + "".join(seat.received)
            assert seed not in told
            await play_on(seat, at_random(1))
            await seat.until(lambda seat: seat.room["phase"] == "over")
        record = await client.request("GET", f"/api/matches/{seat.match}/record")
        assert seed not in "".join(seat.received)
    return Played(seat, loads(record), [seed])


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with living(tmp_path_factory.mktemp("matches"), record_size=512) as server:
        yield server


@pytest.fixture(scope="module")
def matches(live: Live) -> dict[str, Played]:
    return {title: live.run(played(live, title)) for title in TITLES}


def get(live: Live, path: str, client: Guest | None = None) -> Any:
    return live.run((client or Guest(live.url)).get(path))


def refused(live: Live, path: str, client: Guest | None = None) -> tuple[int, str]:
    with pytest.raises(Failed) as failed:
        get(live, path, client)
    return failed.value.status, failed.value.key


# --- replay --------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


@pytest.mark.parametrize("title", TITLES)
def test_replay_from_every_seat_and_as_spectator(
    live: Live, matches: dict[str, Played], title: str
) -> None:
    record, game = matches[title].record, matches[title].game
    viewers: list[Viewer] = [None, *range(len(record.seats))]
    frames = Match.fold(game, record, viewers)
    for viewer in viewers:
        looker = "spectator" if viewer is None else viewer
        replay = get(live, f"/api/matches/{matches[title].id}/replay?as={looker}")
        match = Match.begin(game, record)
        scene, made = replay["scene"], 0
        for step in replay["steps"]:
            for number in range(made, step["entries"]):
                # What comes between two steps, this viewer did not notice.
                assert scene["view"] == plain(match.view(viewer))
                match.follow(record.entries[number])
            made = step["entries"]
            scene = patched(scene, step["delta"])
            assert scene["view"] == plain(match.view(viewer))
            assert scene["awaited"] == plain(match.awaited())
            assert scene["players"] == match.players
            assert "seat" not in step
        assert scene["said"] == plain(match.said)
        assert scene["result"] == plain(match.result()) == plain(record.result)
        told = [event for step in replay["steps"] for event in step["events"]]
        assert told == plain([event for frame in frames.frames(viewer) for event in frame.events])


@pytest.mark.parametrize("title", TITLES)
def test_replay_with_all_that_was_hidden(
    live: Live, matches: dict[str, Played], title: str
) -> None:
    record, game = matches[title].record, matches[title].game
    replay = get(live, f"/api/matches/{matches[title].id}/replay?as=truth")
    match = Match.begin(game, record)
    scene = replay["scene"]
    assert [step["entries"] for step in replay["steps"]] == list(range(len(record.entries) + 1))
    for step in replay["steps"]:
        if step["entries"]:
            entry = record.entries[step["entries"] - 1]
            match.follow(entry)
            moved = plain(entry)["kind"] == "move"
            assert step.get("seat") == (entry.seat if moved else None)
        scene = patched(scene, step["delta"])
        views = [plain(match.view(seat)) for seat in range(len(record.seats))]
        assert scene["views"] == views
        assert scene["view"] == plain(match.view(None))
        assert scene["awaited"]["seats"] == match.state.waiting()


def test_who_looks_must_be_somebody(live: Live, matches: dict[str, Played]) -> None:
    where = f"/api/matches/{matches['night-mail'].id}/replay?as="
    for nobody in ("3", "-1", "999999", "everybody", "%00", ""):
        assert refused(live, where + nobody) == (400, "refused.no-seat")


# --- while it is on ------------------------------------------------------------------------------


async def half_played(live: Live) -> tuple[Guest, Guest, str, str]:
    """A match that is on, with moves that not everybody was told of. It does not go on by itself."""
    ada, bo, cy = (Guest(live.url) for _ in range(3))
    async with ada, bo, cy, AsyncExitStack() as stack:
        code = (await ada.create("night-mail", name="Ada", settings=UNHURRIED))["code"]
        for number, client in enumerate((bo, cy), 1):
            await client.command(code, "sit", seat=number, name=("Bo", "Cy")[number - 1])
            await client.command(code, "ready")
        await ada.command(code, "start")
        seats = [
            await stack.enter_async_context(client.socket(code, number))
            for number, client in enumerate((ada, bo, cy))
        ]
        table = live.hub.lounges[code].table
        assert table is not None
        choices = {seat: at_random(number) for number, seat in enumerate(seats, 1)}
        async with asyncio.timeout(TIME):
            while len(table.fold.told[None]) > len(table.match.entries):
                for seat, choose in choices.items():
                    if seat.must:
                        await answer(seat, choose)
                await asyncio.sleep(0.01)
        return ada, bo, code, seats[0].match


def test_a_match_that_is_on_shows_ones_own_side_only(live: Live) -> None:
    ada, bo, code, id = live.run(half_played(live))
    stranger = Guest(live.url)
    where = f"/api/matches/{id}"
    running = (409, "match.running")
    assert refused(live, f"{where}/replay?as=1", ada) == running
    assert refused(live, f"{where}/replay?as=2", ada) == running
    assert refused(live, f"{where}/replay?as=0", bo) == running
    assert refused(live, f"{where}/replay?as=0", stranger) == running
    for client in (ada, bo, stranger):
        assert refused(live, f"{where}/replay?as=truth", client) == running
        assert refused(live, f"{where}/record", client) == running
        with pytest.raises(Failed, match=r"match\.running"):
            live.run(client.post(f"{where}/continue", {"entries": 0, "seat": 0}))

    table = live.hub.lounges[code].table
    assert table is not None
    for viewer, client in ((None, stranger), (0, ada), (1, bo)):
        looker = "spectator" if viewer is None else viewer
        replay = get(live, f"{where}/replay?as={looker}", client)
        told = table.fold.told[viewer]
        # Steps are counted as this viewer was told of them: one each, without a gap.
        assert [step["entries"] for step in replay["steps"]] == list(range(len(told)))
        assert [step["events"] for step in replay["steps"]] == json.loads(msgspec.json.encode(told))
        scene = replay["scene"]
        for step in replay["steps"]:
            assert "seat" not in step
            scene = patched(scene, step["delta"])
        assert scene["view"] == plain(table.match.view(viewer))
        assert "question" not in scene
        assert not {"seed", "entries", "result", "ended"} & set(replay["match"])
        assert replay["match"] == get(live, where, client)
        assert json.loads(table.row.header)["seed"] not in json.dumps(replay)
    # Somebody passed in a window, and the others' streams have nothing of it.
    assert len(table.fold.told[None]) < len(table.match.entries) + 1

    live.run(ada.command(code, "configure", settings={"watching": False}))
    assert refused(live, where, stranger) == (409, "room.no-watching")
    assert refused(live, f"{where}/replay", stranger) == (409, "room.no-watching")
    assert get(live, f"{where}/replay", bo)["steps"]
    live.run(ada.command(code, "configure", settings={"watching": True}))
    person = next(
        one["number"] for one in live.run(ada.room(code))["people"] if one["name"] == "Bo"
    )
    live.run(ada.command(code, "remove", person=person))
    assert refused(live, f"{where}/replay", bo) == (409, "room.removed")
    assert refused(live, f"{where}/replay?as=1", bo) == (409, "room.removed")


def test_a_finished_private_match_opens_with_its_id_alone(
    live: Live, matches: dict[str, Played]
) -> None:
    match = matches["night-mail"]
    stranger = Guest(live.url)
    assert get(live, "/api/rooms", stranger) == []
    assert "rooms" not in get(live, "/api/me", stranger)
    for guess in (match.id[:-1], match.id[:-1] + "%", match.id.upper(), match.code, "*", "_" * 26):
        assert refused(live, f"/api/matches/{guess}", stranger) == (404, "match.unknown")
        assert refused(live, f"/api/matches/{guess}/replay", stranger) == (404, "match.unknown")
        assert refused(live, f"/api/matches/{guess}/record", stranger) == (404, "match.unknown")
    shown = get(live, f"/api/matches/{match.id}", stranger)
    assert shown["result"] == plain(match.record.result)
    assert "room" not in shown  # nor does it lead to the room
    assert len(match.id) * 5 >= 128


# --- the record ----------------------------------------------------------------------------------


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("without", ["", "names", "texts", "names,texts"])
def test_download_is_a_record_that_verifies(
    live: Live,
    matches: dict[str, Played],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    title: str,
    without: str,
) -> None:
    match = matches[title]
    file = tmp_path / "match.json"
    client = Guest(live.url)
    where = f"/api/matches/{match.id}/record?without={without}"
    text = live.run(client.request("GET", where))
    file.write_bytes(text)
    assert main(["verify", str(file)]) == 0, capsys.readouterr().out
    record = loads(text)
    assert record.result == match.record.result
    assert record.result is not None
    named = "Ada Lovelace" in text.decode()
    assert named == ("names" not in without)
    if "names" in without:
        assert record.seats == [str(number) for number in range(1, len(record.seats) + 1)]
    if title == "trial-by-trolley":
        assert (REASON in text.decode()) == ("texts" not in without)
        kinds = [plain(entry)["kind"] for entry in record.entries]
        assert "say" in kinds
        assert kinds == [plain(entry)["kind"] for entry in match.record.entries]


def test_the_seed_is_the_one_that_was_promised(live: Live, matches: dict[str, Played]) -> None:
    for match in matches.values():
        promised = match.seat.seed_hash
        shown = get(live, f"/api/matches/{match.id}")
        assert sha256(bytes.fromhex(shown["seed"])).hexdigest() == promised
        assert shown["seed_hash"] == match.record.seed_hash == promised
        assert [shown["seed"]] == match.seeds == [match.record.seed]
        # It was promised with the first thing that was told of the match.
        told = [json.loads(text) for text in match.seat.received or []]
        first = next(message for message in told if message["t"] in ("welcome", "frame"))
        assert first["seed_hash"] == promised


# --- upload --------------------------------------------------------------------------------------


def upload(live: Live, content: bytes) -> Any:
    return json.loads(live.run(Guest(live.url).request("POST", "/api/records", content)))


def kept(title: str) -> list[Path]:
    return sorted((FIXTURES / title).glob("*.json"))[:3]


@pytest.mark.parametrize("file", [file for title in TITLES for file in kept(title)], ids=str)
def test_an_uploaded_record_can_be_looked_at(live: Live, file: Path) -> None:
    content = file.read_bytes()
    record = loads(content)
    shown = upload(live, content)
    assert shown["result"] == plain(record.result)
    assert shown["entries"] == len(record.entries)
    game = games.load(record.title)
    replay = get(live, f"/api/matches/{shown['id']}/replay?as=truth")
    scene = replay["scene"]
    for step in replay["steps"]:
        scene = patched(scene, step["delta"])
    match = Match.fold(game, record)
    assert scene["views"] == [plain(match.view(seat)) for seat in range(len(record.seats))]
    again = loads(live.run(Guest(live.url).request("GET", f"/api/matches/{shown['id']}/record")))
    assert msgspec.structs.replace(again, seats=[]) == msgspec.structs.replace(record, seats=[])


def test_all_forms_of_records_can_be_uploaded(live: Live, matches: dict[str, Played]) -> None:
    record, game = matches["night-mail"].record, matches["night-mail"].game
    lines = dumps_lines(record)
    assert upload(live, lines.encode())["result"] == plain(record.result)
    dealt = altered(record, deal=Match.dealt(game, record), seed="", seed_hash="")
    shown = upload(live, dumps(dealt).encode())
    assert shown["result"] == plain(record.result)
    # One that never came to its end, and one that was played by rules of another name.
    some = altered(record, entries=record.entries[:10])
    assert "result" not in upload(live, dumps(some).encode())
    other = msgspec.structs.replace(record, rules="99")
    assert upload(live, dumps(other).encode())["result"] == plain(record.result)


def test_names_from_elsewhere_are_cleaned(live: Live, matches: dict[str, Played]) -> None:
    record = matches["night-mail"].record
    odd = msgspec.structs.replace(record, seats=["a" * 5000, "\u202eevil\x00\n", ""])
    shown = upload(live, dumps(odd).encode())
    assert shown["seats"] == ["a" * 24, "evil", "3"]


def _with(**changes: Any) -> Callable[[Json], bytes]:
    return lambda record: json.dumps({**record, **changes}).encode()


def _entry(number: int, **changes: Any) -> Callable[[Json], bytes]:
    def changed(record: Json) -> bytes:
        entries = [dict(entry) for entry in record["entries"]]
        entries[number] = {**entries[number], **changes}
        return json.dumps({**record, "entries": entries}).encode()

    return changed


def _again(number: int, times: int) -> Callable[[Json], bytes]:
    def longer(record: Json) -> bytes:
        entries = [record["entries"][number]] * times
        return json.dumps({**record, "entries": entries, "result": None}).encode()

    return longer


def _deep(record: Json) -> bytes:
    inside = "[" * 5000 + "]" * 5000
    return json.dumps({**record, "options": "?"}).replace('"?"', inside).encode()


BAD: dict[str, tuple[Callable[[Json], bytes], str]] = {
    "nothing": (lambda _: b"", "record.empty"),
    "bytes": (lambda _: b"\xff\xfe\x00", "record.not-text"),
    "not JSON": (lambda _: b"Stop the train!", "record.damaged"),
    "a picture": (lambda _: b"\x89PNG\r\n\x1a\n", "record.not-text"),
    "another thing": (lambda _: b'{"format": "pgn", "entries": []}', "record.foreign"),
    "a list": (lambda _: b"[1, 2]", "record.foreign"),
    "cut off": (lambda record: json.dumps(record, indent=1).encode()[:-20], "record.cut-off"),
    "a name twice": (lambda _: b'{"format": 1, "format": 2, "entries": []}', "record.foreign"),
    "of the future": (_with(version=99), "record.future"),
    "no version": (_with(version="1"), "record.field"),
    "another title": (_with(title="chess"), "title.unknown"),
    "somebody's module": (_with(title="os:system"), "title.unknown"),
    "not its title": (_with(title="stop-the-train"), "record.data-kinds"),
    "a check of another state": (_entry(5, check="0" * 32), "record.differs"),
    "no check": (_entry(5, check=None), "record.field"),
    "other rules, and another check": (
        lambda record: _entry(5, check="0" * 32)({**record, "rules": "99"}),
        "record.rules",
    ),
    "another end": (_with(result={"ending": "stranded", "outcomes": []}), "record.result"),
    "another seed": (_with(seed="00" * 32), "record.seed-hash"),
    "no seed": (_with(seed=""), "record.no-seed"),
    "no hex": (_with(seed="zz"), "record.field"),
    "seed and deal": (_with(deal={}), "record.seed-and-deal"),
    "an odd deal": (_with(seed="", seed_hash="", deal={"mail": [[9, 9]]}), ""),
    "an unknown option": (_with(options={"turbo": True}), ""),
    "options of no kind": (_with(options=[]), "record.field"),
    "too few seats": (_with(seats=["Ada"]), "record.start"),
    "too many seats": (_with(seats=["Ada"] * 1000), "record.start"),
    "seats that are none": (_with(seats=[1, 2, 3]), "record.field"),
    "data that is not what it was": (
        lambda r: json.dumps(
            {**r, "data": {k: {**used, "sha256": "0"} for k, used in r["data"].items()}}
        ).encode(),
        "record.data-hash",
    ),
    "one field too many": (_with(extra=1), "record.field"),
    "a seat that is not there": (_entry(3, seat=77), "record.entry"),
    "a seat below none": (_entry(3, seat=-1), "record.entry"),
    "no steps": (_entry(5, do=[]), "record.entry"),
    "a step of another title": (_entry(5, do=[{"do": "plea"}]), "record.entry"),
    "an entry of no kind": (_entry(5, kind="dance"), "record.field"),
    "an odd saying": (_entry(5, kind="say", do=None), "record.field"),
    "nested without end": (_deep, ""),
    "entries that are none": (_with(entries={}), "record.field"),
    "who plays, without end": (_again(0, 3000), "record.many"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_with_a_record_is_said(
    live: Live, matches: dict[str, Played], name: str
) -> None:
    spoil, key = BAD[name]
    content = spoil(json.loads(dumps(matches["night-mail"].record)))
    with pytest.raises(Failed) as failed:
        upload(live, content)
    assert failed.value.status == 400
    assert key in ("", failed.value.key)
    said_why({"key": failed.value.key, "args": failed.value.arguments})


def test_odd_sayings_in_a_record_are_a_line_and_no_more(
    live: Live, matches: dict[str, Played]
) -> None:
    """Whoever accepted them: their form is unknown here, so no program gets to see it."""
    record = json.loads(dumps(matches["trial-by-trolley"].record))
    [place, *_] = [n for n, entry in enumerate(record["entries"]) if entry["kind"] == "say"]
    own = len([entry for entry in record["entries"] if entry["kind"] == "say"])
    odd: list[Any] = [
        None,
        {"reason": {"line": [], "cards": []}},
        {"reason": {"line": "verdict.lives", "cards": [{}]}},
    ]
    for said in odd:
        entries = list(record["entries"])
        entries[place] = {**entries[place], "said": said}
        id = upload(live, json.dumps({**record, "entries": entries}).encode())["id"]
        replay = get(live, f"/api/matches/{id}/replay?as=truth")
        scene = replay["scene"]
        for step in replay["steps"]:
            scene = patched(scene, step["delta"])
        assert len(scene["said"]) == own - 1
        told = [event["key"] for step in replay["steps"] for event in step["events"]]
        assert told.count("log.said") == 1
        plainly = Guest(live.url).request("GET", f"/api/matches/{id}/record?without=texts")
        without = loads(live.run(plainly))
        assert without.entries[place] == Say(entries[place]["seat"], None, entries[place]["at"])


def test_a_record_can_be_too_large(live: Live) -> None:
    with pytest.raises(Failed) as failed:
        upload(live, b" " * (512 * 1024 + 1))
    assert (failed.value.status, failed.value.key) == (413, "serve.too-large")


# --- play from here ------------------------------------------------------------------------------


async def continued(live: Live, id: str, entries: int, seat: int) -> tuple[Seat, Record]:
    """Play on from there to the end; what became of it."""
    client = Guest(live.url)
    async with client:
        body = {"entries": entries, "seat": seat, "bot": "random", "name": "Zoe"}
        room = await client.post(f"/api/matches/{id}/continue", body)
        assert room["phase"] == "playing"
        assert room["yours"] == [seat]
        async with client.socket(room["code"], seat) as own:
            assert own.number == seat
            await play_on(own, at_random(7))
            await own.until(lambda own: own.room["phase"] == "over")
        record = await client.request("GET", f"/api/matches/{own.match}/record")
    return own, loads(record)


@pytest.mark.parametrize("title", TITLES)
def test_play_from_here(live: Live, matches: dict[str, Played], title: str) -> None:
    match = matches[title]
    before = live.run(Guest(live.url).request("GET", f"/api/matches/{match.id}/record"))
    middle = len(match.record.entries) // 2
    seat, record = live.run(continued(live, match.id, middle, 1))
    assert seat.result is not None
    assert record.entries[:middle] == match.record.entries[:middle]
    assert record.seed == match.record.seed
    assert record.result == Match.fold(match.game, record).result()
    by = [plain(entry) for entry in record.entries[middle:] if plain(entry)["kind"] == "control"]
    assert {"kind": "control", "seat": 1, "by": "person"}.items() <= by[-1].items() or any(
        one["seat"] == 1 and one["by"] == "person" for one in by
    )
    assert live.run(Guest(live.url).request("GET", f"/api/matches/{match.id}/record")) == before


def test_play_from_here_with_what_was_uploaded(live: Live, matches: dict[str, Played]) -> None:
    record, game = matches["night-mail"].record, matches["night-mail"].game
    dealt = altered(record, deal=Match.dealt(game, record), seed="", seed_hash="", entries=[])
    shown = upload(live, dumps(dealt).encode())
    seat, played_on = live.run(continued(live, shown["id"], 0, 2))
    assert seat.result is not None
    assert played_on.deal == dealt.deal


def test_where_there_is_no_playing_from(live: Live, matches: dict[str, Played]) -> None:
    match = matches["night-mail"]
    end = len(match.record.entries)

    def key(id: str = match.id, **body: Any) -> tuple[int, str]:
        with pytest.raises(Failed) as failed:
            live.run(Guest(live.url).post(f"/api/matches/{id}/continue", body))
        said_why({"key": failed.value.key, "args": failed.value.arguments})
        return failed.value.status, failed.value.key

    rooms = len(live.hub.lounges)
    assert key(entries=end, seat=0) == (400, "match.over-here")
    assert key(entries=end + 1, seat=0) == (400, "match.no-entry")
    assert key(entries=2**31, seat=0) == (400, "match.no-entry")
    for entries in (2**31 + 1, 2**64, 10**400):
        assert key(entries=entries, seat=0) == (400, "serve.bad-body")
    assert key(entries=-1, seat=0) == (400, "serve.bad-body")
    assert key(entries=3, seat=3) == (400, "refused.no-seat")
    assert key(entries=3, seat=0, bot="no such bot") == (400, "bot.unknown")
    assert key(entries=3, seat=0, bot="tests.bots.strangers:First") == (400, "bot.unknown")
    assert key(id="nothing", entries=3, seat=0) == (404, "match.unknown")
    assert len(live.hub.lounges) == rooms
