"""Stop the Train!: what each viewer may know, and nothing else. Built field by field, from nothing."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, cast

from capolinea.engine import Shown, View
from capolinea.games.stop_the_train.rules import steps, where
from capolinea.games.stop_the_train.rules.cards import (
    CHARACTER_NAMES,
    EFFECT_NAMES,
    ROUTE_NAMES,
    SIDE_NAMES,
    TAKES,
)
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES, CARDS
from capolinea.games.stop_the_train.rules.notes import LOOK_NAMES, Look, Named
from capolinea.games.stop_the_train.rules.steps import ENDING_NAMES, FIRST_WINDOW, STEP_NAMES
from capolinea.games.stop_the_train.rules.turn import face_down, hills_with_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capolinea.games.stop_the_train.rules.notes import Meeting, Note, Spent, Turn, Vote
    from capolinea.games.stop_the_train.rules.track import Track
    from capolinea.games.stop_the_train.rules.train import Train

#: A track keeps what is laid out for so many sets of options.
MOST_TABLES = 16


class Place(Shown):
    """A feature of the line; its name is `feature.<section>.<number>`."""

    kind: str
    first: int
    last: int


class Section(Shown):
    id: str
    spaces: int
    places: list[Place]


class Setup(Shown):
    """What the match was set up with."""

    track: str
    train: int
    sections: list[Section]
    start: int
    start_speed: int
    freight: bool
    strict_agent: bool
    two_hills: bool
    talk_minutes: int
    #: Who may be on the train, and how many of each card there are.
    cast: list[str]
    forced: list[str]
    balanced: bool
    effects: dict[str, int]
    interventions: dict[str, int]


class Player(Shown):
    """What everybody sees of a player."""

    status: str
    permits: int
    interventions: int


class PastTurn(Shown, omit_defaults=True):
    """A turn; what only its drawer and its current player saw is there for them alone."""

    drawer: int
    current: int = -1
    effect: str = ""
    side: str = ""
    gun: bool = False
    seized: str = ""
    jammed: bool = False
    #: At its end.
    speed: int = 0
    at: int = 0
    drew: list[str] = []
    discarded: list[str] = []
    passed: list[str] = []
    set_aside: str = ""


class Played(Shown, omit_defaults=True):
    """An intervention card on the table or used up."""

    turn: int
    seat: int
    card: str
    other: int = -1
    organiser: bool = False
    route: str = ""
    brake: bool = False
    cancelled: bool = False
    #: How many effect cards lay face down when it was used up.
    discards: int = 0


class Robbed(Shown):
    """A Theft that took place: all know of it, two know what was taken."""

    turn: int
    thief: int
    victim: int
    #: How many interventions had been used up by then.
    spent: int


class CountedVote(Shown, omit_defaults=True):
    """A route vote that was counted: who took part, how many each route got and, if it was open, who
    voted for what."""

    voters: list[int]
    tally: list[int]
    routes: list[str] = []


class RouteVote(Shown, omit_defaults=True):
    """The signal box (ST-5.4)."""

    closed: str = ""
    open: bool = False
    arrested: list[int] = []
    #: Who has laid a vote that is still open to change.
    voted: list[int] = []
    tally: list[int] = []
    tied: list[str] = []
    decided: str = ""
    imposed: bool = False
    #: Every vote that was counted; the last one stands unless it was annulled.
    counted: list[CountedVote] = []


class PastMeeting(Shown, omit_defaults=True):
    """A meeting that is over: who voted for whom, unless in secret, and who left the train."""

    turn: int
    secret: bool
    ballots: list[int]
    off: list[int]


class MeetingNow(Shown, omit_defaults=True):
    """The meeting that is going on, or the last one (ST-5.5)."""

    ballots: list[int]
    #: With a secret ballot: who has handed one in and, once counted, how many each one got.
    voted: list[int] = []
    tally: list[int] = []
    occupied: list[int] = []
    first_class: list[int] = []
    secret: bool = False
    locked: bool = False
    falling: list[int] = []
    draggers: list[int] = []
    dragged: list[int] = []
    rescuer: int = -1
    second: bool = False


class Seen(Shown, omit_defaults=True):
    """Something that this player alone learned: look is one of LOOK_NAMES."""

    look: str
    turn: int
    seat: int = -1
    roles: list[str] = []
    effects: list[str] = []
    cards: list[str] = []
    #: Of a discard: how many lay below it.
    place: int = -1


class Own(Shown, omit_defaults=True):
    """What only this seat knows."""

    character: str
    #: Interventions: as dealt, the one given back, and those held.
    dealt: list[str]
    cards: list[str]
    returned: str = ""
    #: Effect cards in hand.
    effects: list[str] = []
    #: Route votes so far, one that lies on the table last; and the voting cards left.
    votes: list[str] = []
    ballots_left: list[str] = []
    #: Ballots at secret meetings: number of the meeting → for whom.
    secret_ballots: dict[str, int] = {}
    passed: bool = False
    seen: list[Seen] = []


class TrainView(View, omit_defaults=True):
    """A view; a spectator's has no `own`."""

    table: Setup
    step: str
    turn: int
    drawer: int
    current: int
    speed: int
    slowest: int
    fastest: int
    at: int
    route: str
    freight: int
    records: list[int]
    organiser: int
    players: list[Player]
    deck: int
    discards: int
    pile: list[str]
    turns: list[PastTurn]
    spent: list[Played]
    thefts: list[Robbed]
    vote: RouteVote
    meetings: list[PastMeeting]
    #: Cards that wait for an answer, the last one on top.
    waiting_cards: list[Played] = []
    #: What lies below: what goes on when the card has been answered.
    beneath: list[str] = []
    meeting: MeetingNow | None = None
    #: Who chooses, or is offered a hand; the one whom the game waits for last.
    choosers: list[int] = []
    #: During set-up: who has chosen which interventions to keep (ST-2.4).
    kept: list[int] = []
    own: Own | None = None
    #: Revealed when it is over (ST-6.1).
    ending: str = ""
    characters: list[str] = []


def view_of(train: Train, seat: int | None) -> TrainView:
    return _seen_by(seat, train, _public(train))


def views_of(train: Train, viewers: Sequence[int | None]) -> list[View]:
    public = _public(train)
    return [_seen_by(viewer, train, public) for viewer in viewers]


def _seen_by(seat: int | None, train: Train, public: TrainView) -> TrainView:
    """What everybody sees, and what this seat knows beyond it."""
    if seat is None:
        return public
    view = copy(public)
    view.viewer = seat
    view.turns = _turns_of(train, seat)
    view.own = _own_of(train, seat)
    return view


def _public(train: Train) -> TrainView:
    """A spectator's view."""
    now, over = train.now, train.ending >= 0
    return TrainView(
        viewer=None,
        table=_setup_of(train),
        step=STEP_NAMES[train.stack[-1]],
        turn=len(train.turns),
        drawer=now.drawer,
        current=now.current,
        speed=train.speed,
        slowest=train.slowest,
        fastest=train.fastest,
        at=train.at,
        route=_route(train.route),
        freight=train.freight,
        records=hills_with_record(train),
        organiser=train.organiser,
        players=[
            Player(where.NAMES[train.status[s]], train.permits[s], len(train.hands[s]))
            for s in range(train.seats)
        ],
        deck=len(train.deck),
        discards=face_down(train),
        pile=effects(train.pile),
        turns=_turns_of(train, None),
        spent=[_spent(spent) for spent in train.spent],
        thefts=[Robbed(t.turn, t.thief, t.victim, t.spent) for t in train.thefts],
        vote=_vote_of(train),
        meetings=[_past_meeting(meeting) for meeting in train.past_meetings],
        waiting_cards=_waiting_cards(train),
        beneath=[STEP_NAMES[step] for step in train.stack[1:]],
        meeting=_meeting_of(train) if _has_met(train) else None,
        choosers=list(train.choosers),
        kept=_kept(train),
        ending=ENDING_NAMES[train.ending] if over else "",
        characters=[CHARACTER_NAMES[c] for c in train.characters] if over else [],
    )


def _setup_of(train: Train) -> Setup:
    """It never changes, so it is made once and kept with the track."""
    key = (
        (train.start, train.start_speed, train.with_freight, train.strict_agent),
        (train.two_hills, train.talk_minutes, train.balanced),
        (*train.cast, -1, *train.forced, -1, *train.effect_counts, *train.card_counts),
    )
    tables = train.track.shown
    if key not in tables:
        if len(tables) == MOST_TABLES:
            tables.clear()
        tables[key] = Setup(
            track=train.track.name,
            train=train.track.train,
            sections=_sections(train.track),
            start=train.start,
            start_speed=train.start_speed,
            freight=train.with_freight,
            strict_agent=train.strict_agent,
            two_hills=train.two_hills,
            talk_minutes=train.talk_minutes,
            cast=[CHARACTER_NAMES[c] for c in train.cast],
            forced=[CHARACTER_NAMES[c] for c in train.forced],
            balanced=train.balanced,
            effects=dict(zip(EFFECT_NAMES, train.effect_counts, strict=True)),
            interventions=_interventions(train.card_counts),
        )
    table = tables[key]
    assert isinstance(table, Setup)
    return table


def _interventions(counts: list[int]) -> dict[str, int]:
    """Those of the box, also where an option leaves them out, and those on trial that are dealt."""
    return {row.name: count for row, count in zip(CARDS, counts, strict=True) if row.count or count}


def _sections(track: Track) -> list[Section]:
    content: Any = track.content
    return [
        Section(
            id=name,
            spaces=section["spaces"],
            places=[Place(f["kind"], f["from"], f["to"]) for f in section["features"]],
        )
        for name, section in content["sections"].items()
    ]


def _kept(train: Train) -> list[int]:
    if train.stack[-1] != steps.KEEP:
        return []
    return [seat for seat in range(train.seats) if train.returned[seat] >= 0]


def _turns_of(train: Train, seat: int | None) -> list[PastTurn]:
    shown = [_past_turn(turn, seat) for turn in train.turns[:-1]]
    if train.turns:
        shown.append(_turn_of(train.now, seat))
    return shown


def _past_turn(turn: Turn, seat: int | None) -> PastTurn:
    """It never looks otherwise again, so it is made once for each viewer and kept with the turn."""
    if turn.shown is None:
        turn.shown = {}
    viewer = -1 if seat is None else seat
    if viewer not in turn.shown:
        turn.shown[viewer] = _turn_of(turn, seat)
    return cast(PastTurn, turn.shown[viewer])


def _turn_of(turn: Turn, seat: int | None) -> PastTurn:
    shown = PastTurn(
        drawer=turn.drawer,
        current=turn.current,
        effect=EFFECT_NAMES[turn.played] if turn.played >= 0 else "",
        side=SIDE_NAMES[turn.side] if turn.played >= 0 and TAKES[turn.played] else "",
        gun=turn.gun,
        seized=EFFECT_NAMES[turn.seized] if turn.seized >= 0 else "",
        jammed=turn.jammed,
        speed=turn.speed,
        at=turn.at,
    )
    if seat is None:
        return shown
    if seat == turn.drawer:
        shown.drew = effects(turn.drawn)
        shown.discarded = effects(turn.discarded)
    if seat in (turn.drawer, turn.current):
        # The drawer knows what the current player had, and so what became of the other card.
        shown.passed = effects(turn.passed)
        shown.set_aside = EFFECT_NAMES[turn.set_aside] if turn.set_aside >= 0 else ""
    return shown


def _spent(spent: Spent) -> Played:
    played = _played(spent.turn, spent.seat, spent.card, spent.target)
    played.cancelled, played.discards = spent.cancelled, spent.discards
    return played


def _played(turn: int, seat: int, card: int, target: int) -> Played:
    played = Played(turn=turn, seat=seat, card=CARD_NAMES[card])
    if Named.SEAT <= target < Named.ORGANISER:
        played.other = target - Named.SEAT
    elif Named.ROUTE <= target < Named.KEEP_SPEED:
        played.route = ROUTE_NAMES[target - Named.ROUTE]
    played.organiser = target == Named.ORGANISER
    played.brake = target == Named.BRAKE
    return played


def _waiting_cards(train: Train) -> list[Played]:
    turn = len(train.turns)
    waiting = zip(train.waiting_players, train.waiting_cards, train.waiting_targets, strict=True)
    return [_played(turn, seat, card, target) for seat, card, target in waiting]


def _vote_of(train: Train) -> RouteVote:
    voting = steps.VOTE in train.stack
    return RouteVote(
        closed=_route(train.closed),
        open=train.open_vote,
        arrested=list(train.arrested),
        voted=[s for s in range(train.seats) if voting and train.votes[s] >= 0],
        tally=list(train.tally),
        tied=[ROUTE_NAMES[route] for route in train.tied],
        decided=_route(train.decided),
        imposed=train.imposed,
        counted=[_counted(vote) for vote in train.past_votes],
    )


def _counted(vote: Vote) -> CountedVote:
    voters = [seat for seat, route in enumerate(vote.votes) if route >= 0]
    return CountedVote(
        voters=voters,
        tally=[vote.votes.count(route) for route in range(len(ROUTE_NAMES))],
        routes=[ROUTE_NAMES[vote.votes[seat]] for seat in voters] if vote.open_vote else [],
    )


def _past_meeting(meeting: Meeting) -> PastMeeting:
    ballots = [] if meeting.secret else list(meeting.ballots)
    return PastMeeting(meeting.turn, meeting.secret, ballots, list(meeting.off))


def _has_met(train: Train) -> bool:
    return bool(train.past_meetings) or steps.AFTERMATH in train.stack


def _meeting_of(train: Train) -> MeetingNow:
    secret, counted = train.secret_ballot, steps.BALLOT not in train.stack
    tally = [0] * train.seats
    for seat, other in enumerate(train.ballots):
        if other >= 0:
            tally[other] += 2 if seat in train.first_class else 1
    return MeetingNow(
        ballots=[] if secret else list(train.ballots),
        voted=[s for s in range(train.seats) if train.ballots[s] >= 0] if secret else [],
        tally=tally if secret and counted else [],
        occupied=list(train.occupied),
        first_class=list(train.first_class),
        secret=secret,
        locked=train.locked,
        falling=list(train.falling),
        draggers=list(train.draggers),
        dragged=list(train.dragged),
        rescuer=train.rescuer,
        second=train.second_meeting,
    )


def _own_of(train: Train, seat: int) -> Own:
    step = train.stack[-1]
    votes = [vote.votes[seat] for vote in train.past_votes]
    if steps.VOTE in train.stack:
        votes.append(train.votes[seat])
    returned = train.returned[seat]
    return Own(
        character=CHARACTER_NAMES[train.characters[seat]],
        dealt=cards(train.dealt[seat]),
        cards=cards(train.hands[seat]),
        returned=CARD_NAMES[returned] if returned >= 0 else "",
        effects=_effects_in_hand(train, seat),
        votes=[_route(vote) for vote in votes],
        ballots_left=[ROUTE_NAMES[r] for r in range(3) if train.ballots_left[seat] >> r & 1],
        secret_ballots=_secret_ballots(train, seat),
        passed=step >= FIRST_WINDOW and _may_answer(train, seat) and not train.asked >> seat & 1,
        seen=[_seen(note) for note in train.notes[seat]],
    )


def _secret_ballots(train: Train, seat: int) -> dict[str, int]:
    """The seat's own, with that of the meeting which is going on."""
    found = {
        str(number + 1): meeting.ballots[seat]
        for number, meeting in enumerate(train.past_meetings)
        if meeting.secret and meeting.ballots[seat] >= 0
    }
    if train.secret_ballot and steps.AFTERMATH in train.stack and train.ballots[seat] >= 0:
        found[str(len(train.past_meetings) + 1)] = train.ballots[seat]
    return found


def _may_answer(train: Train, seat: int) -> bool:
    """Whether this window asks the seat at all."""
    if train.stack[-1] == steps.ANSWER and train.waiting_players[-1] == seat:
        return False
    return train.status[seat] == where.ABOARD


def _effects_in_hand(train: Train, seat: int) -> list[str]:
    """The drawer's three until one is discarded, the current player's two until one is played."""
    now = train.now
    if not train.turns:
        return []
    if seat == now.drawer and now.current < 0:
        return effects(now.drawn)
    if seat == now.current and train.hand:
        return effects(train.hand)
    return []


def _seen(note: Note) -> Seen:
    seen = Seen(look=LOOK_NAMES[note.look], turn=note.turn, seat=note.seat, place=note.place)
    match note.look:
        case Look.IDENTITY | Look.PASSENGER_LIST:
            seen.roles = [CHARACTER_NAMES[character] for character in note.things]
        case Look.SPY | Look.COAL | Look.COAL_CHOSEN:
            seen.effects = effects(note.things)
        case _:
            seen.cards = cards(note.things)
    return seen


def effects(kinds: list[int]) -> list[str]:
    return [EFFECT_NAMES[kind] for kind in kinds]


def cards(kinds: list[int]) -> list[str]:
    return [CARD_NAMES[kind] for kind in kinds]


def _route(route: int) -> str:
    return ROUTE_NAMES[route] if route >= 0 else ""
