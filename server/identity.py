"""Who somebody is: a guest session, signed by us and carried by the player.

The token says a random user id and a name, and is good for thirty days. Whoever holds it is that user, so it is never
logged and never stands in a URL. Two secrets may be in force at once, so that one can be replaced without showing
everybody out.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import time
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jwt
from msgspec import Struct

from server.settings import BadSetting, check_secret

ALGORITHM, ISSUER, AUDIENCE = "HS256", "upcard", "upcard"
CLAIMS = ["exp", "iat", "iss", "aud", "sub", "name"]
DAYS = 30
LONGEST_TOKEN = 2048
LONGEST_NAME = 24
SECRET_FILE = "session-secret"

_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters that show nothing
_SYMBOLS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that are mistaken for each other


class User(Struct, frozen=True):
    """Somebody with a seat, or on the way to one."""

    id: str
    name: str


class BadToken(Exception):
    """A token that opens nothing. The code is for programs, the text for people; neither repeats the token."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Identity:
    """Makes sessions and knows its own again. The first secret signs; the others are still believed."""

    def __init__(self, keys: Sequence[bytes], clock: Callable[[], float] = time.time) -> None:
        self._keys = {_key_id(key): key for key in keys}
        self._signing = _key_id(keys[0])
        self._nobody = secrets.token_bytes(32)  # stands in for a key that a token only claims
        self._clock = clock

    def open_session(self, name: str = "", known: str = "") -> tuple[str, User]:
        """A new guest, or one who is known by an id and takes another name; and the token that proves it."""
        user = User(known or secrets.token_urlsafe(16), clean_name(name))
        now = int(self._clock())
        claims = {"iss": ISSUER, "aud": AUDIENCE, "iat": now, "exp": now + DAYS * 86400}
        claims |= {"sub": user.id, "name": user.name}
        key = self._keys[self._signing]
        return jwt.encode(claims, key, ALGORITHM, headers={"kid": self._signing}), user

    def verify(self, token: str) -> User:
        """The user that a token stands for. A wrong one costs as much work as a right one."""
        key = self._key_of(token)
        try:
            claims: dict[str, Any] = jwt.decode(
                token, key, [ALGORITHM], {"require": CLAIMS}, audience=AUDIENCE, issuer=ISSUER
            )
        except jwt.ExpiredSignatureError:
            raise BadToken("expired_token", "This session has run out; open a new one.") from None
        except (jwt.InvalidTokenError, ValueError, RecursionError):
            hmac.digest(self._nobody, token[:LONGEST_TOKEN].encode("utf-8", "replace"), "sha256")
            raise BadToken("bad_token", "This session is not one of ours.") from None
        return User(str(claims["sub"])[:64], clean_name(str(claims["name"])))

    def _key_of(self, token: str) -> bytes:
        """One of our own keys, by the name that the token gives; nothing else in it is believed yet."""
        if len(token) > LONGEST_TOKEN:
            raise BadToken("bad_token", "This session is not one of ours.")
        try:
            name = jwt.get_unverified_header(token).get("kid")
        except (jwt.InvalidTokenError, ValueError, RecursionError):
            name = None
        return self._keys.get(name, self._nobody) if isinstance(name, str) else self._nobody


def clean_name(name: str) -> str:
    """A name as others may see it: one line, nothing invisible, at most 24 characters. Nobody is nameless."""
    shown = "".join(_plain(sign) for sign in unicodedata.normalize("NFC", name[:200]))
    words = " ".join(_heaped(shown).split())[:LONGEST_NAME].strip()
    readable = any(unicodedata.category(sign)[0] in "LNPS" for sign in words)
    return words if readable else f"Guest-{''.join(secrets.choice(_SYMBOLS) for _ in range(4))}"


def load_keys(secret: str, old_secret: str, folder: Path) -> list[bytes]:
    """The secrets in force: those that were set, or one that is made once and kept in the folder."""
    keys = [check_secret(secret, "UPCARD_SECRET") if secret else kept_secret(folder)]
    if old_secret:
        keys.append(check_secret(old_secret, "UPCARD_OLD_SECRET"))
    return keys


def kept_secret(folder: Path) -> bytes:
    """The secret in this folder, made by whoever comes first. Two who come at once get the same."""
    path = folder / SECRET_FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            _make(path)
        if path.stat().st_mode & 0o077:
            raise BadSetting(f"{path} can be read by others; `chmod 600` it, or delete it to get a new one.")
        return check_secret(path.read_text("ascii"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadSetting(f"{path} cannot be kept: {why}; set UPCARD_SECRET instead.") from None


def _make(path: Path) -> None:
    """Write it aside and link it into place: nobody ever finds a half-written one, and the first link wins."""
    aside = path.with_name(f".{SECRET_FILE}.{secrets.token_hex(8)}")
    file = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(file, "w") as out:
            out.write(secrets.token_hex(32))
            out.flush()
            os.fsync(out.fileno())
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(aside)
    finally:
        aside.unlink()


def _plain(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind[0] == "Z" or sign in _BLANKS or sign in "\t\n\r":
        return " "
    return "" if kind[0] == "C" else sign


def _heaped(text: str) -> str:
    """At most two marks above or below a letter: more would climb over the neighbours' names."""
    kept, marks = [], 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= 2:
            kept.append(sign)
    return "".join(kept)


def _key_id(key: bytes) -> str:
    return hashlib.sha256(b"upcard key id:" + key).hexdigest()[:8]
