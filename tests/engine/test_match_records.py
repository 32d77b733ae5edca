"""A match and its record: one is the other, and what does not hold is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capolinea.engine import (
    Game,
    Match,
    Record,
    RecordProblem,
    Refused,
    Rng,
)
from capolinea.engine.chance import deal_seed, seed_hash
from capolinea.engine.game import content_hash
from capolinea.engine.record import (
    Control,
    DataUsed,
    Move,
    Say,
    Undo,
    altered,
    check_of,
    dumps,
    loads,
)
from capolinea.games.night_mail.title import GAME
from tests.conformance.pips import GAME as PIPS
from tests.engine.expect import some, unfit, unreadable
from tests.engine.mail import (
    DEPART,
    DRAWN,
    LOAD_POSTCARD,
    NAMES,
    OWN_LINE,
    VIEWERS,
    deal,
    mail,
    own_line,
    play,
    random_match,
)
from tests.engine.matches import (
    SEED,
    all_of,
    delivering,
    table,
)

# --- records -----------------------------------------------------------------------------------


@some
@given(st.integers(0, 2**32), st.sampled_from([GAME, PIPS]))
def test_a_record_folds_to_the_match_that_it_is(number: int, game: Game) -> None:
    match = random_match(number, game, VIEWERS)
    record = match.record()
    again = Match.fold(game, record, VIEWERS[: len(match.names) + 1])
    assert again.state.key() == match.state.key()
    assert again.record() == record
    for viewer in VIEWERS[: len(match.names) + 1]:
        assert again.frames(viewer) == match.frames(viewer)


def test_a_record_says_what_was_played() -> None:
    match = Match(GAME, NAMES, GAME.preset("short"), seed=SEED)
    match.control(0, "bot", "random")
    assert match.record() == Record(
        format="capolinea-record",
        version=2,
        title="night-mail",
        rules="1",
        data={"line": DataUsed("shuttle", content_hash(GAME.data()["line"]["shuttle"]))},
        options={"line": "shuttle", "hand": 3, "bonus": 3, "open_vote": False},
        seats=NAMES,
        seed_hash=seed_hash(SEED),
        entries=[Control(0, "bot", "random")],
        checks=[check_of(match.state.key())],
    )


def test_the_seed_is_withheld_while_the_match_goes_on_and_revealed_when_it_ends() -> None:
    match = Match(GAME, NAMES, seed=SEED)
    running = match.record()
    assert (running.seed_hash, running.seed, running.result) == (seed_hash(SEED), "", None)
    assert match.record(reveal=True).seed == SEED.hex()
    over = play(match, Rng()).record()
    assert (over.seed_hash, over.seed) == (seed_hash(SEED), SEED.hex())
    assert over.result == match.result() is not None


def test_a_dealt_match_has_its_deal_in_the_record_and_no_seed() -> None:
    record = play(mail(), Rng()).record(reveal=True)
    assert (record.deal, record.seed, record.seed_hash) == (deal(), "", "")
    assert Match.fold(GAME, record).record() == record


def test_what_a_deal_leaves_open_comes_from_the_deal_itself() -> None:
    match = mail()
    assert match.seed == match.state.chance.seed == deal_seed(deal())


def test_a_record_taken_earlier_does_not_grow() -> None:
    match = mail()
    record = match.record()
    match.move(0, [DEPART])
    assert record.entries == []


def test_a_match_goes_on_from_a_record_entry_by_entry() -> None:
    match, again = mail(), mail()
    events = [
        match.move(0, [LOAD_POSTCARD], at=6),
        match.say(0, {"bag": ["letter"]}, at=7),
        match.control(1, "bot", "careful", at=8),
        match.undo(1, 0, agreed=True, at=9),
    ]
    assert [again.follow(entry) for entry in match.entries] == events
    assert all_of(again) == all_of(match)


def test_own_data_is_carried_and_replays_from_the_record_alone() -> None:
    match = Match(GAME, NAMES, own_line(), seed=SEED)
    play(match, Rng())
    record = loads(dumps(match.record()))
    assert record.data == {"line": DataUsed("coast", content_hash(OWN_LINE), OWN_LINE)}
    assert "data" not in record.options
    again = Match.fold(GAME, record)
    assert again.options == match.options
    assert table(again).trunk == ["Molo", "Bivio"]
    assert again.record() == record


def test_built_in_data_is_named_and_not_carried() -> None:
    assert mail().record().data["line"].content is None


# --- a seeded match as a dealt one ---------------------------------------------------------------


@some
@given(st.integers(0, 2**32), st.sampled_from([GAME, PIPS]))
def test_a_seeded_match_written_out_as_a_deal_falls_the_same_way(number: int, game: Game) -> None:
    record = random_match(number, game).record()
    outcomes = Match.dealt(game, record)
    dealt = msgspec.structs.replace(record, seed="", seed_hash="", deal=outcomes)
    seeded, again = Match.fold(game, record), Match.fold(game, dealt)
    assert again.state.key() == seeded.state.key()
    assert again.result() == seeded.result()
    for viewer in range(len(record.seats)):
        assert again.frames(viewer) == seeded.frames(viewer)
    assert Match.dealt(game, dealt) == outcomes


def test_a_deal_written_out_holds_every_outcome() -> None:
    outcomes = Match.dealt(GAME, delivering().record())
    (deck,) = outcomes["deck"]
    assert isinstance(deck, list)
    assert deck[: len(DRAWN)] == DRAWN
    assert sorted(deck) == list(range(42))
    assert (outcomes["start"], outcomes["die"]) == ([0], [1])
    assert len(outcomes["employers"]) == 1


def test_what_does_not_fit_is_named_when_a_deal_is_written_out_too() -> None:
    with unfit("record.entry", "refused.not-now", entry=0):
        Match.dealt(GAME, changed(entries=[Move(0, [{"do": "keep"}])]))


# --- records that do not hold ------------------------------------------------------------------


def changed(**fields: Any) -> Record:
    """The record of a match with some entries, changed."""
    match = Match(GAME, NAMES, GAME.preset("short"), seed=SEED)
    return altered(match.record(reveal=True), **fields)


def test_a_record_of_another_title_is_not_folded() -> None:
    with unreadable("record.title", found="pips", expected="night-mail"):
        Match.fold(GAME, changed(title="pips"))


def test_a_record_is_folded_from_its_seed_or_its_deal_but_not_both() -> None:
    for fields in ({"seed": ""}, {"seed_hash": ""}, {}):
        with unreadable("record.seed-and-deal"):
            Match.fold(GAME, changed(deal=deal(), **fields))
    Match.fold(GAME, changed(deal=deal(), seed="", seed_hash=""))


def test_without_its_seed_a_record_cannot_be_folded() -> None:
    with unreadable("record.no-seed"):
        Match.fold(GAME, changed(seed=""))


def test_a_seed_is_written_in_hex() -> None:
    with unreadable("record.field", where="seed", detail="xyz"):
        Match.fold(GAME, changed(seed="xyz"))


def test_the_seed_must_be_the_one_that_was_promised() -> None:
    with unreadable("record.seed-hash"):
        Match.fold(GAME, changed(seed=bytes(32).hex()))
    with unreadable("record.seed-hash"):
        Match.fold(GAME, changed(seed_hash=""))


def test_a_seed_of_the_wrong_length_is_no_start() -> None:
    short = b"short"
    with unfit("record.start", "chance.seed-length") as why:
        Match.fold(GAME, changed(seed=short.hex(), seed_hash=seed_hash(short)))
    assert why.args_ == {"bytes": 5, "needed": 32}


def test_too_few_seats_are_no_start() -> None:
    with unfit("record.start", "refused.seats"):
        Match.fold(GAME, changed(seats=["Ada"]))


def test_a_deal_that_cannot_be_is_no_start() -> None:
    with unfit("record.start", "chance.bad-number"):
        Match.fold(GAME, changed(seed="", seed_hash="", deal={"start": [3]}))


def test_options_that_the_title_does_not_have_are_named() -> None:
    with unfit("record.options", "bad-option.json"):
        Match.fold(GAME, changed(options={"line": "shuttle", "speed": 3}))
    with unfit("record.options", "bad-option.json"):
        Match.fold(GAME, changed(options={"line": "shuttle", "hand": 9}))


def test_data_that_is_not_what_it_was_is_named() -> None:
    data = {"line": DataUsed("shuttle", "0" * 64)}
    with unreadable("record.data-hash", kind="line", name="shuttle"):
        Match.fold(GAME, changed(data=data))


def test_data_that_is_not_built_in_must_be_carried() -> None:
    options = {"line": "endless"}
    with unreadable("record.data-unknown", kind="line", name="endless"):
        Match.fold(GAME, changed(data={"line": DataUsed("endless", "0" * 64)}, options=options))


@pytest.mark.parametrize("kinds", [[], ["pack"], ["line", "pack"]])
def test_a_record_names_exactly_the_data_that_its_title_has(kinds: list[str]) -> None:
    whole = changed().data["line"]
    with unreadable("record.data-kinds", found=kinds, needed=["line"]):
        Match.fold(GAME, changed(data=dict.fromkeys(kinds, whole)))


def test_the_options_of_a_record_name_the_data_that_it_was_played_with() -> None:
    options = {**changed().options, "line": "coast"}
    with unreadable("record.data-name", kind="line", name="shuttle"):
        Match.fold(GAME, changed(options=options))


def test_carried_data_must_be_what_its_hash_says() -> None:
    data = {"line": DataUsed("mine", content_hash(OWN_LINE), {**OWN_LINE, "north": ["Nord", "X"]})}
    with unreadable("record.data-hash", kind="line", name="mine"):
        Match.fold(GAME, changed(data=data, options={"line": "mine"}))


def test_carried_data_is_checked_by_the_title() -> None:
    content = {**OWN_LINE, "south": []}
    data = {"line": DataUsed("mine", content_hash(content), content)}
    with unfit("record.start", "data.faults") as why:
        Match.fold(GAME, changed(data=data, options={"line": "mine"}))
    assert (why.args_["kind"], why.args_["count"]) == ("line", 1)


ENTRIES: list[tuple[Any, str]] = [
    (Move(0, [{"do": "keep"}]), "refused.not-now"),
    (Move(0, [{"do": "dance"}]), "bad-action.unknown"),
    (Move(0, []), "refused.no-steps"),
    (Move(7, [{"do": "depart"}]), "refused.no-seat"),
    (Undo(0, 1), "refused.undo-what"),
    (Say(7, "hello"), "refused.no-seat"),
    (Control(0, "ghost"), "refused.control"),
]


@pytest.mark.parametrize(
    ("entry", "why"), ENTRIES, ids=[f"{type(entry).__name__}-{why}" for entry, why in ENTRIES]
)
def test_an_entry_that_does_not_fit_is_named_by_its_number_with_the_reason(
    entry: Any, why: str
) -> None:
    entries = [Control(0, "bot"), Control(0, "person"), entry]
    with unfit("record.entry", why, entry=2):
        Match.fold(GAME, changed(seed="", seed_hash="", deal=deal(), entries=entries))


def test_an_entry_that_does_not_fit_a_running_match_is_named_by_its_place() -> None:
    match = delivering()
    before = all_of(match)
    with unfit("record.entry", "refused.not-now", entry=3):
        match.follow(Move(0, [{"do": "pass"}]))
    with unfit("record.entry", "refused.not-now", entry=40):
        match.follow(Move(0, [{"do": "pass"}]), 40)
    assert all_of(match) == before


def test_an_undo_that_was_not_free_does_not_fold() -> None:
    record = delivering().record()
    entries: Sequence[Any] = [*record.entries, Undo(0, 2)]
    with unfit("record.entry", "refused.undo", entry=3):
        Match.fold(GAME, altered(record, entries=entries))
    with pytest.raises(RecordProblem) as caught:
        Match.fold(GAME, altered(record, entries=entries))
    assert isinstance(caught.value.__cause__, Refused)
