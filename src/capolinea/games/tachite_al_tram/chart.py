"""The board as data (TA-8.1 to TA-8.4): a file that a person can copy a board into, checked on load.

    {"name": {"en": …, "it": …, "de": …},          one language is enough where a name is the same in all
     "squares": ["rt.Thtr", …],                    14 lines from row 14 down to row 1, columns A to G:
         . grass   = rail   S stop   W waiting square   T terminus   O workshop   F funicular
         R roundabout   and what cannot be built on: r rock   t tree   h house
     "rails": {"D13": "NS NE", "D14": "S W", "D11": "E>S N>S E>N", …},
         of every printed square: the sides that a rail joins; a rail with one side ends on the square,
         as those of a terminus do; with ">" it is one-way, as those of the roundabout are
     "stops": [{"square": "A2", "waiting": "A1", "name": …}, …], "central": ["G7", "A10", "F12"],
     "termini": {"oberdan": {"square": "D1", "name": …}, "opicina": …},
     "workshop": {"square": "D8", "name": …},
     "funicular": {"squares": ["A4", "A5", "A6"], "name": …},          one after the other
     "roundabout": {"squares": ["D11", "D10", "E10", "E11"], "name": …},   as one drives around
     "names": {"A7": …},                           of other squares, where they have one
     "scenery": {"bands": [{"land": "city", "rows": [1, 3]}, …],
                 "landmarks": [{"picture": "castle", "side": "W", "row": 2}, …]},   beyond the edges
     "tiles": {"straight": 8, …}, "misfortunes": {"bora": 2, …},       how many of each
     "passengers": {"vecion": {"colour": "mar", "unlucky": [2, 4], "count": 2}, …}}

Squares are called A1 to G14, sides N, E, S and W; N looks up the hill, to row 14.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from capolinea.engine import Problem
from capolinea.games.tachite_al_tram.rules.board import (
    COLOUR_NAMES,
    COLUMNS,
    FUNICULAR,
    GRASS,
    MISFORTUNE_NAMES,
    OBSTACLE,
    PASSENGER_NAMES,
    RAIL,
    ROUNDABOUT,
    ROWS,
    SHAPE_NAMES,
    SHAPES,
    SQUARES,
    STOP,
    TERMINUS,
    WAITING,
    WORKSHOP,
    Board,
    neighbour,
)
from capolinea.games.tachite_al_tram.rules.tiles import SIDE_LETTERS, rails_of, turned

SIGNS = {
    ".": GRASS,
    "=": RAIL,
    "S": STOP,
    "W": WAITING,
    "T": TERMINUS,
    "O": WORKSHOP,
    "F": FUNICULAR,
    "R": ROUNDABOUT,
    "r": OBSTACLE,
    "t": OBSTACLE,
    "h": OBSTACLE,
}
#: Squares without rails of their own.
BARE = (GRASS, OBSTACLE, WAITING, FUNICULAR)
TERMINI = ("oberdan", "opicina")
LANDS = ("city", "woods", "karst")
PICTURES = ("castle", "lighthouse", "obelisk", "sail", "cypress", "wall", "rocks")
LANGUAGES = ("en", "it", "de")
STOPS, CENTRAL, TILES, PASSENGERS, MISFORTUNES = 6, 3, 42, 24, 36
LEAST_GRASS = 40
#: Of what is only drawn, so much at most: everybody's browser has to.
MOST_SCENERY = 50
#: From each side to each other, one way.
MOST_RAILS = 12
PLAYERS = (2, 3, 4)
#: TA-8.3: "about half" of 24 passengers, at every player count.
LEAST_UNLUCKY, MOST_UNLUCKY = 10, 14

_SQUARE = re.compile("[A-G]([1-9]|1[0-4])")
_RAIL = re.compile("[NESW]|[NESW]>?[NESW]")


def square(name: str) -> int:
    """The number of a square: "A1" is 0."""
    return (int(name[1:]) - 1) * COLUMNS + ord(name[0]) - ord("A")


def square_name(number: int) -> str:
    return f"{'ABCDEFG'[number % COLUMNS]}{number // COLUMNS + 1}"


def load(name: str, content: dict[str, Any]) -> Board:
    """The board that a file without faults describes."""
    board = Board()
    board.name = name
    board.content = content
    board.kind = _kinds(content["squares"])
    for place, written in content["rails"].items():
        _lay(board, square(place), written)
    board.beyond = [_beyond(board, number, side) for number in range(SQUARES) for side in range(4)]
    stretch = [square(place) for place in content["funicular"]["squares"]]
    for end, side in _stations(stretch):
        board.beyond[neighbour(end, side) * 4 + (side + 2) % 4] = _far_end(stretch, end, side)
    board.stops = [square(stop["square"]) for stop in content["stops"]]
    board.central = [board.stops.index(square(place)) for place in content["central"]]
    board.oberdan = square(content["termini"]["oberdan"]["square"])
    board.opicina = square(content["termini"]["opicina"]["square"])
    board.workshop = square(content["workshop"]["square"])
    board.tile_counts = [content["tiles"].get(shape, 0) for shape in SHAPE_NAMES]
    passengers = [content["passengers"][kind] for kind in PASSENGER_NAMES]
    board.colour = [COLOUR_NAMES.index(passenger["colour"]) for passenger in passengers]
    board.unlucky = [sum(1 << number for number in one["unlucky"]) for one in passengers]
    board.passenger_counts = [passenger["count"] for passenger in passengers]
    board.misfortune_counts = [content["misfortunes"].get(card, 0) for card in MISFORTUNE_NAMES]
    return board


def _kinds(squares: list[str]) -> list[int]:
    return [SIGNS[sign] for line in reversed(squares) for sign in line]


def _lay(board: Board, number: int, written: str) -> None:
    """The printed rails of a square: "NS NE", "S W", "E>S N>S E>N"."""
    for rail in written.split():
        one, other = SIDE_LETTERS.index(rail[0]), SIDE_LETTERS.index(rail[-1])
        board.printed[number] |= 1 << one | 1 << other
        board.outs[number] |= 1 << other
        if one != other:
            board.leads[number * 4 + one] |= 1 << other
        if len(rail) == 2:
            board.outs[number] |= 1 << one
            board.leads[number * 4 + other] |= 1 << one


def _beyond(board: Board, number: int, side: int) -> int:
    found = neighbour(number, side)
    open_ = found >= 0 and board.kind[found] != FUNICULAR
    return found * 4 + (side + 2) % 4 if open_ else -1


def _stations(stretch: list[int]) -> list[tuple[int, int]]:
    """The two ends of the funicular, each with the side on which its station lies."""
    up = _side(stretch[0], stretch[1]) if len(stretch) > 1 else 0
    return [(stretch[0], (up + 2) % 4), (stretch[-1], up)]


def _far_end(stretch: list[int], end: int, side: int) -> int:
    """TA-4.7: from the station beyond this end, a count of 1 reaches the one beyond the other."""
    other = stretch[-1] if end == stretch[0] else stretch[0]
    return neighbour(other, (side + 2) % 4) * 4 + side


def looks(shape: str) -> set[frozenset[int]]:
    """The rails of a shape, for each way to turn it."""
    rails = rails_of(SHAPES[shape])
    return {frozenset(turned(rail, quarters) for rail in rails) for quarters in range(4)}


def ends(rails: Iterable[int]) -> int:
    """The sides where these rails end, as bits."""
    sides = 0
    for rail in rails:
        sides |= rail
    return sides


# --- faults ----------------------------------------------------------------------------------------


def faults(content: Any) -> list[Problem]:
    """Everything that is wrong with a board file, each with its place; nothing if it can be played."""
    found = _Faults()
    found.file(content)
    if not found.problems:
        found.places(content)
    if not found.problems:
        found.whole(load("", content))
    return found.problems


class _Faults:
    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def add(self, key: str, **args: object) -> None:
        self.problems.append(Problem(key, **args))

    # Each thing by itself.

    def file(self, content: Any) -> None:
        parts = {
            "name": self._name,
            "squares": self._squares,
            "rails": self._rails,
            "stops": self._stops,
            "central": self._central,
            "termini": self._termini,
            "workshop": self._place,
            "funicular": self._stretch,
            "roundabout": self._stretch,
            "names": self._names,
            "scenery": self._scenery,
            "tiles": self._tiles,
            "passengers": self._passengers,
            "misfortunes": self._misfortunes,
        }
        if self._object(content, "/", parts):
            for part, check in parts.items():
                check(content[part], part)

    def _object(self, value: Any, where: str, fields: Iterable[str]) -> bool:
        """Whether it is an object with just these fields."""
        if not isinstance(value, dict):
            self.add("fault.board.object", where=where)
            return False
        before = len(self.problems)
        inside = "" if where == "/" else f"{where}."
        for name in fields:
            if name not in value:
                self.add("fault.board.missing", where=f"{inside}{name}")
        for name in value:
            if name not in fields:
                self.add("fault.board.unknown", where=f"{inside}{name}")
        return len(self.problems) == before

    def _list(self, value: Any, where: str, length: int | None = None) -> bool:
        good = isinstance(value, list) and length in (None, len(value))
        if not good:
            self.add("fault.board.list", where=where, length=length or 0)
        return good

    def _few(self, value: Any, where: str, most: int) -> bool:
        """Whether it is a list with so many entries at most."""
        if not self._list(value, where):
            return False
        if len(value) > most:
            self.add("fault.board.many", where=where, found=len(value), most=most)
        return len(value) <= most

    def _name(self, name: Any, where: str) -> None:
        good = isinstance(name, dict) and name and set(name) <= set(LANGUAGES)
        if not good or not all(isinstance(text, str) and text.strip() for text in name.values()):
            self.add("fault.board.name", where=where)

    def _number(self, value: Any, where: str, least: int, most: int) -> None:
        if type(value) is not int or not least <= value <= most:
            self.add("fault.board.number", where=where, found=str(value), least=least, most=most)

    def _one_of(self, value: Any, where: str, known: Iterable[str]) -> None:
        if not isinstance(value, str) or value not in known:
            self.add("fault.board.one-of", where=where, found=str(value), known=list(known))

    def _is_square(self, value: Any, where: str) -> bool:
        good = isinstance(value, str) and _SQUARE.fullmatch(value) is not None
        if not good:
            self.add("fault.board.no-square", where=where, found=str(value))
        return good

    def _squares(self, squares: Any, where: str) -> None:
        if not self._list(squares, where, ROWS):
            return
        for row, line in zip(range(ROWS, 0, -1), squares, strict=True):
            if not isinstance(line, str) or len(line) != COLUMNS:
                self.add("fault.board.row", row=row)
                continue
            for column, sign in zip("ABCDEFG", line, strict=True):
                if sign not in SIGNS:
                    self.add(
                        "fault.board.sign", square=f"{column}{row}", found=sign, known=list(SIGNS)
                    )

    def _rails(self, rails: Any, where: str) -> None:
        if not isinstance(rails, dict):
            self.add("fault.board.object", where=where)
            return
        for place, written in rails.items():
            if not self._is_square(place, where):
                continue
            read = written.split() if isinstance(written, str) else []
            if not 1 <= len(read) <= MOST_RAILS or not all(map(_is_rail, read)):
                self.add("fault.board.rail", square=place, found=str(written))

    def _stops(self, stops: Any, where: str) -> None:
        if self._list(stops, where, STOPS):
            for number, stop in enumerate(stops):
                here = f"{where}.{number}"
                if self._object(stop, here, ("square", "waiting", "name")):
                    self._is_square(stop["square"], f"{here}.square")
                    self._is_square(stop["waiting"], f"{here}.waiting")
                    self._name(stop["name"], f"{here}.name")

    def _central(self, central: Any, where: str) -> None:
        if self._list(central, where, CENTRAL):
            for number, place in enumerate(central):
                self._is_square(place, f"{where}.{number}")

    def _termini(self, termini: Any, where: str) -> None:
        if self._object(termini, where, TERMINI):
            for name in TERMINI:
                self._place(termini[name], f"{where}.{name}")

    def _place(self, place: Any, where: str) -> None:
        if self._object(place, where, ("square", "name")):
            self._is_square(place["square"], f"{where}.square")
            self._name(place["name"], f"{where}.name")

    def _stretch(self, stretch: Any, where: str) -> None:
        if self._object(stretch, where, ("squares", "name")):
            self._name(stretch["name"], f"{where}.name")
            if self._few(stretch["squares"], f"{where}.squares", SQUARES):
                for number, place in enumerate(stretch["squares"]):
                    self._is_square(place, f"{where}.squares.{number}")

    def _names(self, names: Any, where: str) -> None:
        if not isinstance(names, dict):
            self.add("fault.board.object", where=where)
            return
        for place, name in names.items():
            if self._is_square(place, where):
                self._name(name, f"{where}.{place}")

    def _scenery(self, scenery: Any, where: str) -> None:
        if not self._object(scenery, where, ("bands", "landmarks")):
            return
        if self._few(scenery["bands"], f"{where}.bands", MOST_SCENERY):
            for number, band in enumerate(scenery["bands"]):
                here = f"{where}.bands.{number}"
                if self._object(band, here, ("land", "rows")):
                    self._one_of(band["land"], f"{here}.land", LANDS)
                    if self._list(band["rows"], f"{here}.rows", 2):
                        for row in band["rows"]:
                            self._number(row, f"{here}.rows", 1, ROWS)
        if self._few(scenery["landmarks"], f"{where}.landmarks", MOST_SCENERY):
            for number, landmark in enumerate(scenery["landmarks"]):
                here = f"{where}.landmarks.{number}"
                if self._object(landmark, here, ("picture", "side", "row")):
                    self._one_of(landmark["picture"], f"{here}.picture", PICTURES)
                    self._one_of(landmark["side"], f"{here}.side", ("W", "E"))
                    self._number(landmark["row"], f"{here}.row", 1, ROWS)

    def _tiles(self, tiles: Any, where: str) -> None:
        self._counts(tiles, where, SHAPE_NAMES, TILES)

    def _misfortunes(self, misfortunes: Any, where: str) -> None:
        self._counts(misfortunes, where, MISFORTUNE_NAMES, MISFORTUNES)

    def _counts(self, counts: Any, where: str, names: tuple[str, ...], needed: int) -> None:
        if not isinstance(counts, dict):
            self.add("fault.board.object", where=where)
            return
        before = len(self.problems)
        for name, count in counts.items():
            if name in names:
                self._number(count, f"{where}.{name}", 0, needed)
            else:
                self.add("fault.board.unknown", where=f"{where}.{name}")
        if len(self.problems) == before and sum(counts.values()) != needed:
            self.add("fault.board.count", where=where, found=sum(counts.values()), needed=needed)

    def _passengers(self, passengers: Any, where: str) -> None:
        if not self._object(passengers, where, PASSENGER_NAMES):
            return
        before = len(self.problems)
        for name, passenger in passengers.items():
            here = f"{where}.{name}"
            if self._object(passenger, here, ("colour", "unlucky", "count")):
                self._one_of(passenger["colour"], f"{here}.colour", COLOUR_NAMES)
                self._number(passenger["count"], f"{here}.count", 1, PASSENGERS)
                unlucky = passenger["unlucky"]
                if self._list(unlucky, f"{here}.unlucky"):
                    for number in unlucky:
                        self._number(number, f"{here}.unlucky", min(PLAYERS), max(PLAYERS))
                    if len(set(map(str, unlucky))) < len(unlucky):
                        self.add("fault.board.twice", where=f"{here}.unlucky")
        if len(self.problems) == before:
            self._crowd(passengers, where)

    def _crowd(self, passengers: dict[str, Any], where: str) -> None:
        """TA-8.3: all passengers together."""
        total = sum(passenger["count"] for passenger in passengers.values())
        if total != PASSENGERS:
            self.add("fault.board.count", where=where, found=total, needed=PASSENGERS)
        colours = {name: passenger["colour"] for name, passenger in passengers.items()}
        for colour in COLOUR_NAMES:
            kinds = list(colours.values()).count(colour)
            if kinds != len(PASSENGER_NAMES) // len(COLOUR_NAMES):
                self.add("fault.board.colour", where=where, colour=colour, found=kinds)
        if colours["petesson"] == colours["squinzia"]:
            self.add("fault.board.differ", where=f"{where}.squinzia.colour")
        if colours["ciacoleta"] != colours["panzon"]:
            self.add("fault.board.share", where=f"{where}.ciacoleta.colour")
        if 4 not in passengers["spuzolente"]["unlucky"]:
            self.add("fault.board.spuzolente", where=f"{where}.spuzolente.unlucky")
        for players in PLAYERS:
            unlucky = sum(p["count"] for p in passengers.values() if players in p["unlucky"])
            if not LEAST_UNLUCKY <= unlucky <= MOST_UNLUCKY:
                self.add("fault.board.unlucky", where=where, players=players, found=unlucky)

    # Tables and squares agree.

    def places(self, content: dict[str, Any]) -> None:
        kinds = _kinds(content["squares"])
        named = {
            STOP: [stop["square"] for stop in content["stops"]],
            WAITING: [stop["waiting"] for stop in content["stops"]],
            TERMINUS: [terminus["square"] for terminus in content["termini"].values()],
            WORKSHOP: [content["workshop"]["square"]],
            FUNICULAR: content["funicular"]["squares"],
            ROUNDABOUT: content["roundabout"]["squares"],
        }
        signs = {kind: sign for sign, kind in SIGNS.items()}
        for kind, places in named.items():
            for place in places:
                if kinds[square(place)] != kind:
                    self.add("fault.board.place", square=place, sign=signs[kind])
                if places.count(place) > 1:
                    self.add("fault.board.place-twice", square=place)
            for number, found in enumerate(kinds):
                if found == kind and square_name(number) not in places:
                    self.add(
                        "fault.board.place-unnamed", square=square_name(number), sign=signs[kind]
                    )
        for place in content["central"]:
            if place not in named[STOP] or content["central"].count(place) > 1:
                self.add("fault.board.central", square=place)
        for number, kind in enumerate(kinds):
            self._printed(square_name(number), kind, content["rails"])
        for stop in content["stops"]:
            if square(stop["waiting"]) not in _around(square(stop["square"])):
                self.add("fault.board.waiting", square=stop["waiting"], stop=stop["square"])
        self._ring([square(place) for place in named[ROUNDABOUT]])
        self._funicular([square(place) for place in named[FUNICULAR]], content["rails"])

    def _printed(self, place: str, kind: int, rails: dict[str, str]) -> None:
        if (place in rails) == (kind in BARE):
            self.add("fault.board.bare" if kind in BARE else "fault.board.no-rails", square=place)
        for rail in rails.get(place, "").split():
            if (">" in rail) != (kind == ROUNDABOUT):
                self.add(
                    "fault.board.one-way" if ">" in rail else "fault.board.two-way",
                    square=place,
                    found=rail,
                )
            if len(rail) == 1 and kind != TERMINUS:
                self.add("fault.board.stub", square=place, found=rail)

    def _ring(self, ring: list[int]) -> None:
        """TA-4.6: four squares, each beside the one before, driven anticlockwise."""
        first = square_name(ring[0]) if ring else ""
        if len(ring) != 4:
            self.add("fault.board.ring", square=first)
            return
        sides = [_side(ring[n], ring[(n + 1) % 4]) for n in range(4)]
        if any(sides[(n + 1) % 4] != (sides[n] + 3) % 4 for n in range(4)):
            self.add("fault.board.ring", square=first)

    def _funicular(self, squares: list[int], rails: dict[str, str]) -> None:
        """TA-4.7: in one line, with printed rails at both ends."""
        if not squares:
            self.add("fault.board.funicular", square="")
            return
        for one, other in pairwise(squares):
            if _side(one, other) < 0 or _side(one, other) != _side(squares[0], squares[1]):
                self.add("fault.board.funicular", square=square_name(other))
                return
        for end, side in _stations(squares):
            station = neighbour(end, side)
            name = square_name(station) if station >= 0 else ""
            if SIDE_LETTERS[(side + 2) % 4] not in rails.get(name, ""):
                self.add(
                    "fault.board.funicular-end", square=square_name(end), side=SIDE_LETTERS[side]
                )

    # All of it together (TA-8.1).

    def whole(self, board: Board) -> None:
        grass = board.kind.count(GRASS)
        if grass < LEAST_GRASS:
            self.add("fault.board.grass", found=grass, least=LEAST_GRASS)
        for number in range(SQUARES):
            name = square_name(number)
            for side in range(4):
                if board.printed[number] & 1 << side and not _meets(board, number, side):
                    self.add("fault.board.blind", square=name, side=SIDE_LETTERS[side])
            if (
                _forced(board, number)
                and board.kind[number] == GRASS
                and not fitting(board, number)
            ):
                self.add("fault.board.stuck", square=name)
        self._around_the_ring(board)
        reached = reachable(board, board.oberdan)
        for number in (*board.stops, board.workshop, board.opicina):
            if number not in reached:
                self.add("fault.board.reach", square=square_name(number))
            elif board.oberdan not in reachable(board, number):
                self.add("fault.board.no-return", square=square_name(number))

    def _around_the_ring(self, board: Board) -> None:
        """TA-4.6: each square of the roundabout leads to the next one, and none back."""
        content: Any = board.content
        ring = [square(place) for place in content["roundabout"]["squares"]]
        for n, number in enumerate(ring):
            back = _side(number, ring[n - 1])
            on = _side(number, ring[(n + 1) % 4])
            if not board.leads[number * 4 + back] & 1 << on or board.outs[number] & 1 << back:
                self.add("fault.board.around", square=square_name(number), side=SIDE_LETTERS[on])
            for side in range(4):
                # Enter by any arm, leave by any arm.
                arm = side not in (back, on) and board.printed[number] & 1 << side
                way_in = board.leads[number * 4 + side] & 1 << on
                way_out = board.leads[number * 4 + back] & 1 << side
                if arm and not (way_in and way_out):
                    self.add("fault.board.arm", square=square_name(number), side=SIDE_LETTERS[side])


def _is_rail(text: str) -> bool:
    return bool(_RAIL.fullmatch(text)) and (len(text) == 1 or text[0] != text[-1])


def _around(number: int) -> list[int]:
    return [neighbour(number, side) for side in range(4)]


def _side(one: int, other: int) -> int:
    """On which side of one square the other lies, or -1."""
    around = _around(one)
    return around.index(other) if other in around else -1


def _meets(board: Board, number: int, side: int) -> bool:
    """Whether a printed rail's end is not blind: beyond it are rails or grass to build on."""
    there = board.beyond[number * 4 + side]
    if there < 0:
        return False
    return board.kind[there // 4] == GRASS or bool(board.printed[there // 4] & 1 << there % 4)


def _forced(board: Board, number: int) -> int:
    """The sides of a grass square where printed rails end: a tile there must go on with them."""
    return sum(
        1 << side
        for side, other in enumerate(_around(number))
        if other >= 0 and board.printed[other] & 1 << (side + 2) % 4
    )


def allowed(board: Board, number: int) -> int:
    """The sides of a grass square where a tile's rails may end."""
    grass = sum(
        1 << side
        for side, other in enumerate(_around(number))
        if other >= 0 and board.kind[other] == GRASS
    )
    return grass | _forced(board, number)


def fitting(board: Board, number: int) -> list[frozenset[int]]:
    """The rails of all tiles that fit on a grass square of the empty board (TA-3.5)."""
    forced, may = _forced(board, number), allowed(board, number)
    shapes = [shape for shape, count in zip(SHAPE_NAMES, board.tile_counts, strict=True) if count]
    found = set().union(*(looks(shape) for shape in shapes))
    return [rails for rails in found if forced & ~ends(rails) == 0 and ends(rails) & ~may == 0]


def reachable(board: Board, start: int) -> set[int]:
    """The squares that some legal building makes reachable.

    A way never needs a grass square twice, so each gets a tile with the ends that the way and its
    printed neighbours need, and no other; on printed squares a tram may stop and turn.
    """
    fits = {
        number: fitting(board, number) for number in range(SQUARES) if board.kind[number] == GRASS
    }
    seen: set[tuple[int, int]] = set()
    ahead = [(start, -1)]
    while ahead:
        number, entered = ahead.pop()
        if (number, entered) in seen:
            continue
        seen.add((number, entered))
        if board.kind[number] == GRASS:
            sides = [
                side for side in range(4) if _joins(board, number, fits[number], entered, side)
            ]
        else:
            sides = [side for side in range(4) if board.outs[number] & 1 << side]
        for side in sides:
            there = board.beyond[number * 4 + side]
            if there >= 0:
                ahead.append((there // 4, there % 4))
    return {number for number, _ in seen}


def _joins(board: Board, number: int, fits: list[frozenset[int]], entered: int, side: int) -> bool:
    """Whether a tile that fits there joins two sides, with ends there and where it must, and no other."""
    rail = 1 << entered | 1 << side
    need = rail | _forced(board, number)
    return any(rail in rails and ends(rails) == need for rails in fits)
