"""Night Mail: the rules (docs/rules/en/night-mail.md). This module compiles.

Cards are the numbers 0 … 41, `KIND[card]` says what each one is. The state below is all there is; what
each player may know of it is decided in views.py alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.engine.chance import Chance
from capolinea.engine.fields import Deep, Key, Own
from capolinea.engine.problems import Refused
from capolinea.engine.state import COMPILED, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capolinea.engine.result import Result
    from capolinea.engine.views import Preview
    from capolinea.games.night_mail.views import NightMailView


class Kind:
    """What a card is (NM-1.1). The first three are mail, and their number + 1 is what they earn."""

    POSTCARD: Final = 0
    LETTER: Final = 1
    PARCEL: Final = 2
    BANDIT: Final = 3
    GUARD: Final = 4
    TELEGRAM: Final = 5


KIND_NAMES: Final = ["postcard", "letter", "parcel", "bandit", "guard", "telegram"]
MAIL_NAMES: Final = ["postcard", "letter", "parcel"]
COUNTS: Final = [10, 9, 6, 6, 6, 5]
KIND: Final = [kind for kind, count in enumerate(COUNTS) for _ in range(count)]


class Branch:
    """Where a player's employer wants the train to go, and the two ways beyond the junction."""

    NONE: Final = -1
    NORTH: Final = 0
    SOUTH: Final = 1


BRANCH_NAMES: Final = ["north", "south"]


class Phase:
    LOAD: Final = 0
    VOTE: Final = 1
    DELIVER: Final = 2
    WINDOW: Final = 3
    OVER: Final = 4


class Do:
    """The action space: first numbers of its families (`Actions` in title.py lists them)."""

    # --- generated: actions
    PASS: Final = 0
    DEPART: Final = 1
    KEEP: Final = 2
    LOAD: Final = 3  # + mail
    VOTE: Final = 6  # + branch
    DELIVER: Final = 8  # + mail
    SIGN: Final = 11  # + seat
    BANDIT: Final = 16
    GUARD: Final = 17
    TELEGRAM: Final = 18  # + seat
    END: Final = 23
    # --- end


BAG: Final = 3
PIPS: Final = 6


class NightMail(State):
    """One moment of Night Mail."""

    def __init__(self) -> None:
        super().__init__()
        # The table's options.
        self.hand_size = 3
        self.bonus = 3
        self.open_vote = False
        self.line_name = ""
        #: Stations up to and including the junction, and beyond it on each branch.
        self.trunk: list[str] = []
        self.branches: list[list[str]] = [[], []]

        self.phase: Key[int] = Phase.LOAD
        self.turn: Key[int] = 0
        self.current: Key[int] = 0
        self.branch: Key[int] = Branch.NONE
        self.at: Key[int] = 0
        self.pips: Key[int] = 0
        self.deck: Key[Own[list[int]]] = []
        self.hands: Key[Deep[list[list[int]]]] = []
        self.bags: Key[Deep[list[list[int]]]] = []
        self.discard: Key[Own[list[int]]] = []
        self.points: Key[Own[list[int]]] = []
        self.employers: Key[list[int]] = []
        #: Each seat's vote, or -1; and what the vote came to.
        self.votes: Key[Own[list[int]]] = []
        self.tally: list[int] = []
        #: The compound choice of NM-2.3 while it is only half made: the mail, else -1.
        self.chosen: Key[int] = -1
        #: What is on offer: the mail (a card), who signs for it, and the cards played about it.
        self.offer: Key[int] = -1
        self.signer: Key[int] = -1
        self.answers: Key[Own[list[int]]] = []
        self.answerers: Key[Own[list[int]]] = []
        self.passed: Key[Own[list[int]]] = []
        #: What each seat knows of each bag from telegrams: seen[viewer][seat] lists cards.
        self.seen: Key[Deep[list[list[list[int]]]]] = []
        self.fixed: Key[bool] = False
        self.ending: Key[str] = ""

    # --- set-up --------------------------------------------------------------------------------

    def deal(self, seats: int, chance: Chance) -> None:
        """NM-1.2, NM-1.3: employers, hands, who begins."""
        self.seats = seats
        self.chance = chance
        # Drawn from the end: a deal that fixes the beginning of the order fixes the first cards.
        self.deck = chance.order("deck", 0, len(KIND))[::-1]
        # One employer card more than players, so that nobody can work out the last one.
        self.employers = [card % 2 for card in chance.order("employers", 0, seats + 1)]
        self.current = chance.below("start", 0, seats)
        self.hands = [[] for _ in range(seats)]
        self.bags = [[] for _ in range(seats)]
        self.points = [0] * seats
        self.votes = [-1] * seats
        self.passed = [0] * seats
        self.seen = [[[] for _ in range(seats)] for _ in range(seats)]
        for seat in range(seats):
            self._refill(seat)

    # --- who may do what -------------------------------------------------------------------------

    def waiting(self) -> list[int]:
        match self.phase:
            case Phase.OVER:
                return []
            case Phase.VOTE:
                return [seat for seat in range(self.seats) if self.votes[seat] < 0]
            case Phase.WINDOW:
                # NM-3.1: everybody but the one who acted, whatever they hold.
                actor = self._actor()
                return [s for s in range(self.seats) if s != actor and not self.passed[s]]
        return [self.current]

    def window(self) -> str:
        if self.phase != Phase.WINDOW:
            return ""
        return "robbery" if len(self.answers) % 2 == 0 else "rescue"

    def midway(self) -> int:
        return self.current if self.chosen >= 0 else -1

    def moment(self) -> int:
        return self.turn

    def legal(self, seat: int) -> list[int]:
        if self.phase == Phase.OVER or not 0 <= seat < self.seats:
            return []
        if self.chosen >= 0:
            return self._signers() if seat == self.current else []
        actions: list[int] = []
        match self.phase:
            case Phase.LOAD:
                if seat == self.current:
                    actions.append(Do.DEPART)
                    if len(self.bags[seat]) < BAG:
                        actions += [Do.LOAD + mail for mail in self._mail(self.hands[seat])]
            case Phase.VOTE:
                actions = [Do.VOTE + Branch.NORTH, Do.VOTE + Branch.SOUTH]
            case Phase.DELIVER:
                if seat == self.current:
                    actions.append(Do.KEEP)
                    actions += [Do.DELIVER + mail for mail in self._mail(self.bags[seat])]
            case Phase.WINDOW:
                if seat != self._actor():
                    if not self.passed[seat]:
                        actions.append(Do.PASS)
                    answer = self._answer()
                    if self._holds(seat, answer):
                        actions.append(Do.BANDIT if answer == Kind.BANDIT else Do.GUARD)
        if self._holds(seat, Kind.TELEGRAM):
            for other in range(self.seats):
                if other != seat and self.bags[other]:
                    actions.append(Do.TELEGRAM + other)
        return actions

    def default(self, seat: int) -> int:
        if self.chosen >= 0:
            return self._signers()[0]
        match self.phase:
            case Phase.LOAD:
                return Do.DEPART
            case Phase.VOTE:
                return Do.VOTE + self.employers[seat]
            case Phase.DELIVER:
                return Do.KEEP
        return Do.PASS

    # --- the rules -------------------------------------------------------------------------------

    def play(self, seat: int, action: int) -> None:
        if action not in self.legal(seat):
            self._refuse(seat, action)
        self.fixed = True
        if action >= Do.TELEGRAM:
            self._telegram(seat, action - Do.TELEGRAM)
        elif action >= Do.BANDIT:
            self._answer_with(seat)
        elif action >= Do.SIGN:
            self._offer(action - Do.SIGN)
        elif action >= Do.DELIVER:
            self.chosen = action - Do.DELIVER
        elif action >= Do.VOTE:
            self._vote(seat, action - Do.VOTE)
        elif action >= Do.LOAD:
            self._load(seat, action - Do.LOAD)
        elif action == Do.KEEP:
            self._end_turn()
        elif action == Do.DEPART:
            self._depart()
        else:
            self._pass(seat)

    def _load(self, seat: int, mail: int) -> None:
        """NM-2.1: face down, so that the others see only how many."""
        card = self._take(self.hands[seat], mail)
        self.bags[seat].append(card)
        self.fixed = False
        if self.loud:
            event = self.tell("event.loaded", seat=seat, count=len(self.bags[seat]))
            event.also([seat], "event.loaded.own", mail=KIND_NAMES[mail])

    def _depart(self) -> None:
        """NM-2.2: the train moves as the die says, but always halts at the junction."""
        self.pips = 1 + self.chance.below("die", self.turn, PIPS)
        stations = self.trunk if self.branch < 0 else self.branches[self.branch]
        self.at = min(self.at + self.pips, len(stations) - 1)
        voting = self.branch < 0 and self.at == len(stations) - 1
        self.phase = Phase.VOTE if voting else Phase.DELIVER
        if self.loud:
            event = self.tell(
                "event.departed", seat=self.current, pips=self.pips, at=stations[self.at]
            )
            event.setting({"pips": self.pips, "station": stations[self.at]})
            if voting:
                self.tell("event.junction")

    def _vote(self, seat: int, branch: int) -> None:
        """NM-4.1 to NM-4.3: secret, open to change until the last vote is in, then shown."""
        self.votes[seat] = branch
        if self.waiting():
            return
        self.tally = [self.votes.count(Branch.NORTH), self.votes.count(Branch.SOUTH)]
        self.branch = Branch.SOUTH if self.tally[1] > self.tally[0] else Branch.NORTH
        # The junction is behind us: the train stands on the first space of its branch.
        self.at = 0
        self.phase = Phase.DELIVER
        if self.loud:
            name = BRANCH_NAMES[self.branch]
            event = self.tell("event.voted", branch=name, north=self.tally[0], south=self.tally[1])
            event.setting({"branch": name})
            if self.open_vote:
                for voter in range(self.seats):
                    self.tell(
                        "event.vote-shown", seat=voter, branch=BRANCH_NAMES[self.votes[voter]]
                    )

    def _offer(self, signer: int) -> None:
        """NM-2.3: the mail is shown and offered; everybody else may answer."""
        self.offer = self._take(self.bags[self.current], self.chosen)
        self.signer = signer
        self.chosen = -1
        for viewer in range(self.seats):
            _forget(self.seen[viewer][self.current], KIND[self.offer])
        self._open_window()
        if self.loud:
            mail = KIND_NAMES[KIND[self.offer]]
            self.tell("event.offered", seat=self.current, mail=mail, signer=signer)

    def _open_window(self) -> None:
        self.phase = Phase.WINDOW
        self.passed = [0] * self.seats

    def _answer_with(self, seat: int) -> None:
        """NM-3.2: an answer may be answered."""
        kind = self._answer()
        card = self._take(self.hands[seat], kind)
        self.answers.append(card)
        self.answerers.append(seat)
        if self.loud:
            key = "event.bandit" if kind == Kind.BANDIT else "event.guard"
            self.tell(key, seat=seat)
        self._open_window()

    def _pass(self, seat: int) -> None:
        """A pass is told to nobody; the window closes when all have passed."""
        self.passed[seat] = 1
        if self.waiting():
            return
        earned = KIND[self.offer] + 1
        mail = KIND_NAMES[KIND[self.offer]]
        if len(self.answers) % 2:  # NM-3.3: the last card played is a Bandit
            thief = self.answerers[-1]
            self.points[thief] += earned
            if self.loud:
                event = self.tell("event.robbed", seat=thief, mail=mail, points=earned)
                event.setting({f"players.{thief}.points": self.points[thief]})
        else:
            self.points[self.current] += earned
            self.points[self.signer] += 1
            if self.loud:
                event = self.tell(
                    "event.delivered",
                    seat=self.current,
                    mail=mail,
                    points=earned,
                    signer=self.signer,
                )
                event.setting(
                    {
                        f"players.{self.current}.points": self.points[self.current],
                        f"players.{self.signer}.points": self.points[self.signer],
                    }
                )
        self.discard.append(self.offer)
        self.discard += self.answers
        self.offer = -1
        self.signer = -1
        self.answers = []
        self.answerers = []
        self._end_turn()

    def _telegram(self, seat: int, other: int) -> None:
        """NM-5.1: at any time, look into another player's bag."""
        self.discard.append(self._take(self.hands[seat], Kind.TELEGRAM))
        self.seen[seat][other] = list(self.bags[other])
        if self.loud:
            event = self.tell("event.telegram", seat=seat, other=other)
            bag = [KIND_NAMES[kind] for kind in kinds(self.bags[other])]
            event.also([seat], "event.telegram.own", bag=bag)

    def _end_turn(self) -> None:
        """NM-2.4, NM-6.1: draw up; the game ends at a terminus or when the cards do."""
        if self.branch >= 0 and self.at == len(self.branches[self.branch]) - 1:
            self._finish("arrived")
        elif len(self.deck) < self.hand_size - len(self.hands[self.current]):
            self._finish("stranded")
        else:
            self._refill(self.current)
            self.turn += 1
            self.current = (self.current + 1) % self.seats
            self.phase = Phase.LOAD
            if self.loud:
                self.tell("event.turn", seat=self.current).setting({"current": self.current})

    def _refill(self, seat: int) -> None:
        drawn: list[int] = []
        while len(self.hands[seat]) + len(drawn) < self.hand_size:
            drawn.append(self.deck.pop())
        self.hands[seat] += drawn
        if self.loud and drawn:
            event = self.tell("event.drew", seat=seat, count=len(drawn))
            cards = [KIND_NAMES[kind] for kind in kinds(drawn)]
            event.also([seat], "event.drew.own", cards=cards)

    def _finish(self, ending: str) -> None:
        self.ending = ending
        self.phase = Phase.OVER
        if self.loud:
            self.tell("event.arrived" if ending == "arrived" else "event.stranded")
            for seat in range(self.seats):
                self.tell("event.employer", seat=seat, branch=BRANCH_NAMES[self.employers[seat]])

    def _refuse(self, seat: int, action: int) -> None:
        """Why not, with the rule's number."""
        if self.phase == Phase.OVER:
            raise Refused("refused.over", "NM-6.1")
        if action >= Do.TELEGRAM:
            raise Refused("refused.telegram", "NM-5.1")
        if action >= Do.BANDIT:
            raise Refused("refused.answer", "NM-3.2")
        if Do.VOTE <= action < Do.DELIVER:
            raise Refused("refused.no-vote", "NM-4.1")
        if seat != self.current and action != Do.PASS:
            raise Refused("refused.not-your-turn", "NM-2.1")
        if Do.LOAD <= action < Do.VOTE:
            raise Refused("refused.load", "NM-2.1", room=BAG)
        raise Refused("refused.not-now", "NM-2.2")

    # --- small questions -------------------------------------------------------------------------

    def _actor(self) -> int:
        """Who made the offer or played the card that the window is about."""
        return self.answerers[-1] if self.answerers else self.current

    def _answer(self) -> int:
        """The kind of card that answers what is on the table (NM-3.1, NM-3.2)."""
        return Kind.BANDIT if len(self.answers) % 2 == 0 else Kind.GUARD

    def _holds(self, seat: int, kind: int) -> bool:
        return kind in [KIND[card] for card in self.hands[seat]]

    def _mail(self, cards: list[int]) -> list[int]:
        """The kinds of mail among these cards, in ascending order."""
        return [mail for mail in (0, 1, 2) if mail in [KIND[card] for card in cards]]

    def _signers(self) -> list[int]:
        return [Do.SIGN + seat for seat in range(self.seats) if seat != self.current]

    def _take(self, cards: list[int], kind: int) -> int:
        """Take the first card of this kind out of a list that has one."""
        for index in range(len(cards)):
            if KIND[cards[index]] == kind:
                return cards.pop(index)
        raise AssertionError(kind)

    # --- the rest of the contract ----------------------------------------------------------------

    def barrier(self) -> bool:
        return self.fixed

    def view(self, seat: int | None) -> NightMailView:
        from capolinea.games.night_mail.views import view_of

        return view_of(self, seat)

    def preview(self, seat: int, actions: Sequence[int]) -> Preview:
        from capolinea.games.night_mail.views import preview_of

        return preview_of(self, seat, actions)

    def result(self) -> Result | None:
        from capolinea.games.night_mail.views import result_of

        return result_of(self) if self.phase == Phase.OVER else None

    def key(self) -> bytes:
        """Cards of a kind are alike, and a hand has no order."""
        parts: list[list[int]] = [
            [self.phase, self.turn, self.current, self.branch + 1, self.at, self.pips],
            [self.chosen + 1, self.signer + 1, int(self.fixed)],
            kinds_in_order(self.deck),
            kinds_in_order(self.discard),
            self.points,
            self.employers,
            [vote + 1 for vote in self.votes],
            kinds_in_order(self.answers + ([self.offer] if self.offer >= 0 else [])),
            self.answerers,
            self.passed,
        ]
        for seat in range(self.seats):
            parts.append(kinds(self.hands[seat]))
            parts.append(kinds(self.bags[seat]))
            for cards in self.seen[seat]:
                parts.append(kinds(cards))
        return b"".join(bytes([len(part)]) + bytes(part) for part in parts) + self.ending.encode()

    # --- generated: slots, copy
    __slots__ = (
        "answerers", "answers", "at", "bags", "bonus", "branch", "branches", "chosen", "current",
        "deck", "discard", "employers", "ending", "fixed", "hand_size", "hands", "line_name",
        "offer", "open_vote", "passed", "phase", "pips", "points", "seen", "signer", "tally",
        "trunk", "turn", "votes",
    )  # fmt: skip

    def copy(self) -> NightMail:
        if COMPILED:
            other = NightMail()
        else:
            other = NightMail.__new__(NightMail)
            other.loud = False
            other.told = []
            other.hasty = False
        other.seats = self.seats
        other.chance = self.chance
        other.hand_size = self.hand_size
        other.bonus = self.bonus
        other.open_vote = self.open_vote
        other.line_name = self.line_name
        other.trunk = self.trunk
        other.branches = self.branches
        other.phase = self.phase
        other.turn = self.turn
        other.current = self.current
        other.branch = self.branch
        other.at = self.at
        other.pips = self.pips
        other.deck = self.deck[:]
        other.hands = [one[:] for one in self.hands]
        other.bags = [one[:] for one in self.bags]
        other.discard = self.discard[:]
        other.points = self.points[:]
        other.employers = self.employers
        other.votes = self.votes[:]
        other.tally = self.tally
        other.chosen = self.chosen
        other.offer = self.offer
        other.signer = self.signer
        other.answers = self.answers[:]
        other.answerers = self.answerers[:]
        other.passed = self.passed[:]
        other.seen = [[one[:] for one in each] for each in self.seen]
        other.fixed = self.fixed
        other.ending = self.ending
        return other

    # --- end


def kinds(cards: list[int]) -> list[int]:
    """What these cards are, sorted: their order is nobody's business."""
    return sorted([KIND[card] for card in cards])


def kinds_in_order(cards: list[int]) -> list[int]:
    return [KIND[card] for card in cards]


def _forget(cards: list[int], kind: int) -> None:
    """A known card of this kind has left the bag, if there was one."""
    for index in range(len(cards)):
        if KIND[cards[index]] == kind:
            cards.pop(index)
            return
