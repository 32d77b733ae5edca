"""Intervention cards (ST-7): what each one needs and does, and the table of them at the end. How they are
played and answered is in intervening.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.engine.native import i64
from capolinea.games.stop_the_train.rules import do, meeting, signal_box, steps, turn, where
from capolinea.games.stop_the_train.rules.cards import (
    CHARACTER_NAMES,
    EFFECT_NAMES,
    ROUTE_NAMES,
    Side,
)
from capolinea.games.stop_the_train.rules.notes import Look, Named

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train

#: The window of cards that need none.
ANY_TIME: Final = -1
#: Every card there is, by its number.
CARDS: Final[list[Intervention]] = []
#: More Coal puts so many cards under the deck.
COAL: Final = 3
#: Rooftop Showdown needs a card for each.
DUEL: Final = 2
FORGED_BRAKE: Final = 30
WINDY: Final = 60
FAULTY: Final = 150


class Intervention:
    """A kind of intervention card (ST-1.3): a row of the table below."""

    def __init__(
        self, name: str, count: int, window: int, *, classic: bool = True, last_resort: bool = False
    ) -> None:
        self.number = len(CARDS)
        self.bit: i64 = 1 << self.number
        self.name = name
        #: How many there are; 0 is a card on trial, which an option deals.
        self.count = count
        #: The step at which it can be played (ST-7.4), or ANY_TIME.
        self.window = window
        #: ST-1.3: not left out by the option "classic 30".
        self.classic = classic
        #: ST-7.3: who is being thrown off may still play it, and nobody else.
        self.last_resort = last_resort
        #: Whether it cannot be played where there is nothing to name.
        self.must_name = isinstance(self, Naming)
        CARDS.append(self)

    def when(self, _train: Train, /) -> bool:
        """Whether it could do anything now, from public facts alone."""
        return True

    def who(self, _train: Train, _seat: int, /) -> bool:
        """Whether it is a card for this seat."""
        return True

    def names(self, _train: Train, _seat: int, /) -> list[int]:
        """ST-7.2: what this seat can name with it, as actions; mostly nothing."""
        return []

    def otherwise(self) -> str:
        """What is said to who plays it when it could do nothing."""
        return "refused.no-use"

    def does(self, train: Train, seat: int, target: int, /) -> None:
        """Take effect; the target is one of `Named`."""
        raise NotImplementedError


class Naming(Intervention):
    """A card that names somebody or something, and cannot be played without."""


def players(seats: list[int]) -> list[int]:
    return [do.NAME + seat for seat in seats]


def routes(numbers: list[int]) -> list[int]:
    return [do.ROUTE + route for route in numbers]


# --- at the signal box (ST-5.4) --------------------------------------------------------------------


class BrokenTrack(Naming):
    def names(self, train: Train, _seat: int, /) -> list[int]:
        return routes(signal_box.open_routes(train))

    def does(self, train: Train, _seat: int, target: int, /) -> None:
        train.closed = target - Named.ROUTE
        if train.loud:
            train.tell("event.closed", route=ROUTE_NAMES[train.closed])


class OpenVote(Intervention):
    def when(self, train: Train, /) -> bool:
        return not train.open_vote

    def does(self, train: Train, _seat: int, _target: int, /) -> None:
        train.open_vote = True
        if train.loud:
            train.tell("event.open-vote")


class CitizensArrest(Naming):
    def names(self, train: Train, seat: int, /) -> list[int]:
        return players([s for s in turn.others(train, seat) if s not in train.arrested])

    def does(self, train: Train, _seat: int, target: int, /) -> None:
        train.arrested.append(target - Named.SEAT)
        if train.loud:
            train.tell("event.arrested", seat=target - Named.SEAT)


class RunTheRed(Naming):
    """It beats every other card here."""

    def when(self, train: Train, /) -> bool:
        return not train.imposed

    def names(self, train: Train, _seat: int, /) -> list[int]:
        return routes(signal_box.open_routes(train))

    def does(self, train: Train, seat: int, target: int, /) -> None:
        train.decided = target - Named.ROUTE
        train.imposed = True
        if train.loud:
            train.tell("event.imposed", seat=seat, route=ROUTE_NAMES[train.decided])


class SecondChoice(Intervention):
    def when(self, train: Train, /) -> bool:
        return not train.imposed

    def does(self, train: Train, _seat: int, _target: int, /) -> None:
        signal_box.annul(train)
        train.stack.append(steps.VOTE)
        if train.loud:
            train.tell("event.annulled")


class SwingVote(Naming):
    def when(self, train: Train, /) -> bool:
        return not train.imposed and len(train.tied) > 1

    def names(self, train: Train, _seat: int, /) -> list[int]:
        return routes(train.tied)

    def does(self, train: Train, seat: int, target: int, /) -> None:
        train.decided = target - Named.ROUTE
        if train.loud:
            train.tell("event.swung", seat=seat, route=ROUTE_NAMES[train.decided])


# --- at a meeting (ST-5.5) -------------------------------------------------------------------------


class Occupied(Intervention):
    def who(self, train: Train, seat: int, /) -> bool:
        return seat not in train.occupied

    def does(self, train: Train, seat: int, _target: int, /) -> None:
        train.occupied.append(seat)
        if train.loud:
            train.tell("event.occupied", seat=seat)


class FirstClassPassenger(Intervention):
    def who(self, train: Train, seat: int, /) -> bool:
        return seat not in train.first_class

    def does(self, train: Train, seat: int, _target: int, /) -> None:
        train.first_class.append(seat)
        if train.loud:
            train.tell("event.first-class", seat=seat)


class SecretBallot(Intervention):
    def does(self, train: Train, _seat: int, _target: int, /) -> None:
        train.secret_ballot = True
        if train.loud:
            train.tell("event.secret-ballot")


class LockTheDoors(Intervention):
    def does(self, train: Train, _seat: int, _target: int, /) -> None:
        train.locked = True
        if train.loud:
            train.tell("event.locked")


# --- after a meeting (ST-7.7 to ST-7.9) ------------------------------------------------------------


class ExtendYourHand(Naming):
    def when(self, train: Train, /) -> bool:
        return bool(train.falling)

    def names(self, train: Train, _seat: int, /) -> list[int]:
        return players(sorted(train.falling))

    def does(self, train: Train, seat: int, target: int, /) -> None:
        meeting.save(train, seat, target - Named.SEAT)


class HangOn(Intervention):
    def when(self, train: Train, /) -> bool:
        return meeting.somebody_falls_alone(train)

    def who(self, train: Train, seat: int, /) -> bool:
        return seat not in train.draggers

    def does(self, train: Train, seat: int, _target: int, /) -> None:
        meeting.hang_on(train, seat)


class YoureComingWithMe(Naming):
    def when(self, train: Train, /) -> bool:
        return meeting.somebody_falls_alone(train)

    def who(self, train: Train, seat: int, /) -> bool:
        return seat not in train.draggers

    def names(self, train: Train, seat: int, /) -> list[int]:
        return players([s for s in turn.others(train, seat) if s not in train.occupied])

    def does(self, train: Train, seat: int, target: int, /) -> None:
        meeting.drag(train, seat, target - Named.SEAT)


class SecondMeeting(Intervention):
    def when(self, train: Train, /) -> bool:
        return not train.second_meeting

    def does(self, train: Train, _seat: int, _target: int, /) -> None:
        train.second_meeting = True
        if train.loud:
            train.tell("event.second-meeting")


# --- in a turn (ST-4) ------------------------------------------------------------------------------


class GunToTheHead(Intervention):
    def who(self, train: Train, seat: int, /) -> bool:
        return seat == train.now.drawer and not train.now.gun

    def does(self, train: Train, seat: int, _target: int, /) -> None:
        train.now.gun = True
        if train.loud:
            train.tell("event.gun", seat=seat)


class JamTheControls(Intervention):
    def when(self, train: Train, /) -> bool:
        return not train.now.jammed

    def does(self, train: Train, _seat: int, _target: int, /) -> None:
        train.now.jammed = True
        if train.loud:
            train.tell("event.jammed", effect=EFFECT_NAMES[train.now.played])


class SeizeControl(Intervention):
    """The current player takes the card back, discards it, and plays the other one."""

    def when(self, train: Train, /) -> bool:
        return train.now.set_aside >= 0

    def does(self, train: Train, _seat: int, _target: int, /) -> None:
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


class MurderInTheDark(Naming):
    def when(self, train: Train, /) -> bool:
        return train.status.count(where.ABOARD) > 1

    def names(self, train: Train, seat: int, /) -> list[int]:
        return players(turn.others(train, seat))

    def does(self, train: Train, _seat: int, target: int, /) -> None:
        victim = target - Named.SEAT
        train.leave(victim, where.DEAD)
        if train.loud:
            event = train.tell("event.murdered", seat=victim)
            event.setting({f"players.{victim}.status": "dead", f"players.{victim}.permits": 0})


# --- at any time -----------------------------------------------------------------------------------


class Burn(Naming):
    """One permit leaves the game."""

    def names(self, train: Train, seat: int, /) -> list[int]:
        found = players(turn.others_with_permits(train, seat))
        return [*found, do.NAME_ORGANISER] if train.organiser else found

    def does(self, train: Train, _seat: int, target: int, /) -> None:
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


class Forgery(Intervention):
    """A permit that is not one of the two tokens and, before the signal box, perhaps a slower train."""

    def names(self, train: Train, _seat: int, /) -> list[int]:
        return [do.KEEP_SPEED, do.BRAKE] if train.at < train.track.box else []

    def does(self, train: Train, seat: int, target: int, /) -> None:
        train.permits[seat] += 1
        if train.loud:
            train.tell("event.forged", seat=seat).setting(turn.permit_facts(train, [seat]))
        if target == Named.BRAKE:
            train.speed = train.within_limits(train.speed - FORGED_BRAKE)
            if train.loud:
                event = train.tell("event.braked", seat=seat, speed=train.speed)
                event.setting({"speed": train.speed})


class PassengerList(Intervention):
    def does(self, train: Train, seat: int, _target: int, /) -> None:
        train.note(seat, Look.PASSENGER_LIST, -1, train.left_over)
        if train.loud:
            roles = [CHARACTER_NAMES[character] for character in train.left_over]
            event = train.tell("event.passenger-list", seat=seat)
            event.also([seat], "event.passenger-list.own", roles=roles)


class Spy(Intervention):
    def when(self, train: Train, /) -> bool:
        return turn.last_discard(train) >= 0

    def does(self, train: Train, seat: int, _target: int, /) -> None:
        seen = turn.last_discard(train)
        train.note(seat, Look.SPY, -1, [seen], turn.face_down(train) - 1)
        if train.loud:
            event = train.tell("event.spy", seat=seat)
            event.also([seat], "event.spy.own", effect=EFFECT_NAMES[seen])


class Tailwind(Intervention):
    def does(self, train: Train, _seat: int, _target: int, /) -> None:
        train.slowest = WINDY
        train.speed = train.within_limits(train.speed)
        if train.loud:
            train.tell("event.tailwind", speed=WINDY).setting({"speed": train.speed})


class TicketUpgrade(Intervention):
    """One may look through the undealt cards, and chooses next."""

    def does(self, train: Train, seat: int, _target: int, /) -> None:
        train.note(seat, Look.UPGRADE, -1, train.undealt[:])
        train.choosers.append(seat)
        train.stack.append(steps.UPGRADE)
        if train.loud:
            event = train.tell("event.upgrade", seat=seat)
            event.also([seat], "event.upgrade.own", cards=card_names(train.undealt))


class MoreCoal(Intervention):
    """One may look through the discards, and chooses next."""

    def when(self, train: Train, /) -> bool:
        return len(train.discards) >= COAL

    def does(self, train: Train, seat: int, _target: int, /) -> None:
        things = sorted(train.discards)
        train.note(seat, Look.COAL, -1, things)
        train.choosers.append(seat)
        train.stack.append(steps.COAL)
        if train.loud:
            event = train.tell("event.coal", seat=seat)
            event.also([seat], "event.coal.own", cards=turn.names(things))


class TrainFault(Intervention):
    def when(self, train: Train, /) -> bool:
        return turn.bridge_passed(train)

    def otherwise(self) -> str:
        return "refused.no-bridge"

    def does(self, train: Train, _seat: int, _target: int, /) -> None:
        train.fastest = FAULTY
        train.speed = train.within_limits(train.speed)
        if train.loud:
            train.tell("event.train-fault", speed=FAULTY).setting({"speed": train.speed})


class RooftopShowdown(Naming):
    """Each draws a random card from those played; the lower speed takes all permits."""

    def when(self, train: Train, /) -> bool:
        return turn.bridge_passed(train)

    def otherwise(self) -> str:
        return "refused.no-bridge"

    def names(self, train: Train, seat: int, /) -> list[int]:
        enough = len(train.pile) >= DUEL
        return players(turn.others_with_permits(train, seat)) if enough else []

    def does(self, train: Train, seat: int, target: int, /) -> None:
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


# --- when a card was played (ST-7.2) ---------------------------------------------------------------


class Conductor(Intervention):
    """Cancels the card that it answers: intervening.py does it."""

    def who(self, train: Train, seat: int, /) -> bool:
        return seat != train.waiting_players[-1]


# --- the table of ST-7.5 ---------------------------------------------------------------------------


class Card:
    """Every intervention card: its name, how many there are, and when it can be played. A new one stands
    last, since keys and records that were kept know the numbers."""

    BROKEN_TRACK: Final = BrokenTrack("broken-track", 1, steps.VOTE_CALLED).number
    OPEN_VOTE: Final = OpenVote("open-vote", 2, steps.VOTE_CALLED).number
    CITIZENS_ARREST: Final = CitizensArrest("citizens-arrest", 2, steps.VOTE_CALLED).number
    RUN_THE_RED: Final = RunTheRed("run-the-red", 1, steps.VOTE_DECIDED).number
    SECOND_CHOICE: Final = SecondChoice("second-choice", 1, steps.VOTE_DECIDED).number
    SWING_VOTE: Final = SwingVote("swing-vote", 2, steps.VOTE_DECIDED).number
    OCCUPIED: Final = Occupied("occupied", 2, steps.TALK).number
    FIRST_CLASS_PASSENGER: Final = FirstClassPassenger(
        "first-class-passenger", 2, steps.TALK
    ).number
    SECRET_BALLOT: Final = SecretBallot("secret-ballot", 1, steps.TALK).number
    LOCK_THE_DOORS: Final = LockTheDoors("lock-the-doors", 1, steps.TALK).number
    EXTEND_YOUR_HAND: Final = ExtendYourHand("extend-your-hand", 1, steps.AFTERMATH).number
    HANG_ON: Final = HangOn("hang-on", 1, steps.AFTERMATH, last_resort=True).number
    YOURE_COMING_WITH_ME: Final = YoureComingWithMe(
        "youre-coming-with-me", 1, steps.AFTERMATH, last_resort=True
    ).number
    SECOND_MEETING: Final = SecondMeeting("second-meeting", 1, steps.AFTERMATH).number
    GUN_TO_THE_HEAD: Final = GunToTheHead("gun-to-the-head", 2, steps.DRAW).number
    JAM_THE_CONTROLS: Final = JamTheControls("jam-the-controls", 1, steps.EFFECT_PLAYED).number
    SEIZE_CONTROL: Final = SeizeControl("seize-control", 1, steps.EFFECT_PLAYED).number
    BURN: Final = Burn("burn", 1, ANY_TIME).number
    FORGERY: Final = Forgery("forgery", 1, ANY_TIME, classic=False).number
    PASSENGER_LIST: Final = PassengerList("passenger-list", 2, ANY_TIME).number
    SPY: Final = Spy("spy", 1, ANY_TIME).number
    TAILWIND: Final = Tailwind("tailwind", 1, ANY_TIME, classic=False).number
    TICKET_UPGRADE: Final = TicketUpgrade("ticket-upgrade", 1, ANY_TIME).number
    MORE_COAL: Final = MoreCoal("more-coal", 1, ANY_TIME, classic=False).number
    TRAIN_FAULT: Final = TrainFault("train-fault", 1, ANY_TIME, classic=False).number
    ROOFTOP_SHOWDOWN: Final = RooftopShowdown("rooftop-showdown", 1, ANY_TIME, classic=False).number
    MURDER_IN_THE_DARK: Final = MurderInTheDark(
        "murder-in-the-dark", 1, steps.LAST_TUNNEL, classic=False
    ).number
    CONDUCTOR: Final = Conductor("conductor", 2, steps.ANSWER).number


CARD_NAMES: Final = [row.name for row in CARDS]


def card_names(cards: list[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def bits(rows: list[Intervention]) -> i64:
    kinds: i64 = 0
    for row in rows:
        kinds |= row.bit
    return kinds


def has(row: Intervention, rule: str) -> bool:
    """Whether the card says something of its own about `when` or `who`."""
    return getattr(type(row), rule) is not getattr(Intervention, rule)


ANY_TIME_CARDS: Final[i64] = bits([row for row in CARDS if row.window == ANY_TIME])
#: The kinds that can be played at each step, as bits, and those of them that are of use only at times.
AT_STEP: Final = [bits([r for r in CARDS if r.window == step]) for step in range(steps.STEPS)]
AT_TIMES: Final = [
    [row for row in CARDS if row.window == step and has(row, "when")] for step in range(steps.STEPS)
]
#: Kinds that need no more than their window.
FREE: Final[i64] = bits(
    [r for r in CARDS if not r.must_name and not has(r, "when") and not has(r, "who")]
)
LAST_RESORTS: Final[i64] = bits([row for row in CARDS if row.last_resort])
GUN: Final[i64] = 1 << Card.GUN_TO_THE_HEAD


def kinds_in_play(counts: list[int]) -> i64:
    return bits([row for row in CARDS if counts[row.number]])


def kinds_gone(counts: list[int], lying: list[int]) -> i64:
    """Those of which every copy lies openly, or which "classic 30" leaves out. A card on trial that is not
    dealt is none of them: keys that were kept before do not know it."""
    rows = [row for row in CARDS if counts[row.number] == lying.count(row.number)]
    return bits([row for row in rows if row.count or counts[row.number]])
