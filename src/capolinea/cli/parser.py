"""What can be written after `capolinea`, explained in the reader's language."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from capolinea.cli.voice import Voice
from capolinea.words import guess, languages

#: What argparse says → the key of what we say instead. Anything else stays as argparse has it.
ARGPARSE = {
    "usage: ": "usage.usage",
    "positional arguments": "usage.arguments",
    "options": "usage.options",
    "argument %(argument_name)s: %(message)s": "usage.about",
    "expected one argument": "usage.expected-one",
    "expected at least one argument": "usage.expected-some",
    "ignored explicit argument %r": "usage.no-value",
    "invalid choice: %(value)r (choose from %(choices)s)": "usage.choice",
    "not allowed with argument %s": "usage.not-with",
    "the following arguments are required: %s": "usage.required",
    "unrecognized arguments: %s": "usage.unknown",
}

#: What `capolinea admin` does: its help, and what it needs to be told.
ADMIN = {
    "list": ("help.admin.list", ()),
    "export": ("help.admin.export", ("match", "to")),
    "close": ("help.admin.close", ("match",)),
    "purge": ("help.admin.purge", ("days",)),
    "backup": ("help.admin.backup", ("to",)),
    "check": ("help.admin.check", ()),
}


def wanted_language(arguments: Sequence[str], env: Mapping[str, str]) -> str:
    """The language asked for, before anything is parsed: even mistakes are told in it."""
    found = ""
    for word, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if word == "--lang":
            found = following
        elif word.startswith("--lang="):
            found = word.partition("=")[2]
    return found if found in languages() else guess(env)


class Parser(argparse.ArgumentParser):
    """Mistakes are one line that says where help is."""

    voice: Voice

    def error(self, message: str) -> NoReturn:
        self.exit(2, self.voice("usage.error", prog=self.prog, message=message) + "\n")


class _Version(argparse.Action):
    """Looks which build this is only when asked."""

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **more)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> NoReturn:
        from capolinea.lab.build import compiled
        from capolinea.version import version

        assert isinstance(parser, Parser)
        key = "cli.version.compiled" if compiled() else "cli.version.pure"
        print(parser.voice(key, version=version()))
        parser.exit()


def build(voice: Voice, words: Sequence[str] = ()) -> Parser:
    """The parser for these words: flags of the server are only looked up if they are wanted."""
    _translate(voice)
    Parser.voice = voice
    parser = Parser(
        prog="capolinea", description=voice("help.capolinea"), add_help=False, allow_abbrev=False
    )
    parser.add_argument("--version", action=_Version, help=voice("help.version"))
    _common(parser, voice)
    verbs = _Verbs(parser, voice)
    _titles(verbs)
    _play(verbs)
    _simulate(verbs)
    _replay(verbs)
    _verify(verbs)
    _conform(verbs)
    _serve(verbs, "serve" in words)
    _admin(verbs)
    return parser


# --- the verbs ---------------------------------------------------------------------------------


class _Verbs:
    """Adds verbs to the command, each with what all have."""

    def __init__(self, parser: Parser, voice: Voice, dest: str = "verb") -> None:
        self.say = voice
        self.parsers = parser.add_subparsers(
            title=voice("usage.verbs"), metavar=voice("meta.verb"), dest=dest, required=True
        )

    def add(self, verb: str, help_text: str) -> Parser:
        parser: Parser = self.parsers.add_parser(
            verb, help=help_text, description=help_text, add_help=False, allow_abbrev=False
        )
        _common(parser, self.say)
        return parser


def _common(parser: Parser, say: Voice) -> None:
    parser.add_argument("-h", "--help", action="help", help=say("help.help"))
    parser.add_argument(
        "--lang", choices=languages(), default=say.lang, help=say("help.lang"), metavar="LANG"
    )


def _titles(verbs: _Verbs) -> None:
    parser = verbs.add("titles", verbs.say("help.titles"))
    say = verbs.say
    parser.add_argument(
        "title", nargs="?", metavar=say("meta.title"), help=say("help.titles.title")
    )
    _json(parser, verbs.say)


def _play(verbs: _Verbs) -> None:
    say = verbs.say
    parser = verbs.add("play", say("help.play"))
    parser.add_argument("title", nargs="?", metavar=say("meta.title"), help=say("help.title"))
    _table(parser, say)
    parser.add_argument("--name", metavar=say("meta.name"), help=say("help.play.name"))
    parser.add_argument("--seat", type=_count(say), metavar="N", help=say("help.play.seat"))
    parser.add_argument("--seed", type=_whole(say), metavar="S", help=say("help.play.seed"))
    _bots(parser, say, say("help.play.bots"), None)
    parser.add_argument("--save", metavar=say("meta.file"), help=say("help.play.save"))


def _simulate(verbs: _Verbs) -> None:
    say = verbs.say
    parser = verbs.add("simulate", say("help.simulate"))
    parser.add_argument("title", metavar=say("meta.title"), help=say("help.title"))
    _table(parser, say)
    parser.add_argument(
        "--games", type=_count(say), default=100, metavar="G", help=say("help.simulate.games")
    )
    parser.add_argument("--seed", type=_whole(say), default=1, metavar="S", help=say("help.seed"))
    _bots(parser, say, say("help.simulate.bots"), ["random"])
    parser.add_argument("--records", metavar=say("meta.folder"), help=say("help.simulate.records"))
    parser.add_argument(
        "--jobs", type=_count(say), default=1, metavar="J", help=say("help.simulate.jobs")
    )
    _json(parser, say)


def _verify(verbs: _Verbs) -> None:
    say = verbs.say
    parser = verbs.add("verify", say("help.verify"))
    parser.add_argument("files", nargs="+", metavar=say("meta.file"), help=say("help.verify.files"))
    _foreign(parser, say)
    _json(parser, say)


def _replay(verbs: _Verbs) -> None:
    say = verbs.say
    parser = verbs.add("replay", say("help.replay"))
    parser.add_argument("file", metavar=say("meta.file"), help=say("help.replay.file"))
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--seat", type=_count(say), metavar="N", help=say("help.replay.seat"))
    who.add_argument("--spectator", action="store_true", help=say("help.replay.spectator"))
    who.add_argument("--truth", action="store_true", help=say("help.replay.truth"))
    _foreign(parser, say)


def _conform(verbs: _Verbs) -> None:
    say = verbs.say
    parser = verbs.add("conform", say("help.conform"))
    parser.add_argument("title", metavar=say("meta.title"), help=say("help.title"))
    parser.add_argument(
        "--players", type=_count(say), metavar="N", help=say("help.conform.players")
    )
    _option(parser, say)
    parser.add_argument(
        "--games", type=_count(say), default=100, metavar="N", help=say("help.conform.games")
    )
    parser.add_argument("--seed", type=_whole(say), default=1, metavar="S", help=say("help.seed"))
    parser.add_argument("--fixtures", metavar=say("meta.folder"), help=say("help.conform.fixtures"))
    parser.add_argument("--out", metavar=say("meta.file"), help=say("help.conform.out"))
    _json(parser, say)


def _serve(verbs: _Verbs, with_flags: bool) -> None:
    say = verbs.say
    parser = verbs.add("serve", say("help.serve"))
    parser.add_argument("--open", action="store_true", help=say("help.serve.open"))
    if with_flags:
        from capolinea.server.settings import add_flags

        add_flags(parser, say)


def _admin(verbs: _Verbs) -> None:
    say = verbs.say
    parser = verbs.add("admin", say("help.admin"))
    tasks = _Verbs(parser, say, dest="task")
    for task, (help_text, needs) in ADMIN.items():
        added = tasks.add(task, say(help_text))
        added.add_argument("--db", metavar=say("meta.file"), help=say("help.admin.db"))
        if "match" in needs:
            added.add_argument("match", metavar=say("meta.match"), help=say("help.admin.match"))
        if "to" in needs:
            added.add_argument("to", metavar=say("meta.file"), help=say("help.admin.to"))
        if "days" in needs:
            added.add_argument(
                "days", type=_count(say), metavar=say("meta.days"), help=say("help.admin.days")
            )
    for task in ("list", "check"):
        _json(tasks.parsers.choices[task], say)


# --- what several verbs have -------------------------------------------------------------------


def _table(parser: Parser, say: Voice) -> None:
    parser.add_argument("--players", type=_count(say), metavar="N", help=say("help.players"))
    parser.add_argument("--preset", metavar=say("meta.name"), help=say("help.preset"))
    _option(parser, say)


def _option(parser: Parser, say: Voice) -> None:
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=_setting(say),
        metavar="K=V",
        help=say("help.option"),
    )


def _bots(parser: Parser, say: Voice, help_text: str, default: list[str] | None) -> None:
    name = say("meta.name")
    parser.add_argument(
        "--bots", type=_names(say), default=default, metavar=f"{name}[,{name}…]", help=help_text
    )


def _foreign(parser: Parser, say: Voice) -> None:
    parser.add_argument("--title", metavar=say("meta.title"), help=say("help.foreign"))


def _json(parser: Parser, say: Voice) -> None:
    parser.add_argument("--json", action="store_true", help=say("help.json"))


# --- what a word after an option may be --------------------------------------------------------


def _count(say: Voice) -> Callable[[str], int]:
    def count(text: str) -> int:
        if not text.isdecimal() or int(text) < 1:
            raise argparse.ArgumentTypeError(say("usage.count", found=text))
        return int(text)

    return count


def _whole(say: Voice) -> Callable[[str], int]:
    def whole(text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(say("usage.whole", found=text)) from None

    return whole


def _setting(say: Voice) -> Callable[[str], tuple[str, str]]:
    def setting(text: str) -> tuple[str, str]:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise argparse.ArgumentTypeError(say("usage.setting", found=text))
        return name.strip(), value.strip()

    return setting


def _names(say: Voice) -> Callable[[str], list[str]]:
    def names(text: str) -> list[str]:
        found = [name.strip() for name in text.split(",")]
        if not all(found):
            raise argparse.ArgumentTypeError(say("usage.names", found=text))
        return found

    return names


def _translate(voice: Voice) -> None:
    """argparse has no other way to be told its words than the function it asks for them."""

    def translated(text: str) -> str:
        key = ARGPARSE.get(text)
        if key is None:
            return text
        # No catalogue has a text with a blank at its end.
        return voice(key) + (" " if text.endswith(" ") else "")

    setattr(argparse, "_", translated)  # noqa: B010 - typeshed does not know it
