"""A window that closes by itself: nobody is asked to let it pass, and anybody asked may want a moment."""

from __future__ import annotations

from tests.browser.conftest import SIZES, Person, Site
from tests.browser.player import Player, tidy, until

#: Long enough for the slowest computer; every bot has answered long before.
LONG = {"clock": {"kind": "none", "window": 30}}


@SIZES
def test_a_window_wants_nothing_and_gives_a_moment(
    person: Person, site: Site, size: dict[str, int]
) -> None:
    me = Player(person(size, lang="de"), "de")
    me.sit(site.url, settings=LONG)
    moment = me.hand.get_by_role("button", name=me.say("shell.moment"), exact=True)

    def in_window() -> bool:
        if not moment.is_visible():
            me.act()
        return moment.is_visible()

    until(me.page, in_window)
    assert me.confirm.count() == 0  # nothing stands out: to do nothing is an answer
    assert me.say("stt.reaction.timed") in tidy(me.hand.inner_text())
    moment.click()
    me.hand.get_by_role("button", name=me.say("shell.moment.asked"), exact=True).wait_for()
    me.hand.get_by_text(me.say("shell.moments", names="Ada")).wait_for()
    timer = me.page.get_by_role("timer")
    until(me.page, lambda: timer.inner_text().strip() > "0:30")
