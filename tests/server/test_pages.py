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
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder: Path = tmp_path_factory.mktemp("pages")
    (folder / "web").mkdir()
    (folder / "web" / "index.html").write_text(PAGE)
    (folder / "web" / "icon.svg").write_text("<svg/>")
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


@pytest.mark.parametrize("path", ["/api/nothing", "/assets/gone.js", "/favicon.ico"])
def test_what_no_person_asks_for_is_simply_not_there(live: Live, path: str) -> None:
    answer = get(live, path, **BROWSER)
    assert (answer.status_code, answer.json()["why"]["key"]) == (404, "serve.not-found")
    assert get(live, "/romm/BCDFGH").json()["why"]["key"] == "serve.not-found"
