"""Users of a site that embeds us: the site says who somebody is, in a token that it signs for us.

What a token must be is fixed by whoever runs this place and never by the token: one algorithm, one audience, a near
end. The site signs with a secret that we share, or with keys of which it publishes the public half (JWKS).
"""

from __future__ import annotations

import asyncio
import time
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from typing import Any

import jwt
import msgspec
import structlog
from msgspec import Struct

from server.settings import Settings
from server.web_request import HttpProblem, request

log = structlog.get_logger()

LONGEST_TOKEN = 4096
LONGEST_SUBJECT = 255
LEEWAY = 30  # seconds that the site's clock may be off
KEPT = 600.0  # seconds after which its keys are asked for anew
AGAIN = 15.0  # seconds between two tries, however many unknown keys are named


class SiteUser(Struct, frozen=True):
    """Somebody, as their site knows them; the id is ours."""

    id: str
    name: str


class NotTheSite(Exception):
    """A token that the site did not sign, or not for us, or not for now. The code says which as far as it may."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class SiteAway(Exception):
    """The site's keys cannot be had at the moment, so nobody can tell."""


class Site:
    """The one site whose word counts here."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self._algorithm = "HS256" if settings.site_secret else settings.site_algorithm
        self._audience, self._issuer = settings.site_audience, settings.site_issuer
        self._longest = settings.site_hours * 3600
        self._secret = settings.site_secret.strip().encode()
        self._keys = SiteKeys(settings.site_jwks, self._algorithm) if settings.site_jwks else None
        self._clock = clock

    async def read(self, token: str) -> SiteUser:
        """Whom the site means."""
        if len(token) > LONGEST_TOKEN:
            raise _bad()
        try:
            name = jwt.get_unverified_header(token).get("kid")
        except (jwt.InvalidTokenError, ValueError, RecursionError):
            raise _bad() from None
        key = self._secret if self._keys is None else await self._keys.find(name if isinstance(name, str) else "")
        if key is None:
            raise _bad()
        return self._user(self._claims(token, key))

    def _claims(self, token: str, key: Any) -> dict[str, Any]:
        wanted = ["exp", "sub", "aud", *(["iss"] if self._issuer else [])]
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                [self._algorithm],
                {"require": wanted},
                audience=self._audience,
                issuer=self._issuer or None,
                leeway=LEEWAY,
            )
        except jwt.ExpiredSignatureError:
            raise NotTheSite("expired_token", "This token has run out; the site must sign a new one.") from None
        except (jwt.InvalidTokenError, ValueError, TypeError, RecursionError):
            raise _bad() from None
        return claims

    def _user(self, claims: dict[str, Any]) -> SiteUser:
        subject, end = str(claims["sub"]), float(claims["exp"])
        if end - self._clock() > self._longest + LEEWAY:
            raise NotTheSite("bad_token", "This token is good for longer than is allowed here.")
        if not 0 < len(subject) <= LONGEST_SUBJECT:
            raise _bad()
        name = claims.get("name") or claims.get("preferred_username") or claims.get("nickname") or ""
        return SiteUser(site_user(subject), name if isinstance(name, str) else "")


class SiteKeys:
    """The public keys of a site, as it publishes them. The last ones that were seen hold while it does not answer."""

    def __init__(
        self,
        url: str,
        algorithm: str,
        clock: Callable[[], float] = time.monotonic,
        fetch: Callable[[str, str], Awaitable[Any]] = request,
    ) -> None:
        self.url, self.algorithm = url, algorithm
        self._clock, self._fetch = clock, fetch
        self._keys: dict[str, Any] = {}
        self._looked = self._tried = float("-inf")
        self._looking = asyncio.Lock()

    async def find(self, name: str) -> Any | None:
        """The key of this name; where the site has only one, a token need not name it."""
        now = self._clock()
        if (now - self._looked > KEPT or self._named(name) is None) and now - self._tried > AGAIN:
            async with self._looking:
                if self._clock() - self._tried > AGAIN:  # nobody has looked while we waited
                    await self._look()
        if not self._keys:
            raise SiteAway
        return self._named(name)

    def _named(self, name: str) -> Any | None:
        if not name and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(name)

    async def _look(self) -> None:
        try:
            self._keys = self._read(await self._fetch("GET", self.url)) or self._keys
            self._looked = self._clock()
        except (OSError, TimeoutError, HttpProblem, msgspec.DecodeError, ValueError, IndexError) as error:
            log.warning("site_keys_unreachable", why=str(error) or type(error).__name__)
        self._tried = self._clock()

    def _read(self, found: Any) -> dict[str, Any]:
        """The keys that fit our algorithm; what else the site signs is no business of ours."""
        listed = found.get("keys") if isinstance(found, dict) else None
        keys = {}
        for data in listed if isinstance(listed, list) else ():
            if isinstance(data, dict) and data.get("use", "sig") == "sig" and data.get("kty") != "oct":
                try:
                    keys[str(data.get("kid", ""))] = jwt.PyJWK(data, self.algorithm).key
                except (jwt.PyJWTError, ValueError, TypeError):
                    continue
        if not keys:
            log.warning("site_keys_useless", why=f"there is no key for {self.algorithm}")
        return keys


def site_user(subject: str) -> str:
    """Our id for a user of the site: always the same, told from every guest's, and no way back to theirs."""
    digest = blake2b(f"site/{subject}".encode(), digest_size=16).digest()
    return f"site-{urlsafe_b64encode(digest).rstrip(b'=').decode()}"


def _bad() -> NotTheSite:
    return NotTheSite("bad_token", "This session is not one of ours.")
