"""Checks that what is written is what is read: records, actions, views, events, words."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import inspect

from capolinea.engine import Game, Match, Record, Refused
from capolinea.engine.events import Event, Told
from capolinea.engine.match import Viewer
from capolinea.engine.record import Move, altered, dumps, dumps_lines, loads
from capolinea.lab.conform.fault import (
    Case,
    Fault,
    Position,
    encoded,
    number_of,
    positions,
    viewers,
)


def check_replay(case: Case) -> None:
    """Written and read again, in both forms, a record is the same match to the byte."""
    record = case.record
    for written, form in ((dumps(record), "document"), (dumps_lines(record), "lines")):
        read = loads(written)
        again = dumps(read) if form == "document" else dumps_lines(read)
        if again != written:
            raise Fault("fault.replay.bytes", form=form)
    if _keys(case.game, loads(dumps(record))) != _keys(case.game, record):
        raise Fault("fault.replay.keys")
    played = Match.fold(case.game, altered(record))
    if record.result is not None and played.result() != record.result:
        raise Fault("fault.replay.result")


def _keys(game: Game, record: Record) -> list[bytes]:
    from capolinea.engine import Rng

    return [position.state.key() for position in positions(Case(game, record, Rng()))]


def check_json(case: Case) -> None:
    """Actions, views, events and results survive their trip through JSON."""
    game = case.game
    for position in positions(case):
        state = position.state
        if case.sampled(3):
            for seat in range(state.seats):
                for action in state.legal(seat):
                    if game.space.parse(game.space.json(action)) != action:
                        raise Fault("fault.json.action", action=action)
            for viewer in viewers(state.seats):
                _view(game, state.view(viewer), number_of(viewer), position.number)
        if isinstance(position.entry, Move):
            after = state.copy()
            for step in position.steps():
                for event in after.apply(position.entry.seat, step):
                    _event(event, position.number)
    result = position.state.result()
    if result is not None and msgspec.json.decode(encoded(result), type=type(result)) != result:
        raise Fault("fault.json.result")


def _view(game: Game, view: Any, viewer: int, number: int) -> None:
    """The view is of its declared type, with no field more and none of another kind."""
    if type(view) is not game.view_type:
        raise Fault("fault.json.view-type", viewer=viewer, found=type(view).__name__)
    try:
        again = msgspec.json.decode(encoded(view), type=game.view_type)
    except msgspec.ValidationError as error:
        raise Fault("fault.json.view", viewer=viewer, entry=number, detail=str(error)) from error
    if again != view:
        raise Fault("fault.json.view", viewer=viewer, entry=number, detail="")


def _event(event: Event, number: int) -> None:
    for _, seen in event.truth():
        if msgspec.json.decode(encoded(seen), type=Told) != seen:
            raise Fault("fault.json.event", key=event.key, entry=number)


def check_views(case: Case) -> None:
    """Views are the same whether they are made together or alone, and a pass of which nobody is told
    changes nothing for anybody else: a match does not even look."""
    for position in positions(case):
        state, watching = position.state, viewers(position.state.seats)
        if not case.sampled(3):
            continue
        alone = [state.view(viewer) for viewer in watching]
        for viewer, one, two in zip(watching, alone, state.views(watching), strict=True):
            if one != two:
                where = {"viewer": number_of(viewer), "entry": position.number}
                raise Fault("fault.views.together", **where)
        if isinstance(position.entry, Move) and state.window():
            _passed(position, position.entry.seat, dict(zip(watching, alone, strict=True)))


def _passed(position: Position, seat: int, before: dict[Viewer, Any]) -> None:
    """If this move is such a pass, look who could see it."""
    after = position.state.copy()
    told = [event for step in position.steps() for event in after.apply(seat, step)]
    if told or after.window() != position.state.window():
        return
    for viewer, view in before.items():
        asked = viewer is not None and after.legal(viewer) != position.state.legal(viewer)
        if viewer != seat and (asked or after.view(viewer) != view):
            raise Fault("fault.views.untold", viewer=number_of(viewer), entry=position.number)


def check_schema(game: Game) -> None:
    """The view's type leaves no hole: every struct forbids what it does not declare."""
    holes: list[str] = []
    _holes(inspect.type_info(game.view_type), game.view_type.__name__, holes, set())
    if holes:
        raise Fault("fault.schema.hole", where=", ".join(holes))


def _holes(kind: inspect.Type, where: str, holes: list[str], met: set[type]) -> None:
    match kind:
        case inspect.AnyType() | inspect.RawType() | inspect.ExtType():
            holes.append(where)
        case inspect.StructType(cls=cls):
            if cls in met:
                return
            met.add(cls)
            if not kind.forbid_unknown_fields:
                holes.append(cls.__name__)
            for field in kind.fields:
                _holes(field.type, f"{cls.__name__}.{field.name}", holes, met)
        case inspect.ListType() | inspect.SetType() | inspect.VarTupleType():
            _holes(kind.item_type, where, holes, met)
        case inspect.TupleType(item_types=items):
            for item in items:
                _holes(item, where, holes, met)
        case inspect.DictType(key_type=key, value_type=value):
            _holes(key, where, holes, met)
            _holes(value, where, holes, met)
        case inspect.UnionType(types=types):
            for one in types:
                _holes(one, where, holes, met)
        case inspect.Metadata(type=inner):
            _holes(inner, where, holes, met)


def check_events(case: Case) -> None:
    """What events say of the public table is so when the move is done."""
    for position in positions(case):
        if not isinstance(position.entry, Move):
            continue
        state = position.state.copy()
        facts: dict[str, Any] = {}
        for step in position.steps():
            for event in state.apply(position.entry.seat, step):
                facts.update(event.sets)
        view = msgspec.to_builtins(state.view(None))
        for path, value in facts.items():
            found = _at(view, path)
            if found != msgspec.to_builtins(value):
                raise Fault(
                    "fault.events.contradict",
                    entry=position.number,
                    path=path,
                    said=repr(value),
                    shown=repr(found),
                )


def _at(view: Any, path: str) -> Any:
    for part in path.split("."):
        try:
            view = view[int(part)] if isinstance(view, list) else view[part]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return view


def check_catalogues(game: Game) -> None:
    """The title's words, in the languages that it has: none missing, none unused, the same arguments."""
    from capolinea.games import declared_keys
    from capolinea.words import COMMON
    from capolinea.words.check import check, constants, in_catalogues

    folder = game.folder / "words"
    if spoken(game):
        used = in_catalogues(constants(game.folder), COMMON, folder) | declared_keys(game)
        faults = check(folder, used, languages=spoken(game))
        if faults:
            raise Fault("fault.words.catalogue", count=len(faults), faults="\n".join(faults))


def spoken(game: Game) -> list[str]:
    """The languages that a title has words in; a stranger's may have one, or none at all."""
    from capolinea.words import languages

    return [lang for lang in languages() if (game.folder / "words" / f"{lang}.json").is_file()]


def check_words(case: Case) -> None:
    """Every line that the match makes can be read in every language that the title has."""
    from capolinea.words import MissingWord, Words

    folder = case.game.folder / "words"
    options = Match.begin(case.game, case.record).options
    lines = _lines(case)
    for lang in spoken(case.game):
        words = Words.of(lang, folder).also(case.game.texts(options, lang))
        for key, args in lines:
            try:
                words.say(key, args, case.record.seats)
            except MissingWord as missing:
                raise Fault(
                    "fault.words.missing", lang=lang, key=key, detail=str(missing)
                ) from missing


def _lines(case: Case) -> list[tuple[str, dict[str, Any]]]:
    """All keys with their arguments that this match would put before people."""
    lines: list[tuple[str, dict[str, Any]]] = []
    for position in positions(case):
        state = position.state
        if isinstance(position.entry, Move):
            after = state.copy()
            for step in position.steps():
                for event in after.apply(position.entry.seat, step):
                    told = [event.seen_by(viewer) for viewer in viewers(state.seats)]
                    lines += [(seen.key, seen.args) for seen in told if seen is not None]
        if case.sampled(5):
            for viewer in viewers(state.seats):
                lines += [(line.key, line.args) for line in case.game.read(state.view(viewer))]
            for seat in range(state.seats):
                view = state.view(seat)
                lines += [_of(case.game.describe(view, action)) for action in state.legal(seat)]
                lines += _refusals(case, state, seat)
    lines += [_of(said.line) for said in position.match.said]
    result = position.state.result()
    if result is not None:
        lines += [(r.key, r.args) for outcome in result.outcomes for r in outcome.reasons]
    return lines


def _of(line: Any) -> tuple[str, dict[str, Any]]:
    return line.key, line.args


def _refusals(case: Case, state: Any, seat: int) -> list[tuple[str, dict[str, Any]]]:
    lines = []
    for _ in range(5):
        try:
            state.copy().play(seat, case.rng.below(case.game.space.size))
        except Refused as refused:
            lines.append((refused.key, refused.args_))
    return lines
