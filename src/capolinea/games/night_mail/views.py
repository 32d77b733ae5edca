"""Night Mail: what each viewer may know, and nothing else. Built field by field, from nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from capolinea.engine import Line, Outcome, Preview, Reason, Refused, Result, Shown, View
from capolinea.games.night_mail.rules import (
    BRANCH_NAMES,
    KIND,
    KIND_NAMES,
    MAIL_NAMES,
    PIPS,
    Do,
    Phase,
    kinds,
)

if TYPE_CHECKING:
    from capolinea.games.night_mail.rules import NightMail

PHASE_NAMES = ["load", "vote", "deliver", "window", "over"]


class Player(Shown):
    """What everybody sees of a player."""

    hand: int
    bag: int
    points: int


class Offer(Shown):
    """Mail on the table: what, for whom, and who has answered, Bandit and Guard in turn (NM-3.2)."""

    mail: str
    signer: int
    answers: list[int]


class Setup(Shown):
    """What the match was set up with: the line and the options."""

    line: str
    trunk: list[str]
    north: list[str]
    south: list[str]
    hand: int
    bonus: int
    open_vote: bool


class Peek(Shown):
    """What is known of another player's bag."""

    seat: int
    bag: list[str]


class Own(Shown, omit_defaults=True):
    """What only this seat knows."""

    hand: list[str]
    bag: list[str]
    employer: str
    peeks: list[Peek]
    vote: str = ""
    passed: bool = False


class NightMailView(View, omit_defaults=True):
    """A view; a spectator's has no `own`."""

    table: Setup
    phase: str
    turn: int
    current: int
    station: str
    branch: str
    stations_left: int
    pips: int
    deck: int
    discard: list[str]
    players: list[Player]
    #: Who has laid a vote that is still open to change.
    voted: list[int]
    #: How the vote came out: for North, for South.
    tally: list[int]
    #: Who voted for what, only if votes are open.
    votes: list[str]
    offer: Offer | None = None
    own: Own | None = None
    #: Revealed when it is over (NM-6.2).
    employers: list[str] = []


def view_of(state: NightMail, seat: int | None) -> NightMailView:
    stations = state.trunk if state.branch < 0 else state.branches[state.branch]
    voting = state.phase == Phase.VOTE
    shown = bool(state.tally) and state.open_vote
    over = state.phase == Phase.OVER
    return NightMailView(
        viewer=seat,
        table=_setup_of(state),
        phase=PHASE_NAMES[state.phase],
        turn=state.turn,
        current=state.current,
        station=stations[state.at],
        branch=BRANCH_NAMES[state.branch] if state.branch >= 0 else "",
        stations_left=len(stations) - 1 - state.at,
        pips=state.pips,
        deck=len(state.deck),
        discard=[KIND_NAMES[KIND[card]] for card in state.discard],
        players=[
            Player(hand=len(state.hands[s]), bag=len(state.bags[s]), points=state.points[s])
            for s in range(state.seats)
        ],
        voted=[s for s in range(state.seats) if state.votes[s] >= 0] if voting else [],
        tally=state.tally,
        votes=[BRANCH_NAMES[vote] for vote in state.votes] if shown else [],
        offer=_offer_of(state),
        own=_own_of(state, seat) if seat is not None else None,
        employers=[BRANCH_NAMES[state.employers[s]] for s in range(state.seats)] if over else [],
    )


def _setup_of(state: NightMail) -> Setup:
    return Setup(
        line=state.line_name,
        trunk=state.trunk,
        north=state.branches[0],
        south=state.branches[1],
        hand=state.hand_size,
        bonus=state.bonus,
        open_vote=state.open_vote,
    )


def _offer_of(state: NightMail) -> Offer | None:
    if state.offer < 0:
        return None
    mail = KIND_NAMES[KIND[state.offer]]
    return Offer(mail=mail, signer=state.signer, answers=list(state.answerers))


def _own_of(state: NightMail, seat: int) -> Own:
    vote = state.votes[seat]
    return Own(
        hand=_names(state.hands[seat]),
        bag=_names(state.bags[seat]),
        employer=BRANCH_NAMES[state.employers[seat]],
        peeks=[
            Peek(seat=other, bag=_names(cards))
            for other, cards in enumerate(state.seen[seat])
            if cards
        ],
        vote=BRANCH_NAMES[vote] if vote >= 0 else "",
        passed=state.phase == Phase.WINDOW and bool(state.passed[seat]),
    )


def _names(cards: list[int]) -> list[str]:
    return [KIND_NAMES[kind] for kind in kinds(cards)]


class NightMailPreview(Preview):
    """Where each throw of the die would take the train."""

    stations: list[str] = []


def preview_of(state: NightMail, seat: int, actions: Sequence[int]) -> NightMailPreview:
    """From public facts and the seat's own cards alone."""
    if not actions or actions[0] not in state.legal(seat):
        raise Refused("refused.not-now", "NM-2.2")
    action = actions[0]
    if action == Do.DEPART:
        stations = state.trunk if state.branch < 0 else state.branches[state.branch]
        reach = [stations[min(state.at + pips, len(stations) - 1)] for pips in range(1, PIPS + 1)]
        return NightMailPreview(lines=[Line("preview.depart", {"stations": reach})], stations=reach)
    if Do.DELIVER <= action < Do.SIGN:
        mail = action - Do.DELIVER
        args = {"mail": MAIL_NAMES[mail], "points": mail + 1}
        return NightMailPreview(lines=[Line("preview.deliver", args)])
    return NightMailPreview()


def result_of(state: NightMail) -> Result:
    """NM-6.2, NM-6.3: a bonus for whose employer got the train; most points win, a tie is shared."""
    right = [state.branch >= 0 and state.employers[s] == state.branch for s in range(state.seats)]
    scores = [state.points[s] + (state.bonus if right[s] else 0) for s in range(state.seats)]
    best = max(scores)
    return Result(
        state.ending,
        [
            Outcome(
                won=scores[s] == best,
                score=scores[s],
                role=BRANCH_NAMES[state.employers[s]],
                reasons=[
                    Reason("reason.points", True, {"points": state.points[s]}, "NM-3.3"),
                    Reason("reason.employer", right[s], {"points": state.bonus}, "NM-6.2"),
                    Reason("reason.most", scores[s] == best, {"points": scores[s]}, "NM-6.3"),
                ],
            )
            for s in range(state.seats)
        ],
    )
