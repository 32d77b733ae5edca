"""Peers under the same load: boardgame.io and Colyseus, both in memory, with a game of tricks for five."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
from load import BINARY, SEATS, Failed, Http, Party, Wire, connect
from process import Server

HERE = Path(__file__).parent / "peers"
CACHE = Path(__file__).parents[1] / ".cache" / "peers"
encode, decode = msgspec.json.encode, msgspec.json.decode


def installed() -> Path:
    """The folder with the peers and all that they need, which npm fetches once; Failed says why not."""
    sources = [path for path in sorted(HERE.iterdir()) if path.is_file()]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    folder = CACHE / digest
    if not shutil.which("npm") or not shutil.which("node"):
        raise Failed("there is no npm here")
    if folder.is_dir():
        return folder
    print("npm fetches the peers ...", file=sys.stderr)
    unfinished = CACHE / ".unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for path in sources:
        shutil.copy(path, unfinished)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=unfinished, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"npm could not fetch them:\n{done.stderr}")
    unfinished.rename(folder)
    return folder


class Peer(Server):
    """A server of the game of tricks; `pile` cards lie face up, which is how large a view is."""

    file: str
    #: Its kind of table.
    table: type[Tricks]

    def __init__(self, folder: Path, pile: int = 0) -> None:
        command = ["node", str(folder / self.file), "PORT", str(pile)]
        super().__init__(command, {"NODE_ENV": "production"})

    async def join(self, count: int) -> list[Party]:
        http = Http(self.port)
        tables: list[Party] = []
        for _ in range(count):
            table = self.table(self.port)
            await table.come_in(http)
            tables.append(table)
        return tables


class Tricks(Party):
    """Seats act in turns: each plays the first card of its hand."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port
        self.turn = 0
        self._told = 0

    async def come_in(self, http: Http) -> None:
        raise NotImplementedError

    def tell(self) -> None:
        """Somebody has got a new view."""
        self._told += 1
        if self._told == SEATS:
            self._told = 0
            self.turn += 1
            self.heard_by_all()


class BoardgameIoParty(Tricks):
    """Speaks Socket.IO, over its WebSocket: a packet is digits, the namespace, and JSON."""

    async def come_in(self, http: Http) -> None:
        self._match = http.post("/games/tricks/create", {"numPlayers": SEATS})["matchID"]
        self._credentials = []
        for seat in range(SEATS):
            asked = {"playerID": str(seat), "playerName": f"No. {seat}"}
            answer = http.post(f"/games/tricks/{self._match}/join", asked)
            self._credentials.append(answer["playerCredentials"])
        for seat in range(SEATS):
            await self._sync(seat)

    async def _sync(self, seat: int) -> None:
        synced = asyncio.Event()

        def heard(wire: Wire, packet: bytes) -> None:
            if packet.startswith(b'42/tricks,["update"'):
                self.tell()
            elif packet.startswith(b'42/tricks,["sync"'):
                synced.set()
            elif packet.startswith(b"0"):
                wire.send(b"40/tricks,")
            elif packet.startswith(b"40/tricks"):
                sync = ["sync", self._match, str(seat), self._credentials[seat], SEATS]
                wire.send(b"42/tricks," + encode(sync))
            elif packet == b"2":
                wire.send(b"3")

        path = "/socket.io/?EIO=4&transport=websocket"
        self.add(await connect(self.port, path, heard))
        await synced.wait()

    def send(self) -> None:
        seat = str(self.turn % SEATS)
        credentials = self._credentials[self.turn % SEATS]
        payload = {"type": "play", "args": [0], "playerID": seat, "credentials": credentials}
        action = {"type": "MAKE_MOVE", "payload": payload}
        update = ["update", action, self.turn, self._match, seat]
        self.wires[self.turn % SEATS].send(b"42/tricks," + encode(update))


class BoardgameIo(Peer):
    name = "boardgame.io"
    file = "boardgame-io.cjs"
    table = BoardgameIoParty


class ColyseusParty(Tricks):
    """Speaks Colyseus' own protocol: a byte that says what it is, a name, and MessagePack."""

    JOIN, DATA = 10, 13

    async def come_in(self, http: Http) -> None:
        seat = http.post("/matchmake/create/table", {})
        await self._sit(seat)
        for _ in range(1, SEATS):
            await self._sit(http.post(f"/matchmake/joinById/{seat['roomId']}", {}))

    async def _sit(self, seat: Any) -> None:
        joined = asyncio.Event()

        def heard(wire: Wire, message: bytes) -> None:
            if message[0] == self.DATA:
                self.tell()
            elif message[0] == self.JOIN:
                wire.send(bytes([self.JOIN]), BINARY)
                joined.set()

        path = f"/{seat['processId']}/{seat['roomId']}?sessionId={seat['sessionId']}"
        self.add(await connect(self.port, path, heard))
        await joined.wait()

    def send(self) -> None:
        # Short strings and small numbers are one byte of MessagePack and what they say.
        play = bytes([self.DATA, 0xA0 | len(b"play")]) + b"play" + bytes([0])
        self.wires[self.turn % SEATS].send(play, BINARY)


class Colyseus(Peer):
    name = "colyseus"
    file = "colyseus.mjs"
    table = ColyseusParty
