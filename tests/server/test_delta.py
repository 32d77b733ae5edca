"""How one scene becomes the next."""

from __future__ import annotations

import doctest
import json
from itertools import pairwise
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from capolinea.patch import patched
from capolinea.server import delta as module
from capolinea.server.delta import delta

#: Few names and small numbers, so that two scenes have much in common.
_names = st.sampled_from(["", "a", "b", "0", "1"])
_plain = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.5, 1.0, "", "x"])
_json = st.recursive(
    _plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_names, inner, max_size=4)
)


def wired(value: Any) -> Any:
    """As it comes out at the other end: nothing is shared with what went in."""
    return json.loads(json.dumps(value))


def exactly(value: Any) -> str:
    """1, 1.0 and true are not the same on a screen."""
    return json.dumps(value, sort_keys=True)


@given(_json, _json)
def test_a_delta_makes_the_new_scene_of_the_old(old: Any, new: Any) -> None:
    before = exactly(old), exactly(new)
    changes = wired(delta(old, new))
    assert (exactly(old), exactly(new)) == before
    assert exactly(patched(wired(old), changes)) == exactly(new)


@given(_json)
def test_nothing_changed_nothing_said(scene: Any) -> None:
    assert delta(scene, wired(scene)) == []


@given(st.lists(_json, min_size=2, max_size=5))
def test_one_delta_after_another(scenes: list[Any]) -> None:
    seen = wired(scenes[0])
    for old, new in pairwise(scenes):
        seen = patched(seen, wired(delta(old, new)))
        assert exactly(seen) == exactly(new)


@given(_json, _json)
def test_only_what_is_different_is_said(old: Any, new: Any) -> None:
    same = {"name": "Ada", "log": list(range(50))}
    changes = delta({**same, "x": [old]}, {**same, "x": [new]})
    assert all(path[:2] == ["x", 0] for path, *_ in changes)


class Inner(msgspec.Struct, omit_defaults=True):
    a: int
    b: int = -1
    c: list[int] = []
    d: dict[str, int] = {}
    e: str = ""


class Outer(msgspec.Struct):
    f: Inner | None
    g: list[Inner]
    h: int = 0


_inner = st.builds(
    Inner,
    a=st.integers(0, 1),
    b=st.integers(-1, 1),
    c=st.lists(st.integers(0, 1), max_size=2),
    d=st.dictionaries(_names, st.integers(0, 1), max_size=1),
    e=st.sampled_from(["", "x"]),
)
_outer = st.builds(Outer, f=st.none() | _inner, g=st.lists(_inner, max_size=3), h=st.integers(0, 1))


@given(_outer, _outer)
def test_what_json_is_made_of_differs_as_the_json_does(old: Outer, new: Outer) -> None:
    changes = json.loads(msgspec.json.encode(delta(old, new)))
    plain_old, plain_new = msgspec.to_builtins(old), msgspec.to_builtins(new)
    assert sorted(changes, key=repr) == sorted(delta(plain_old, plain_new), key=repr)
    assert patched(plain_old, changes) == plain_new


def test_examples_in_the_manual() -> None:
    assert doctest.testmod(module).attempted > 0
    assert doctest.testmod(module).failed == 0


class Shown(msgspec.Struct, omit_defaults=True):
    viewer: int
    public: list[Any]
    own: list[Any] = []


@given(_json, _json, st.lists(_json, min_size=4, max_size=4))
def test_what_several_see_is_compared_once_and_told_to_each(
    old: Any, new: Any, own: list[Any]
) -> None:
    was, is_now = [old, 1], [new, 1]
    deltas = module.Deltas()
    for viewer in range(2):
        before = Shown(viewer, was, [own[viewer]])
        after = Shown(viewer, is_now, [own[viewer + 2]])
        together, alone = deltas.delta(before, after), delta(before, after)
        assert msgspec.json.encode(together) == msgspec.json.encode(alone)
