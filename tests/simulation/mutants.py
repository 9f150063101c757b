"""The rules of the protocol, each broken on purpose: what does not notice that is no test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple, TypeAlias
from unittest.mock import patch

from rooms import scripts, wire
from rooms.actor import Actor
from rooms.core import RoomCore
from rooms.happenings import Answer, Committed, Saved
from rooms.keeping import Keeper
from rooms.model import Model
from rooms.remote_room import RemoteRoom
from tests.simulation.world import DEAF, FAULTS, SLEEPY, Result, World

Breaks: TypeAlias = Callable[[ExitStack], type[Model]]


class Mutant(NamedTuple):
    """How a rule is broken, what the judge then says, and in which kind of world it shows best."""

    breaks: Breaks
    notices: str
    faults: tuple[str, ...]

    def run(self, seed: int) -> Result:
        """A world in which the rule does not hold."""
        with ExitStack() as broken:
            return World(seed, model=self.breaks(broken), faults=self.faults).run()


MUTANTS: dict[str, Mutant] = {}


def mutant(notices: str, faults: tuple[str, ...] = FAULTS) -> Callable[[Breaks], Breaks]:
    """A way to break something."""

    def keep(breaks: Breaks) -> Breaks:
        MUTANTS[breaks.__name__] = Mutant(breaks, notices, faults)
        return breaks

    return keep


@mutant("though .* owns the room|an epoch went back")
def no_fence(broken: ExitStack) -> type[Model]:
    """Whoever was replaced may still write."""

    class NoFence(Model):
        def _commit(self, keys: Any, args: Any, now: int) -> Any:
            with _pretending(self, keys[0], own=args[0], ep=args[1]):
                return super()._commit(keys, args, now)

    return NoFence


@mutant("was acknowledged")
def acknowledged_before_it_is_written(broken: ExitStack) -> type[Model]:
    """The player is told at once."""

    class Hasty(RoomCore):
        def _send(self, pending: Any, state: Any) -> Any:
            effects = super()._send(pending, state)
            hasty = Answer(pending.to, wire.Ok(i=pending.i, v=self.ver + 1))
            return effects if pending.to is None else [hasty, *effects]

    broken.enter_context(patch("rooms.host.RoomCore", Hasty))
    return Model


@mutant("had the number|of seat . came after|applied twice")
def moves_remembered_only_in_memory(broken: ExitStack) -> type[Model]:
    """The store is not told which move of which seat it was."""
    honest = scripts.commit_args

    def forgetful(keys: Any, **facts: Any) -> Any:
        return honest(keys, **{**facts, "seat": "", "n": 0, "digest": ""})

    broken.enter_context(patch("rooms.scripts.commit_args", forgetful))
    return Model


@mutant("was written, and was told of|and was shown", SLEEPY)
def reads_after_the_lease_ended(broken: ExitStack) -> type[Model]:
    """An owner who slept answers from memory."""

    async def surely(self: Keeper, actor: Actor) -> bool:
        return not actor.dropped

    broken.enter_context(patch.object(Keeper, "still_ours", surely))
    broken.enter_context(patch.object(Actor, "lease", property(lambda self: 1e18, lambda self, at: None), create=True))
    return Model


@mutant("was built on|came after|ended with|cannot be played")
def two_commits_at_once(broken: ExitStack) -> type[Model]:
    """The next move does not wait for the last one, and the store does not look at versions."""

    class Impatient(RoomCore):
        def __init__(self, *args: Any) -> None:
            self._sent: list[Any] = []
            super().__init__(*args)

        @property
        def busy(self) -> bool:
            return self._errand is not None or len(self._sent) > 1

        def _send(self, *args: Any) -> Any:
            effects = super()._send(*args)
            self._sent.append((self._pending, self._next))
            return effects

        def _committed(self, reply: Any, now: int) -> Any:
            self._pending, self._next = self._sent.pop(0)
            return super()._committed(reply, now)

    class AnyVersion(Model):
        def _commit(self, keys: Any, args: Any, now: int) -> Any:
            found = self.data.hashes.get(keys[0], {}).get(b"ver", args[2])
            return super()._commit(keys, [*args[:2], found, *args[3:]], now)

    broken.enter_context(patch("rooms.host.RoomCore", Impatient))
    return AnyVersion


@mutant("waited in vain", DEAF)
def nobody_looks_for_what_was_never_heard(broken: ExitStack) -> type[Model]:
    """Gateways trust the channels."""

    async def trust(self: RemoteRoom) -> None:
        pass

    broken.enter_context(patch.object(RemoteRoom, "check", trust))
    return Model


@mutant("was written, and was told of|and was shown", SLEEPY)
def lease_counted_from_the_answer(broken: ExitStack) -> type[Model]:
    """The lease is believed to begin when its renewal was heard, however long that took."""

    def heard_now(self: Actor, until: float) -> None:
        self.__dict__["lease"] = self.host.loop.time() + self.host.lease_seconds

    lease = property(lambda self: self.__dict__["lease"], heard_now)
    broken.enter_context(patch.object(Actor, "lease", lease, create=True))
    return Model


@mutant("has no answer|waited in vain", DEAF)
def events_dropped_while_busy(broken: ExitStack) -> type[Model]:
    """What comes while a write is on its way is not kept."""

    class Deaf(RoomCore):
        def step(self, event: Any, now: int) -> Any:
            return [] if self.busy and not isinstance(event, Committed | Saved) else super().step(event, now)

    broken.enter_context(patch("rooms.host.RoomCore", Deaf))
    return Model


@contextmanager
def _pretending(model: Model, key: bytes, **facts: bytes) -> Iterator[None]:
    """Let the store believe something for a moment."""
    m = model.data.hashes.get(key, {})
    real = {name.encode(): m.get(name.encode(), b"") for name in facts}
    m.update({name.encode(): value for name, value in facts.items()})
    try:
        yield
    finally:
        m.update(real)
