"""What all rooms of a server share: store, bots, time, the address."""

from __future__ import annotations

import asyncio
import socket
import time

from capolinea import bots, games
from capolinea.engine.problems import Problem, Refused
from capolinea.engine.record import RecordProblem
from capolinea.server.fold import header_of
from capolinea.server.health import Health
from capolinea.server.limits import Rate
from capolinea.server.metrics import Metrics
from capolinea.server.minds import Minds
from capolinea.server.playtime import Awake
from capolinea.server.rooms import Room
from capolinea.server.set_up import SetUp, set_up_of
from capolinea.server.settings import Settings, is_loopback
from capolinea.server.store import MatchRow, Store
from capolinea.server.table import Table
from capolinea.server.work import Asker, TooSlow, Workshop

#: So many are remembered.
MOST_SET_UPS = 500
#: How long the server may be busy without a look at its clock, in beats. After that it slept.
BUSY = 4
#: So many sockets leave their rooms in one step of the loop.
LEAVING = 200


class House:
    """Everything that lives as long as the server does, but the rooms (hub.py)."""

    #: Seconds between looks at the clock.
    beat = 1.0

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.health = Health(store)
        self.metrics = Metrics()
        self.secret = b""
        bots.PROGRAMS.update(settings.bot_commands)
        #: Held by who goes: between two handfuls of them everybody else has a turn.
        self.leaving = asyncio.Semaphore(LEAVING)
        self.minds = Minds(settings.bot_workers, settings.bot_limit, settings.bot_commands)
        self.work = Workshop(settings.work_processes, settings.work_limit)
        # Not where the bots of the match think: that they wait for it would tell the others that somebody
        # asked. Nor where somebody's upload is in the way.
        self.hints = Workshop(1, settings.bot_limit, settings.bot_commands, most_kept=0)
        # Matches are kept until somebody clears them away, and may have data of somebody's own.
        self.match_rate = Rate(settings.matches_per_hour, 3600)
        self.address_match_rate = Rate(settings.address_matches_per_hour, 3600)
        self.chat_rate = Rate(settings.chat_per_minute, 60)
        self.address_chat_rate = Rate(settings.address_chat_per_minute, 60)
        self._set_ups: dict[bytes, SetUp] = {}
        #: For all that lasts so long or so long.
        self.awake = Awake(self.ticks, int(BUSY * self.beat * 1000))
        #: How long servers have been up with this store before.
        self.up_before = 0
        #: The server is about to end.
        self.stopping = False

    # --- time ------------------------------------------------------------------------------------

    def now(self) -> int:
        """Milliseconds since 1970: what people read on their clocks, and no measure of how long
        something lasts."""
        return time.time_ns() // 1_000_000

    def ticks(self) -> int:
        """Milliseconds on a clock that nobody can set."""
        return time.monotonic_ns() // 1_000_000

    def uptime(self) -> int:
        """Milliseconds that servers have been up with this store: so long it was possible to use a room.
        The calendar does not say that. It may have been wrong when a room was used, or may be now, and
        what is forgotten is gone."""
        return self.up_before + self.awake()

    # --- rooms and matches -----------------------------------------------------------------------

    async def set_up(self, room: Room, address: str = "") -> SetUp:
        """What comes of what a room is set up with: looked at once, whoever looks at the room. `address`
        is whose share of the work it is."""
        found = self.set_up_at_once(room)
        if found is None:
            # What nobody asked for has one share for all rooms.
            asker = Asker(address or "rooms", room.host)
            try:
                found = await self.work.do(asker, set_up_of, *room.chosen())
            except TooSlow:
                raise Problem("serve.too-slow") from None
            self._remember(room, found)
        return found

    def set_up_at_once(self, room: Room) -> SetUp | None:
        """The same, if nobody has to wait for it: nobody tries data of somebody's own just now."""
        found, chosen = self._set_ups.get(room.choice()), room.chosen()
        if found is None and not (chosen.data and chosen.seats):
            found = set_up_of(*chosen)
            self._remember(room, found)
        return found

    def _remember(self, room: Room, found: SetUp) -> None:
        self._set_ups[room.choice()] = found
        while len(self._set_ups) > MOST_SET_UPS:
            del self._set_ups[next(iter(self._set_ups))]

    async def table(self, row: MatchRow) -> Table:
        """A match, folded from the store."""
        game = games.load(header_of(row).title)
        table = Table(self.store, row, game, self.now, self.metrics)
        try:
            await table.load()
        except RecordProblem as problem:
            raise Refused("table.frozen") from problem
        return table

    # --- the address -----------------------------------------------------------------------------

    @property
    def reach(self) -> str:
        """Whom a link reaches."""
        if self.settings.public_url:
            return "everybody"
        return "computer" if is_loopback(self.settings.bind) else "network"

    def link(self, path: str) -> str:
        return base_url(self.settings) + path


def base_url(settings: Settings) -> str:
    """What links begin with: the public address, or one that whom we listen for can reach."""
    if settings.public_url:
        return settings.public_url
    if is_loopback(settings.bind):
        return f"http://localhost:{settings.port}"
    host = settings.bind
    if host in ("0.0.0.0", "::"):
        host = lan_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def lan_address() -> str:
    """Our address on the network at home: the one from which we would reach others."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it is an address for examples
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])
