"""What the embedding site says counts, if it says it in the one way that was agreed on."""

from __future__ import annotations

import asyncio
import json
import os
import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from server.settings import BadSetting, Settings, read_settings
from server.site import AGAIN, KEPT, NotTheSite, Site, SiteAway, SiteKeys, site_user
from server.web_request import HttpProblem

SECRET, OTHER = (os.urandom(20).hex() for _ in range(2))
RSA, RSA2 = (rsa.generate_private_key(65537, 2048) for _ in range(2))
CURVE = ec.generate_private_key(ec.SECP256R1())
EDWARDS = ed25519.Ed25519PrivateKey.generate()
URL = "https://example.org/jwks.json"


def signed(key: Any = SECRET, algorithm: str | None = "HS256", kid: str = "", **changes: Any) -> str:
    now = int(time.time())
    claims = {"aud": "upcard", "exp": now + 600, "sub": "42", "name": "Ana"} | changes
    claims = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(claims, key, algorithm, headers={"kid": kid} if kid else {})


def site(**settings: Any) -> Site:
    return Site(Settings(**{"site_secret": SECRET, **settings}))


async def code(found: Site, token: str) -> str:
    with pytest.raises(NotTheSite) as no:
        await found.read(token)
    return no.value.code


async def test_the_site_says_who_somebody_is() -> None:
    found = await site().read(signed())
    assert (found.id, found.name) == (site_user("42"), "Ana")
    assert (await site().read(signed(name=None, preferred_username="ana"))).name == "ana"
    assert (await site().read(signed(name=["Ana"]))).name == ""
    assert (await site().read(signed(sub="43"))).id != found.id
    assert len(found.id) <= 64


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": "another service"},
        {"aud": None},
        {"exp": None},
        {"exp": "soon"},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 256},
        {"nbf": int(time.time()) + 3600},
    ],
)
async def test_every_claim_must_be_there_and_right(changes: dict[str, Any]) -> None:
    assert await code(site(), signed(**changes)) == "bad_token"


async def test_a_token_ends_and_not_too_late() -> None:
    assert await code(site(), signed(exp=int(time.time()) - 60)) == "expired_token"
    assert (await site().read(signed(exp=int(time.time()) - 5))).name == "Ana"  # their clock is a little off
    assert await code(site(site_hours=1.0), signed(exp=int(time.time()) + 3700)) == "bad_token"
    assert (await site(site_hours=1.0).read(signed(exp=int(time.time()) + 3500))).name == "Ana"


async def test_an_issuer_counts_where_one_is_set() -> None:
    strict = site(site_issuer="https://example.org")
    assert await code(strict, signed()) == "bad_token"
    assert await code(strict, signed(iss="https://example.com")) == "bad_token"
    assert (await strict.read(signed(iss="https://example.org"))).name == "Ana"


async def test_a_token_does_not_choose_how_it_is_checked() -> None:
    for token in (signed("", "none"), signed(OTHER), signed(SECRET * 2, "HS512"), signed(RSA, "RS256"), "a.b.c", ""):
        assert await code(site(), token) == "bad_token"
    assert await code(site(), "x" * 100_000) == "bad_token"
    assert await code(site(), signed(name="x" * 5000)) == "bad_token"


# keys that the site publishes


class Shelf:
    """What the site publishes, and how often it was asked."""

    def __init__(self, *keys: dict[str, Any]) -> None:
        self.keys, self.asked, self.now = list(keys), 0, 1000.0
        self.trouble: Exception | None = None

    async def fetch(self, method: str, url: str) -> Any:
        assert (method, url) == ("GET", URL)
        self.asked += 1
        await asyncio.sleep(0)
        if self.trouble is not None:
            raise self.trouble
        return {"keys": self.keys}

    def site(self, algorithm: Any = "RS256") -> Site:
        found = Site(Settings(site_jwks=URL, site_algorithm=algorithm))
        found._keys = SiteKeys(URL, algorithm, lambda: self.now, self.fetch)
        return found


def public(key: Any, kid: str = "", **more: Any) -> dict[str, Any]:
    kind = {"R": jwt.algorithms.RSAAlgorithm, "E": jwt.algorithms.ECAlgorithm}.get(type(key).__name__[0])
    maker: Any = jwt.algorithms.OKPAlgorithm if isinstance(key, ed25519.Ed25519PrivateKey) else kind
    found: dict[str, Any] = json.loads(maker.to_jwk(key.public_key()))
    return found | ({"kid": kid} if kid else {}) | more


@pytest.mark.parametrize(("algorithm", "key"), [("RS256", RSA), ("PS256", RSA), ("ES256", CURVE), ("EdDSA", EDWARDS)])
async def test_a_site_may_sign_with_keys_of_its_own(algorithm: str, key: Any) -> None:
    found = Shelf(public(key, "one")).site(algorithm)
    assert (await found.read(signed(key, algorithm, "one"))).name == "Ana"


async def test_a_public_key_is_no_secret() -> None:
    """Whoever signs with the published half, as if it were a shared secret, is nobody."""
    shelf = Shelf(public(RSA, "one"))
    pem = RSA.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    head, claims, _ = signed("s" * 32, "HS256", "one").split(".")
    mark = jwt.utils.base64url_encode(
        jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(f"{head}.{claims}".encode(), pem)
    )
    assert await code(shelf.site(), f"{head}.{claims}.{mark.decode()}") == "bad_token"


async def test_keys_are_told_apart_by_name_and_one_alone_needs_none() -> None:
    shelf = Shelf(public(RSA, "one"))
    found = shelf.site()
    assert (await found.read(signed(RSA, "RS256"))).name == "Ana"
    shelf.keys.append(public(RSA2, "two"))
    shelf.now += AGAIN + 1
    assert (await found.read(signed(RSA2, "RS256", "two"))).name == "Ana"
    assert await code(found, signed(RSA2, "RS256", "one")) == "bad_token"
    assert await code(found, signed(RSA, "RS256")) == "bad_token"


async def test_a_new_key_is_found_and_made_up_ones_cost_nothing() -> None:
    shelf = Shelf(public(RSA, "one"))
    found = shelf.site()
    await asyncio.gather(*(found.read(signed(RSA, "RS256", "one")) for _ in range(5)))
    assert shelf.asked == 1
    for n in range(20):
        assert await code(found, signed(RSA2, "RS256", f"made up {n}")) == "bad_token"
    assert shelf.asked == 1
    shelf.keys = [public(RSA2, "two")]
    shelf.now += AGAIN + 1
    assert (await found.read(signed(RSA2, "RS256", "two"))).name == "Ana"
    assert await code(found, signed(RSA, "RS256", "one")) == "bad_token"  # it was withdrawn


async def test_a_key_that_was_withdrawn_is_noticed_after_a_while() -> None:
    shelf = Shelf(public(RSA, "one"), public(RSA2, "two"))
    found = shelf.site()
    await found.read(signed(RSA, "RS256", "one"))
    shelf.keys.pop(0)
    shelf.now += KEPT + 1
    assert await code(found, signed(RSA, "RS256", "one")) == "bad_token"


@pytest.mark.parametrize("trouble", [OSError("away"), TimeoutError(), HttpProblem(500, "x", "broken"), ValueError()])
async def test_while_the_site_is_away_its_last_keys_hold(trouble: Exception) -> None:
    shelf = Shelf(public(RSA, "one"))
    shelf.trouble = trouble
    found = shelf.site()
    with pytest.raises(SiteAway):
        await found.read(signed(RSA, "RS256", "one"))
    shelf.trouble = None
    shelf.now += AGAIN + 1
    await found.read(signed(RSA, "RS256", "one"))
    shelf.trouble = trouble
    shelf.now += KEPT + 1
    assert (await found.read(signed(RSA, "RS256", "one"))).name == "Ana"


@pytest.mark.parametrize(
    "keys", [[], [7], [{}], [public(RSA, "one", use="enc")], [public(CURVE, "one")], [{"kty": "oct", "k": "c2VjcmV0"}]]
)
async def test_keys_that_are_none_of_ours_open_nothing(keys: list[Any]) -> None:
    with pytest.raises(SiteAway):
        await Shelf(*keys).site().read(signed(RSA, "RS256", "one"))


# settings


@pytest.mark.parametrize(
    "environ",
    [
        {"UPCARD_SITE_SECRET": "short"},
        {"UPCARD_SITE_SECRET": SECRET, "UPCARD_SITE_JWKS": URL},
        {"UPCARD_SITE_JWKS": "http://example.org/keys"},
        {"UPCARD_SITE_JWKS": URL, "UPCARD_SITE_ALGORITHM": "HS256"},
        {"UPCARD_SITE_SECRET": SECRET, "UPCARD_SITE_AUDIENCE": " "},
    ],
)
def test_settings_that_would_let_anybody_in_are_refused(environ: dict[str, str]) -> None:
    with pytest.raises(BadSetting) as no:
        read_settings(None, environ)
    assert SECRET not in str(no.value)


def test_a_site_on_this_machine_needs_no_tls() -> None:
    assert read_settings(None, {"UPCARD_SITE_JWKS": "http://127.0.0.1:9/keys"}).site_jwks
