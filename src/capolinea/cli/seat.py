"""A person's seat at a terminal: what happened, what is asked, and a menu to answer with."""

from __future__ import annotations

import json
from collections.abc import Callable

from capolinea.bots.match import BotMatch, Turn
from capolinea.cli import story
from capolinea.cli.screen import Screen, typed
from capolinea.cli.settings import in_words
from capolinea.cli.voice import Voice
from capolinea.engine.match import Frame
from capolinea.engine.problems import Refused
from capolinea.words import languages

#: More than this are not previewed one by one: the menu would not fit a screen twice over.
PREVIEWED = 30


class Left(Exception):
    """The person has left the table."""


class Seat:
    """Asks and answers for one seat of a table, from its frames and legal actions alone."""

    def __init__(self, table: BotMatch, seat: int, voice: Voice, screen: Screen) -> None:
        self.table = table
        self.match = table.match
        self.seat = seat
        self.voice = voice
        self.screen = screen
        #: How many frames have been read.
        self.seen = 0
        #: The steps so far of a compound choice.
        self.begun: list[int] = []
        self.commands: dict[str, Callable[[str], bool]] = {
            "?": self._help,
            "t": self._table,
            "l": self._log,
            "o": self._options,
            "w": self._windows,
            "s": self._say,
            "u": self._undo,
            "b": self._back,
            "lang": self._lang,
            "q": self._quit,
        }

    def play(self) -> None:
        """To the end, or until the person has Left."""
        while (asked := self.table.play()) is not None:
            self._ask(asked)
        self._news()
        outcome = self.match.result()
        assert outcome is not None
        print()
        print("\n".join(story.result(outcome, self.voice, self.screen)))
        print()
        print(self.screen.dim(self.voice("play.seed", seed=self.match.seed.hex())))

    # --- one question ---------------------------------------------------------------------------

    def _ask(self, asked: Turn) -> None:
        """Ask until this seat has moved, let the moment pass or taken something back."""
        self.begun = []
        self._news()
        if asked.to_speak:
            self._speak()
            return
        self._table("")
        self._question(asked)
        while True:
            legal = self.match.legal(self.seat, self.begun)
            self._menu(legal, asked.may_decline)
            if self._answer(self.read(self._prompt()), legal, asked.may_decline):
                return

    def _speak(self) -> None:
        """A moment to say something in plain words; Enter lets it pass."""
        while True:
            text = self.read(self.voice("play.speak"))
            word, _, rest = text.partition(" ")
            if not text:
                return
            if word.lower() in self.commands and word.lower() != "b":
                self.commands[word.lower()](rest.strip())
            elif self._said(self.match.game.worded(self.match.view(self.seat), text)):
                return

    def _said(self, said: object) -> bool:
        try:
            self.match.say(self.seat, said)
        except Refused as refused:
            print(self.voice.problem(refused))
            return False
        self._news()
        return True

    def _answer(self, answer: str, legal: list[int], may_decline: bool) -> bool:
        """Do what was typed; whether the question is answered."""
        word, _, rest = answer.partition(" ")
        if word.lower() in self.commands:
            return self.commands[word.lower()](rest.strip())
        if not answer and may_decline and not self.begun:
            return True
        if not answer and len(legal) == 1:
            answer = "1"
        if answer.isdecimal() and 1 <= int(answer) <= len(legal):
            return self._choose(legal[int(answer) - 1])
        if answer:
            print(self.voice("play.no-such", found=answer, most=len(legal)))
        return False

    def _choose(self, action: int) -> bool:
        """One more step; when it was the last one, all are played at once."""
        steps = [*self.begun, action]
        try:
            if self.match.legal(self.seat, steps):
                self.begun = steps
                return False
            self.match.move(self.seat, steps)
        except Refused as refused:
            print(self.voice.problem(refused))
            self.begun = []
            return False
        return True

    def read(self, prompt: str) -> str:
        """What the person types."""
        return typed(self.screen.strong(f"{prompt} "))

    # --- what is shown --------------------------------------------------------------------------

    def _frames(self) -> list[Frame]:
        return self.match.frames(self.seat)

    def _news(self) -> None:
        """What has happened since this was last shown."""
        fresh = self.match.frames(self.seat, since=self.seen)
        self.seen += len(fresh)
        told = [event for frame in fresh for event in frame.events]
        if told:
            print()
        for event in told:
            print(f"  {self.voice.line(event)}")

    def _question(self, asked: Turn) -> None:
        frame = self._frames()[-1]
        print()
        if asked.may_decline:
            print(self.screen.turn(self.voice("play.may", seat=self.seat)))
        elif frame.awaited.window:
            window = self.voice.name("window", frame.awaited.window)
            print(self.screen.turn(self.voice("play.window", window=window)))
        else:
            print(self.screen.turn(self.voice("play.turn", seat=self.seat)))
        if len(frame.awaited.seats) > 1:
            print(self.screen.dim(story.awaited(frame.awaited, self.voice)))

    def _menu(self, legal: list[int], may_decline: bool) -> None:
        if self.begun:
            begun = [self._in_words(action) for action in self.begun]
            print(self.screen.strong(" … ".join([*begun, ""])))
        for number, action in enumerate(legal, 1):
            print(f"{number:4}  {self._in_words(action)}")
            for line in self._preview(action) if len(legal) <= PREVIEWED else []:
                print(self.screen.dim(f"      → {line}"))
        if self.begun:
            print(self.screen.dim(f"   b  {self.voice('play.back')}"))
        elif may_decline:
            print(self.screen.dim(f"   ⏎  {self.voice('play.decline')}"))
        if self._may_undo():
            print(self.screen.dim(f"   u  {self.voice('play.undo')}"))

    def _prompt(self) -> str:
        return self.voice("play.prompt")

    def _in_words(self, action: int) -> str:
        return self.voice.line(self.match.game.describe(self.match.view(self.seat), action))

    def _preview(self, action: int) -> list[str]:
        try:
            preview = self.match.preview(self.seat, [*self.begun, action])
        except Refused:  # most titles preview only some things
            return []
        return [self.voice.line(line) for line in preview.lines]

    # --- commands: whether the question is answered with it -------------------------------------

    def _help(self, _: str) -> bool:
        say = self.voice
        rows = [
            ("1, 2, …", say("play.help.number")),
            ("⏎", say("play.help.enter")),
            ("b", say("play.help.back")),
            ("u", say("play.help.undo")),
            ("t", say("play.help.table")),
            ("l", say("play.help.log")),
            ("o", say("play.help.options")),
            ("w", say("play.help.windows")),
            ("s JSON", say("play.help.say")),
            ("lang XX", say("play.help.lang", languages=languages())),
            ("q", say("play.help.quit")),
        ]
        print(self.screen.heading(say("play.help")))
        for key, text in rows:
            print(f"  {key:<8} {text}")
        return False

    def _table(self, _: str) -> bool:
        print()
        print(self.screen.heading(self.voice("play.table")))
        for line in self.match.game.read(self._frames()[-1].view):
            print(f"  {self.voice.line(line)}")
        return False

    def _log(self, _: str) -> bool:
        print(self.screen.heading(self.voice("play.log")))
        for frame in self._frames():
            for event in frame.events:
                print(f"  {self.voice.line(event)}")
        return False

    def _options(self, _: str) -> bool:
        print(self.screen.heading(self.voice("play.options")))
        for line in in_words(self.voice, self.match.game, self.match.options):
            print(f"  {line}")
        return False

    def _windows(self, _: str) -> bool:
        windows = self.match.game.windows
        print(self.voice("play.windows") if windows else self.voice("play.no-windows"))
        for window in windows:
            print(f"  • {self.voice.name('window', window)}")
        return False

    def _say(self, text: str) -> bool:
        text = text or self.read(self.voice("play.say"))
        try:
            said = json.loads(text)
        except json.JSONDecodeError as error:
            said = self.match.game.worded(self.match.view(self.seat), text)
            if said is None:
                print(self.voice("play.not-json", column=error.colno))
                return False
        self._said(said)
        return False

    def _undo(self, _: str) -> bool:
        if not self._may_undo():
            print(self.voice("play.no-undo"))
            return False
        self.match.undo(self.seat)
        return True

    def _may_undo(self) -> bool:
        question = self._frames()[-1].question
        return question is not None and question.undo > 0

    def _back(self, _: str) -> bool:
        if not self.begun:
            print(self.voice("play.no-back"))
        self.begun = self.begun[:-1]
        return False

    def _lang(self, lang: str) -> bool:
        if lang not in languages():
            print(self.voice("play.no-lang", found=lang or "–", languages=languages()))
            return False
        self.voice.speak(lang)
        print(self.voice("play.lang"))
        self._table("")
        return False

    def _quit(self, _: str) -> bool:
        if self.read(self.voice("play.quit")).lower() in self.voice("play.quit.yes").split():
            raise Left
        return False
