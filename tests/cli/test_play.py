"""Playing in the terminal, typed by a script that reads what is on the screen."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from capolinea import games
from capolinea.cli import main
from capolinea.cli.play import _names, _seeds
from capolinea.cli.screen import Screen, wants_colour
from capolinea.cli.voice import Voice
from capolinea.engine import Match
from capolinea.engine.record import Control, Move, Say, Undo, loads
from capolinea.words import Words, languages
from tests.cli.test_main import command, environment

GAME = games.load("night-mail")
TALLY = "tests.cli.stranger:GAME"
Capture = pytest.CaptureFixture[str]
Answer = Callable[[str, str], str]


class Typist:
    """Answers each prompt by what has come on the screen since the last one."""

    def __init__(self, capsys: Capture, answer: Answer) -> None:
        self.capsys = capsys
        self.answer = answer
        self.screen = ""

    def __call__(self, prompt: str = "") -> str:
        fresh = self.capsys.readouterr().out
        self.screen += fresh + prompt
        return self.answer(fresh, prompt)


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Callable[..., str]:
    """`play(answer, words…)`: the whole screen of a match; `answer` may also be a list of lines."""

    def run(answer: Answer | list[str], *words: str, code: int = 0) -> str:
        typist = Typist(capsys, answer if callable(answer) else from_list(answer))
        monkeypatch.setattr("builtins.input", typist)
        assert main(["play", *words]) == code
        out, err = capsys.readouterr()
        assert err == ""
        return typist.screen + out

    return run


Play = Callable[..., str]


def from_list(lines: list[str]) -> Answer:
    rest = iter(lines)

    def answer(fresh: str, prompt: str) -> str:
        for line in rest:
            return line
        raise EOFError

    return answer


def saying(lang: str) -> Callable[..., str]:
    words = Words.of(lang, GAME.folder / "words")
    return lambda key, **args: words.say(key, args)


def menu(fresh: str) -> dict[str, str]:
    """The last menu on the screen: text → number."""
    lines = re.findall(r"^ +(\d+)  (.+)$", fresh, re.M)
    start = max((n for n, (number, _) in enumerate(lines) if number == "1"), default=0)
    return {text: number for number, text in lines[start:]}


def first_always(save: str = "") -> Answer:
    """The first choice at every question, nothing for what is asked once at the end."""

    def answer(fresh: str, prompt: str) -> str:
        return "1" if menu(fresh) else save

    return answer


def seed_with_mail() -> str:
    """A seed that deals mail to the first of three."""
    for seed in range(100):
        own = Match(GAME, ["A", "B", "C"], seed=_seeds(seed)[0]).view(0).own  # type: ignore[attr-defined]
        if {"postcard", "letter"} <= set(own.hand):
            return str(seed)
    raise AssertionError


# Whole matches -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("players", ["2", "5"])
def test_a_whole_match_in_every_language(
    play: Play, lang: str, players: str, tmp_path: Path
) -> None:
    say, file = saying(lang), tmp_path / "kept.json"
    options = ["--seed", "5", "--players", players, "--name", "Zoe", "--seat", "2"]
    screen = play(first_always(), "night-mail", *options, "--lang", lang, "--save", str(file))
    assert "⟨" not in screen
    assert say("title.name") in screen
    assert say("play.table") in screen
    assert f"▶ {Words.of(lang).say('play.turn', {'seat': 0}, ['Zoe'])}" in screen
    record = loads(file.read_bytes())
    assert record.result is not None
    assert Match.fold(GAME, record).result() == record.result
    assert say(f"ending.{record.result.ending}") in screen
    assert record.seats[1] == "Zoe"
    assert len(set(record.seats)) == int(players)
    for outcome in record.result.outcomes:
        for reason in outcome.reasons:
            assert say(reason.key, **reason.args) in screen
    assert record.seed in screen, "the seal is opened at the end"
    assert record.seed_hash in screen, "and was shown at the start"
    assert screen.rstrip().endswith(say("play.bye"))


def test_the_same_seed_is_the_same_match(play: Play) -> None:
    once = play(first_always(), "night-mail", "--seed", "8")
    assert play(first_always(), "night-mail", "--seed", "8") == once
    assert play(first_always(), "night-mail", "--seed", "9") != once


def test_without_a_seed_chance_decides(play: Play) -> None:
    assert play(first_always(), "night-mail") != play(first_always(), "night-mail")


def test_a_real_process_with_a_script_on_stdin(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "capolinea", "play", "night-mail", "--seed", "1", "--lang", "de"],
        input="1\n" * 300,
        cwd=tmp_path,
        env=environment(PYTHONUTF8="1"),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert saying("de")("play.bye") in done.stdout
    assert loads((tmp_path / "1").read_bytes()).result, "the last 1 is a name to keep the match by"


def test_it_plays_a_strangers_title_without_words(play: Play) -> None:
    screen = play(first_always(), TALLY, "--players", "2", "--seed", "1", "--name", "Zoe")
    assert "── Tally ──" in screen
    assert "   1  add (pips one)" in screen
    assert "added (seat Ada, pips " in screen
    assert "total (total " in screen
    assert re.search(r"[✓✗] reached", screen)
    assert "⟨" not in screen


def test_nothing_is_shown_that_this_seat_may_not_know(play: Play, tmp_path: Path) -> None:
    """Every log line on the screen is one that this seat was told."""
    file = tmp_path / "kept.json"
    screen = play(first_always(), "night-mail", "--seed", "6", "--save", str(file))
    record = loads(file.read_bytes())
    match = Match.fold(GAME, record, viewers=[0])
    words = Words.of("en", GAME.folder / "words")
    own = [e for frame in match.frames(0) for e in frame.events]
    news = [words.say(event.key, event.args, record.seats) for event in own]
    secrets = 0
    for seat in (1, 2):
        other = Match.fold(GAME, record, viewers=[seat])
        for frame in other.frames(seat):
            for event in frame.events:
                line = words.say(event.key, event.args, record.seats)
                if line not in news:
                    secrets += 1
                    assert line not in screen
    assert secrets
    assert all(line in screen for line in news)


# One question ------------------------------------------------------------------------------------


def test_a_compound_choice_goes_step_by_step_with_a_way_back(play: Play, tmp_path: Path) -> None:
    """NM-2.3: what to deliver, then who signs; one entry in the record."""
    say, file = saying("en"), tmp_path / "kept.json"
    load = [say("action.load", mail=mail) for mail in ("postcard", "letter", "parcel")]
    deliver = [say("action.deliver", mail=mail) for mail in ("postcard", "letter", "parcel")]
    backs: list[str] = []

    def answer(fresh: str, prompt: str) -> str:
        choices = menu(fresh)
        if not choices:
            return ""
        if f"   b  {say('play.back')}" in fresh:
            assert any(text in fresh for text in deliver), "what was begun is shown"
            if not backs:
                backs.append(fresh)
                return "b"
            return "2"
        for text in [*deliver, *load]:
            if text in choices:
                return choices[text]
        return "1"

    screen = play(answer, "night-mail", "--seed", seed_with_mail(), "--save", str(file))
    assert backs
    assert f"→ {say('preview.deliver', mail='postcard', points=1)}" in screen
    moves = [e for e in loads(file.read_bytes()).entries if isinstance(e, Move) and e.seat == 0]
    assert ["deliver", "sign"] in [[step["do"] for step in move.do] for move in moves]


def test_undo_where_the_question_offers_it(play: Play, tmp_path: Path) -> None:
    """NM-2.1: loading tells nobody anything, so it can be taken back; a roll cannot."""
    say, file = saying("en"), tmp_path / "kept.json"
    load = [say("action.load", mail=mail) for mail in ("postcard", "letter", "parcel")]
    undo = f"   u  {say('play.undo')}"
    done: list[str] = []

    def answer(fresh: str, prompt: str) -> str:
        choices = menu(fresh)
        if not choices:
            return ""
        if undo in fresh and "u" not in done:
            done.append("u")
            return "u"
        if undo not in fresh and "refused" not in done:
            done.append("refused")
            return "u"
        wanted = [choices[text] for text in load if text in choices]
        return wanted[0] if wanted and "u" not in done else "1"

    screen = play(
        answer, "night-mail", "--seed", seed_with_mail(), "--save", str(file), "--name", "Zoe"
    )
    assert done == ["refused", "u"]
    assert say("play.no-undo") in screen
    assert "Zoe takes a move back." in screen
    record = loads(file.read_bytes())
    assert len([entry for entry in record.entries if isinstance(entry, Undo)]) == 1
    assert Match.fold(GAME, record).result() == record.result


def test_bad_answers_get_a_clear_word_and_the_question_again(play: Play) -> None:
    screen = play(["0", "99", "foo", "-1", "1 2", "b"], "night-mail", "--seed", "5")
    for bad in ("0", "99", "foo", "-1", "1 2"):
        assert f"“{bad}”? Type a number from 1 to" in screen
    assert saying("en")("play.no-back") in screen
    assert screen.count("Your choice (? for help):") == 7


def test_enter_takes_the_only_choice_and_no_other(play: Play) -> None:
    """In Night Mail, a turn with nothing to deliver leaves one thing to do."""
    only: list[bool] = []

    def answer(fresh: str, prompt: str) -> str:
        choices = menu(fresh)
        if len(choices) == 1:
            only.append(True)
            return ""
        return "1" if choices else ""

    play(answer, "night-mail", "--seed", "5")
    assert only
    asked = play(["", "", ""], "night-mail", "--seed", "5").count("Your choice")
    assert asked == 4, "two choices or more: asked again"


def test_enter_lets_an_offer_pass(play: Play, tmp_path: Path) -> None:
    """NM-5.1: a telegram may be sent at any time, or not."""
    say = saying("en")
    offered = 0

    def answer(fresh: str, prompt: str) -> str:
        nonlocal offered
        if f"   ⏎  {say('play.decline')}" in fresh:
            offered += 1
            return ""
        return "1" if menu(fresh) else ""

    for seed in range(6):
        file = tmp_path / f"{seed}.json"
        play(answer, "night-mail", "--seed", str(seed), "--save", str(file))
        own = [e for e in loads(file.read_bytes()).entries if isinstance(e, Move) and e.seat == 0]
        assert not [move for move in own if move.do[0]["do"] == "telegram"]
    assert offered


@pytest.mark.parametrize("lang", languages())
def test_the_commands(play: Play, lang: str) -> None:
    say = saying(lang)
    screen = play(
        ["?", "t", "l", "o", "w", "nonsense"], "night-mail", "--seed", "5", "--lang", lang
    )
    for key in ("play.help", "play.help.undo", "play.help.quit", "play.log", "play.options"):
        assert say(key) in screen
    assert screen.count(f"── {say('play.table')} ──") == 2
    assert f"{say('option.hand')}: 3" in screen
    assert f"{say('option.line')}: {say('option.line.coast')}" in screen
    assert f"{say('option.open_vote')}: {say('cli.no')}" in screen
    assert say("play.windows") in screen
    assert say("window.robbery") in screen
    assert "⟨" not in screen


def test_a_title_without_windows_says_so(play: Play) -> None:
    screen = play(["w", "s 1"], TALLY)
    assert saying("en")("play.no-windows") in screen
    assert saying("en")("refused.nothing-to-say") in screen


def test_saying_something(play: Play, tmp_path: Path) -> None:
    """NM-7.1, with the title's own reason when it is not of its form."""
    say, file = saying("en"), tmp_path / "kept.json"
    load = [say("action.load", mail=mail) for mail in ("postcard", "letter", "parcel")]
    claims = iter(['s {"bag": ["parcel"]}', "s", 's {"bag"', 's {"bag": ["elephant"]}'])

    def answer(fresh: str, prompt: str) -> str:
        if prompt.startswith(say("play.say")):
            return '{"bag": ["letter"]}'
        choices = menu(fresh)
        if f"   u  {say('play.undo')}" in fresh:
            return next(claims, choices.get(say("action.depart"), "1"))
        wanted = [choices[text] for text in load if text in choices]
        return (wanted or ["1" if choices else ""])[0]

    screen = play(
        answer, "night-mail", "--seed", seed_with_mail(), "--save", str(file), "--name", "Zoe"
    )
    assert say("play.not-json", column=7) in screen
    assert f"{say('refused.claim-form')} (NM-7.1)" in screen
    said = [entry.said for entry in loads(file.read_bytes()).entries if isinstance(entry, Say)]
    assert said == [{"bag": ["parcel"]}, {"bag": ["letter"]}]
    assert "Zoe: “" in screen


def test_the_language_can_be_changed_in_the_middle(play: Play) -> None:
    screen = play(["lang xx", "lang", "lang de", "lang it"], "night-mail", "--seed", "5")
    assert "There is no “xx” here: de, en and it." in screen
    assert "There is no “–” here" in screen
    english, rest = screen.split(saying("de")("play.lang"))
    german, italian = rest.split(saying("it")("play.lang"))
    assert saying("en")("action.depart") in english
    assert saying("de")("action.depart") in german
    assert saying("de")("action.depart") not in english
    assert saying("it")("action.depart") in italian
    assert screen.rstrip().endswith(saying("it")("play.bye"))


# Sitting down and leaving ------------------------------------------------------------------------


def test_without_a_title_there_is_a_menu(play: Play) -> None:
    screen = play(["9", "zzz", "4", "7", "2", "Zoe"], "--seed", "5")
    say = saying("en")
    assert say("play.titles") in screen
    assert "Night Mail (2–5 players)" in screen
    assert say("title.blurb") in " ".join(screen.split())
    assert "“9”? Type a number from 1 to 4" in screen
    assert "“zzz”? Type" in screen
    assert "“7” will not do: this one is for 2–5 players." in screen
    assert "Zoe: 0 points" in screen
    assert screen.count("0 in the bag, 3 in hand") == 2


def test_enter_takes_what_is_proposed(play: Play) -> None:
    screen = play(["", "", ""], "--seed", "5")
    assert "Guest: on board." in screen
    assert screen.count(": on board.") == 3


def test_q_leaves_the_menu(play: Play) -> None:
    assert play(["q"]).rstrip().endswith(saying("en")("play.bye"))


@pytest.mark.parametrize(
    ("lang", "no", "yes"), [("en", "n", "y"), ("it", "n", "s"), ("de", "n", "j")]
)
def test_leaving_asks_and_offers_to_keep_the_match(
    play: Play, lang: str, no: str, yes: str, tmp_path: Path
) -> None:
    say, file = saying(lang), tmp_path / "left.json"
    typed = ["q", no, "q", yes, str(tmp_path / "none" / "x.json"), str(file)]
    screen = play(typed, "night-mail", "--seed", "5", "--lang", lang)
    assert screen.count(say("play.quit")) == 2
    assert screen.count(say("play.save")) == 2, "asked again when it cannot be written"
    assert "No such file or directory" in screen
    assert say("play.saved", file=str(file)) in screen
    record = loads(file.read_bytes())
    assert record.result is None
    assert Match.fold(GAME, record).result() is None, "it can be replayed"
    assert screen.rstrip().endswith(say("play.bye"))


def test_enter_keeps_nothing(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play(["q", "y", ""], "night-mail")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("end", "code"), [(EOFError, 0), (KeyboardInterrupt, 130)])
def test_the_end_of_input_and_ctrl_c_are_polite_and_keep_what_was_asked_for(
    play: Play, end: type[BaseException], code: int, tmp_path: Path
) -> None:
    file = tmp_path / "kept.json"

    def answer(fresh: str, prompt: str) -> str:
        if not file.parent.joinpath("once").exists():
            file.parent.joinpath("once").touch()
            return "1"
        raise end

    screen = play(answer, "night-mail", "--seed", "5", "--save", str(file), code=code)
    assert screen.rstrip().endswith(saying("en")("play.bye"))
    record = loads(file.read_bytes())
    assert [entry for entry in record.entries if isinstance(entry, Move)]


def test_bots_have_names_of_their_own() -> None:
    voice = Voice("en")
    assert _names(voice, "Ada", 1, 3) == ["Bruno", "Ada", "Carla"]
    many = _names(voice, "Zoe", 0, 40)
    assert len(set(many)) == 40
    assert "Ada 2" in many


def test_a_strangers_bot_can_be_played_against(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    bots = "tests.bots.strangers:First,random"
    play(first_always(), "night-mail", "--players", "4", "--bots", bots, "--save", str(file))
    entries = loads(file.read_bytes()).entries
    controls = [entry.name for entry in entries if isinstance(entry, Control)]
    assert controls == ["tests.bots.strangers:First", "random", "tests.bots.strangers:First"]


# The screen --------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_only_on_a_terminal_that_wants_them() -> None:
    assert wants_colour(Terminal(), {})
    assert wants_colour(Terminal(), {"NO_COLOR": ""})
    assert not wants_colour(Terminal(), {"NO_COLOR": "1"})
    assert not wants_colour(Terminal(), {"TERM": "dumb"})
    assert not wants_colour(io.StringIO(), {})


def test_a_turn_is_marked_with_and_without_colours() -> None:
    assert Screen(colour=False).turn("Go") == "▶ Go"
    assert "▶ Go" in Screen(colour=True).turn("Go")
    assert Screen(colour=True).turn("Go").startswith("\x1b[")
    assert Screen(colour=False).heading("Go") == "── Go ──"


def test_help_for_play_says_that_seats_count_from_1() -> None:
    assert "counted from 1" in " ".join(command("play", "--help").stdout.split())


def test_a_moment_to_plead_is_offered_and_plain_words_will_do(play: Play) -> None:
    """Somebody on a team chooses, pleads in plain words, and everything is in the log."""
    answers = ["1", "1", "1", "1", "We have cake!", "q", "y", ""]
    screen = play(
        answers, "trial-by-trolley", "--players", "3", "--seed", "5", "--bots", "advocate"
    )
    assert "We have cake!" in screen
