"""Intervention cards (ST-7): the table of them, what each one needs and does. How they are played and
answered is in intervening.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.engine.native import i64
from capolinea.games.stop_the_train.rules import meeting, signal_box, steps, turn, where
from capolinea.games.stop_the_train.rules.cards import (
    CHARACTER_NAMES,
    EFFECT_NAMES,
    ROUTE_NAMES,
    Side,
)
from capolinea.games.stop_the_train.rules.notes import Look, Named

if TYPE_CHECKING:
    from collections.abc import Callable

    from capolinea.games.stop_the_train.rules.train import Train

    #: What can be named when a seat plays the card, as numbers of `Named`.
    Names = Callable[[Train, int], list[int]]
    #: Whether this is a moment for the card; from public facts alone.
    When = Callable[[Train], bool]
    #: Whether it is a card for this seat.
    Who = Callable[[Train, int], bool]
    #: What it does when this seat has played it and, if it names something, named that.
    Does = Callable[[Train, int, int], None]

#: More Coal puts so many cards under the deck.
COAL: Final = 3
#: Rooftop Showdown needs a card for each.
DUEL: Final = 2
FORGED_BRAKE: Final = 30
WINDY: Final = 60
FAULTY: Final = 150


# --- what can be named (ST-7.2) --------------------------------------------------------------------


def players(seats: list[int]) -> list[int]:
    return [Named.SEAT + seat for seat in seats]


def routes(numbers: list[int]) -> list[int]:
    return [Named.ROUTE + route for route in numbers]


def another_player(train: Train, seat: int) -> list[int]:
    return players(turn.others(train, seat))


def another_voter(train: Train, seat: int) -> list[int]:
    return players([s for s in turn.others(train, seat) if s not in train.arrested])


def open_route(train: Train, _seat: int) -> list[int]:
    return routes(signal_box.open_routes(train))


def tied_route(train: Train, _seat: int) -> list[int]:
    return routes(train.tied)


def somebody_falling(train: Train, _seat: int) -> list[int]:
    return players(sorted(train.falling))


def another_at_the_meeting(train: Train, seat: int) -> list[int]:
    return players([s for s in turn.others(train, seat) if s not in train.occupied])


def permit(train: Train, seat: int) -> list[int]:
    """Somebody's, or one that the organiser still has."""
    found = players(turn.others_with_permits(train, seat))
    return [*found, Named.ORGANISER] if train.organiser else found


def opponent(train: Train, seat: int) -> list[int]:
    """Who has permits, once there is a card for each to draw."""
    enough = len(train.pile) >= DUEL
    return players(turn.others_with_permits(train, seat)) if enough else []


def speed_before_the_box(train: Train, _seat: int) -> list[int]:
    """Whether to brake; beyond the signal box that is no question."""
    return [Named.KEEP_SPEED, Named.BRAKE] if train.at < train.track.box else []


# --- when (ST-7.4) ---------------------------------------------------------------------------------


def not_jammed(train: Train) -> bool:
    return not train.now.jammed


def other_card_left(train: Train) -> bool:
    return train.now.set_aside >= 0


def somebody_to_murder(train: Train) -> bool:
    return train.status.count(where.ABOARD) > 1


def vote_is_secret(train: Train) -> bool:
    return not train.open_vote


def not_imposed(train: Train) -> bool:
    """Run the Red beats every other card."""
    return not train.imposed


def tie(train: Train) -> bool:
    return not train.imposed and len(train.tied) > 1


def somebody_falls(train: Train) -> bool:
    return bool(train.falling)


def somebody_falls_alone(train: Train) -> bool:
    """Without having dragged anybody along (ST-7.9)."""
    return bool([seat for seat in train.falling if seat not in train.draggers])


def no_second_meeting(train: Train) -> bool:
    return not train.second_meeting


def something_discarded(train: Train) -> bool:
    return last_discard(train) >= 0


def enough_discarded(train: Train) -> bool:
    return len(train.discards) >= COAL


# --- who -------------------------------------------------------------------------------------------


def not_occupied(train: Train, seat: int) -> bool:
    return seat not in train.occupied


def not_first_class(train: Train, seat: int) -> bool:
    return seat not in train.first_class


def drags_nobody(train: Train, seat: int) -> bool:
    return seat not in train.draggers


def drawer(train: Train, seat: int) -> bool:
    return seat == train.now.drawer and not train.now.gun


def somebody_else(train: Train, seat: int) -> bool:
    """Nobody answers their own card."""
    return seat != train.waiting_players[-1]


# --- what they do: at the signal box ---------------------------------------------------------------


def close_route(train: Train, _seat: int, target: int) -> None:
    train.closed = target - Named.ROUTE
    if train.loud:
        train.tell("event.closed", route=ROUTE_NAMES[train.closed])


def open_the_vote(train: Train, _seat: int, _target: int) -> None:
    train.open_vote = True
    if train.loud:
        train.tell("event.open-vote")


def arrest(train: Train, _seat: int, target: int) -> None:
    train.arrested.append(target - Named.SEAT)
    if train.loud:
        train.tell("event.arrested", seat=target - Named.SEAT)


def impose_route(train: Train, seat: int, target: int) -> None:
    train.decided = target - Named.ROUTE
    train.imposed = True
    if train.loud:
        train.tell("event.imposed", seat=seat, route=ROUTE_NAMES[train.decided])


def vote_again(train: Train, _seat: int, _target: int) -> None:
    signal_box.annul(train)
    train.stack.append(steps.VOTE)
    if train.loud:
        train.tell("event.annulled")


def break_tie(train: Train, seat: int, target: int) -> None:
    train.decided = target - Named.ROUTE
    if train.loud:
        train.tell("event.swung", seat=seat, route=ROUTE_NAMES[train.decided])


# --- at a meeting ----------------------------------------------------------------------------------


def hide(train: Train, seat: int, _target: int) -> None:
    train.occupied.append(seat)
    if train.loud:
        train.tell("event.occupied", seat=seat)


def travel_first_class(train: Train, seat: int, _target: int) -> None:
    train.first_class.append(seat)
    if train.loud:
        train.tell("event.first-class", seat=seat)


def make_ballot_secret(train: Train, _seat: int, _target: int) -> None:
    train.secret_ballot = True
    if train.loud:
        train.tell("event.secret-ballot")


def lock_doors(train: Train, _seat: int, _target: int) -> None:
    train.locked = True
    if train.loud:
        train.tell("event.locked")


def extend_hand(train: Train, seat: int, target: int) -> None:
    meeting.save(train, seat, target - Named.SEAT)


def hang_on(train: Train, seat: int, _target: int) -> None:
    meeting.hang_on(train, seat)


def drag_along(train: Train, seat: int, target: int) -> None:
    meeting.drag(train, seat, target - Named.SEAT)


def call_second_meeting(train: Train, _seat: int, _target: int) -> None:
    train.second_meeting = True
    if train.loud:
        train.tell("event.second-meeting")


# --- in a turn -------------------------------------------------------------------------------------


def draw_gun(train: Train, seat: int, _target: int) -> None:
    train.now.gun = True
    if train.loud:
        train.tell("event.gun", seat=seat)


def jam(train: Train, _seat: int, _target: int) -> None:
    train.now.jammed = True
    if train.loud:
        train.tell("event.jammed", effect=EFFECT_NAMES[train.now.played])


def seize(train: Train, _seat: int, _target: int) -> None:
    """The current player takes the card back, discards it, and plays the other one."""
    now = train.now
    now.seized = train.pile.pop()
    train.discards.append(now.seized)
    train.hand = [now.set_aside]
    now.set_aside = -1
    now.played = -1
    now.side = Side.FIRST
    now.jammed = False
    train.stack.append(steps.PLAY)
    if train.loud:
        train.tell("event.seized", seat=now.current, effect=EFFECT_NAMES[now.seized])


def murder(train: Train, _seat: int, target: int) -> None:
    victim = target - Named.SEAT
    train.leave(victim, where.DEAD)
    if train.loud:
        event = train.tell("event.murdered", seat=victim)
        event.setting({f"players.{victim}.status": "dead", f"players.{victim}.permits": 0})


# --- at any time -----------------------------------------------------------------------------------


def burn(train: Train, _seat: int, target: int) -> None:
    """One permit leaves the game."""
    if target == Named.ORGANISER:
        train.organiser -= 1
        if train.loud:
            train.tell("event.burned.organiser").setting({"organiser": train.organiser})
    else:
        other = target - Named.SEAT
        train.permits[other] -= 1
        if train.loud:
            event = train.tell("event.burned", seat=other)
            event.setting(turn.permit_facts(train, [other]))


def forge(train: Train, seat: int, target: int) -> None:
    """A permit that is not one of the two tokens, and perhaps a slower train."""
    train.permits[seat] += 1
    if train.loud:
        train.tell("event.forged", seat=seat).setting(turn.permit_facts(train, [seat]))
    if target == Named.BRAKE:
        train.speed = train.within_limits(train.speed - FORGED_BRAKE)
        if train.loud:
            train.tell("event.braked", seat=seat, speed=train.speed).setting({"speed": train.speed})


def read_passenger_list(train: Train, seat: int, _target: int) -> None:
    train.note(seat, Look.PASSENGER_LIST, -1, train.left_over)
    if train.loud:
        roles = [CHARACTER_NAMES[character] for character in train.left_over]
        event = train.tell("event.passenger-list", seat=seat)
        event.also([seat], "event.passenger-list.own", roles=roles)


def last_discard(train: Train) -> int:
    """The effect card that was discarded last, or -1."""
    if train.now.set_aside >= 0 and steps.EFFECT_PLAYED in train.stack:
        return train.now.set_aside
    return train.discards[-1] if train.discards else -1


def spy(train: Train, seat: int, _target: int) -> None:
    seen = last_discard(train)
    train.note(seat, Look.SPY, -1, [seen], turn.face_down(train) - 1)
    if train.loud:
        event = train.tell("event.spy", seat=seat)
        event.also([seat], "event.spy.own", effect=EFFECT_NAMES[seen])


def raise_wind(train: Train, _seat: int, _target: int) -> None:
    train.slowest = WINDY
    train.speed = train.within_limits(train.speed)
    if train.loud:
        train.tell("event.tailwind", speed=WINDY).setting({"speed": train.speed})


def damage_train(train: Train, _seat: int, _target: int) -> None:
    train.fastest = FAULTY
    train.speed = train.within_limits(train.speed)
    if train.loud:
        train.tell("event.train-fault", speed=FAULTY).setting({"speed": train.speed})


def offer_upgrade(train: Train, seat: int, _target: int) -> None:
    """One may look through the undealt cards, and chooses next."""
    train.note(seat, Look.UPGRADE, -1, train.undealt[:])
    train.choosers.append(seat)
    train.stack.append(steps.UPGRADE)
    if train.loud:
        event = train.tell("event.upgrade", seat=seat)
        event.also([seat], "event.upgrade.own", cards=names(train.undealt))


def offer_coal(train: Train, seat: int, _target: int) -> None:
    """One may look through the discards, and chooses next."""
    things = sorted(train.discards)
    train.note(seat, Look.COAL, -1, things)
    train.choosers.append(seat)
    train.stack.append(steps.COAL)
    if train.loud:
        event = train.tell("event.coal", seat=seat)
        event.also([seat], "event.coal.own", cards=turn.names(things))


def showdown(train: Train, seat: int, target: int) -> None:
    """Each draws a random card from those played; the lower speed takes all permits."""
    other = target - Named.SEAT
    # An order of all cards there are, so that it fits whatever has been played so far.
    order = train.chance.order("showdown", 0, sum(train.effect_counts))
    drawn = [train.pile[place] for place in order if place < len(train.pile)]
    own, theirs = drawn[0], drawn[1]
    own_speed, their_speed = turn.speed_after(train, own, 0), turn.speed_after(train, theirs, 0)
    if train.loud:
        train.tell(
            "event.showdown",
            seat=seat,
            other=other,
            own=EFFECT_NAMES[own],
            theirs=EFFECT_NAMES[theirs],
        )
    if own_speed < their_speed:
        train.permits[seat] += train.permits[other]
        train.permits[other] = 0
        if train.loud:
            event = train.tell("event.showdown.won", seat=seat, other=other)
            event.setting(turn.permit_facts(train, [seat, other]))
    elif train.loud:
        train.tell("event.showdown.lost", seat=seat, other=other)


def cancel(train: Train, seat: int, target: int) -> None:
    """Conductor cancels the card that it answers: intervening.py."""


# --- the table of ST-7.5 ---------------------------------------------------------------------------

#: The window of cards that need none.
ANY_TIME: Final = -1
CARDS: Final[list[Intervention]] = []


class Intervention:
    """A kind of intervention card (ST-1.3): one row of the table below."""

    def __init__(
        self,
        name: str,
        count: int,
        window: int,
        does: Does,
        *,
        names: Names | None = None,
        if_any: bool = False,
        when: When | None = None,
        otherwise: str = "refused.no-use",
        who: Who | None = None,
        last_resort: bool = False,
        classic: bool = True,
    ) -> None:
        self.number = len(CARDS)
        self.name = name
        #: How many there are; 0 is a card on trial, which an option deals.
        self.count = count
        #: The step at which it can be played (ST-7.4), or ANY_TIME.
        self.window = window
        self.does = does
        #: What one names with it (ST-7.2), if anything; without that it cannot be played, or only
        #: `if_any` it can.
        self.names = names
        self.must_name = names is not None and not if_any
        #: When it is of any use, and what is said to who plays it at another time.
        self.when = when
        self.otherwise = otherwise
        self.who = who
        #: ST-7.3: who is being thrown off may still play it, and nobody else.
        self.last_resort = last_resort
        #: ST-1.3: not left out by the option "classic 30".
        self.classic = classic
        CARDS.append(self)


class Card:
    """Every intervention card; a new one stands last."""

    BROKEN_TRACK: Final = Intervention(
        "broken-track", 1, steps.VOTE_CALLED, close_route, names=open_route
    ).number
    OPEN_VOTE: Final = Intervention(
        "open-vote", 2, steps.VOTE_CALLED, open_the_vote, when=vote_is_secret
    ).number
    CITIZENS_ARREST: Final = Intervention(
        "citizens-arrest", 2, steps.VOTE_CALLED, arrest, names=another_voter
    ).number
    RUN_THE_RED: Final = Intervention(
        "run-the-red", 1, steps.VOTE_DECIDED, impose_route, names=open_route, when=not_imposed
    ).number
    SECOND_CHOICE: Final = Intervention(
        "second-choice", 1, steps.VOTE_DECIDED, vote_again, when=not_imposed
    ).number
    SWING_VOTE: Final = Intervention(
        "swing-vote", 2, steps.VOTE_DECIDED, break_tie, names=tied_route, when=tie
    ).number
    OCCUPIED: Final = Intervention("occupied", 2, steps.TALK, hide, who=not_occupied).number
    FIRST_CLASS_PASSENGER: Final = Intervention(
        "first-class-passenger", 2, steps.TALK, travel_first_class, who=not_first_class
    ).number
    SECRET_BALLOT: Final = Intervention("secret-ballot", 1, steps.TALK, make_ballot_secret).number
    LOCK_THE_DOORS: Final = Intervention("lock-the-doors", 1, steps.TALK, lock_doors).number
    EXTEND_YOUR_HAND: Final = Intervention(
        "extend-your-hand",
        1,
        steps.AFTERMATH,
        extend_hand,
        names=somebody_falling,
        when=somebody_falls,
    ).number
    HANG_ON: Final = Intervention(
        "hang-on",
        1,
        steps.AFTERMATH,
        hang_on,
        when=somebody_falls_alone,
        who=drags_nobody,
        last_resort=True,
    ).number
    YOURE_COMING_WITH_ME: Final = Intervention(
        "youre-coming-with-me",
        1,
        steps.AFTERMATH,
        drag_along,
        names=another_at_the_meeting,
        when=somebody_falls_alone,
        who=drags_nobody,
        last_resort=True,
    ).number
    SECOND_MEETING: Final = Intervention(
        "second-meeting", 1, steps.AFTERMATH, call_second_meeting, when=no_second_meeting
    ).number
    GUN_TO_THE_HEAD: Final = Intervention(
        "gun-to-the-head", 2, steps.DRAW, draw_gun, who=drawer
    ).number
    JAM_THE_CONTROLS: Final = Intervention(
        "jam-the-controls", 1, steps.EFFECT_PLAYED, jam, when=not_jammed
    ).number
    SEIZE_CONTROL: Final = Intervention(
        "seize-control", 1, steps.EFFECT_PLAYED, seize, when=other_card_left
    ).number
    BURN: Final = Intervention("burn", 1, ANY_TIME, burn, names=permit).number
    FORGERY: Final = Intervention(
        "forgery", 1, ANY_TIME, forge, names=speed_before_the_box, if_any=True, classic=False
    ).number
    PASSENGER_LIST: Final = Intervention("passenger-list", 2, ANY_TIME, read_passenger_list).number
    SPY: Final = Intervention("spy", 1, ANY_TIME, spy, when=something_discarded).number
    TAILWIND: Final = Intervention("tailwind", 1, ANY_TIME, raise_wind, classic=False).number
    TICKET_UPGRADE: Final = Intervention("ticket-upgrade", 1, ANY_TIME, offer_upgrade).number
    MORE_COAL: Final = Intervention(
        "more-coal", 1, ANY_TIME, offer_coal, when=enough_discarded, classic=False
    ).number
    TRAIN_FAULT: Final = Intervention(
        "train-fault",
        1,
        ANY_TIME,
        damage_train,
        when=turn.bridge_passed,
        otherwise="refused.no-bridge",
        classic=False,
    ).number
    ROOFTOP_SHOWDOWN: Final = Intervention(
        "rooftop-showdown",
        1,
        ANY_TIME,
        showdown,
        names=opponent,
        when=turn.bridge_passed,
        otherwise="refused.no-bridge",
        classic=False,
    ).number
    MURDER_IN_THE_DARK: Final = Intervention(
        "murder-in-the-dark",
        1,
        steps.LAST_TUNNEL,
        murder,
        names=another_player,
        when=somebody_to_murder,
        classic=False,
    ).number
    CONDUCTOR: Final = Intervention("conductor", 2, steps.ANSWER, cancel, who=somebody_else).number


CARD_NAMES: Final = [row.name for row in CARDS]


def bits(rows: list[Intervention]) -> i64:
    kinds: i64 = 0
    for row in rows:
        kinds |= 1 << row.number
    return kinds


#: The kinds that can be played at each step, as bits; and those of them that are of use only at times.
AT_STEP: Final = [bits([r for r in CARDS if r.window == step]) for step in range(steps.STEPS)]
AT_TIMES: Final = [
    [row.number for row in CARDS if row.window == step and row.when is not None]
    for step in range(steps.STEPS)
]
ANY_TIME_CARDS: Final[i64] = bits([row for row in CARDS if row.window == ANY_TIME])
LAST_RESORTS: Final[i64] = bits([row for row in CARDS if row.last_resort])
#: Kinds that need no more than their window.
FREE: Final[i64] = bits([r for r in CARDS if r.when is None and r.who is None and not r.must_name])
GUN: Final[i64] = 1 << Card.GUN_TO_THE_HEAD


def kinds_in_play(counts: list[int]) -> i64:
    return bits([row for row in CARDS if counts[row.number]])


def kinds_gone(counts: list[int], lying: list[int]) -> i64:
    """Those of which every copy lies openly, or which "classic 30" leaves out. A card on trial that is not
    dealt is none of them: keys that were kept before do not know it."""
    rows = [row for row in CARDS if counts[row.number] == lying.count(row.number)]
    return bits([row for row in rows if row.count or counts[row.number]])


def names(cards: list[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]
