"""What Prometheus reads."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from capolinea.server.metrics import BEAT, CONTENT_TYPE, Metrics, may_read
from capolinea.server.settings import Settings
from tests.server.tables import serving

LONGEST = ("capolinea_loop_stall_longest_seconds", ())


def samples(metrics: Metrics) -> dict[tuple[str, tuple[str, ...]], float]:
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(metrics.render().decode())
        for sample in family.samples
    }


def test_requests_are_counted_by_route_and_status() -> None:
    metrics = Metrics()
    for status in (200, 200, 404):
        metrics.request("GET", "/api/rooms/{code}", status, 0.003)
    found = samples(metrics)
    assert found["capolinea_requests_total", ("GET", "/api/rooms/{code}", "200")] == 2
    assert found["capolinea_requests_total", ("GET", "/api/rooms/{code}", "404")] == 1
    assert found["capolinea_request_seconds_count", ("/api/rooms/{code}",)] == 3
    assert found["capolinea_request_seconds_bucket", ("0.0025", "/api/rooms/{code}")] == 0
    assert found["capolinea_request_seconds_bucket", ("0.005", "/api/rooms/{code}")] == 3


def test_an_open_socket_is_no_slow_request() -> None:
    metrics = Metrics()
    metrics.request("WS", "/ws", 101, 3600)
    found = samples(metrics)
    assert found["capolinea_requests_total", ("WS", "/ws", "101")] == 1
    assert ("capolinea_request_seconds_count", ("/ws",)) not in found


def test_everything_else_is_there() -> None:
    metrics = Metrics()
    metrics.sockets.inc()
    metrics.rooms.set(3)
    metrics.matches.set(2)
    metrics.entries.inc(5)
    metrics.commit_seconds.observe(0.01)
    metrics.bot_seconds.labels("passenger").observe(1.5)
    metrics.refusals.labels("refused.undo").inc()
    found = samples(metrics)
    assert found["capolinea_sockets", ()] == 1
    assert found["capolinea_rooms", ()] == 3
    assert found["capolinea_matches", ()] == 2
    assert found["capolinea_entries_total", ()] == 5
    assert found["capolinea_commit_seconds_count", ()] == 1
    assert found["capolinea_bot_seconds_sum", ("passenger",)] == 1.5
    assert found["capolinea_refusals_total", ("refused.undo",)] == 1


def test_the_longest_stall_is_told_once() -> None:
    metrics = Metrics()
    for seconds in (0.02, 0.3, 0.001):
        metrics.stalled(seconds)
    found = samples(metrics)
    assert found[LONGEST] == 0.3
    assert found["capolinea_loop_stall_seconds_count", ()] == 3
    assert found["capolinea_loop_stall_seconds_bucket", ("0.25",)] == 2
    assert samples(metrics)[LONGEST] == 0


async def test_a_server_notices_whatever_holds_its_loop(tmp_path: Path) -> None:
    async with serving(tmp_path) as running:
        time.sleep(0.1)
        while samples(running.hub.metrics)[LONGEST] < 0.1 - BEAT:
            await asyncio.sleep(0)


def test_two_apps_do_not_add_up() -> None:
    one, two = Metrics(), Metrics()
    one.entries.inc()
    assert samples(two)["capolinea_entries_total", ()] == 0


def test_what_it_is_served_as() -> None:
    assert CONTENT_TYPE.startswith("text/plain")


@pytest.mark.parametrize(
    ("settings", "authorization", "allowed"),
    [
        (Settings(), "", False),
        (Settings(metrics=True), "", True),
        (Settings(metrics_token="a" * 16), "", False),
        (Settings(metrics_token="a" * 16), "Bearer " + "a" * 16, True),
        (Settings(metrics_token="a" * 16), "Bearer " + "a" * 15, False),
        (Settings(metrics_token="a" * 16), "a" * 16, False),
        (Settings(metrics_token="a" * 16), "Bearer é\ud800", False),
        (Settings(metrics=True, metrics_token="a" * 16), "", False),
    ],
)
def test_who_may_read(settings: Settings, authorization: str, allowed: bool) -> None:
    assert may_read(settings, authorization) is allowed
