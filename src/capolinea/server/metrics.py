"""What the server counts and measures, in Prometheus' words."""

from __future__ import annotations

import asyncio
import hmac

from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from capolinea.server.settings import Settings

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
#: Seconds between looks at how late the loop is.
BEAT = 0.01

_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
_STALL = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60)


class Metrics:
    """One app's own, so that two apps in a process (in tests) do not add up."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "capolinea_requests",
            "Requests answered, and sockets opened (WS)",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "capolinea_request_seconds",
            "Time to answer a request",
            ["route"],
            buckets=_QUICK,
            registry=self.registry,
        )
        self.refusals = Counter(
            "capolinea_refusals",
            "What was refused, by the key of its reason",
            ["why"],
            registry=self.registry,
        )
        self.connections = Gauge(
            "capolinea_connections", "Connections open, sockets too", registry=self.registry
        )
        self.connections_refused = Counter(
            "capolinea_connections_refused",
            "Connections closed: too many of one address, too few descriptors, half a request (slow)",
            ["why"],
            registry=self.registry,
        )
        self.wrong_codes = Counter(
            "capolinea_wrong_codes", "Room codes tried that no room has", registry=self.registry
        )
        self.sockets = Gauge("capolinea_sockets", "Sockets open", registry=self.registry)
        self.rooms = Gauge("capolinea_rooms", "Rooms in memory", registry=self.registry)
        self.matches = Gauge(
            "capolinea_matches", "Matches in memory that are on", registry=self.registry
        )
        self.entries = Counter(
            "capolinea_entries", "Entries appended to logs of matches", registry=self.registry
        )
        self.commit_seconds = Histogram(
            "capolinea_commit_seconds",
            "Time until a transaction was on the disk",
            buckets=_QUICK,
            registry=self.registry,
        )
        self.bot_seconds = Histogram(
            "capolinea_bot_seconds",
            "Time a bot thought",
            ["bot"],
            buckets=_SLOW,
            registry=self.registry,
        )

        self.loop_stall = Histogram(
            "capolinea_loop_stall_seconds",
            "How late the event loop came to what was due, which is how long everybody waited",
            buckets=_STALL,
            registry=self.registry,
        )
        self._longest_stall = 0.0
        Gauge(
            "capolinea_loop_stall_longest_seconds",
            "The longest of these since this was last read",
            registry=self.registry,
        ).set_function(self._take_longest_stall)

    def stalled(self, seconds: float) -> None:
        self.loop_stall.observe(seconds)
        self._longest_stall = max(self._longest_stall, seconds)

    def _take_longest_stall(self) -> float:
        longest, self._longest_stall = self._longest_stall, 0.0
        return longest

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests.labels(method, route, str(status)).inc()
        if method != "WS":  # a socket is not slow because it is open for long
            self.request_seconds.labels(route).observe(seconds)

    def render(self) -> bytes:
        return generate_latest(self.registry)


async def watch_stalls(metrics: Metrics) -> None:
    """Look again and again whether the loop comes in time. What holds it up is noticed whatever it is,
    and may have lasted a BEAT longer."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + BEAT
        await asyncio.sleep(BEAT)
        metrics.stalled(max(0.0, loop.time() - due))


def may_read(settings: Settings, authorization: str) -> bool:
    """Whether a request with this Authorization header ("" for none) may see the metrics."""
    if settings.metrics_token:
        wanted = f"Bearer {settings.metrics_token}"
        return hmac.compare_digest(wanted.encode(), authorization.encode("utf-8", "replace"))
    return settings.metrics
