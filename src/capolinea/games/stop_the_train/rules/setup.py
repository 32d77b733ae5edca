"""Setting up a match (ST-2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.games.stop_the_train.rules import interventions, steps, turn, where
from capolinea.games.stop_the_train.rules.cards import CHARACTER_NAMES, Character, Effect
from capolinea.games.stop_the_train.rules.notes import Note
from capolinea.games.stop_the_train.rules.steps import in_order, without

if TYPE_CHECKING:
    from capolinea.engine.chance import Chance
    from capolinea.games.stop_the_train.rules.train import Train

#: ST-2.5: removed in this order, round and round.
ACCELERATING: Final = [Effect.FULL_SPEED_AHEAD, Effect.ACCELERATE, Effect.SPEED_UP]
#: ST-1.1: fewer players than this are not on the box.
OFFICIAL: Final = 4
#: ST-2.4
DEALT: Final = 3


def fewer_accelerating(counts: list[int], fewer: int) -> list[int]:
    """ST-2.5: a deck with so many accelerating cards less."""
    left = counts[:]
    fewer = min(fewer, sum([left[effect] for effect in ACCELERATING]))
    while fewer:
        for effect in ACCELERATING:
            if fewer and left[effect]:
                left[effect] -= 1
                fewer -= 1
    return left


def balanced(players: int, drawn: list[int]) -> bool:
    """ST-2.2: whether this cast (without the Saboteur) is one that the authors recommend."""
    rogue = Character.ROGUE in drawn
    stuntman = Character.STUNTMAN in drawn
    speedster = Character.SPEEDSTER in drawn
    if players <= 4:
        return not rogue
    if players == 5:
        return not rogue and (stuntman or speedster)
    return rogue or (stuntman and speedster)


def allowed(train: Train, drawn: list[int]) -> bool:
    """ST-2.2, ST-2.5: whether these may be on the train together."""
    for character in train.forced:
        if character not in drawn:
            return False
    return not train.balanced or balanced(train.seats, drawn)


def draw_cast(train: Train) -> None:
    """ST-2.1: who is on the train with the Saboteur; drawn again until it is allowed."""
    pool = [character for character in train.cast if character != Character.SABOTEUR]
    drawn = train.seats - 1
    attempt = 0
    while True:
        order = pool[:]
        train.chance.shuffle("characters", attempt, order)
        if allowed(train, order[:drawn]):
            break
        attempt += 1
    train.left_over = sorted(order[drawn:])
    train.characters = [Character.SABOTEUR, *sorted(order[:drawn])]
    train.chance.shuffle("seats", 0, train.characters)


def set_up(train: Train, players: int, chance: Chance, first: int) -> None:
    """ST-2.1 to ST-2.4; options and cards are on the table already, the cards not yet shuffled."""
    train.seats = players
    train.chance = chance
    draw_cast(train)
    train.status = [where.ABOARD] * players
    train.permits = [0] * players
    train.at = train.start
    train.speed = train.start_speed

    chance.shuffle("deck", 0, train.deck)
    # Drawn from the end: a deal that fixes the beginning of the order fixes the first cards.
    train.deck.reverse()

    cards = train.undealt
    chance.shuffle("interventions", 0, cards)
    train.dealt = [
        in_order(cards[place], cards[place + 1], cards[place + 2])
        for place in range(0, DEALT * players, DEALT)
    ]
    train.undealt = sorted(cards[DEALT * players :])
    train.returned = [-1] * players
    train.hands = train.dealt[:]
    train.held = [0] * players
    nothing: list[Note] = []
    train.notes = [nothing] * players

    train.votes = [-1] * players
    train.ballots_left = [7] * players
    train.ballots = train.votes[:]
    # ST-2.3: whoever was last on a train; the host may know, else chance does.
    train.now.drawer = chance.below("start", 0, players) if first < 0 else first
    train.stack = [steps.OVER, steps.KEEP]
    train.ask(steps.KEEP)


def give_back(train: Train, seat: int, card: int) -> bool:
    """ST-2.4: one of the three, in secret; open to change until the last one has chosen."""
    if train.stack[-1] != steps.KEEP or card not in train.dealt[seat]:
        return False
    train.returned[seat] = card
    return True


def keep(train: Train) -> None:
    """ST-2.4: two are kept and one goes back to the undealt, unseen; then the first turn begins."""
    for seat in range(train.seats):
        train.hold(seat, without(train.dealt[seat], train.returned[seat]))
        train.undealt.append(train.returned[seat])
    train.undealt.sort()
    if train.loud:
        train.tell("event.kept")
    turn.begin(train, train.now.drawer)


def tell_opening(train: Train) -> None:
    """What the log begins with."""
    train.tell("event.departure", seat=train.now.drawer, speed=train.speed)
    if train.seats < OFFICIAL:
        train.tell("event.unofficial")
    for seat in range(train.seats):
        role = CHARACTER_NAMES[train.characters[seat]]
        train.whisper([seat], "event.character", role=role)
        train.whisper([seat], "event.dealt", cards=interventions.card_names(train.dealt[seat]))


def of_counts(counts: list[int]) -> list[int]:
    """Every card by its kind: 0 as often as counts[0] says, and so on."""
    return [kind for kind in range(len(counts)) for _ in range(counts[kind])]
