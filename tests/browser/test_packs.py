"""A pack of one's own, brought to the table (TT-5.3): its faults, mended, and its cards in play."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import check, narrow
from tests.browser.conftest import DESK, PHONE, SIZES, Person, Site
from tests.browser.player import Player, words

TITLE = "trial-by-trolley"
#: As many as one round of three players can need, and a few.
DECKS = {"innocent": 10, "guilty": 8, "modifier": 8}
ROWS = [f"{deck};;Bürokarte {deck} {n}" for deck, many in DECKS.items() for n in range(many)]
GOOD = "\n".join(["deck;tag;de", *ROWS])
BAD = """deck;tag;de
angel;family;ein Heiliger
innocent;rude;ein Clown
guilty;;
modifier;;mit Hut; und Stock
"""


class Host:
    """Somebody who sets a table up."""

    def __init__(self, page: Page, lang: str = "en") -> None:
        self.page = page
        self.lang = lang

    def say(self, key: str, **args: object) -> str:
        return words(self.lang, TITLE).say(key, args)

    def make(self, url: str) -> str:
        asked = {"title": TITLE, "name": "Ada", "bots": ["advocate"] * 2}
        code: str = self.page.request.post(f"{url}/api/rooms", data=asked).json()["code"]
        self.page.goto(f"{url}/room/{code}")
        self.page.get_by_text(self.say("lobby.options.change")).click()
        return code

    def bring(self, name: str, text: str) -> None:
        file = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
        self.page.get_by_label(
            self.say("lobby.file", what=self.say("option.pack"))
        ).set_input_files(
            file  # type: ignore[arg-type]
        )

    @property
    def faults(self) -> Locator:
        return self.page.get_by_role("alert").get_by_role("listitem")

    def remove(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=self.say("lobby.file.remove", name=name))

    def counted(self, page: Page, lang: str) -> Locator:
        """What everybody reads about the pack, in their own language."""
        return page.get_by_text(words(lang, TITLE).say("pack.about", {**DECKS}), exact=True)


@SIZES
def test_faults_are_named_and_when_they_are_mended_its_cards_are_played(
    site: Site, person: Person, size: dict[str, int]
) -> None:
    # Browsers put every refusal into the console, too.
    page = person(size, lang="de", offline_ok=True)
    ada = Host(page, "de")
    code = ada.make(site.url)
    ada.bring("Büro.csv", BAD)
    expect(ada.faults).to_have_text(
        [
            ada.say("pack.deck", row=2, found="angel", known="innocent, guilty, modifier"),
            ada.say("pack.tag", row=3, found="rude", known="family, dark"),
            ada.say("pack.no-text", row=4),
            ada.say("pack.cells", row=5, most=3, mark='"'),
        ]
    )
    expect(page.get_by_role("alert")).to_contain_text("Büro.csv")
    expect(ada.faults.first).to_be_in_viewport()
    expect(ada.remove("Büro")).to_have_count(0)  # nothing half-done
    check(page)
    narrow(page)

    ada.bring("Büro.csv", GOOD)
    expect(ada.counted(page, "de")).to_be_visible()
    expect(ada.faults).to_have_count(0)
    check(page)
    narrow(page)
    bruno = person(PHONE, lang="it")
    bruno.goto(f"{site.url}/room/{code}")
    bruno.get_by_text(words("it", TITLE).say("lobby.options.read", {})).click()
    expect(ada.counted(bruno, "it")).to_be_visible()

    page.get_by_role("button", name=ada.say("lobby.start")).click()
    expect(page.locator("body")).to_contain_text("Bürokarte innocent")
    Player(page, "de").menu("shell.let-bot-play")
    again = page.get_by_role("button", name=ada.say("shell.rematch"))
    expect(again.first).to_be_visible(timeout=120_000)
    again.first.click()
    expect(again).to_have_count(0)
    expect(page.locator("body")).to_contain_text("Bürokarte innocent")


def test_it_is_mixed_with_ours_or_taken_away(site: Site, person: Person) -> None:
    page = person(DESK)
    ada = Host(page)
    ada.make(site.url)
    mixed = page.get_by_role("switch", name=ada.say("option.with_starter"))
    expect(page.get_by_role("switch", name=ada.say("option.family"))).to_be_visible()
    expect(mixed).to_have_count(0)
    ada.bring("Cats.csv", "deck,tag,en\ninnocent,dark,my cat\n")
    start = page.get_by_role("button", name=ada.say("lobby.start"))
    expect(start).to_be_disabled()
    hindered = ada.say("refused.deck", deck="innocent", have=1, need=8)
    expect(page.get_by_text(hindered)).to_be_visible()
    mixed.click()
    expect(start).to_be_enabled()
    # Another way to play, and the pack stays as it is.
    page.get_by_role("radio", name=ada.say("preset.expert")).click()
    expect(page.get_by_text(ada.say("option.tom_trolley"), exact=True).first).to_be_visible()
    expect(ada.remove("Cats")).to_be_visible()
    expect(start).to_be_enabled()
    ada.remove("Cats").click()
    expect(ada.remove("Cats")).to_have_count(0)
    expect(mixed).to_have_count(0)
    expect(page.get_by_label(ada.say("option.pack"), exact=True)).to_have_value("starter")


@pytest.mark.parametrize("lang", ["en", "it", "de"])
def test_there_is_a_template_that_can_be_brought_as_it_is(
    site: Site, person: Person, lang: str
) -> None:
    page = person(PHONE, lang=lang)
    ada = Host(page, lang)
    ada.make(site.url)
    with page.expect_download() as got:
        page.get_by_role("link", name=ada.say("lobby.file.template")).click()
    assert got.value.suggested_filename == "pack.csv"
    ada.bring("pack.csv", got.value.path().read_text("utf-8"))
    expect(ada.remove("pack")).to_be_visible()
    expect(page.get_by_text(ada.say("pack.langs", langs=["de", "en", "it"]))).to_be_visible()
