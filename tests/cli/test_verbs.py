"""titles, simulate, verify and replay: what they print for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from capolinea import games
from capolinea.cli import main
from capolinea.cli.titles import span
from capolinea.engine import Match
from capolinea.engine.record import dumps, dumps_lines, first_difference, loads
from capolinea.lab.simulate import simulate
from capolinea.words import Words, languages
from tests.cli.test_main import command

GAME = games.load("night-mail")
TALLY = "tests.cli.stranger:GAME"
Capture = pytest.CaptureFixture[str]


def title_words(lang: str) -> Words:
    return Words.of(lang, GAME.folder / "words")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with three finished games of Night Mail for three."""
    simulate(GAME, 3, 3, 1, records_dir=tmp_path)
    return tmp_path


@pytest.fixture
def file(folder: Path) -> str:
    return str(folder / "0001.json")


def changed(file: str, change: Callable[[dict[str, Any]], object]) -> str:
    """A copy of a record with something changed."""
    plain = json.loads(Path(file).read_text("utf-8"))
    change(plain)
    copy = Path(file).with_name("changed.json")
    copy.write_text(json.dumps(plain), "utf-8")
    return str(copy)


# titles ------------------------------------------------------------------------------------------


def test_titles_for_programs(capsys: Capture) -> None:
    assert main(["titles", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [title["id"] for title in found] == list(games.TITLES)
    mail = next(title for title in found if title["id"] == "night-mail")
    assert mail["players"] == [2, 3, 4, 5]
    assert mail["name"] == "Night Mail"
    assert mail["example"] is True
    assert mail["presets"]["short"] == {"line": "shuttle"}
    assert [option["name"] for option in mail["options"]] == ["line", "hand", "bonus", "open_vote"]
    assert mail["options"][1] == {
        "name": "hand",
        "kind": "number",
        "default": 3,
        "least": 2,
        "most": 5,
    }
    assert mail["actions"][3] == {
        "first": 3,
        "last": 5,
        "do": "load",
        "arguments": {"mail": ["postcard", "letter", "parcel"]},
    }


@pytest.mark.parametrize("lang", languages())
def test_one_title_in_detail(lang: str, capsys: Capture) -> None:
    assert main(["titles", "night-mail", "--lang", lang]) == 0
    told = capsys.readouterr().out
    assert "hand = 3  (2 … 5)" in told
    assert "shuttle" in told
    assert "18–22  telegram  seat: 0…4" in told


def test_data_of_ones_own_is_read_from_a_file(tmp_path: Path, capsys: Capture) -> None:
    line = tmp_path / "garden.json"
    line.write_text('{"trunk": ["A", "B"], "north": ["C", "D"], "south": ["E", "F"]}', "utf-8")
    records = tmp_path / "records"
    words = ["simulate", "night-mail", "--games", "1", "--records", str(records)]
    assert main([*words, "--option", f"line=@{line}"]) == 0
    written = json.loads((records / "0001.json").read_text("utf-8"))
    assert written["data"]["line"]["name"] == "garden"
    assert written["data"]["line"]["content"]["north"] == ["C", "D"]
    assert main(["verify", str(records / "0001.json")]) == 0


def test_files_of_strangers_show_nothing_odd_and_can_be_read_again(
    tmp_path: Path, capsys: Capture
) -> None:
    line, records = tmp_path / "gar\u202eden.json", tmp_path / "records"
    odd = {"trunk": ["A\x1b[31m", "B\ud800"], "north": ["C", "D"], "south": ["E", "F"]}
    line.write_text(json.dumps(odd), "utf-8")
    words = ["simulate", "night-mail", "--games", "1", "--records", str(records)]
    assert main([*words, "--option", f"line=@{line}"]) == 0
    written = records / "0001.json"
    data = loads(written.read_bytes()).data["line"]
    assert (data.name, data.content["trunk"]) == ("garden", ["A [31m", "B"])
    text = written.read_text("utf-8").replace('"random 1"', r'"Z\u001b[31moe"')
    written.write_text(text, "utf-8")
    assert main(["replay", str(written)]) == 0
    told = capsys.readouterr().out
    assert "Z [31moe" in told
    assert "\x1b" not in told


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"trunk": ["A"], "north": ["C", ""], "south": ["E", "F"]}', ["“trunk”", "Station 2"]),
        ("{", ["garden.json"]),
    ],
)
def test_every_fault_of_ones_own_data_is_told(
    content: str, told: list[str], tmp_path: Path, capsys: Capture
) -> None:
    line = tmp_path / "garden.json"
    line.write_text(content, "utf-8")
    words = ["simulate", "night-mail", "--games", "1", "--lang", "en"]
    assert main([*words, "--option", f"line=@{line}"]) == 2
    err = capsys.readouterr().err
    assert all(part in err for part in told)


def test_only_data_comes_from_a_file(capsys: Capture) -> None:
    words = ["simulate", "night-mail", "--games", "1", "--lang", "en"]
    assert main([*words, "--option", "hand=@three.json"]) == 2
    assert "does not take a file; these do: line" in capsys.readouterr().err


@pytest.mark.parametrize("lang", languages())
def test_titles_for_people(lang: str, capsys: Capture) -> None:
    assert main(["titles", "--lang", lang]) == 0
    told = capsys.readouterr().out
    assert title_words(lang).say("title.name") in told
    assert title_words(lang).say("title.blurb") in " ".join(told.split())
    assert "2–5" in told


@pytest.mark.parametrize(
    ("players", "text"), [([2, 3, 4], "2–4"), ([5], "5"), ([2, 4, 6], "2, 4, 6")]
)
def test_numbers_of_players(players: list[int], text: str) -> None:
    assert span(players) == text


# simulate ----------------------------------------------------------------------------------------


def test_simulate_for_programs(capsys: Capture) -> None:
    table = ["--players", "3", "--option", "hand=4"]
    assert main(["simulate", "night-mail", *table, "--games", "20", "--seed", "4", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    found = json.loads(out)
    assert list(found)[:5] == ["title", "players", "games", "moves", "decisions"]
    assert (found["players"], found["games"], found["seed"]) == (3, 20, 4)
    assert found["options"]["hand"] == 4
    assert sum(found["endings"].values()) == 20


def test_simulate_with_jobs_in_a_real_process() -> None:
    words = ["simulate", "night-mail", "--games", "40", "--seed", "4", "--json", "--jobs"]
    one, two = (json.loads(command(*words, jobs).stdout) for jobs in ("1", "2"))
    for key in ("moves", "decisions", "endings", "wins"):
        assert one[key] == two[key]


def test_a_preset_and_what_is_said_besides(capsys: Capture) -> None:
    table = ["--preset", "wild", "--option", "hand=2"]
    assert main(["simulate", "night-mail", "--games", "2", *table, "--json"]) == 0
    options = json.loads(capsys.readouterr().out)["options"]
    assert options == {"line": "coast", "hand": 2, "bonus": 3, "open_vote": True}


@pytest.mark.parametrize("lang", languages())
def test_simulate_for_people(lang: str, tmp_path: Path, capsys: Capture) -> None:
    words = ["simulate", "night-mail", "--games", "30", "--lang", lang]
    assert main([*words, "--records", str(tmp_path / "kept")]) == 0
    told = capsys.readouterr().out
    say = title_words(lang).say
    for key in ("title.name", "ending.arrived", "ending.stranded", "role.north", "role.south"):
        assert say(key) in told
    assert say("simulate.seat", {"seat": 2, "bot": "random"}) in told
    assert str(tmp_path / "kept") in told
    assert "⟨" not in told
    assert len(list((tmp_path / "kept").iterdir())) == 30


def test_intervals_are_shown(capsys: Capture) -> None:
    """Five of ten: 23.7% to 76.3%, by Wilson."""
    from capolinea.cli.simulate import _win
    from capolinea.cli.voice import Voice

    assert _win("A", 5, 10, Voice("en")) == ["A", "5", "10", "50%", "23.7% – 76.3%"]
    assert _win("A", 5, 10, Voice("de"))[4] == "23,7\u00a0% – 76,3\u00a0%"


def test_a_strangers_title_needs_no_words(capsys: Capture) -> None:
    assert main(["simulate", TALLY, "--games", "5", "--players", "3"]) == 0
    told = capsys.readouterr().out
    assert "Tally, 3 players: 5 games" in told
    assert "reached" in told


def test_a_game_that_breaks_off_is_told_with_exit_1(capsys: Capture) -> None:
    assert main(["simulate", "tests.cli.stranger:STUCK", "--games", "3"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("capolinea: Game 1 broke off: A dead end: seat")
    assert err.count("\n") == 1


def test_a_bot_that_cheats_is_told_with_exit_1(capsys: Capture) -> None:
    words = ["simulate", TALLY, "--games", "3", "--bots", "random,tests.bots.strangers:Cheat"]
    assert main(words) == 1
    assert "tests.bots.strangers:Cheat in seat 2 chose 2" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "file").write_text("")
    assert main(["simulate", "night-mail", "--records", str(tmp_path / "file")]) == 2
    err = capsys.readouterr().err
    assert str(tmp_path / "file") in err
    assert "File exists" in err


# verify ------------------------------------------------------------------------------------------


def test_good_records_pass(folder: Path, capsys: Capture) -> None:
    files = sorted(str(path) for path in folder.iterdir())
    assert main(["verify", *files]) == 0
    told = capsys.readouterr().out
    assert told.count("✓") == 3
    assert "3 checked: all is well." in told


def test_good_records_pass_for_programs(file: str, capsys: Capture) -> None:
    assert main(["verify", "--json", file]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    entries = len(loads(Path(file).read_bytes()).entries)
    assert found == {
        "file": file, "ok": True, "title": "night-mail", "entries": entries, "over": True
    }  # fmt: skip


def cut(plain: dict[str, Any], last: int) -> None:
    del plain["entries"][last:]


def other_seed(plain: dict[str, Any]) -> None:
    plain["seed"] = "00" * 32


def another_score(plain: dict[str, Any]) -> None:
    plain["result"]["outcomes"][1]["score"] += 10


def other_check(plain: dict[str, Any]) -> None:
    plain["entries"][4]["check"] = "0" * 32


def other_rules(plain: dict[str, Any]) -> None:
    """Such that lead elsewhere: to name others alone is no forgery."""
    plain["rules"] = "77"
    other_check(plain)


FORGERIES: list[tuple[Callable[[dict[str, Any]], object], str, str]] = [
    (another_score, "record.result", "outcomes.1.score"),
    (lambda plain: plain.pop("result"), "verify.no-result", "no result is written"),
    (lambda plain: cut(plain, 10), "record.not-over", "not over"),
    (other_seed, "record.seed-hash", "not the one that was promised"),
    (lambda plain: plain.pop("seed"), "record.no-seed", "no seed"),
    (lambda plain: plain["entries"].insert(3, plain["entries"][-1]), "record.entry", "Entry 3 "),
    (lambda plain: plain.update(title="zzz"), "cli.foreign", "zzz"),
    (other_check, "record.differs", "entry 4 "),
    (other_rules, "record.rules", "77"),
    (lambda plain: plain.update(format="x"), "record.foreign", "not a record"),
    (lambda plain: plain.update(version=9), "record.future", "9"),
    (lambda plain: plain["options"].update(hand=70), "record.options", "hand"),
    (lambda plain: plain["data"]["line"].update(sha256="0"), "record.data-hash", "coast"),
    (lambda plain: plain["data"]["line"].update(name="moon"), "record.data-name", "moon"),
    (lambda plain: plain.update(seats=["A"]), "record.start", "2 to 5"),
]


@pytest.mark.parametrize(("change", "key", "part"), FORGERIES, ids=[k for _, k, _ in FORGERIES])
def test_a_forged_record_fails_with_the_first_difference(
    change: Callable[[dict[str, Any]], object], key: str, part: str, file: str, capsys: Capture
) -> None:
    forged = changed(file, change)
    assert main(["verify", file, forged]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"✓ {file}")
    assert lines[1].startswith(f"✗ {forged}: ")
    assert part in lines[1]
    assert "⟨" not in lines[1]
    assert len(lines) == 3
    for lang in languages():
        assert main(["verify", "--json", "--lang", lang, forged]) == 1
        (found,) = json.loads(capsys.readouterr().out)
        assert (found["ok"], found["key"]) == (False, key)
        assert "⟨" not in found["why"]


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "empty"),
        (b"\xff\xfe", "byte 0"),
        (b"[1, 2", "cut off in line 1"),
        (b"{]", "line 1, character 2"),
        (b"[]", "not a record of Capolinea"),
    ],
)
def test_what_is_no_record(content: bytes, part: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert main(["verify", str(path)]) == 1
    assert part in capsys.readouterr().out
    assert main(["replay", str(path)]) == 2
    err = capsys.readouterr().err
    assert str(path) in err
    assert part in err


def test_a_missing_file_and_a_folder(tmp_path: Path, capsys: Capture) -> None:
    assert main(["verify", str(tmp_path / "none.json"), str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert f"none.json: {Words.of('en').say('cli.no-file')}" in told
    assert "Is a directory" in told


def test_a_match_that_goes_on(tmp_path: Path, capsys: Capture) -> None:
    match = Match(GAME, ["Ada", "Bruno"], seed=bytes(32))
    match.move(match.awaited().seats[0], [1])
    path = tmp_path / "going-on.json"
    path.write_text(dumps(match.record(reveal=True)), "utf-8")
    assert main(["verify", str(path)]) == 0
    assert "one entry, not over yet" in capsys.readouterr().out


def test_a_record_in_lines(file: str, capsys: Capture) -> None:
    lines = Path(file).with_suffix(".jsonl")
    lines.write_text(dumps_lines(loads(Path(file).read_bytes())), "utf-8")
    assert main(["verify", str(lines)]) == 0
    capsys.readouterr()
    assert replayed(capsys, file) == replayed(capsys, str(lines))


def test_a_strangers_record_needs_its_title(tmp_path: Path, capsys: Capture) -> None:
    simulate(games.load(TALLY), 2, 1, records_dir=tmp_path)
    file = str(tmp_path / "0001.json")
    assert main(["verify", file]) == 1
    assert "tally" in capsys.readouterr().out
    assert main(["verify", file, "--title", TALLY]) == 0
    assert main(["verify", file, "--title", "night-mail"]) == 1
    capsys.readouterr()
    assert main(["replay", file, "--title", TALLY]) == 0
    told = capsys.readouterr().out
    assert "added (seat random 1, pips " in told
    assert "seen 0 and 1)" in told
    assert "✓ reached" in told


def test_the_first_difference_of_two_values() -> None:
    assert first_difference({"a": 1}, {"a": 1}) is None
    assert first_difference({"a": 1}, {"b": 1}) == ("a", "1", "null")
    assert first_difference([1, [2, 3]], [1, [2, 4]]) == ("1.1", "3", "4")
    assert first_difference([1], [1, 2]) == ("", "[1]", "[1, 2]")
    where, one, other = first_difference({"a": "x" * 100}, {"a": "y"}) or ("", "", "")
    assert (where, len(one), other) == ("a", 60, '"y"')


# replay ------------------------------------------------------------------------------------------


def replayed(capsys: Capture, *words: str) -> list[str]:
    assert main(["replay", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "⟨" not in out
    return out.splitlines()


def told_to(file: str, seat: int | None, lang: str = "en") -> list[str]:
    """What this viewer's frames say, in words."""
    record = loads(Path(file).read_bytes())
    match = Match.fold(GAME, record, viewers=[seat])
    words = title_words(lang)
    return [
        words.say(event.key, event.args, record.seats)
        for frame in match.frames(seat)
        for event in frame.events
    ]


def contains(lines: list[str], wanted: list[str]) -> bool:
    """Whether the wanted lines stand there, one after the other."""
    return any(lines[n : n + len(wanted)] == wanted for n in range(len(lines)))


@pytest.mark.parametrize("lang", languages())
def test_a_replay_is_what_that_viewer_was_told(file: str, lang: str, capsys: Capture) -> None:
    for seat in range(3):
        lines = replayed(capsys, file, "--seat", str(seat + 1), "--lang", lang)
        assert contains(lines, told_to(file, seat, lang))
    spectator = replayed(capsys, file, "--lang", lang)
    assert contains(spectator, told_to(file, None, lang))
    assert spectator == replayed(capsys, file, "--spectator", "--lang", lang)


def test_a_spectator_reads_no_secret_and_the_truth_has_all(file: str, capsys: Capture) -> None:
    words = title_words("en")
    spectator, truth = replayed(capsys, file), replayed(capsys, file, "--truth")
    record = loads(Path(file).read_bytes())
    secret = words.say("event.loaded.own", {"seat": 1, "mail": "parcel"}, record.seats)
    assert any(secret in line and "[random 2]" in line for line in truth)
    assert secret not in spectator
    assert secret in replayed(capsys, file, "--seat", "2")
    assert secret not in replayed(capsys, file, "--seat", "1")
    # Every entry has its number and its words, even a pass of which nobody is told.
    passed = words.say("action.pass")
    assert any(line.endswith(passed) for line in truth)
    assert not any(line.endswith(passed) for line in spectator)


@pytest.mark.parametrize("lang", languages())
def test_the_end_is_explained_seat_by_seat(file: str, lang: str, capsys: Capture) -> None:
    record = loads(Path(file).read_bytes())
    assert record.result is not None
    say = title_words(lang).say
    told = "\n".join(replayed(capsys, file, "--lang", lang))
    assert say(f"ending.{record.result.ending}") in told
    for seat, outcome in enumerate(record.result.outcomes):
        key = "result.won" if outcome.won else "result.lost"
        assert say(key, {"seat": seat}, record.seats) in told
        for reason in outcome.reasons:
            mark = "✓" if reason.held else "✗"
            assert f"{mark} {say(reason.key, reason.args)} ({reason.rule})" in told


def test_undo_and_what_was_said_are_in_the_log(tmp_path: Path, capsys: Capture) -> None:
    for number in range(50):
        match = Match(GAME, ["Ada", "Bruno"], seed=bytes([number]) * 32)
        seat = match.awaited().seats[0]
        if len(match.legal(seat)) > 1 and match.legal(seat)[1] in (3, 4, 5):
            break
    load = match.legal(seat)[1]
    match.move(seat, [load])
    match.say(seat, {"bag": ["parcel"]})
    match.undo(seat)
    path = tmp_path / "undone.json"
    path.write_text(dumps(match.record(reveal=True)), "utf-8")
    words = title_words("en")
    undone = words.say("log.undone", {"seat": seat}, match.names)
    said = words.say("event.claim", {"seat": seat, "bag": ["parcel"]}, match.names)
    for viewer in ([], ["--truth"], ["--seat", "1"]):
        lines = [line.strip() for line in replayed(capsys, str(path), *viewer)]
        assert lines.index(said) < lines.index(undone)
        assert lines[-1] == words.say("result.awaited", {"seats": [seat]}, match.names)


def test_a_seat_that_is_not_there(file: str, capsys: Capture) -> None:
    assert main(["replay", file, "--seat", "4"]) == 2
    assert "There is no seat 4: this table has 3" in capsys.readouterr().err
