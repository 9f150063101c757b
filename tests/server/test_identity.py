"""Only what we signed, for us, not too long ago, is a session."""

from __future__ import annotations

import base64
import json
import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jwt
import pytest

from server.identity import (
    AUDIENCE,
    DAYS,
    SECRET_FILE,
    BadToken,
    Identity,
    User,
    clean_name,
    kept_secret,
    load_keys,
    new_guest,
    stable_name,
)
from server.settings import BadSetting

ANA = User("an-id-of-16-byte", "Ana")
KEY, OTHER = b"k9" + os.urandom(15).hex().encode(), b"o7" + os.urandom(15).hex().encode()


@pytest.fixture
def identity() -> Identity:
    return Identity([KEY])


def test_a_session_is_known_again(identity: Identity) -> None:
    user = new_guest("Ana")
    token = identity.open_session(user)
    session = identity.read(token)
    assert session.user == user
    assert user.name == "Ana"
    assert (session.site, session.outdated) == (False, False)
    assert abs(session.issued - time.time() * 1000) < 60_000
    assert len(base64.urlsafe_b64decode(user.id + "==")) == 16
    assert new_guest("Ana").id != user.id
    assert len(token) < 400


def _code(identity: Identity, token: str) -> str:
    with pytest.raises(BadToken) as caught:
        identity.read(token)
    assert len(token) < 12 or token[:12] not in str(caught.value)
    return caught.value.code


def _forged(key: bytes | str = KEY, algorithm: str | None = "HS256", kid: str | None = None, **changes: Any) -> str:
    now = int(time.time())
    claims = {"iss": "upcard", "aud": AUDIENCE, "iat": now, "exp": now + 60, "sub": "x", "name": "Eve"} | changes
    claims = {name: value for name, value in claims.items() if value is not None}
    own = jwt.get_unverified_header(Identity([KEY]).open_session(ANA))["kid"]
    return jwt.encode(claims, key, algorithm, headers={"kid": kid or own})


def test_the_forger_of_these_tests_could_make_a_good_one(identity: Identity) -> None:
    assert identity.read(_forged()).user.name == "Eve"


def test_a_token_changed_anywhere_is_bad(identity: Identity) -> None:
    token = identity.open_session(ANA)
    for place in range(0, len(token), 7):
        swapped = "A" if token[place] != "A" else "B"
        changed = token[:place] + swapped + token[place + 1 :]
        assert _code(identity, changed) == "bad_token"
    head, claims, mark = token.split(".")
    richer = json.loads(base64.urlsafe_b64decode(claims + "==")) | {"sub": "somebody-else"}
    claims = base64.urlsafe_b64encode(json.dumps(richer).encode()).decode().rstrip("=")
    assert _code(identity, f"{head}.{claims}.{mark}") == "bad_token"


GARBAGE = ["", ".", "..", "a.b.c", "é" * 20, "\ud800.a.b", "x" * 100_000, "e30.e30.", "[" * 900]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_bad(identity: Identity, garbage: str) -> None:
    assert _code(identity, garbage) == "bad_token"


def test_deep_nesting_is_only_bad(identity: Identity) -> None:
    deep = base64.urlsafe_b64encode(b"[" * 1400).decode().rstrip("=")
    assert _code(identity, f"{deep}.e30.x") == "bad_token"


def test_a_token_does_not_choose_how_it_is_checked(identity: Identity) -> None:
    assert _code(identity, _forged("", "none")) == "bad_token"
    assert _code(identity, _forged(KEY * 2, "HS512")) == "bad_token"
    assert _code(identity, _forged(OTHER)) == "bad_token"
    assert _code(identity, _forged(kid="another")) == "bad_token"


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": "elsewhere"},
        {"iss": "elsewhere"},
        {"nbf": int(time.time()) + 3600},
        *({name: None} for name in ("aud", "iss", "exp", "iat", "sub", "name")),
        {"exp": "soon"},
        {"iat": "soon"},
        {"sub": 7},
    ],
)
def test_every_claim_must_be_there_and_right(identity: Identity, changes: dict[str, Any]) -> None:
    assert _code(identity, _forged(**changes)) == "bad_token"


def test_a_session_runs_out(identity: Identity) -> None:
    ago = time.time() - DAYS * 86400
    assert identity.read(Identity([KEY], lambda: ago + 60).open_session(ANA)).user == ANA
    assert _code(identity, Identity([KEY], lambda: ago - 1).open_session(ANA)) == "expired_token"


def test_a_session_by_the_word_of_a_site_lasts_as_long_as_the_word(identity: Identity) -> None:
    ago = time.time() - 2 * 3600
    assert identity.read(Identity([KEY], lambda: ago + 60, 2.0).open_session(ANA, site=True)).site
    assert _code(identity, Identity([KEY], lambda: ago - 1, 2.0).open_session(ANA, site=True)) == "expired_token"


def test_a_session_that_a_gateway_with_another_clock_signed_is_good(identity: Identity) -> None:
    assert identity.read(Identity([KEY], lambda: time.time() + 20).open_session(ANA)).user == ANA


def test_a_session_grows_old(identity: Identity) -> None:
    young, old = (Identity([KEY], lambda h=hours: time.time() - h * 3600).open_session(ANA) for hours in (23, 25))
    assert not identity.grows_old(identity.read(young))
    assert identity.grows_old(identity.read(old))
    former = Identity([KEY, OTHER]).read(Identity([OTHER]).open_session(ANA))
    assert former.outdated
    assert identity.grows_old(former)


def test_a_secret_can_be_replaced_without_showing_anybody_out() -> None:
    token = Identity([OTHER]).open_session(ANA)
    assert Identity([KEY, OTHER]).read(token).user == ANA
    assert _code(Identity([KEY]), token) == "bad_token"
    token = Identity([KEY, OTHER]).open_session(ANA)
    assert Identity([KEY]).read(token).user == ANA  # the first one signs


NAMES = {
    "Ana": "Ana",
    "  Ana \t\n of\u00a0Kiel ": "Ana of Kiel",
    "A\u200bn\u200da\u202e": "Ana",
    "A\x00n\x1ba": "Ana",
    "Zoe\u0308": "Zoë",
    "नमस्ते": "नमस्ते",
    "x" * 25: "x" * 24,
    "a" + "\u0301" * 30: "á" + "\u0301" * 2,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_one_visible_line(name: str) -> None:
    assert clean_name(name) == NAMES[name]
    assert clean_name(clean_name(name)) == NAMES[name]


@pytest.mark.parametrize("name", ["", "   ", "\u3164\u2800", "\u200b\u202e", "\u0301", "\ud800"])
def test_nobody_is_nameless(name: str) -> None:
    shown = clean_name(name)
    assert shown.startswith("Guest-")
    assert len(shown) == 10


def test_who_has_no_name_of_their_own_is_called_the_same_every_time() -> None:
    assert stable_name("one") == stable_name("one") == clean_name(stable_name("one"))
    assert stable_name("one") != stable_name("two")


WEAK = ["tiny", "x" * 31, "x" * 64, "change-me-" * 4, "A-very-long-sample-value-for-the-docs-1"]


@pytest.mark.parametrize("secret", WEAK)
def test_a_weak_secret_is_refused_and_not_repeated(secret: str, tmp_path: Path) -> None:
    for pair in ((secret, ""), (KEY.decode(), secret)):
        with pytest.raises(BadSetting, match="SECRET") as caught:
            load_keys(*pair, tmp_path)
        assert secret not in str(caught.value)
    assert load_keys(KEY.decode(), OTHER.decode(), tmp_path) == [KEY, OTHER]


def test_a_secret_is_made_once_and_kept_for_us_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "state"
    first = kept_secret(folder)
    assert len(first) == 64
    assert kept_secret(folder) == first == load_keys("", "", folder)[0]
    assert stat.S_IMODE((folder / SECRET_FILE).stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == [SECRET_FILE]


def test_all_who_come_at_once_get_the_same_secret(tmp_path: Path) -> None:
    for turn in range(10):
        with ThreadPoolExecutor(16) as pool:
            found = set(pool.map(kept_secret, [tmp_path / str(turn)] * 16))
        assert len(found) == 1


def test_a_secret_file_that_others_can_read_or_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    kept_secret(tmp_path)
    (tmp_path / SECRET_FILE).chmod(0o644)
    with pytest.raises(BadSetting, match="read by others"):
        kept_secret(tmp_path)
    (tmp_path / SECRET_FILE).chmod(0o600)
    (tmp_path / SECRET_FILE).write_text("")
    with pytest.raises(BadSetting, match="too short"):
        kept_secret(tmp_path)
    with pytest.raises(BadSetting, match="UPCARD_SECRET"):
        kept_secret(tmp_path / SECRET_FILE / "no folder")
