"""What the scripts of a queue do, said once more in Python; see `rooms.model`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rooms.scripts import Code

if TYPE_CHECKING:
    from rooms.model import Data

Reply: TypeAlias = list[Any]
Words: TypeAlias = Sequence[bytes]


class QueueModel:
    """The half of the model that keeps queues."""

    data: Data

    def _seek(self, keys: Words, args: Words, now: int) -> Reply:
        if len(keys) != 4 or len(args) != 2 or not args[0]:
            return _bad()
        (who, since, seen, busy), (user, ticket) = keys, args
        if (spoken := self._spoken_for(busy, user)) is not None:
            match, till = spoken
            if till > now:
                return [Code.FENCED, 0, now, match]
            self._take_field(busy, user)
        place = self.data.indexes.get(since, {}).get(user)
        self.data.hashes.setdefault(who, {})[user] = ticket
        self._rank(seen, user, now)
        if place is not None:
            return [Code.TAKEN, 0, now, b"%d" % place]
        self._rank(since, user, now)
        return [Code.OK, 0, now, b"%d" % now]

    def _unseek(self, keys: Words, args: Words, now: int) -> Reply:
        if len(keys) != 3 or len(args) != 2:
            return _bad()
        (who, since, seen), (user, silent) = keys, args
        users = [user]
        if not user:
            quiet = [(at, name) for name, at in self.data.indexes.get(seen, {}).items() if at <= now - int(silent)]
            users = [name for _, name in sorted(quiet)[:1000]]
        return [Code.OK, sum(self._leave(who, since, seen, name) for name in users), now]

    def _beat(self, keys: Words, args: Words, now: int) -> Reply:
        if len(keys) != 3 or not 1 <= len(args) <= 1000:
            return _bad()
        who, seen, busy = keys
        reply: Reply = [Code.OK, len(self.data.hashes.get(who, {})), now]
        for user in args:
            if user in self.data.hashes.get(who, {}):
                self._rank(seen, user, now)
                reply.append(b"+")
            else:
                match, till = self._spoken_for(busy, user) or (b"", 0)
                reply.append(match if till > now else b"")
        return reply

    def _pair(self, keys: Words, args: Words, now: int) -> Reply:
        seats = _number(args[2]) if len(args) > 2 else None
        if len(keys) != 5 or seats is None or seats < 2 or not 4 + seats <= len(args) <= 3000:
            return _bad()
        if (len(args) - 3) % (1 + seats):
            return _bad()
        (who, since, seen, busy, hot), (fresh, spoken) = keys, args[:2]
        reply: Reply = [Code.OK, 0, now]
        for at in range(3, len(args), 1 + seats):
            match, users = args[at], args[at + 1 : at + 1 + seats]
            lines = [self._line(who, since, seen, user, now - int(fresh)) for user in users]
            good = all(lines) and len(set(users)) == seats
            reply.append(int(good))
            if good:
                for user in users:
                    self._leave(who, since, seen, user)
                    self.data.hashes.setdefault(busy, {})[user] = b"%b:%d" % (match, now + int(spoken))
                self.data.hashes.setdefault(hot, {})[match] = b"\n".join([b"%d" % now, *filter(None, lines)])
                reply[1] += 1
        return reply

    def _settle(self, keys: Words, args: Words, now: int) -> Reply:
        again = _number(args[1]) if len(args) > 1 else None
        if len(keys) != 5 or again is None or not 2 + 3 * again <= len(args) <= 1000:
            return _bad()
        (who, since, seen, busy, hot), match = keys, args[0]
        back = 0
        for at in range(2, 2 + 3 * again, 3):
            user, waited, ticket = args[at : at + 3]
            if self._let_go(busy, user, match):
                self.data.hashes.setdefault(who, {})[user] = ticket
                self._rank(since, user, int(waited))
                self._rank(seen, user, now)
                back += 1
        for user in args[2 + 3 * again :]:
            self._let_go(busy, user, match)
        self._take_field(hot, match)
        return [Code.OK, back, now]

    # parts

    def _line(self, who: bytes, since: bytes, seen: bytes, user: bytes, oldest: int) -> bytes | None:
        data = self.data
        waited, sign = data.indexes.get(since, {}).get(user), data.indexes.get(seen, {}).get(user)
        ticket = data.hashes.get(who, {}).get(user)
        if waited is None or sign is None or ticket is None or sign < oldest:
            return None
        return b"%b\t%d\t%b" % (user, waited, ticket)

    def _spoken_for(self, busy: bytes, user: bytes) -> tuple[bytes, int] | None:
        value = self.data.hashes.get(busy, {}).get(user)
        if value is None:
            return None
        match, _, till = value.rpartition(b":")
        return match, int(till)

    def _let_go(self, busy: bytes, user: bytes, match: bytes) -> bool:
        spoken = self._spoken_for(busy, user)
        if spoken is None or spoken[0] != match:
            return False
        self._take_field(busy, user)
        return True

    def _leave(self, who: bytes, since: bytes, seen: bytes, user: bytes) -> int:
        there = user in self.data.hashes.get(who, {})
        self._take_field(who, user)
        for key in (since, seen):
            index = self.data.indexes.get(key, {})
            index.pop(user, None)
            if not index:
                self.data.indexes.pop(key, None)
        return int(there)

    def _rank(self, key: bytes, member: bytes, score: int) -> None:
        self.data.indexes.setdefault(key, {})[member] = score

    def _take_field(self, key: bytes, field: bytes) -> None:
        held = self.data.hashes.get(key, {})
        held.pop(field, None)
        if not held:
            self.data.hashes.pop(key, None)


def _number(word: bytes) -> int | None:
    return int(word) if word.isdigit() else None


def _bad() -> Reply:
    return [Code.BAD_ARGS, 0, 0]
