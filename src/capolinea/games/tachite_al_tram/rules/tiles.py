"""The track tiles (TA-1.2, TA-8.2): their rails in every turn, and where each turn fits.

A rail is a mask of two sides. A *look* is a tile as it lies, its rails whatever tile they are on: two
tiles, or two turns of one, look the same when they have the same rails (TA-3.2).
"""

from __future__ import annotations

from typing import Final

from capolinea.games.tachite_al_tram.rules.board import SHAPES

SIDE_LETTERS: Final = "NESW"
#: TA-8.5: what players draw on the two blank tiles.
OWN_NAMES: Final = ("own-1", "own-2")
TILE_NAMES: Final = (*SHAPES, *OWN_NAMES)


def rails_of(written: str) -> list[int]:
    """The rails of a tile as the box writes them: "NS SW", or as an option does: "NS-SW"."""
    return [
        sum([1 << SIDE_LETTERS.index(letter) for letter in rail])
        for rail in written.replace("-", " ").split()
    ]


def turned(mask: int, quarters: int) -> int:
    """Sides after so many quarter turns clockwise."""
    return (mask << quarters | mask >> (4 - quarters)) & 15


class Tiles:
    """All tiles of a table, its own ones last. Never changes; states share it."""

    def __init__(self) -> None:
        self.rails: list[list[int]] = []
        #: The looks: the sides where rails end, and where each side leads, four bits a side.
        self.ends: list[int] = []
        self.tracks: list[int] = []
        #: At tile*4 + quarter turns: the look.
        self.look: list[int] = []
        #: At tile << 8 | sides needed << 4 | sides barred: the turns that fit there as bits, of turns
        #: that look the same only the first (TA-3.5).
        self.fitting: list[int] = []

    def make(self, written: list[str]) -> Tiles:
        known: dict[str, int] = {}
        for text in written:
            rails = rails_of(text)
            self.rails.append(rails)
            for quarters in range(4):
                lying = sorted([turned(rail, quarters) for rail in rails])
                name = repr(lying)
                if name not in known:
                    known[name] = len(known)
                    self._new_look(lying)
                self.look.append(known[name])
            self._new_tile(len(self.rails) - 1)
        return self

    def _new_look(self, rails: list[int]) -> None:
        ends = 0
        tracks = 0
        for rail in rails:
            ends |= rail
            for side in range(4):
                if rail >> side & 1:
                    tracks |= (rail & ~(1 << side)) << 4 * side
        self.ends.append(ends)
        self.tracks.append(tracks)

    def _new_tile(self, tile: int) -> None:
        looks = self.look[4 * tile : 4 * tile + 4]
        for edges in range(256):
            needed = edges >> 4
            barred = edges & 15
            turns = 0
            for quarters in range(4):
                ends = self.ends[looks[quarters]]
                fits = ends & needed == needed and ends & barred == 0
                if fits and looks[quarters] not in looks[:quarters]:
                    turns |= 1 << quarters
            self.fitting.append(turns)


#: Before a table is laid.
NO_TILES: Final = Tiles()
