"""One table for flags, environment and help."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import pytest

from capolinea.engine.problems import Problem
from capolinea.server.settings import TABLE, Settings, add_flags, is_loopback

HOME = {"HOME": "/home/ada"}


def load(*flags: str, **environ: str) -> Settings:
    """As the command line does it."""
    parser = ArgumentParser()
    parser.add_argument("--lang", default="en")
    add_flags(parser, lambda key: key)
    return Settings.load(vars(parser.parse_args(flags)), HOME | environ)


def test_defaults_listen_on_this_computer_alone() -> None:
    settings = load()
    assert (settings.host, settings.port, settings.bind) == ("127.0.0.1", 1905, "127.0.0.1")
    assert (settings.secret, settings.lan, settings.metrics) == (b"", False, False)
    assert settings == Settings(db=settings.db)


def test_every_setting_can_be_a_flag_or_a_variable() -> None:
    samples: dict[str, Any] = {
        "public_url": "https://trains.example.org",
        "trusted_proxies": "10.0.0.1",
        "secret": "ab" * 32,
        "bots": "mine=python3 mine.py",
        "metrics_token": "x" * 16,
    }
    for setting in TABLE:
        text = samples.get(setting.name) or {
            "text": "elsewhere",
            "number": str(setting.about.most),
            "switch": "yes",
            "choice": setting.choices[-1] if setting.choices else "",
        }.get(setting.kind, "")
        flag = [setting.flag] if setting.kind == "switch" else [setting.flag, text]
        by_flag, by_variable = load(*flag), load(**{setting.variable: text})
        assert by_flag == by_variable != load(), setting.name


def test_a_flag_counts_more_than_a_variable_and_an_empty_variable_is_none() -> None:
    assert load("--port", "80", CAPOLINEA_PORT="81").port == 80
    assert load(CAPOLINEA_PORT="81").port == 81
    assert load(CAPOLINEA_PORT="").port == 1905
    # What does not count need not be right.
    assert load("--port", "80", CAPOLINEA_PORT="nonsense").port == 80


@pytest.mark.parametrize(
    ("flags", "environ", "where", "found", "allowed"),
    [
        (["--port", "65536"], {}, "--port", "65536", "0 … 65535"),
        (["--port", "-1"], {}, "--port", "-1", "0 … 65535"),
        ([], {"CAPOLINEA_PORT": "8.5"}, "CAPOLINEA_PORT", "8.5", "0 … 65535"),
        ([], {"CAPOLINEA_PORT": "٨"}, "CAPOLINEA_PORT", "٨", "0 … 65535"),
        (["--bot-pause", "1s"], {}, "--bot-pause", "1s", "0 … 60000 ms"),
        ([], {"CAPOLINEA_LAN": "maybe"}, "CAPOLINEA_LAN", "maybe", "yes, no"),
        (["--webhooks", "all"], {}, "--webhooks", "all", "off, public, anywhere"),
        (["--trusted-proxies", "nginx"], {}, "--trusted-proxies", "nginx", "10.0.0.0/8"),
        (["--trusted-proxies", "10.0.0.1/8"], {}, "--trusted-proxies", "10.0.0.1/8", "10.0.0.0/8"),
        (["--bots", "noname"], {}, "--bots", "noname", "my-bot=python3"),
        (["--bots", "mine="], {}, "--bots", "mine=", "my-bot=python3"),
        (["--bots", 'mine="'], {}, "--bots", 'mine="', "my-bot=python3"),
        (["--host", ""], {}, "--host", "", "…"),
        *(
            (["--public-url", url], {}, "--public-url", url, "https://trains.example.org")
            for url in (
                "trains.example.org",
                "ftp://trains.example.org",
                "https://",
                "https://trains.example.org/table",
                "https://ada@trains.example.org",
                "https://trains.example.org?x",
                "https://trains.example.org:port",
            )
        ),
    ],
)
def test_a_bad_value_is_told_with_its_place(
    flags: list[str], environ: dict[str, str], where: str, found: str, allowed: str
) -> None:
    with pytest.raises(Problem) as problem:
        load(*flags, **environ)
    assert problem.value.key == "serve.bad-setting"
    told = problem.value.args_
    assert (told["where"], told["found"]) == (where, found)
    assert allowed in str(told["allowed"])


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CAPOLINEA_SECRET", "ab" * 31),
        ("CAPOLINEA_SECRET", "hunter2-hunter2-hunter2-hunter2-hunter2"),
        ("CAPOLINEA_METRICS_TOKEN", "hunter2"),
    ],
)
def test_a_bad_secret_is_not_shown(variable: str, value: str) -> None:
    with pytest.raises(Problem) as problem:
        load(**{variable: value})
    assert problem.value.key == "serve.bad-secret"
    assert problem.value.args_["where"] == variable
    assert value not in repr(problem.value.args_)
    assert problem.value.__cause__ is None
    assert problem.value.__suppress_context__


def test_secrets_are_not_printed() -> None:
    settings = load("--secret", "ab" * 32, "--db", "postgresql://ada:pw@db/x")
    assert settings.secret == b"\xab" * 32
    for shown in (repr(settings), str(settings), f"{settings}"):
        assert "xab" not in shown
        assert "pw" not in shown
        assert "port=1905" in shown


def test_a_public_url_is_written_as_browsers_write_origins() -> None:
    assert load("--public-url", "HTTPS://Trains.Example.org:443/").public_url == (
        "https://trains.example.org"
    )
    assert load("--public-url", "http://trains:8080").public_url == "http://trains:8080"


def test_lists() -> None:
    many = ("127.0.0.1", "10.0.0.0/8", "::1")
    assert load(CAPOLINEA_TRUSTED_PROXIES="127.0.0.1, 10.0.0.0/8,::1").trusted_proxies == many
    repeated = load("--trusted-proxies", "127.0.0.1", "--trusted-proxies", "10.0.0.0/8,::1")
    assert repeated.trusted_proxies == many
    bots = load("--bots", "one=python3 one.py --depth=2", "--bots", "two='my bot' a,b").bot_commands
    assert bots == {"one": ["python3", "one.py", "--depth=2"], "two": ["my bot", "a,b"]}
    assert load(CAPOLINEA_BOTS="a=x 1,2; b=y").bot_commands == {"a": ["x", "1,2"], "b": ["y"]}


def test_where_it_is_kept() -> None:
    assert load(XDG_DATA_HOME="/data").db == "/data/capolinea/capolinea.db"
    assert load(XDG_DATA_HOME="not/absolute").db != "not/absolute/capolinea/capolinea.db"
    assert load().db.startswith("/home/ada/")
    assert load("--db", "here.db").db == "here.db"


def test_on_the_lan_it_listens_everywhere_unless_an_address_is_named() -> None:
    assert load("--lan").bind == "0.0.0.0"
    assert load("--lan", "--host", "localhost").bind == "0.0.0.0"
    assert load("--lan", "--host", "192.0.2.7").bind == "192.0.2.7"


def test_loopback() -> None:
    assert all(is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "192.0.2.7", "trains", ""))


def test_help_names_every_flag_default_and_variable() -> None:
    parser = ArgumentParser(prog="serve")
    add_flags(parser, lambda key: f"100% {key}")
    text = " ".join(parser.format_help().split())
    for setting in TABLE:
        assert f"{setting.flag} " in text
        assert f"[{setting.written_default}; {setting.variable}]" in text
        assert setting.about.help == f"help.serve.{setting.flag[2:]}"
