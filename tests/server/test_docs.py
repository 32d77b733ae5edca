"""What the pages say is so: the example session is played again, and tables are compared with the code.

Run as a program it writes the table of settings in docs/hosting.md anew.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, get_args

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from capolinea.server import lounge, sitting
from capolinea.server.protocol import (
    CLOCKS,
    Bye,
    ClientMessage,
    Command,
    ServerMessage,
    decode_message,
)
from capolinea.server.rest import ROUTES
from capolinea.server.settings import TABLE, Settings
from capolinea.words import Words
from tests.server.tables import TIME, Running, serving

ROOT = Path(__file__).parents[2]
PROTOCOL, HOSTING = ROOT / "docs" / "protocol.md", ROOT / "docs" / "hosting.md"
PAGES = [PROTOCOL, HOSTING, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
CUT = "…"


# --- the example session -------------------------------------------------------------------------


class Line(NamedTuple):
    who: str
    #: ">" is sent, "<" is received.
    way: str
    shown: Any


def blocks(page: Path, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)


def session() -> list[Line]:
    """The lines of the example; a message may go on in the next line, indented."""
    [text] = blocks(PROTOCOL, "session")
    found = re.findall(r"^(\w+) ([<>]) (.*(?:\n .*)*)", text, re.MULTILINE)
    return [Line(who, way, json.loads(quoted(shown))) for who, way, shown in found]


def quoted(text: str) -> str:
    """Made JSON of: what was cut out of an object, of a list, or is a value."""
    inside: list[str] = []
    parts, last = [], ""
    for number, part in enumerate(re.findall(rf'"(?:[^"\\]|\\.)*"|[^"{CUT}\s]|{CUT}|\s+', text)):
        if part in "{[":
            inside.append(part)
        elif part in "}]":
            inside.pop()
        is_field = part == CUT and inside[-1] == "{" and last != ":"
        parts.append(f'"{CUT}{number}": 0' if is_field else f'"{CUT}"' if part == CUT else part)
        last = last if part.isspace() else part
    return "".join(parts)


def fits(shown: Any, real: Any) -> bool:
    """Whether this is what is shown, apart from what was cut."""
    match shown:
        case str() if shown.endswith(CUT):
            return shown == CUT or (isinstance(real, str) and real.startswith(shown[:-1]))
        case dict():
            names = {name for name in shown if not name.startswith(CUT)}
            if not isinstance(real, dict) or not names <= real.keys():
                return False
            whole = len(names) < len(shown) or names == real.keys()
            return whole and all(fits(shown[name], real[name]) for name in names)
        case [first, *rest]:
            if first == CUT:
                return isinstance(real, list) and any(
                    fits(rest, real[n:]) for n in range(len(real) + 1)
                )
            return (
                isinstance(real, list)
                and bool(real)
                and fits(first, real[0])
                and fits(rest, real[1:])
            )
    return bool(shown == real and type(shown) is type(real))


class Player:
    """A socket of somebody in the example, and all that came."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.received: list[Any] = []
        self.seen = 0
        self.reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                self.received.append(json.loads(text))
        except ConnectionClosed:
            pass

    async def expect(self, shown: Any) -> Any:
        """The next message like this; what is not shown in between may come."""
        async with asyncio.timeout(TIME):
            while True:
                for place in range(self.seen, len(self.received)):
                    if fits(shown, self.received[place]):
                        self.seen = place + 1
                        return self.received[place]
                await asyncio.sleep(0.01)


async def perform(server: Running, lines: list[Line], players: dict[str, Player]) -> None:
    ada, bruno = server.client(), server.client()
    for client in (ada, bruno):
        await client.__aenter__()
    room = await ada.create("night-mail", name="Ada", preset="short")
    await bruno.command(room["code"], "sit", seat=1, name="Bruno")
    await bruno.command(room["code"], "ready")
    room = await ada.command(room["code"], "start")
    url = server.url.replace("http", "ws") + f"/api/rooms/{room['code']}/socket"
    for who, way, shown in lines:
        if who not in players:
            cookie = {"Ada": ada, "Bruno": bruno}[who].cookie
            players[who] = Player(await connect(url, additional_headers={"Cookie": cookie}))
        if way == ">":
            named = {"match": room["match"]} if shown.get("match") == CUT else {}
            await players[who].socket.send(json.dumps(shown | named))
        else:
            await players[who].expect(shown)


async def test_the_example_session_is_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The deal of the example, and what its bot thinks.
    fixed = SimpleNamespace(token_bytes=lambda size: b"\6" * size)
    monkeypatch.setattr(lounge, "secrets", fixed)
    monkeypatch.setattr(sitting, "secrets", fixed)
    *lines, last = session()

    players: dict[str, Player] = {}
    async with serving(tmp_path) as server:
        await perform(server, lines, players)
    await players[last.who].expect(last.shown)
    assert players[last.who].socket.close_code == 1012


def test_the_example_shows_what_the_protocol_has() -> None:
    kinds = {tag(kind): fields(kind) for kind in get_args(ServerMessage)}
    for _, way, shown in session():
        if way == ">":
            decode_message(json.dumps(shown))
        else:
            assert {name for name in shown if not name.startswith(CUT)} <= kinds[shown["t"]] | {"t"}
    shown = {line.shown["t"] for line in session() if line.way == "<"}
    assert shown == kinds.keys()


def test_cuts_are_understood() -> None:
    shown = json.loads(quoted('{"a": 1, …, "b": [1, …, 4], "c": {…}, "d": […], "e": …, "f": "x…"}'))
    real = {"a": 1, "b": [1, 2, 3, 4], "c": {"x": 0}, "d": [5], "e": {}, "f": "xyz", "g": 9}
    assert fits(shown, real)
    for name in "abcdef":
        assert not fits(shown, {key: value for key, value in real.items() if key != name})
    assert not fits({"a": 1}, {"a": 1, "b": 2})
    assert not fits([1, 2], [1])
    assert not fits([1], [1, 2])
    assert not fits(shown, real | {"f": "zyx"})
    assert not fits(1, True)


# --- tables --------------------------------------------------------------------------------------


def tag(kind: Any) -> str:
    found = msgspec.inspect.type_info(kind)
    assert isinstance(found, msgspec.inspect.StructType)
    return str(found.tag)


def fields(kind: Any) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(kind)}


def tables(page: Path, header: str) -> Iterator[dict[str, list[str]]]:
    """The tables with this header: first cell → the other cells."""
    for text in page.read_text().split(f"\n{header}\n")[1:]:
        lines = takewhile(lambda line: line.startswith("|"), text.split("\n"))
        rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
        yield {row[0]: row[1:] for row in rows[1:]}


def documented(table: dict[str, list[str]]) -> dict[str, set[str]]:
    return {
        name.strip("`"): set(re.findall(r"`([\w-]+)`", cells[0])) for name, cells in table.items()
    }


def test_every_route_is_there() -> None:
    text = PROTOCOL.read_text()
    wanted = [f"| `{route.method} {route.path}` |" for route in ROUTES]
    wanted += [f"`?{name}=" for route in ROUTES for name in route.query]
    missing = [line for line in wanted if line not in text]
    assert missing == [], "docs/protocol.md has no such line"


def test_every_message_and_command_is_there_with_its_fields() -> None:
    client, server = tables(PROTOCOL, "| `t` | fields | |")
    assert documented(client) == {tag(kind): fields(kind) for kind in get_args(ClientMessage)}
    assert documented(server) == {tag(kind): fields(kind) for kind in get_args(ServerMessage)}
    [commands] = tables(PROTOCOL, "| `do` | | |")
    assert documented(commands) == {tag(kind): fields(kind) for kind in get_args(Command)}


def test_reasons_to_go_are_there() -> None:
    [table] = tables(PROTOCOL, "| `bye` | close code | |")
    [why] = msgspec.structs.fields(Bye)
    assert {name.strip("`") for name in table} <= set(get_args(why.type))


def test_the_clocks_are_what_they_are() -> None:
    header = "| `settings.clock.kind` | for each question | bank | reaction window |"
    [table] = tables(PROTOCOL, header)
    assert [name.strip("`") for name in table] == list(CLOCKS)
    for name, (turn, bank, window) in table.items():
        clock = CLOCKS[name.strip("`")]
        # Without a length of their own, windows take as long as questions.
        assert seconds(turn) == clock.turn
        assert seconds(bank) == clock.bank
        assert seconds(window) == (clock.window or clock.turn)


def seconds(text: str) -> int:
    found = re.fullmatch(r"(\d+) (s|h)", text.strip())
    return int(found[1]) * {"s": 1, "h": 3600}[found[2]] if found else 0


def test_the_numbers_in_the_protocol_are_the_defaults() -> None:
    chosen = Settings()
    text = " ".join(PROTOCOL.read_text().split())
    for said in (
        f"at most {chosen.command_size} kB",
        f"{chosen.socket_messages} messages in ten seconds",
        f"{chosen.person_sockets} sockets a person and {chosen.address_sockets} an address",
        f"of which one opens at most {chosen.sockets_per_minute} a minute",
        f"{chosen.address_wrong_codes_per_hour} wrong room codes an hour",
        f"{chosen.requests_per_minute} requests a minute",
        f"{chosen.rooms_per_hour} new rooms and {chosen.matches_per_hour} new matches an hour",
    ):
        assert said in text


def settings_table() -> str:
    say = Words.of("en").say
    lines = ["| | default | allowed | |", "|---|---|---|---|"]
    for setting in TABLE:
        allowed = setting.allowed if setting.kind in ("number", "choice", "switch") else ""
        meaning = say(setting.about.help)
        lines.append(f"| `{setting.flag}` | {setting.written_default} | {allowed} | {meaning} |")
    return "\n".join(lines)


BETWEEN = re.compile(r"(?<=writes it anew -->\n).*?(?=<!-- end -->)", re.DOTALL)


def test_the_settings_are_what_they_are() -> None:
    [found] = BETWEEN.findall(HOSTING.read_text())
    assert found.strip() == settings_table()


# --- what can be run, and what can be followed ---------------------------------------------------


@pytest.mark.parametrize("number", range(len(blocks(PROTOCOL, "python"))))
async def test_python_in_the_page_runs(tmp_path: Path, number: int) -> None:
    async with serving(tmp_path) as server:
        code = blocks(PROTOCOL, "python")[number].replace("http://localhost:1905", server.url)
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
        assert await process.wait() == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if link.startswith("http"):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            headings = re.findall(r"^#+ (.*)", target.read_text(), re.MULTILINE)
            assert anchor in {slug(heading) for heading in headings}, link


def slug(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", [PROTOCOL, HOSTING], ids=lambda page: page.name)
def test_lines_are_short(page: Path) -> None:
    for line in page.read_text().splitlines():
        assert len(line) <= 120 or line.startswith("|"), line


if __name__ == "__main__":
    page = HOSTING.read_text()
    HOSTING.write_text(BETWEEN.sub(lambda _: settings_table() + "\n", page))
