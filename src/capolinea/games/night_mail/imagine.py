"""Night Mail: a whole state that whoever sees a view could be in."""

from __future__ import annotations

from capolinea.engine import Chance, Rng
from capolinea.games.night_mail.rules import BRANCH_NAMES, KIND, KIND_NAMES, Kind, NightMail
from capolinea.games.night_mail.views import PHASE_NAMES, NightMailView


class _Pile:
    """The cards that the viewer has not seen; taking one by name makes it seen."""

    def __init__(self) -> None:
        self.cards = list(range(len(KIND)))

    def take(self, names: list[str]) -> list[int]:
        taken = []
        for name in names:
            card = next(card for card in self.cards if KIND_NAMES[KIND[card]] == name)
            self.cards.remove(card)
            taken.append(card)
        return taken


def imagine(view: NightMailView, rng: Rng) -> NightMail:
    """What is known stays; all else is dealt at random from the cards not seen."""
    state = NightMail()
    pile = _Pile()
    _public(state, view, pile)
    if view.own is not None and view.viewer is not None:
        _own(state, view, view.viewer, pile)
    _employers(state, view, rng)
    _votes(state, view, rng)
    _hidden_cards(state, view, pile, rng)
    state.chance = Chance(rng.bytes(32))
    return state


def _public(state: NightMail, view: NightMailView, pile: _Pile) -> None:
    table, seats = view.table, len(view.players)
    state.seats = seats
    state.hand_size, state.bonus, state.open_vote = table.hand, table.bonus, table.open_vote
    state.line_name, state.trunk = table.line, table.trunk
    state.branches = [table.north, table.south]
    state.phase = PHASE_NAMES.index(view.phase)
    state.turn, state.current, state.pips = view.turn, view.current, view.pips
    state.branch = BRANCH_NAMES.index(view.branch) if view.branch else -1
    stations = state.trunk if state.branch < 0 else state.branches[state.branch]
    state.at = len(stations) - 1 - view.stations_left
    state.points = [player.points for player in view.players]
    state.tally = view.tally
    state.votes, state.passed = [-1] * seats, [0] * seats
    state.hands, state.bags = [[] for _ in range(seats)], [[] for _ in range(seats)]
    state.seen = [[[] for _ in range(seats)] for _ in range(seats)]
    state.discard = pile.take(view.discard)
    if view.offer is not None:
        state.offer = pile.take([view.offer.mail])[0]
        state.signer = view.offer.signer
        state.answerers = list(view.offer.answers)
        played = [("bandit", "guard")[number % 2] for number in range(len(state.answerers))]
        state.answers = pile.take(played)
    if view.phase == "over":
        state.ending = "arrived" if view.branch and not view.stations_left else "stranded"


def _own(state: NightMail, view: NightMailView, seat: int, pile: _Pile) -> None:
    own = view.own
    assert own is not None
    state.hands[seat] = pile.take(own.hand)
    state.bags[seat] = pile.take(own.bag)
    state.passed[seat] = int(own.passed)
    for peek in own.peeks:
        state.bags[peek.seat] = pile.take(peek.bag)
        state.seen[seat][peek.seat] = list(state.bags[peek.seat])


def _employers(state: NightMail, view: NightMailView, rng: Rng) -> None:
    if view.employers:
        state.employers = [BRANCH_NAMES.index(name) for name in view.employers]
        return
    employers = [card % 2 for card in range(state.seats + 1)]
    if view.own is None or view.viewer is None:
        rng.shuffle(employers)
    else:
        mine = BRANCH_NAMES.index(view.own.employer)
        employers.remove(mine)
        rng.shuffle(employers)
        employers.insert(view.viewer, mine)
    state.employers = employers


def _votes(state: NightMail, view: NightMailView, rng: Rng) -> None:
    """Votes that are shown, those that lie open to change, or any that come to the tally."""
    if view.votes:
        state.votes = [BRANCH_NAMES.index(name) for name in view.votes]
        return
    if view.tally:
        ballots = [0] * view.tally[0] + [1] * view.tally[1]
        rng.shuffle(ballots)
        voters = list(range(state.seats))
    else:
        voters = view.voted
        ballots = [rng.below(2) for _ in voters]
    if view.own is not None and view.viewer is not None and view.own.vote:
        mine = BRANCH_NAMES.index(view.own.vote)
        if view.tally:
            ballots.remove(mine)
        else:
            ballots.pop()
        ballots.insert(voters.index(view.viewer), mine)
    for voter, ballot in zip(voters, ballots, strict=True):
        state.votes[voter] = ballot


def _hidden_cards(state: NightMail, view: NightMailView, pile: _Pile, rng: Rng) -> None:
    """Bags first, since they hold mail alone; then hands; the rest is the deck."""
    rng.shuffle(pile.cards)
    for seat, player in enumerate(view.players):
        while len(state.bags[seat]) < player.bag:
            card = next(card for card in pile.cards if KIND[card] <= Kind.PARCEL)
            pile.cards.remove(card)
            state.bags[seat].append(card)
    for seat, player in enumerate(view.players):
        while len(state.hands[seat]) < player.hand:
            state.hands[seat].append(pile.cards.pop())
    state.deck = pile.cards
