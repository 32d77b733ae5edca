"""What goes out compressed, and what never does: lengths must not tell secrets."""

from __future__ import annotations

import gzip
import json
import urllib.request
from collections.abc import Iterator

import pytest
import requests

from capolinea.server.rest import ROUTES
from tests.server.live import UNHURRIED, Live, living
from tests.server.tables import TIME

#: No secret is in these: everybody who may ask for them gets the same, or has known it before.
PUBLIC = {
    "/api/titles",
    "/api/words/{lang}/{title}",
    "/api/rooms/{code}/words/{lang}",
    "/api/rooms/{code}/data/{kind}",
    "/api/matches/{id}/words/{lang}",
    "/api/matches/{id}/data/{kind}",
    "/api/matches/{id}/record",
}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with living(tmp_path_factory.mktemp("packing")) as server:
        yield server


def raw(live: Live, path: str, accepted: str) -> tuple[bytes, dict[str, str]]:
    """As it comes over the wire: no library unpacks it."""
    asked = urllib.request.Request(live.url + path, headers={"accept-encoding": accepted})
    with urllib.request.urlopen(asked, timeout=TIME) as answer:
        return answer.read(), {name.lower(): value for name, value in answer.headers.items()}


def test_only_what_has_no_secret_in_it_is_compressed() -> None:
    assert {route.path for route in ROUTES if route.packed} == PUBLIC
    assert all(route.method == "GET" for route in ROUTES if route.packed)


def test_words_come_compressed_for_who_can_read_that(live: Live) -> None:
    plain, told = raw(live, "/api/words/de/common", "identity")
    assert "content-encoding" not in told
    assert told["vary"] == "accept-encoding"
    packed, told = raw(live, "/api/words/de/common", "br;q=1, gzip;q=0.8")
    assert told["content-encoding"] == "gzip"
    assert int(told["content-length"]) == len(packed) < len(plain) / 2
    assert json.loads(gzip.decompress(packed)) == json.loads(plain)


def test_a_room_goes_out_as_it_is(live: Live) -> None:
    made = requests.post(
        f"{live.url}/api/rooms",
        json={"title": "trial-by-trolley", "bots": ["advocate"] * 12, "settings": UNHURRIED},
        timeout=TIME,
    ).json()
    body, told = raw(live, f"/api/rooms/{made['code']}", "gzip")
    assert "content-encoding" not in told
    assert len(body) > 1000  # long enough to be compressed, if it were
    assert json.loads(body)["code"] == made["code"]
