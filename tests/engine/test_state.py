"""What every state has: loud and quiet, telling and whispering, and what a title must write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capolinea.engine import Chance, Event, State, state
from tests.engine.expect import refused
from tests.engine.toy import NEVER, Toy

PURE = str(state.__file__).endswith(".py")
WRITTEN_BY_TITLES = (
    "waiting",
    "legal",
    "play",
    "view",
    "default",
    "result",
    "copy",
    "key",
    "barrier",
)


def events(seat: int, action: int) -> list[Event]:
    """What the toy tells of every move."""
    return [
        Event("event.played", {"seat": seat, "action": action}),
        Event("event.own", {"action": action}, to=[seat]),
    ]


def test_apply_carries_out_an_action_and_tells_what_happened_in_order() -> None:
    toy = Toy()
    assert toy.apply(1, 5) == events(1, 5)
    assert (toy.played, toy.heard) == ([(1, 5)], [True])


def test_each_apply_tells_only_of_itself() -> None:
    toy = Toy()
    toy.apply(1, 5)
    assert toy.apply(2, 6) == events(2, 6)


def test_what_was_told_before_is_not_told_again() -> None:
    toy = Toy()
    toy.tell("event.stray")
    assert toy.apply(1, 5) == events(1, 5)


def test_play_alone_is_quiet() -> None:
    toy = Toy()
    toy.apply(0, 1)
    toy.play(0, 2)
    assert toy.heard == [True, False]
    assert toy.told == []


def test_quiet_and_loud_lead_to_the_same_state() -> None:
    quiet, loud = Toy(), Toy()
    quiet.play(2, 3)
    loud.apply(2, 3)
    assert quiet.key() == loud.key()


def test_a_refused_action_is_told_to_nobody_not_even_later() -> None:
    toy = Toy()
    with refused("refused.not-now", "T-1.1"):
        toy.apply(0, NEVER)
    assert (toy.loud, toy.told) == (False, [])
    assert toy.apply(0, 1) == events(0, 1)


def test_what_was_told_stays_with_whom_it_was_told_to() -> None:
    toy = Toy()
    told = toy.apply(0, 1)
    assert (toy.loud, toy.told) == (False, [])
    toy.apply(0, 2)
    assert told == events(0, 1)


def test_telling_gives_the_event_to_add_to() -> None:
    toy = Toy()
    event = toy.tell("event.k", a=1)
    event.also([1], b=2)
    whisper = toy.whisper([0, 2], "event.w", c=3)
    assert toy.told == [event, whisper]
    assert event == Event("event.k", {"a": 1}).also([1], b=2)
    assert whisper == Event("event.w", {"c": 3}, to=[0, 2])


def test_a_whisper_reaches_only_those_it_is_for() -> None:
    whisper = Toy().whisper([2], "event.w", card="guard")
    heard = [viewer for viewer in (None, 0, 1, 2) if whisper.seen_by(viewer) is not None]
    assert heard == [2]


def test_a_title_without_windows_compound_choices_moments_or_previews_need_not_write_them() -> None:
    toy = Toy()
    assert State.window(toy) == ""
    assert State.midway(toy) == -1
    assert State.moment(toy) == 0
    with refused("refused.no-preview"):
        toy.preview(0, [1])


def test_a_new_state_is_quiet_empty_and_without_a_seed_of_its_own() -> None:
    class Bare(Toy):
        def __init__(self) -> None:
            State.__init__(self)

    bare = Bare()
    assert (bare.seats, bare.loud, bare.told) == (0, False, [])
    assert bare.chance.seed == Chance().seed


def test_states_share_no_list_of_what_was_told() -> None:
    one, two = Toy(), Toy()
    one.tell("event.k")
    assert two.told == []


if PURE:  # Compiled classes do not keep track of what is abstract.

    @pytest.mark.parametrize("method", WRITTEN_BY_TITLES)
    def test_a_state_that_lacks_a_method_cannot_be_made(method: str) -> None:
        whole = {name: getattr(Toy, name) for name in WRITTEN_BY_TITLES if name != method}
        with pytest.raises(TypeError, match=method):
            type("Half", (State,), whole)()


_numbers = st.recursive(
    st.integers(-(2**63), 2**63 - 1) | st.booleans(), lambda inner: st.lists(inner, max_size=5)
)


@given(st.lists(_numbers, max_size=8))
def test_a_key_is_written_as_it_always_was(parts: list[object]) -> None:
    assert state.key_of(parts) == repr(parts).encode()
