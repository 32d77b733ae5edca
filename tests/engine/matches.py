"""Matches of Night Mail at known moments, and what can be seen of them."""

from __future__ import annotations

from capolinea.engine import (
    Match,
    Viewer,
)
from capolinea.engine.match import Frame, Question
from capolinea.games.night_mail.rules import NightMail
from tests.engine.mail import (
    DELIVER_LETTER,
    DEPART,
    KEEP,
    LOAD_LETTER,
    LOAD_POSTCARD,
    VIEWERS,
    mail,
    sign,
)

SEED = bytes(range(32))


def table(match: Match) -> NightMail:
    assert isinstance(match.state, NightMail)
    return match.state


def all_of(match: Match) -> object:
    """Everything that a match holds and tells."""
    return (
        match.state.key(),
        list(match.entries),
        list(match.said),
        list(match.players),
        match.length(),
        [match.undoable(seat) for seat in range(len(match.names))],
        [match.frames(viewer) for viewer in VIEWERS],
    )


def last(match: Match, viewer: Viewer) -> Frame:
    return match.frames(viewer)[-1]


def question(match: Match, seat: int) -> Question:
    """What this seat was last asked."""
    found = last(match, seat).question
    assert found is not None
    return found


def counts(match: Match) -> list[int]:
    """How many frames each viewer has received."""
    return [len(match.frames(viewer)) for viewer in VIEWERS]


def delivering() -> Match:
    """Ada has a postcard and a letter in her bag and may deliver one."""
    match = mail()
    for step in (LOAD_POSTCARD, LOAD_LETTER, DEPART):
        match.move(0, [step])
    return match


def window() -> Match:
    """Ada offers a letter that Bruno would sign for; everybody else is asked for a Bandit."""
    match = delivering()
    match.move(0, [DELIVER_LETTER, sign(1)])
    return match


def voting() -> Match:
    """The train stands at the junction, and everybody votes."""
    match = mail()
    for seat, step in ((0, DEPART), (0, KEEP), (1, DEPART)):
        match.move(seat, [step])
    return match
