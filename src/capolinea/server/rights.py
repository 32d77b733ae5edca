"""Who may see and do what in a room, from what the room is at this moment.

Rights belong to the moment at which something is handed out: every message to a socket passes
`Lounge.may_receive` as it goes out, a replay that took long is looked at again when it is ready, and who
acts does so under the room's lock. What was checked when somebody came in is a courtesy, for rights end
when the chair changes hands. docs/security.md has it all as one table.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from capolinea.engine.match import Viewer
from capolinea.engine.problems import Refused
from capolinea.server.chat import Written
from capolinea.server.rooms import Room


class Part(msgspec.Struct, frozen=True):
    """What one viewer knows of a match: a seat with its secrets, or (None) what all who watch see."""

    match: str
    viewer: Viewer


#: What a message tells of: a viewer's part of a match, a line of chat, how the room is; or nothing that
#: is not everybody's (None).
About = Part | Written | Literal["room"] | None


def is_inside(room: Room, person: str) -> bool:
    """Whether this room is somebody's business at all."""
    try:
        room.check_inside(person)
    except Refused:
        return False
    return True


def may_watch(room: Room, person: str) -> bool:
    """Whether somebody may see what those without a seat see."""
    if not is_inside(room, person):
        return False
    return room.settings.watching or not room.playing or bool(room.seats_of(person))


def others_may_see(room: Room) -> bool:
    """Whether anybody but one person may see the match that is on. Whoever left in the middle of it may:
    their chair is still theirs."""
    chairs = [room.seats[number] for number in room.match_seats]
    owners = {chair.holders[0] for chair in chairs if chair.holders}
    return room.settings.watching or len(owners) > 1


def holders(room: Room, viewer: int) -> list[str]:
    """Whose a seat of the match is; once it is over, whose it was then."""
    if room.playing:
        chairs = room.match_seats
        return room.seats[chairs[viewer]].holders if viewer < len(chairs) else []
    return room.match_holders[viewer] if viewer < len(room.match_holders) else []


def viewer(room: Room, person: str, seat: int | None) -> Viewer:
    """The seat of the match that somebody with this seat of the room speaks for; once it is over, that
    their chair was, if they had it then."""
    seats = room.match_seats
    if room.playing or seat is None:
        return seats.index(seat) if seat in seats else None
    played = room.seats[seat].played
    return played if played is not None and person in holders(room, played) else None


def may_see(room: Room, person: str, part: Part) -> bool:
    """Whether this part of a match is for this person, now. Of a match that is not the room's any more
    nothing is told here: replays have it."""
    if part.match != room.match or not is_inside(room, person):
        return False
    if part.viewer is None:
        return may_watch(room, person)
    return person in holders(room, part.viewer)


def check_running(room: Room, person: str, match: str, looker: Viewer | str) -> None:
    """Of a match that is on, one sees one's own side; and what those who watch see, if one may."""
    room.check_inside(person)
    if isinstance(looker, str):  # all that is hidden
        raise Refused("match.running")
    if not may_see(room, person, Part(match, looker)):
        raise Refused("room.no-watching" if looker is None else "match.running")
