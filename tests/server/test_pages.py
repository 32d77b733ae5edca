"""The pages that are served: each screen, the files, and what stands where there is nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from capolinea.server.pages import SCREENS
from tests.server.live import Live, living
from tests.server.tables import TIME

PAGE = "<!doctype html><title>Capolinea</title>"
#: What the build compressed; the server takes its word for it.
PACKED = b"as small as it gets"
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder: Path = tmp_path_factory.mktemp("pages")
    (folder / "web").mkdir()
    (folder / "web" / "index.html").write_text(PAGE)
    (folder / "web" / "icon.svg").write_text("<svg/>")
    (folder / "web" / "assets").mkdir()
    (folder / "web" / "assets" / "index-Ab12_-x9.js").write_text("export {}")
    (folder / "web" / "assets" / "long-Ab12_-x9.js").write_text("x" * 5000)
    (folder / "web" / "assets" / "long-Ab12_-x9.js.br").write_bytes(PACKED)
    with living(folder, web=str(folder / "web")) as server:
        yield server


def get(live: Live, path: str, **headers: str) -> requests.Response:
    return requests.get(live.url + path, headers=headers, timeout=TIME)


@pytest.mark.parametrize("path", ["", *SCREENS, "room/BCDFGH", "replay/a/b"])
def test_a_screen(live: Live, path: str) -> None:
    answer = get(live, f"/{path}", **BROWSER)
    assert (answer.status_code, answer.text) == (200, PAGE)


def test_a_file(live: Live) -> None:
    answer = get(live, "/icon.svg")
    assert (answer.status_code, answer.text) == (200, "<svg/>")


def test_an_address_that_leads_nowhere_says_so_on_a_page(live: Live) -> None:
    answer = get(live, "/romm/BCDFGH", **BROWSER)
    assert (answer.status_code, answer.text) == (404, PAGE)
    again = get(live, "/romm/BCDFGH", **BROWSER, **{"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.text) == (304, "")


def test_a_tab_that_is_loaded_again_after_an_update_gets_the_new_page(live: Live) -> None:
    """The page is asked for each time; what it names has other names after an update, and is kept."""
    assert get(live, "/room/BCDFGH", **BROWSER).headers["cache-control"] == "no-cache"
    script = get(live, "/assets/index-Ab12_-x9.js")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert script.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("path", ["/assets/Table-0ld0ld00.js", "/assets/gone", "/assets/"])
def test_a_script_that_an_update_took_away_is_not_there_and_nobody_keeps_that(
    live: Live, path: str
) -> None:
    answer = get(live, path, **BROWSER)
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("path", ["/api/nothing", "/assets/gone.js", "/favicon.ico"])
def test_what_no_person_asks_for_is_simply_not_there(live: Live, path: str) -> None:
    answer = get(live, path, **BROWSER)
    assert (answer.status_code, answer.json()["why"]["key"]) == (404, "serve.not-found")
    assert get(live, "/romm/BCDFGH").json()["why"]["key"] == "serve.not-found"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("identity", None), ("brr", None)],
)
def test_a_file_comes_as_small_as_the_browser_can_read_it(
    live: Live, accepted: str, encoding: str | None
) -> None:
    answer = requests.get(
        f"{live.url}/assets/long-Ab12_-x9.js",
        headers={"accept-encoding": accepted},
        timeout=TIME,
        stream=True,
    )
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "accept-encoding"
    sent = answer.raw.read(decode_content=False)
    assert (sent == PACKED) == (encoding == "br")
    assert len(sent) == int(answer.headers["content-length"])


def test_what_the_build_compressed_is_no_file_of_its_own(live: Live) -> None:
    assert get(live, "/assets/long-Ab12_-x9.js.br").status_code == 404
