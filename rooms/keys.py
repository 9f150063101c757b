"""What things are called in Redis.

All keys of a room, and the index that says when somebody must look after it, share a hash tag, so that one script
can write them all. The tag is a bucket of rooms, not a room: 256 buckets spread well over any cluster.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from functools import lru_cache
from hashlib import blake2b
from zlib import crc32

from msgspec import Struct

BUCKETS = 256


def room_named(words: str) -> str:
    """A room's name, always the same for the same words. It stands in every frame, so it is short; nobody guesses it,
    but knowing it opens nothing."""
    return urlsafe_b64encode(blake2b(words.encode(), digest_size=9).digest()).decode()


def new_room() -> str:
    """A name that no room has."""
    return secrets.token_urlsafe(9)


def bucket_of(room: str) -> int:
    """The bucket that a room lies in, for good."""
    return crc32(room.encode()) % BUCKETS


def tag(bucket: int) -> str:
    """The part of a key that decides where in a cluster it lies."""
    return f"{{b:{bucket:02x}}}"


def wake_key(bucket: int) -> str:
    """The index of a bucket's live rooms, by the time at which somebody must look."""
    return f"{tag(bucket)}:wake"


def results_key(bucket: int) -> str:
    """The stream of a bucket's finished matches."""
    return f"{tag(bucket)}:out"


class Keys(Struct, frozen=True):
    """The keys of one room."""

    meta: str  # hash: version, owner, lease, status, the last move of each seat
    state: str  # string: the whole truth, secret
    inputs: str  # stream: every input since the deal
    side: str  # hash: seats, talk, proposals; raises no version
    wake: str  # zset of the bucket
    out: str  # stream of the bucket
    views: str  # prefix; the view's name follows

    def view(self, name: str) -> str:
        """The last deltas of one view: a hash used as a ring. Also the name of its channel."""
        return self.views + name


@lru_cache(maxsize=65536)
def keys_of(room: str) -> Keys:
    """Where everything about a room is."""
    bucket = bucket_of(room)
    head = f"{tag(bucket)}:r:{room}"
    return Keys(f"{head}:m", f"{head}:s", f"{head}:i", f"{head}:a", wake_key(bucket), results_key(bucket), f"{head}:v:")


class QueueKeys(Struct, frozen=True):
    """The keys of one queue of people who seek a match."""

    who: str  # hash: user -> ticket
    since: str  # zset: user, by the time since when they wait
    seen: str  # zset: user, by the time of their last sign of life
    busy: str  # hash: user -> the match that they are spoken for by, and until when
    hot: str  # hash: match -> who is to play it; until its room is there


@lru_cache(maxsize=4096)
def queue_keys(name: str) -> QueueKeys:
    """Where everything about a queue is."""
    head = f"{{q:{name}}}"
    return QueueKeys(f"{head}:who", f"{head}:since", f"{head}:seen", f"{head}:busy", f"{head}:hot")


def host_inbox(own: str) -> str:
    """The stream of commands to a host."""
    return f"{{h:{own}}}:in"


def gateway_inbox(name: str) -> str:
    """The stream of answers to a gateway."""
    return f"{{g:{name}}}:in"
