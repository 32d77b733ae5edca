"""A server with the built pages, and a real browser. Console errors and policy violations fail a test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}
SIZES = pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])


class Site:
    """A server in a process of its own, that can be stopped and started again."""

    def __init__(self, folder: Path, *flags: str, **variables: str) -> None:
        self.folder = folder
        self.flags = flags
        self.variables = variables
        self.port = "0"
        self.url = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        words = ["serve", "--lang", "en", "--port", self.port, "--web", os.environ["CAPOLINEA_WEB"]]
        words += ["--db", str(self.folder / "capolinea.db"), "--address-sockets", "1000"]
        words += ["--bot-workers", "1"]
        # All people of all tests come from one address.
        words += ["--requests-per-minute", "100000", "--address-requests-per-minute", "100000"]
        words += ["--rooms-per-hour", "10000", "--address-rooms-per-hour", "10000"]
        words += ["--matches-per-hour", "10000", "--address-matches-per-hour", "10000"]
        words += ["--sockets-per-minute", "100000", "--address-sockets-per-minute", "100000"]
        words += ["--address-connections", "1000", "--address-wrong-codes-per-hour", "10000"]
        # One may play and write for all at a screen, without thinking.
        words += ["--socket-messages", "100000", "--chat-per-minute", "100000"]
        words += ["--address-chat-per-minute", "100000"]
        words += self.flags
        self.process = subprocess.Popen(
            [sys.executable, "-m", "capolinea", *words],
            env={**os.environ, "BROWSER": "", "CAPOLINEA_WEB": "", **self.variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if "http://localhost:" in line:
                self.port = line.split("http://localhost:")[1].split()[0]
                self.url = f"http://localhost:{self.port}"
                return
        raise AssertionError("the server did not start")

    def stop(self) -> None:
        """As kill -9 does it: nobody says goodbye."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for all tests of a worker: rooms do not know of each other."""
    running = Site(tmp_path_factory.mktemp("site"), "--bot-pause", "50")
    running.start()
    yield running
    running.stop()


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A server that a test may stop and start again."""
    running = Site(tmp_path, "--bot-pause", "50")
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        assert path, "these tests need Chromium"
        found = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield found
        found.close()


#: Opens the pages of one more person: a browser of their own, as far as cookies go.
Person = Callable[..., Page]


@pytest.fixture
def person(browser: Browser) -> Iterator[Person]:
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(
        size: dict[str, int] = DESK,
        lang: str = "en",
        dark: bool = False,
        offline_ok: bool = False,
        broken_ok: bool = False,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            locale=lang,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        if not broken_ok:  # a test that breaks something wants to see it broken
            page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        if not offline_ok:  # a page that cannot reach its server may say so in the console
            page.on(
                "console",
                lambda line: complaints.append(line.text) if line.type == "error" else None,
            )
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
