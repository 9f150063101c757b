"""Who somebody is: a session, signed by us and carried by the player.

The token says a user id and a name. A guest's is random and good for thirty days, and is exchanged for a new one as it
is used; that of a user of the embedding site lasts as long as the site's own word. Whoever holds it is that user, so it
is never logged and never stands in a URL. Two secrets may be in force at once, so that one can be replaced without
showing everybody out.
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
FRESH_MS = 86_400_000  # an older one is exchanged
LONGEST_TOKEN = 2048
LONGEST_NAME = 24
SECRET_FILE = "session-secret"

_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters that show nothing
_SYMBOLS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that are mistaken for each other


class User(Struct, frozen=True):
    """Somebody with a seat, or on the way to one."""

    id: str
    name: str


class Session(Struct, frozen=True):
    """What a good token says: who, since when, and how it came about."""

    user: User
    issued: int  # ms since 1970
    site: bool = False  # by the word of the embedding site
    outdated: bool = False  # signed by a former secret


class BadToken(Exception):
    """A token that opens nothing. The code is for programs, the text for people; neither repeats the token."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Identity:
    """Makes sessions and knows its own again. The first secret signs; the others are still believed."""

    def __init__(self, keys: Sequence[bytes], clock: Callable[[], float] = time.time, site_hours: float = 24.0) -> None:
        self._keys = {_key_id(key): key for key in keys}
        self._signing = _key_id(keys[0])
        self._nobody = secrets.token_bytes(32)  # stands in for a key that a token only claims
        self._clock = clock
        self._site_seconds = round(site_hours * 3600)

    def open_session(self, user: User, site: bool = False) -> str:
        """The token that proves that its holder is this user."""
        now = round(self._clock(), 3)
        lasts = self._site_seconds if site else DAYS * 86400
        claims = {"iss": ISSUER, "aud": AUDIENCE, "iat": now, "exp": int(now) + lasts}
        claims |= {"sub": user.id, "name": user.name} | ({"by": "site"} if site else {})
        key = self._keys[self._signing]
        return jwt.encode(claims, key, ALGORITHM, headers={"kid": self._signing})

    def grows_old(self, session: Session) -> bool:
        """Whether a session is to be exchanged for a new one."""
        return session.outdated or self._clock() * 1000 - session.issued > FRESH_MS

    def knows(self, token: str) -> bool:
        """Whether a token claims to be signed by a key of ours."""
        return self._name_of_key(token) in self._keys

    def read(self, token: str) -> Session:
        """What a token says. A wrong one costs as much work as a right one."""
        key = self._key_of(token)
        try:
            claims: dict[str, Any] = jwt.decode(
                token, key, [ALGORITHM], {"require": CLAIMS, "verify_iat": False}, audience=AUDIENCE, issuer=ISSUER
            )
            issued = round(float(claims["iat"]) * 1000)
        except jwt.ExpiredSignatureError:
            raise BadToken("expired_token", "This session has run out; open a new one.") from None
        except (jwt.InvalidTokenError, ValueError, TypeError, OverflowError, RecursionError):
            hmac.digest(self._nobody, token[:LONGEST_TOKEN].encode("utf-8", "replace"), "sha256")
            raise BadToken("bad_token", "This session is not one of ours.") from None
        user = User(str(claims["sub"])[:64], clean_name(str(claims["name"])))
        outdated = self._name_of_key(token) != self._signing
        return Session(user, issued, claims.get("by") == "site", outdated)

    def _key_of(self, token: str) -> bytes:
        """One of our own keys, by the name that the token gives; nothing else in it is believed yet."""
        if len(token) > LONGEST_TOKEN:
            raise BadToken("bad_token", "This session is not one of ours.")
        return self._keys.get(self._name_of_key(token), self._nobody)

    def _name_of_key(self, token: str) -> str:
        try:
            name = jwt.get_unverified_header(token[:LONGEST_TOKEN]).get("kid")
        except (jwt.InvalidTokenError, ValueError, RecursionError):
            name = None
        return name if isinstance(name, str) else ""


def new_guest(name: str = "") -> User:
    """Somebody whom nobody has seen before."""
    id = "-"
    while id.startswith("-"):  # on a command line that would be something else
        id = secrets.token_urlsafe(16)
    return User(id, clean_name(name))


def stable_name(user: str) -> str:
    """What somebody is called who has no name that can be shown: the same every time."""
    digest = hashlib.blake2b(user.encode(), digest_size=4).digest()
    return f"Guest-{''.join(_SYMBOLS[byte % len(_SYMBOLS)] for byte in digest)}"


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
