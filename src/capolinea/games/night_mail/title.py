"""Night Mail: the title. Its options, actions and names, and where everything else is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec

from capolinea.engine import (
    Actions,
    Chance,
    Data,
    Family,
    Game,
    Line,
    Options,
    Problem,
    Record,
    Refused,
    Rng,
)
from capolinea.games.night_mail.imagine import imagine
from capolinea.games.night_mail.read import read
from capolinea.games.night_mail.rules import BRANCH_NAMES, KIND_NAMES, MAIL_NAMES, NightMail
from capolinea.games.night_mail.twin import twin
from capolinea.games.night_mail.views import NightMailView


class NightMailOptions(Options, frozen=True):
    line: Annotated[str, Data("line")] = "coast"
    hand: Annotated[int, msgspec.Meta(ge=2, le=5)] = 3
    bonus: Annotated[int, msgspec.Meta(ge=0, le=6)] = 3
    open_vote: bool = False


class NightMailGame(Game[NightMail, NightMailView, NightMailOptions]):
    id = "night-mail"
    seats = range(2, 6)
    minutes = 20
    rules = "1"
    example = True
    space = Actions(
        Family("pass"),
        Family("depart"),
        Family("keep"),
        Family("load", mail=MAIL_NAMES),
        Family("vote", branch=BRANCH_NAMES),
        Family("deliver", mail=MAIL_NAMES),
        Family("sign", seat=5),
        Family("bandit"),
        Family("guard"),
        Family("telegram", seat=5),
    )
    options = NightMailOptions
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "standard": {},
        "short": {"line": "shuttle"},
        "wild": {"hand": 5, "open_vote": True},
    }
    view_type = NightMailView
    endings = ("arrived", "stranded")
    roles = ("north", "south")
    windows = ("robbery", "rescue")
    names: ClassVar[dict[str, tuple[str, ...]]] = {
        "card": tuple(KIND_NAMES),
        "branch": tuple(BRANCH_NAMES),
    }
    longest = 2000
    folder = Path(__file__).parent

    def start(self, seats: int, options: NightMailOptions, chance: Chance) -> NightMail:
        state = self.laid_out(seats, options, self._lay_out).copy()
        state.deal(seats, chance)
        return state

    def _lay_out(self, _seats: int, options: NightMailOptions) -> NightMail:
        """What a table has before anything is dealt."""
        line = self.content("line", options)
        state = NightMail()
        state.hand_size = options.hand
        state.bonus = options.bonus
        state.open_vote = options.open_vote
        state.line_name = options.line
        state.trunk = list(line["trunk"])
        state.branches = [list(line["north"]), list(line["south"])]
        return state

    def data_faults(self, kind: str, content: Any) -> list[Problem]:
        faults = []
        for part in ("trunk", *BRANCH_NAMES):
            stations = content.get(part) if isinstance(content, dict) else None
            if not isinstance(stations, list) or not 2 <= len(stations) <= 60:
                faults.append(Problem("line.stations", part=part))
                continue
            for number, name in enumerate(stations, 1):
                if not isinstance(name, str) or not name.strip():
                    faults.append(Problem("line.name", part=part, number=number))
        return faults

    def say(self, view: NightMailView, seat: int, said: Any) -> Line:
        """NM-7.1: what one's bag holds, true or not."""
        bag = said.get("bag") if isinstance(said, dict) and len(said) == 1 else None
        if not isinstance(bag, list) or not bag or any(mail not in MAIL_NAMES for mail in bag):
            raise Refused("refused.claim-form", "NM-7.1")
        count = view.players[seat].bag
        if len(bag) != count:
            raise Refused("refused.claim-count", "NM-7.1", count=count)
        return Line("event.claim", {"seat": seat, "bag": bag})

    def babble(self, view: NightMailView, rng: Rng) -> Any | None:
        if view.own is None or not view.own.bag:
            return None
        return {"bag": [MAIL_NAMES[rng.below(3)] for _ in view.own.bag]}

    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        return twin(self, record, viewer, rng)

    def imagine(self, view: NightMailView, rng: Rng) -> NightMail:
        return imagine(view, rng)

    def read(self, view: NightMailView) -> list[Line]:
        return read(view)


GAME = NightMailGame()
