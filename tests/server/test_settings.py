"""One table: each setting has a flag, a variable, a default and a sentence."""

from __future__ import annotations

import argparse
from typing import Any

import pytest

from server.settings import GROUPS, HIDDEN, BadSetting, Settings, add_settings, read_settings, table

GOOD = "8d1f4b" * 4 + "0a79c2e5"


def read(*words: str, **environ: str) -> Settings:
    parser = argparse.ArgumentParser(prog="upcard serve")
    add_settings(parser)
    return read_settings(parser.parse_args(words), environ)


def test_without_a_word_everything_is_as_by_default() -> None:
    assert read() == Settings() == read_settings(None, {})


def test_the_numbers_that_were_decided() -> None:
    settings = Settings()
    assert (settings.hello_seconds, settings.max_frame, settings.hard_frame) == (10, 8192, 16384)
    assert (settings.outbox_frames, settings.outbox_bytes, settings.stall_seconds) == (64, 131072, 5)
    assert (settings.sockets_per_user, settings.sockets_per_address) == (8, 200)
    assert (settings.ping_seconds, settings.silent_seconds) == (5, 12)
    assert (settings.idle_ping_seconds, settings.idle_silent_seconds) == (25, 60)
    assert (settings.player_commands, settings.command_seconds, settings.command_burst) == (100, 20, 20)
    assert settings.watcher_commands == 50
    assert (settings.chat_lines, settings.chat_seconds) == (10, 10)


def test_the_command_line_wins_over_the_environment() -> None:
    assert read("--port", "9", UPCARD_PORT="8").port == 9
    assert read(UPCARD_PORT="8").port == 8
    assert read("--no-metrics", UPCARD_METRICS="on").metrics is False
    assert read("--metrics", UPCARD_METRICS="off").metrics is True
    assert read(UPCARD_METRICS="off").metrics is False
    assert read(UPCARD_REDIS_URL="redis://here").redis == "redis://here"


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert read(UPCARD_PORT="", UPCARD_SECRET="", UPCARD_ORIGINS="", UPCARD_METRICS="") == Settings()


def test_lists_have_commas() -> None:
    assert read("--origins", "https://a.example, http://b.example:8080/").origins == (
        "https://a.example",
        "http://b.example:8080",
    )
    assert read(UPCARD_PROXIES="10.0.0.0/8,::1").proxies == ("10.0.0.0/8", "::1")


@pytest.mark.parametrize("row", list(table()), ids=lambda row: row.name)
def test_every_setting_can_be_set_and_is_told_of(row: Any) -> None:
    parser = argparse.ArgumentParser()
    add_settings(parser)
    told = " ".join(parser.format_help().split())
    assert row.variable in told.replace("UPCARD_ ", "UPCARD_")
    value = "somewhere" if row.shown in ("empty", "none") else row.shown
    value = {
        "redis": "redis://x",
        "archive": "postgresql://x/y",
        "origins": "https://x.example",
        "site_jwks": "https://x.example/keys",
        **dict.fromkeys(HIDDEN, GOOD),
    }.get(row.name, value)
    assert getattr(read(**{row.variable: value}), row.name) in (row.default, value, (value,))
    if row.flag and row.kind is not bool:
        assert f"(default: {row.shown};" in told
        assert read(row.flag, value) == read(**{row.variable: value})


def test_a_secret_never_stands_on_a_command_line_or_in_a_log() -> None:
    with pytest.raises(SystemExit):
        read("--secret", "x" * 40)
    assert GOOD not in repr(read(UPCARD_SECRET=GOOD, UPCARD_REDIS_URL=f"redis://:{GOOD}@here"))


@pytest.mark.parametrize("variable", ["UPCARD_SECRET", "UPCARD_OLD_SECRET", "UPCARD_SITE_SECRET"])
@pytest.mark.parametrize("secret", ["tiny", GOOD[:31], "changeme" * 8, "x" * 64])
def test_a_weak_secret_is_refused_and_not_repeated(variable: str, secret: str) -> None:
    with pytest.raises(BadSetting, match=rf"^{variable} .*\.$") as caught:
        read(**{variable: secret})
    assert secret not in str(caught.value)


BAD = [
    (("--port", "x"), "--port is a whole number from 0 to 65535, not 'x'."),
    (("--port", "65536"), "--port is a whole number from 0 to 65535, not '65536'."),
    (("--port", "1e3"), "--port is a whole number from 0 to 65535, not '1e3'."),
    (("--stall-seconds", "nan"), "--stall-seconds is a number from 0.1 to 600, not 'nan'."),
    (("--durability", "never"), "--durability is one of always, everysec, not 'never'."),
    (("--redis", "here"), "--redis is a URL such as redis://127.0.0.1:6379/0."),
    (("--origins", "example.org"), "--origins are written like https://example.org, not 'example.org'."),
    (("--max-frame", "20000"), "--max-frame must not be more than --hard-frame."),
    (("--renew-ms", "7000"), "--renew-ms must not be more than --lease-ms."),
    (("--workers", "2", "--port", "0"), "Several --workers cannot share --port 0; choose a port."),
]


@pytest.mark.parametrize(("words", "sentence"), BAD)
def test_a_bad_value_is_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(BadSetting) as caught:
        read(*words)
    assert str(caught.value) == sentence


def test_a_bad_variable_is_called_by_its_name() -> None:
    with pytest.raises(BadSetting, match=r"^UPCARD_METRICS is on or off, not 'perhaps'\.$"):
        read(UPCARD_METRICS="perhaps")


def test_groups_begin_at_settings_that_exist() -> None:
    assert set(GROUPS) <= {row.name for row in table()}
