"""The line as data (ST-9): a file with named places, checked on load, that also draws the map.

    {"name": {"en": …}, "train": 3, "size": [1040, 600],
     "deck": {"accelerate": 16, …},              a shorter line's own effect deck; left out: the usual one
     "sections": {
       "line":         {"name": …, "spaces": 38, "points": …, "radius": 34, "label": …, "features": […]},
       "fast-track": …, "viaduct": …, "scenic-route": …,      the three routes
       "paris": …},                                           where they have joined again
     "rivers": …, "mountains": …}

Spaces are counted from 1 in each section; START is the space 0 of "line", whose last space is the
signal box, and the last space of "paris" is the last before the station. A feature is
`{"kind": "bridge", "from": 12, "to": 14, "name": …, "label": [22, -6]}`; kinds are bridge, viaduct,
tunnel and hill. Points are corners of the drawn line in map units, `label` is where a name stands:
of a section on the map, of a feature off its middle.
"""

from __future__ import annotations

from typing import Any

from capolinea.engine import Problem
from capolinea.games.stop_the_train.rules.cards import EFFECT_COUNTS, EFFECT_NAMES, ROUTE_NAMES
from capolinea.games.stop_the_train.rules.track import LAST_TUNNEL, MEETING_PLACE, TUNNEL, Track
from capolinea.games.stop_the_train.rules.turn import DRAWN, FREIGHT_AFTER, FREIGHT_SPACES

SECTIONS = ("line", *ROUTE_NAMES, "paris")
KINDS = ("bridge", "viaduct", "tunnel", "hill")
#: A train may start up to so many spaces closer to Paris (ST-2.5), and the box lies beyond (ST-9.2).
HEAD_START = 12
LONGEST_TRAIN = 8
MOST_SPACES = 200
#: No point of the picture is farther away: nobody could see it.
FARTHEST = 100_000
#: So much of it at most: everybody's browser has to draw it.
MOST_SCENERY = 100
MOST_POINTS = 200
LEAST_TURNS = 5
LANGUAGES = ("en", "it", "de")


def load(name: str, content: dict[str, Any]) -> Track:
    """The track that a file without faults describes."""
    sections = content["sections"]
    track = Track()
    track.name = name
    track.content = content
    track.train = content["train"]
    track.box = sections["line"]["spaces"]
    track.deck = deck_of(content)
    # Hills have numbers, in the order of the file.
    hills = [
        (part, number)
        for part in SECTIONS
        for number, feature in enumerate(sections[part]["features"])
        if feature["kind"] == "hill"
    ]
    for route, route_name in enumerate(ROUTE_NAMES):
        first = 0
        length = 1 + sum(sections[part]["spaces"] for part in ("line", route_name, "paris"))
        track.spaces[route] = [_space(sections, route, place) for place in range(length)]
        track.marks[route] = [0] * length
        track.hills[route] = [-1] * length
        track.features[route] = [""] * length
        for part in ("line", route_name, "paris"):
            for number, feature in enumerate(sections[part]["features"]):
                hill = hills.index((part, number)) if feature["kind"] == "hill" else -1
                _mark(track, route, first, feature, hill)
                for place in range(first + feature["from"], first + feature["to"] + 1):
                    track.features[route][place] = f"{part}.{number}"
            first += sections[part]["spaces"]
        _mark_last_tunnel(track, route, sections)
        track.under[route] = [_under(track, route, place) for place in range(length)]
    for paths in (track.spaces, track.marks, track.hills, track.under, track.bridges):
        paths.append(paths[0])
    track.features.append(track.features[0])
    lengths = [sections[name]["spaces"] for name in ROUTE_NAMES]
    track.shortest = sorted(range(len(lengths)), key=lambda route: lengths[route])
    return track


def deck_of(content: dict[str, Any]) -> list[int]:
    """The effect deck: the box's (ST-1.2) or the track's own."""
    if "deck" not in content:
        return list(EFFECT_COUNTS)
    return [content["deck"].get(name, 0) for name in EFFECT_NAMES]


def _space(sections: dict[str, Any], route: int, place: int) -> int:
    """A number for each space of the map; routes share those before the box and after the join."""
    line: int = sections["line"]["spaces"]
    own: int = sections[ROUTE_NAMES[route]]["spaces"]
    if place <= line:
        return place
    if place <= line + own:
        return MOST_SPACES * (route + 1) + place - line
    return MOST_SPACES * 4 + place - line - own


def _mark(track: Track, route: int, first: int, feature: dict[str, Any], hill: int) -> None:
    start, end = first + feature["from"], first + feature["to"]
    for place in range(start, end + 1):
        match feature["kind"]:
            case "hill":
                track.hills[route][place] = hill
            case "tunnel":
                track.marks[route][place] |= TUNNEL
            case _:
                track.marks[route][place] |= MEETING_PLACE
    if feature["kind"] == "bridge":
        track.bridges[route] += [start, end]


def _under(track: Track, route: int, front: int) -> int:
    """What a train stands under or on, as bits."""
    found = 0
    for place in range(max(0, front - track.train + 1), front + 1):
        found |= track.marks[route][place]
    return found


def _mark_last_tunnel(track: Track, route: int, sections: dict[str, Any]) -> None:
    """ST-9.2: the last tunnel before Paris is on the common part."""
    tunnels = [f for f in sections["paris"]["features"] if f["kind"] == "tunnel"]
    last = max(tunnels, key=lambda feature: int(feature["to"]))
    first = sections["line"]["spaces"] + sections[ROUTE_NAMES[route]]["spaces"]
    for place in range(first + last["from"], first + last["to"] + 1):
        track.marks[route][place] |= LAST_TUNNEL


# --- faults ----------------------------------------------------------------------------------------


def faults(content: Any) -> list[Problem]:
    """Everything that is wrong with a track file, each with its place; nothing if it can be played."""
    found = _Faults()
    found.file(content)
    if not found.problems:
        found.whole(content)
    return found.problems


class _Faults:
    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def add(self, key: str, where: str, **args: object) -> None:
        self.problems.append(Problem(key, where=where, **args))

    # Each thing by itself.

    def file(self, content: Any) -> None:
        if not isinstance(content, dict):
            self.add("track.object", "/")
            return
        known = {"name", "train", "deck", "size", "sections", "rivers", "mountains"}
        self._unknown(content, known, "")
        self._name(content.get("name"), "name")
        self._number(content.get("train"), "train", 1, LONGEST_TRAIN)
        self._points(content.get("size"), "size", single=True, least=1)
        if "deck" in content:
            self._deck(content["deck"])
        self._scenery(content)
        sections = content.get("sections")
        if not isinstance(sections, dict):
            self.add("track.object", "sections")
            return
        self._unknown(sections, set(SECTIONS), "sections.")
        for name in SECTIONS:
            if name in sections:
                self._section(sections[name], f"sections.{name}")
            else:
                self.add("track.missing", f"sections.{name}")

    def _scenery(self, content: dict[str, Any]) -> None:
        for name in ("rivers", "mountains"):
            if not isinstance(content.get(name, []), list):
                self.add("track.list", name)
                return
            if not self._few(content.get(name, []), name, MOST_SCENERY):
                return
        for number, river in enumerate(content.get("rivers", [])):
            self._points(river, f"rivers.{number}")
        for number, mountain in enumerate(content.get("mountains", [])):
            if not isinstance(mountain, dict) or set(mountain) != {"at", "size"}:
                self.add("track.mountain", f"mountains.{number}")
                continue
            self._points(mountain["at"], f"mountains.{number}.at", single=True)
            self._points(mountain["size"], f"mountains.{number}.size", single=True, least=1)

    def _section(self, section: Any, where: str) -> None:
        if not isinstance(section, dict):
            self.add("track.object", where)
            return
        known = {"name", "spaces", "points", "radius", "label", "features"}
        self._unknown(section, known, f"{where}.")
        self._name(section.get("name"), f"{where}.name")
        self._number(section.get("spaces"), f"{where}.spaces", 1, MOST_SPACES - 1)
        self._points(section.get("points"), f"{where}.points")
        self._number(section.get("radius"), f"{where}.radius", 0, 1000)
        self._points(section.get("label"), f"{where}.label", single=True)
        features = section.get("features")
        if not isinstance(features, list):
            self.add("track.list", f"{where}.features")
            return
        for number, feature in enumerate(features):
            self._feature(feature, section.get("spaces"), f"{where}.features.{number}")

    def _feature(self, feature: Any, spaces: Any, where: str) -> None:
        if not isinstance(feature, dict):
            self.add("track.object", where)
            return
        self._unknown(feature, {"kind", "from", "to", "name", "label"}, f"{where}.")
        if feature.get("kind") not in KINDS:
            self.add("track.kind", f"{where}.kind", found=str(feature.get("kind")), kinds=KINDS)
        self._name(feature.get("name"), f"{where}.name")
        self._points(feature.get("label"), f"{where}.label", single=True)
        most = spaces if type(spaces) is int else MOST_SPACES
        start = feature.get("from")
        self._number(start, f"{where}.from", 1, most)
        least = start if type(start) is int and 1 <= start <= most else 1
        self._number(feature.get("to"), f"{where}.to", least, most)

    def _deck(self, deck: Any) -> None:
        if not isinstance(deck, dict):
            self.add("track.object", "deck")
            return
        self._unknown(deck, set(EFFECT_NAMES), "deck.")
        for name, count in deck.items():
            self._number(count, f"deck.{name}", 0, 99)

    def _name(self, name: Any, where: str) -> None:
        good = isinstance(name, dict) and name and set(name) <= set(LANGUAGES)
        if not good or not all(isinstance(text, str) and text.strip() for text in name.values()):
            self.add("track.name", where)

    def _number(self, value: Any, where: str, least: int, most: int) -> None:
        if type(value) is not int or not least <= value <= most:
            self.add("track.number", where, found=str(value), least=least, most=most)

    def _points(self, value: Any, where: str, single: bool = False, least: int = -FARTHEST) -> None:
        points = [value] if single else value
        if isinstance(points, list) and not self._few(points, where, MOST_POINTS):
            return
        good = isinstance(points, list) and (single or len(points) > 1)
        if not good or not all(_is_point(point, least) for point in points):
            key = "track.point" if single else "track.points"
            self.add(key, where, least=least, most=FARTHEST)

    def _few(self, value: list[Any], where: str, most: int) -> bool:
        if len(value) > most:
            self.add("track.many", where, found=len(value), most=most)
        return len(value) <= most

    def _unknown(self, found: dict[str, Any], known: set[str], where: str) -> None:
        for name in found:
            if name not in known:
                self.add("track.unknown", f"{where}{name}")

    # All of it together (ST-9.2, ST-9.3).

    def whole(self, content: dict[str, Any]) -> None:
        sections = content["sections"]
        features = {name: sections[name]["features"] for name in SECTIONS}
        box = sections["line"]["spaces"]
        if box <= HEAD_START:
            self.add("track.box", "sections.line.spaces", least=HEAD_START + 1)
        for name in SECTIONS:
            self._overlaps(features[name], f"sections.{name}.features")
        if any(feature["to"] == box for feature in features["line"]):
            self.add("track.box-feature", "sections.line.features")
        lengths = [sections[name]["spaces"] for name in ROUTE_NAMES]
        if not lengths[0] < lengths[1] < lengths[2]:
            self.add("track.lengths", "sections", lengths=[str(length) for length in lengths])
        if not _has(features["line"], "bridge"):
            self.add("track.bridge", "sections.line.features")
        if not _has(features["viaduct"], "viaduct"):
            self.add("track.viaduct", "sections.viaduct.features")
        if not _has(features["paris"], "tunnel"):
            self.add("track.last-tunnel", "sections.paris.features")
        kinds = [feature["kind"] for name in SECTIONS for feature in features[name]]
        if kinds.count("hill") < 2:
            self.add("track.hills", "sections")
        self._freight(content, box + lengths[0] + sections["paris"]["spaces"])

    def _overlaps(self, features: list[dict[str, Any]], where: str) -> None:
        taken: set[int] = set()
        for number, feature in enumerate(features):
            places = set(range(feature["from"], feature["to"] + 1))
            if places & taken:
                self.add("track.overlap", f"{where}.{number}", space=min(places & taken))
            taken |= places

    def _freight(self, content: dict[str, Any], fast: int) -> None:
        """ST-9.3: freight must not run through to Paris on the Fast Track."""
        turns = sum(deck_of(content)) // DRAWN
        if turns < LEAST_TURNS:
            self.add("track.deck", "deck", least=LEAST_TURNS * DRAWN)
        reach = (turns - FREIGHT_AFTER) * FREIGHT_SPACES
        if fast <= reach:
            self.add("track.freight", "sections.fast-track.spaces", spaces=fast, reach=reach)


def _has(features: list[dict[str, Any]], kind: str) -> bool:
    return any(feature["kind"] == kind for feature in features)


def _is_point(point: Any, least: int) -> bool:
    return (
        isinstance(point, list)
        and len(point) == 2
        and all(type(number) in (int, float) and least <= number <= FARTHEST for number in point)
    )
