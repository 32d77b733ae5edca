"""How much of a match people spend with what decides nothing: two of them and bots, in a real browser.

    python bench/pace.py [--title TITLE] [--think SECONDS] [--pace slow|normal|fast] [--minutes N] [--json]

Both people play at the table's usual pace, and think for a while about whatever is asked of them. Counted
are

    idle answers    of all answers, those without a choice: there was one thing to pick, or to let pass
    time            asked: somebody of the two has something to answer; window: may intervene; new: has
                    something new to read; dead: all that is told has stood there for as long as it takes
                    to read it, and there is nothing to do

It needs Chromium, and the built pages in CAPOLINEA_WEB, as the tests in tests/browser do.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser import player, trams, trolley  # noqa: E402
from tests.browser.conftest import FLAGS, Site  # noqa: E402
from tests.browser.player import Somebody, tidy  # noqa: E402

#: Who plays each title, and how many bots beside the two.
PEOPLE: dict[str, tuple[type[Somebody], int]] = {
    player.TITLE: (player.Player, 3),
    trams.TITLE: (trams.Driver, 2),
    trolley.TITLE: (trolley.Player, 3),
}
#: Signs that people read in a second; films give their subtitles as long.
READ = 17
#: What there is, the best first.
TIMES = ("asked", "window", "new", DEAD := "dead")
#: Seconds between two looks at the pages.
TICK = 0.1
#: What is written where everybody looks.
LOOK = """() => ["header h1", ".narration .shown"]
  .map((what) => document.querySelector(what)?.innerText.trim() ?? "")"""


@dataclass
class Reader:
    """One person's page: what stands there, and until when it is new."""

    who: Somebody
    think: float
    texts: list[str] = field(default_factory=list)
    new_until: float = 0.0
    asked_at: float | None = None
    answers: int = 0
    #: What was asked where there was nothing to choose.
    idle: list[str] = field(default_factory=list)

    def look(self, now: float) -> str:
        """What there is: to be answered, a window to intervene in, something new to read, or nothing."""
        texts: list[str] = self.who.page.evaluate(LOOK)
        for before, after in zip(self.texts or texts, texts, strict=True):
            if after != before:
                self.new_until = max(self.new_until, now + max(1.0, len(after) / READ))
        self.texts = texts
        moment = self.who.hand.get_by_role("button", name=self.who.say("shell.moment"))
        if self.who.asked():
            return "asked"
        if moment.count():
            return "window"
        return "new" if now < self.new_until else DEAD

    def play(self, now: float) -> None:
        """Think about what is asked, then answer it."""
        what = self.who.asked()
        if not what:
            self.asked_at = None
            return
        if self.asked_at is None:
            self.asked_at = now
        if now - self.asked_at < self.think:
            return
        asked = tidy(self.who.headline.inner_text())
        choices = self.who.options.count()
        if self.who.act(what):
            self.answers += 1
            if what == "pass" or choices == 1:
                self.idle.append(asked)
        self.asked_at = None


@dataclass
class Paced:
    """What came out of a match."""

    title: str
    seconds: int
    answers: int
    idle_answers: float
    #: Shares of the time, by what there was for at least one of them.
    times: dict[str, float]
    finished: bool
    #: What was asked where nothing was to be chosen.
    idle: list[str]


def measure(browser: Browser, site: Site, args: argparse.Namespace) -> Paced:
    kind, bots = PEOPLE[args.title]
    pages = [browser.new_page(locale="en") for _ in range(2)]
    readers = [Reader(kind(page, seed=seed), args.think) for seed, page in enumerate(pages)]
    gather(readers, site, bots, args.pace)
    began = time.monotonic()
    spent: Counter[str] = Counter()
    while (now := time.monotonic()) - began < args.minutes * 60:
        if all(reader.who.over() for reader in readers):
            break
        spent[min((reader.look(now) for reader in readers), key=TIMES.index)] += 1
        for reader in readers:
            reader.play(now)
        pages[0].wait_for_timeout(TICK * 1000)
    answers = sum(reader.answers for reader in readers)
    idle = [asked for reader in readers for asked in reader.idle]
    return Paced(
        args.title,
        round(time.monotonic() - began),
        answers,
        len(idle) / max(1, answers),
        {kind: spent[kind] / max(1, spent.total()) for kind in TIMES},
        all(reader.who.over() for reader in readers),
        sorted(idle),
    )


def gather(readers: list[Reader], site: Site, bots: int, pace: str) -> None:
    """One makes the room with bots in it, the other comes; then it begins."""
    ada, bruno = (reader.who for reader in readers)
    settings = {"pace": pace}
    level = ada.quick["bots"][0]
    # The bots take the chairs after the host's: one is left over for who comes.
    code = ada.sit(site.url, start=False, settings=settings, bots=[level] * bots)
    room = f"{site.url}/api/rooms/{code}"
    chairs = [chair["kind"] for chair in ask(ada.page, room)["seats"]]
    bruno.page.goto(site.url)
    ask(bruno.page, room, {"do": "sit", "seat": chairs.index("empty"), "name": "Bruno"})
    ask(bruno.page, room, {"do": "ready", "ready": True})
    ask(ada.page, room, {"do": "start"})
    bruno.page.goto(f"{site.url}/room/{code}")
    for one in (ada, bruno):
        one.headline.wait_for()


def ask(page: Page, url: str, command: dict[str, Any] | None = None) -> Any:
    answer = page.request.post(url, data=command) if command else page.request.get(url)
    if not answer.ok:
        raise SystemExit(f"{url}: {answer.text()}")
    return answer.json()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--title", choices=PEOPLE, default=player.TITLE)
    parser.add_argument("--think", type=float, default=3.0, help="seconds about each question")
    parser.add_argument("--pace", choices=("slow", "normal", "fast"), default="normal")
    parser.add_argument("--minutes", type=float, default=30, help="stop after so long")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None or "CAPOLINEA_WEB" not in os.environ:
        raise SystemExit("This needs Chromium, and the folder of the built pages in CAPOLINEA_WEB.")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.start()
        try:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
            paced = measure(browser, site, args)
        finally:
            site.stop()
    if args.json:
        print(json.dumps(asdict(paced)))
        return
    end = "" if paced.finished else ", not to its end"
    print(f"{paced.title}, {args.pace}, {paced.seconds} s{end}")
    print(f"answers       {paced.answers:6}")
    print(f"idle answers  {paced.idle_answers:6.0%}")
    for asked, times in Counter(paced.idle).items():
        print(f"    {times} × {asked}")
    for kind, share in paced.times.items():
        print(f"time {kind:8} {share:6.0%}")


if __name__ == "__main__":
    main()
