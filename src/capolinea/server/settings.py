"""Every limit and secret of the server: one table for flags, environment and --help.

`rooms_per_hour` is the flag --rooms-per-hour and the variable CAPOLINEA_ROOMS_PER_HOUR; a flag counts
more than a variable, a variable more than the default. A new setting is one line in `Settings`, and a
text for each language.
"""

from __future__ import annotations

import re
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec

from capolinea.engine.problems import Problem


class About(msgspec.Struct, frozen=True):
    """What there is to say about a setting besides its name, type and default."""

    help: str
    unit: str = ""
    least: int = 1
    most: int = 1_000_000
    #: What may be written, in a form that needs no translation.
    form: str = ""
    #: Understands the text, or raises ValueError.
    read: Callable[[str], Any] = str
    #: What stands between the items of a list.
    between: str = ","
    #: Never shown, not even when it is wrong.
    secret: bool = False
    #: The default, where the type's own does not say it.
    default: str = ""


# --- texts that must have a form -----------------------------------------------------------------


def _hex(text: str) -> bytes:
    found = bytes.fromhex(text)
    if len(found) < 32:
        raise ValueError
    return found


def _url(text: str) -> str:
    """Scheme, host and port, as browsers write an origin."""
    url = urlsplit(text.lower())
    plain = f"{url.scheme}://{url.netloc}"
    if url.scheme not in ("http", "https") or not url.hostname or "@" in url.netloc:
        raise ValueError
    if text.lower().removesuffix("/") != plain:
        raise ValueError
    standard = {"http": 80, "https": 443}[url.scheme]
    return plain.removesuffix(f":{standard}") if url.port == standard else plain


def _address(text: str) -> str:
    return str(ip_network(text) if "/" in text else ip_address(text))


def _bot(text: str) -> str:
    name, _, command = text.partition("=")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,31}", name) or not shlex.split(command):
        raise ValueError
    return text


def _long(text: str) -> str:
    """A password that nobody guesses."""
    if len(text) < 16:
        raise ValueError
    return text


# --- the table -----------------------------------------------------------------------------------


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How this server runs."""

    # Where it is.
    host: Annotated[str, About("help.serve.host")] = "127.0.0.1"
    port: Annotated[int, About("help.serve.port", least=0, most=65535)] = 1905
    lan: Annotated[bool, About("help.serve.lan")] = False
    public_url: Annotated[
        str, About("help.serve.public-url", form="https://trains.example.org", read=_url)
    ] = ""
    trusted_proxies: Annotated[
        tuple[str, ...],
        About(
            "help.serve.trusted-proxies",
            form="127.0.0.1,10.0.0.0/8",
            read=_address,
        ),
    ] = ()

    web: Annotated[str, About("help.serve.web", default="–")] = ""

    # What it keeps.
    db: Annotated[str, About("help.serve.db", secret=True, default="…/capolinea.db")] = ""
    secret: Annotated[
        bytes, About("help.serve.secret", form="≥ 64 × 0–9 a–f", read=_hex, secret=True)
    ] = b""

    # Bots.
    bot_workers: Annotated[int, About("help.serve.bot-workers", most=256)] = 2
    bot_pause: Annotated[int, About("help.serve.bot-pause", "ms", least=0, most=60_000)] = 900
    bot_limit: Annotated[int, About("help.serve.bot-limit", "s", most=3600)] = 20
    bots: Annotated[
        tuple[str, ...],
        # A command may well have a comma in it.
        About("help.serve.bots", form="my-bot=python3 my_bot.py", read=_bot, between=";"),
    ] = ()

    # Work that takes long, for people.
    work_processes: Annotated[int, About("help.serve.work-processes", most=256)] = 2
    work_limit: Annotated[int, About("help.serve.work-limit", "s", most=3600)] = 20

    # Time.
    grace: Annotated[int, About("help.serve.grace", "s", least=0, most=86_400)] = 60
    vote_time: Annotated[int, About("help.serve.vote-time", "s", most=86_400)] = 60
    idle_days: Annotated[int, About("help.serve.idle-days", "d", most=36_500)] = 30

    # How long texts may be, in characters.
    name_length: Annotated[int, About("help.serve.name-length", most=64)] = 24
    chat_length: Annotated[int, About("help.serve.chat-length", most=20_000)] = 300
    notes_length: Annotated[int, About("help.serve.notes-length", most=20_000)] = 10_000
    chat_lines: Annotated[int, About("help.serve.chat-lines", least=0, most=10_000)] = 200

    # How large requests may be.
    command_size: Annotated[int, About("help.serve.command-size", "kB")] = 64
    room_size: Annotated[int, About("help.serve.room-size", "kB")] = 1024
    record_size: Annotated[int, About("help.serve.record-size", "kB")] = 4096

    # How long they may take to come in.
    head_time: Annotated[int, About("help.serve.head-time", "s", most=3600)] = 20
    body_time: Annotated[int, About("help.serve.body-time", "s", most=3600)] = 120

    # How much one may ask for. Identities are free, so each limit has a second one by address.
    max_rooms: Annotated[int, About("help.serve.max-rooms")] = 10_000
    rooms_per_hour: Annotated[int, About("help.serve.rooms-per-hour")] = 20
    address_rooms_per_hour: Annotated[int, About("help.serve.address-rooms-per-hour")] = 100
    matches_per_hour: Annotated[int, About("help.serve.matches-per-hour")] = 60
    address_matches_per_hour: Annotated[int, About("help.serve.address-matches-per-hour")] = 300
    requests_per_minute: Annotated[int, About("help.serve.requests-per-minute")] = 300
    address_requests_per_minute: Annotated[int, About("help.serve.address-requests-per-minute")] = (
        1500
    )
    chat_per_minute: Annotated[int, About("help.serve.chat-per-minute")] = 40
    address_chat_per_minute: Annotated[int, About("help.serve.address-chat-per-minute")] = 150
    socket_messages: Annotated[int, About("help.serve.socket-messages")] = 100
    person_sockets: Annotated[int, About("help.serve.person-sockets")] = 16
    address_sockets: Annotated[int, About("help.serve.address-sockets")] = 100
    sockets_per_minute: Annotated[int, About("help.serve.sockets-per-minute")] = 60
    address_sockets_per_minute: Annotated[int, About("help.serve.address-sockets-per-minute")] = 300
    address_connections: Annotated[int, About("help.serve.address-connections")] = 300
    # With these and the length of codes nobody finds a room by trying: see `codes.py`.
    address_wrong_codes_per_hour: Annotated[
        int, About("help.serve.address-wrong-codes-per-hour")
    ] = 20
    wrong_codes_alarm: Annotated[int, About("help.serve.wrong-codes-alarm")] = 500
    webhooks: Annotated[Literal["off", "public", "anywhere"], About("help.serve.webhooks")] = (
        "public"
    )

    # What it tells its host.
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], About("help.serve.log-level")
    ] = "info"
    log_format: Annotated[Literal["auto", "json", "text"], About("help.serve.log-format")] = "auto"
    # Off, since at a small table the counters tell of moves that nobody should notice.
    metrics: Annotated[bool, About("help.serve.metrics")] = False
    metrics_token: Annotated[
        str, About("help.serve.metrics-token", form="≥ 16 × a–z 0–9", read=_long, secret=True)
    ] = ""

    @classmethod
    def load(cls, flags: Mapping[str, Any], environ: Mapping[str, str]) -> Settings:
        """From flags as argparse leaves them (None: not given; others than ours are ignored) and
        the environment; a Problem says where something is that cannot be."""
        values: dict[str, Any] = {}
        for setting in TABLE:
            flag, variable = flags.get(setting.name), environ.get(setting.variable)
            if flag is not None:
                values[setting.name] = setting.read(setting.flag, flag)
            elif variable:  # hosts often pass on what is empty as if it were not there
                values[setting.name] = setting.read(setting.variable, variable)
        values.setdefault("db", str(_data_folder(environ) / "capolinea.db"))
        return cls(**values)

    @property
    def bind(self) -> str:
        """The address to listen on: with `lan` all of them, unless one was named."""
        return "0.0.0.0" if self.lan and is_loopback(self.host) else self.host

    @property
    def bot_commands(self) -> dict[str, list[str]]:
        """Bots that are programs of their own: name → the command that starts one."""
        pairs = (text.partition("=") for text in self.bots)
        return {name: shlex.split(command) for name, _, command in pairs}

    def __repr__(self) -> str:
        # Whatever prints us must not print a secret.
        shown = (f"{s.name}={getattr(self, s.name)!r}" for s in TABLE if not s.about.secret)
        return f"Settings({', '.join(shown)})"


# --- reading it ----------------------------------------------------------------------------------


class Setting(msgspec.Struct, frozen=True):
    """One line of the table."""

    name: str
    kind: Literal["text", "number", "switch", "choice", "list"]
    choices: tuple[str, ...]
    default: Any
    about: About

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return "CAPOLINEA_" + self.name.upper()

    @property
    def allowed(self) -> str:
        """What may be written, in short."""
        if self.kind == "number":
            return f"{self.about.least} … {self.about.most} {self.about.unit}".rstrip()
        if self.kind == "switch":
            return "yes, no"
        return ", ".join(self.choices) or self.about.form or "…"

    @property
    def placeholder(self) -> str:
        """What stands for the value in --help."""
        if self.kind == "number":
            return self.about.unit.upper() or "N"
        return "|".join(self.choices) or "…"

    @property
    def written_default(self) -> str:
        """The default as one would write it."""
        if self.kind == "switch":
            return "yes" if self.default else "no"
        if self.kind == "number":
            return f"{self.default} {self.about.unit}".rstrip()
        return self.about.default or (self.default if self.kind != "list" else "") or "–"

    def read(self, where: str, found: Any) -> Any:
        """The value of what was found there."""
        try:
            return self._understood(found)
        except ValueError:
            if self.about.secret:
                raise Problem("serve.bad-secret", where=where, allowed=self.allowed) from None
            shown = ",".join(found) if isinstance(found, list) else str(found)
            raise Problem(
                "serve.bad-setting", where=where, found=shown, allowed=self.allowed
            ) from None

    def _understood(self, found: Any) -> Any:
        if self.kind == "list":
            texts = found if isinstance(found, list) else [found]
            items = [item.strip() for text in texts for item in text.split(self.about.between)]
            return tuple(self.about.read(item) for item in items if item)
        text = ("yes" if found else "no") if isinstance(found, bool) else str(found).strip()
        if self.kind == "switch" and text.lower() in _SWITCH:
            return _SWITCH[text.lower()]
        if self.kind == "number" and re.fullmatch(r"[0-9]{1,9}", text):
            number = int(text)
            if self.about.least <= number <= self.about.most:
                return number
        if self.kind == "choice" and text in self.choices:
            return text
        if self.kind == "text" and text:
            return self.about.read(text)
        raise ValueError


_SWITCH = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(
    ("no", "false", "off", "0"), False
)


def _table() -> tuple[Setting, ...]:
    hints = get_type_hints(Settings, include_extras=True)
    fields = msgspec.structs.fields(Settings)
    return tuple(
        _setting(field.name, field.default, *get_args(hints[field.name])) for field in fields
    )


def _setting(name: str, default: Any, kind: Any, about: About) -> Setting:
    if get_origin(kind) is Literal:
        return Setting(name, "choice", get_args(kind), default, about)
    if get_origin(kind) is tuple:
        return Setting(name, "list", (), default, about)
    if kind is bool:
        return Setting(name, "switch", (), default, about)
    return Setting(name, "number" if kind is int else "text", (), default, about)


TABLE = _table()


def add_flags(parser: ArgumentParser, say: Callable[[str], str]) -> None:
    """Give a parser a flag for every setting; what it parses goes to `Settings.load`."""
    for setting in TABLE:
        more = f"[{setting.written_default}; {setting.variable}]"
        text = f"{say(setting.about.help)} {more}".replace("%", "%%")
        if setting.kind == "switch":
            parser.add_argument(
                setting.flag, action="store_const", const="yes", dest=setting.name, help=text
            )
            continue
        parser.add_argument(
            setting.flag,
            action="append" if setting.kind == "list" else "store",
            dest=setting.name,
            metavar=setting.placeholder,
            help=text,
        )


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches this address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _data_folder(environ: Mapping[str, str]) -> Path:
    """Where programs keep what belongs to a user."""
    if Path(environ.get("XDG_DATA_HOME", "")).is_absolute():
        return Path(environ["XDG_DATA_HOME"], "capolinea")
    home = Path(environ.get("HOME") or Path.home())
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home, "capolinea")
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "capolinea"
    return home / ".local" / "share" / "capolinea"
