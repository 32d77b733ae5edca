"""Trial by Trolley: what each viewer may know, and nothing else. Built field by field, from nothing."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, cast

from capolinea.engine import Line, Outcome, Preview, Reason, Refused, Result, Shown, View
from capolinea.games.trial_by_trolley.rules import SPECTATOR, TRACK_NAMES, Do, Phase

if TYPE_CHECKING:
    from capolinea.games.trial_by_trolley.rules import Past, Trolley

PHASE_NAMES = ["innocent", "guilty", "modifier", "plea", "verdict", "over"]


class Laid(Shown):
    """A Modifier on a card, and who laid it there."""

    card: str
    by: int


class Place(Shown):
    """A card on a track, with what hangs on it."""

    card: str
    modifiers: list[Laid]


class Team(Shown):
    """One side: its players in seat order, their jobs, and its track."""

    players: list[int]
    innocent: int
    guilty: int
    track: list[Place]
    #: Whether it has made the choice that both teams make now.
    ready: bool


class DeckShown(Shown):
    """A deck: how many are left, how many lie discarded, and which of those the viewer knows."""

    left: int
    discarded: int
    shuffles: int
    known: list[str]


class Hand(Shown, omit_defaults=True):
    """What a player of one's own team holds; nobody else sees it (TT-2.1)."""

    seat: int
    innocent: list[str] = []
    guilty: list[str] = []
    modifier: list[str] = []


class PastRound(Shown, omit_defaults=True):
    """A round that is over: which track the trolley took, and who was on it."""

    conductor: int
    taken: str
    teams: list[list[int]]
    north: list[Place]
    south: list[Place]
    #: What the viewer's own team was dealt.
    dealt: list[Hand] = []


class Own(Shown, omit_defaults=True):
    """What only the viewer's team knows: its hands, and what it has chosen but not yet shown."""

    team: str
    hands: list[Hand]
    dealt: list[Hand]
    choice: int = -1


class TrolleyView(View, omit_defaults=True):
    """A view; a Conductor's and a spectator's have no `own`."""

    round: int
    rounds: int
    phase: str
    conductor: int
    teams: list[Team]
    tokens: list[int]
    #: How many cards of each deck every player holds.
    held: list[list[int]]
    #: All cards of the three decks: what a table plays with is no secret.
    pack: list[list[str]]
    decks: list[DeckShown]
    #: Whose Modifiers are still to come, in order.
    queue: list[int]
    extensions: int
    talk_minutes: int
    tom_trolley: bool
    accomplices: bool
    past: list[PastRound]
    #: How many persons or things there are to point at on each card of the tracks (TT-2.5).
    things: dict[str, int] = {}
    tom: int = -1
    own: Own | None = None


def view_of(state: Trolley, seat: int | None) -> TrolleyView:
    return _seen_by(seat, state, _public(state))


def views_of(state: Trolley, viewers: Sequence[int | None]) -> list[View]:
    public = _public(state)
    return [_seen_by(viewer, state, public) for viewer in viewers]


def _seen_by(seat: int | None, state: Trolley, public: TrolleyView) -> TrolleyView:
    """What everybody sees, and what this viewer knows beyond it."""
    view = copy(public)
    view.viewer = seat
    view.decks = [_deck_of(state, deck, seat) for deck in (0, 1, 2)]
    view.past = [_past_of(state, past, seat) for past in state.past]
    view.own = _own_of(state, seat)
    return view


def _public(state: Trolley) -> TrolleyView:
    return TrolleyView(
        viewer=None,
        round=state.round,
        rounds=state.rounds,
        phase=PHASE_NAMES[state.phase],
        conductor=state.conductor,
        teams=[_team_of(state, team) for team in (0, 1)],
        tokens=list(state.tokens),
        held=[[len(cards) for cards in hand] for hand in state.hands],
        pack=state.pack,
        decks=[],
        queue=list(state.queue),
        extensions=state.extensions,
        talk_minutes=state.talk_minutes,
        tom_trolley=state.tom_trolley,
        accomplices=state.accomplices,
        past=[],
        things=_things_of(state),
        tom=state.tom,
    )


def _team_of(state: Trolley, team: int) -> Team:
    return Team(
        players=state.teams[team],
        innocent=state.innocent_jobs[team],
        guilty=state.guilty_jobs[team],
        track=[
            Place(
                card=state.ids[card],
                modifiers=[
                    Laid(card=state.ids[laid], by=by)
                    for laid, by in zip(
                        state.modifiers[team][place], state.by[team][place], strict=True
                    )
                ],
            )
            for place, card in enumerate(state.tracks[team])
        ],
        ready=state.choices[team] >= 0,
    )


def _things_of(state: Trolley) -> dict[str, int]:
    on_tracks = [card for track in state.tracks for card in track]
    return {state.ids[card]: state.things[card] for card in on_tracks if state.things[card]}


def _deck_of(state: Trolley, deck: int, seat: int | None) -> DeckShown:
    bit = 1 << (SPECTATOR if seat is None else seat)
    known = [state.ids[card] for card in state.discards[deck] if state.known[card] & bit]
    return DeckShown(
        left=len(state.decks[deck]),
        discarded=len(state.discards[deck]),
        shuffles=state.shuffles[deck],
        known=sorted(known),
    )


def _team_seen_by(teams: list[list[int]], seat: int | None) -> int:
    """The team whose hands this viewer sees, or -1."""
    for team in (0, 1):
        if seat in teams[team]:
            return team
    return -1


def _hands(state: Trolley, team: list[int], cards: list[list[list[int]]]) -> list[Hand]:
    hands = []
    for seat in team:
        named = [[state.ids[card] for card in cards[seat][deck]] for deck in (0, 1, 2)]
        if any(named):
            hands.append(Hand(seat=seat, innocent=named[0], guilty=named[1], modifier=named[2]))
    return hands


def _own_of(state: Trolley, seat: int | None) -> Own | None:
    team = _team_seen_by(state.teams, seat)
    if team < 0 or state.phase == Phase.OVER:
        return None
    return Own(
        team=TRACK_NAMES[team],
        hands=_hands(state, state.teams[team], state.hands),
        dealt=_hands(state, state.teams[team], state.dealt),
        choice=state.choices[team],
    )


def _past_of(state: Trolley, past: Past, seat: int | None) -> PastRound:
    viewer = SPECTATOR if seat is None else seat
    if viewer not in past.shown:
        past.shown[viewer] = _past_shown(state, past, seat)
    return cast(PastRound, past.shown[viewer])


def _past_shown(state: Trolley, past: Past, seat: int | None) -> PastRound:
    team = _team_seen_by(past.teams, seat)
    places = [
        [
            Place(
                card=state.ids[card],
                modifiers=[
                    Laid(card=state.ids[laid], by=by)
                    for laid, by in zip(past.modifiers[side][at], past.by[side][at], strict=True)
                ],
            )
            for at, card in enumerate(past.tracks[side])
        ]
        for side in (0, 1)
    ]
    return PastRound(
        conductor=past.conductor,
        taken=TRACK_NAMES[past.track],
        teams=past.teams,
        north=places[0],
        south=places[1],
        dealt=_hands(state, past.teams[team], past.dealt) if team >= 0 else [],
    )


def preview_of(state: Trolley, seat: int, actions: Sequence[int]) -> Preview:
    """From public facts and the team's own cards alone."""
    if not actions or actions[0] not in state.legal(seat):
        raise Refused("refused.not-now", "TT-2.1")
    action = actions[0]
    if action >= Do.VERDICT:
        track = action - Do.VERDICT
        args = {"track": TRACK_NAMES[track], "team": list(state.teams[track])}
        return Preview(lines=[Line("preview.verdict", args)])
    return Preview()


def result_of(state: Trolley) -> Result:
    """TT-1.4: fewest death tokens win; a tie is shared."""
    fewest = min(state.tokens)
    return Result(
        "everybody-drove",
        [
            Outcome(
                won=tokens == fewest,
                reasons=[
                    Reason(
                        "reason.fewest",
                        tokens == fewest,
                        {"tokens": tokens, "fewest": fewest},
                        "TT-1.4",
                    )
                ],
            )
            for tokens in state.tokens
        ],
    )
