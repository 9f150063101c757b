"""Rules that are laid over a table from outside: plugins, their hooks, and what these find.

A hook looks at a move before it is made. It lets it pass, remarks on it, refuses it, or puts another in its place.
Hooks are asked in the order of their priority, the lowest first; of equals the one that was registered first. The
first that refuses or replaces ends the asking; otherwise the first remark counts. A move that was put in another's
place is looked at again.

After a move a plugin may write, and have further moves follow. Those run the same way, before anything else, until
nothing follows any more or the budget is used up.

    plugin = Plugin("house", "House rules")

    @plugin.before("draw", rule="greedy_hand")
    def greedy_hand(look: Look, deed: Deed) -> Outcome:
        return Warn() if len(look.table.zones[f"{deed.seat}.hand"]) > 9 else None
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from engine.errors import Fault, Refused
from engine.findings import Finding, Level
from engine.frames import Arg, Move, Offer, Seat
from engine.journal import Journal
from engine.look import Look
from engine.table import EVERYONE, bit

ANY = "*"
USUAL = 100  # the priority of a hook that names none
REPLACED = 5  # times that one move may be put in another's place
STEPS = 100  # moves that may follow one move


# what a hook says


class Warn(Struct, frozen=True):
    """Unusual, not impossible. Only those hear of it who may know all that it rests on."""

    args: dict[str, Arg] = {}
    to: int = EVERYONE


class Block(Struct, frozen=True):
    """Impossible, for everybody."""

    code: str
    text: str


class Replace(Struct, frozen=True):
    """Something else happens in its place."""

    move: Move


Outcome: TypeAlias = Warn | Block | Replace | None


class Deed(Struct, frozen=True):
    """Who does what."""

    seat: Seat
    move: Move


class Verdict(Struct, frozen=True):
    """What is done in the end, what was found about it, and what it was put in the place of."""

    deed: Deed
    findings: tuple[Finding, ...] = ()
    instead_of: tuple[Move, ...] = ()


BeforeFn: TypeAlias = Callable[[Look, Deed], Outcome]
AfterFn: TypeAlias = Callable[[Journal, Deed], Iterable[Deed] | None]
WatchFn: TypeAlias = Callable[[Look, Deed], Iterable[Deed]]
BlockFn: TypeAlias = Callable[[Look, Deed], Block | None]
OfferFn: TypeAlias = Callable[[Look, Seat], Iterable[Offer]]
PerformFn: TypeAlias = Callable[[Journal, Deed], None]
ReadFn: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]  # a card as it is read out
Fn = TypeVar("Fn", bound=Callable[..., Any])


class Before(Struct, frozen=True):
    """A hook that looks at moves before they are made."""

    fn: BeforeFn
    on: tuple[str, ...]
    rule: str
    level: Level
    priority: int
    firm: bool

    def found(self, outcome: Warn) -> Finding:
        """A remark of this hook as a finding."""
        return Finding(self.rule, self.level, outcome.args, self.firm, outcome.to)


class After(Struct, frozen=True):
    """A hook that acts after moves."""

    fn: AfterFn
    on: tuple[str, ...]
    priority: int


class Custom(Struct, frozen=True):
    """A kind of move that a plugin brings."""

    type: str
    offers: OfferFn
    perform: PerformFn


class Plugin(Struct):
    """What somebody lays over a table."""

    id: str
    name: str
    version: str = "1"
    needs: tuple[str, ...] = ()  # plugins that must be there first
    hooks: list[Before] = field(default_factory=list)
    afters: list[After] = field(default_factory=list)
    observers: list[WatchFn] = field(default_factory=list)
    blockers: list[BlockFn] = field(default_factory=list)
    customs: dict[str, Custom] = field(default_factory=dict)
    reads: ReadFn | None = None

    def before(
        self, *on: str, rule: str, level: Level = "soft", priority: int = USUAL, firm: bool = False
    ) -> Callable[[BeforeFn], BeforeFn]:
        """Look at moves of these types, or of any (`*`). Being sure passes the rule by, unless it is firm."""

        def keep(fn: BeforeFn) -> BeforeFn:
            self.hooks.append(Before(fn, on, rule, level, priority, firm))
            return fn

        return keep

    def after(self, *on: str, priority: int = USUAL) -> Callable[[AfterFn], AfterFn]:
        """Act after moves of these types, or of any (`*`)."""

        def keep(fn: AfterFn) -> AfterFn:
            self.afters.append(After(fn, on, priority))
            return fn

        return keep

    def observer(self, fn: WatchFn) -> WatchFn:
        """Look at the table after every move; whatever this returns is done next."""
        self.observers.append(fn)
        return fn

    def blocker(self, fn: BlockFn) -> BlockFn:
        """Refuse moves before any hook is asked."""
        self.blockers.append(fn)
        return fn

    def custom(self, type: str, offers: OfferFn) -> Callable[[PerformFn], PerformFn]:
        """A kind of move of one's own: when it is offered, and what it does."""

        def keep(fn: PerformFn) -> PerformFn:
            self.customs[type] = Custom(type, offers, fn)
            return fn

        return keep

    def readable(self, fn: ReadFn) -> ReadFn:
        """How a card is read out to somebody who cannot see it."""
        self.reads = fn
        return fn


class Plugins:
    """The plugins of one table, in the order in which they came."""

    def __init__(self, *plugins: Plugin) -> None:
        self.here: dict[str, Plugin] = {}
        self._before: dict[str, tuple[Before, ...]] = {}
        self._after: dict[str, tuple[After, ...]] = {}
        self._rules: dict[tuple[str, frozenset[str]], tuple[str, ...]] = {}
        self.customs: dict[str, Custom] = {}  # the moves that plugins bring
        self._sort()
        for plugin in plugins:
            self.register(plugin)

    def register(self, plugin: Plugin) -> None:
        """Lay a plugin over the others."""
        if plugin.id in self.here:
            raise ValueError(f"the plugin {plugin.id!r} is registered already")
        for other in plugin.needs:
            if other not in self.here:
                raise ValueError(f"the plugin {plugin.id!r} needs {other!r}, which is not registered")
        for type in plugin.customs:
            if type in self.customs:
                raise ValueError(f"the plugin {plugin.id!r} brings the move {type!r}, which is taken")
        self.here[plugin.id] = plugin
        self._sort()

    def unregister(self, id: str) -> None:
        """Take a plugin away again."""
        if id not in self.here:
            raise ValueError(f"there is no plugin {id!r}")
        for other in self.here.values():
            if id in other.needs:
                raise ValueError(f"the plugin {other.id!r} needs {id!r}; take it away first")
        del self.here[id]
        self._sort()

    @property
    def reads(self) -> ReadFn | None:
        """How cards are read out; the plugin that came last has the last word."""
        return next((plugin.reads for plugin in reversed(self.here.values()) if plugin.reads), None)

    def rules(self, type: str, but: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """The rules that may have something to say about a type of move, but for these."""
        found = self._rules.get((type, but))
        if found is None:
            names = dict.fromkeys(hook.rule for hook in self.hooks(type))
            found = self._rules[type, but] = tuple(name for name in names if name not in but)
        return found

    def hooks(self, type: str) -> tuple[Before, ...]:
        """The hooks that look at a type of move, in the order in which they are asked."""
        return self._before.get(type, self._before[ANY])

    # before a move

    def judge(self, look: Look, deed: Deed) -> Verdict:
        """What is done and what is found about it; refused where a plugin refuses."""
        gone: tuple[Move, ...] = ()
        while True:
            self._block(look, deed)
            found = self._first(look, deed)
            if not isinstance(found, Move):
                return Verdict(deed, found, gone)
            if len(gone) == REPLACED:
                raise Fault(f"the move {deed.move.type!r} was replaced {REPLACED} times in a row")
            gone = (*gone, deed.move)
            deed = replace(deed, move=replace(found, sure=deed.move.sure))

    def _block(self, look: Look, deed: Deed) -> None:
        for plugin in self.here.values():
            for blocker in plugin.blockers:
                if (no := blocker(look, deed)) is not None:
                    raise Refused(no.code, no.text)

    def _first(self, look: Look, deed: Deed) -> tuple[Finding, ...] | Move:
        """The first thing that a hook has to say; a move where it puts one in place of this."""
        findings: tuple[Finding, ...] = ()
        for hook in self.hooks(deed.move.type):
            match hook.fn(look, deed):
                case Block(code=code, text=text):
                    raise Refused(code, text)
                case Replace(move=move):
                    return move
                case Warn() as warn if not findings and (hook.firm or not deed.move.sure):
                    findings = (hook.found(warn),)
        return findings

    # a move and what follows it

    def carry_out(self, journal: Journal, deed: Deed, perform: Callable[[Journal, Deed], int]) -> None:
        """Do it, and whatever follows. `perform` tells who may know of all that it touched.

        What follows is looked at like any move; what is refused then does not happen. Plugins that set each other
        off without end are stopped.
        """
        queue, left = deque([deed]), STEPS
        while queue and journal.table.result is None:
            if left == 0:
                journal.say("follow_ups_stopped", steps=STEPS)
                return
            first, left = left == STEPS, left - 1
            try:
                done = self._do(journal, queue.popleft(), perform)
            except Refused:
                if first:
                    raise
                continue
            queue.extendleft(reversed(self._following(journal, done)))

    def _do(self, journal: Journal, deed: Deed, perform: Callable[[Journal, Deed], int]) -> Deed:
        verdict = self.judge(journal.look, deed)
        for gone in verdict.instead_of:
            journal.tell("replaced", seat=deed.seat, type=gone.type, by=verdict.deed.move.type)
        custom = self.customs.get(verdict.deed.move.type)
        if custom is not None:
            custom.perform(journal, verdict.deed)
            known = EVERYONE
        else:
            known = perform(journal, verdict.deed)
        for finding in verdict.findings:
            args = {"seat": deed.seat, **finding.args}
            journal.say(f"rule.{finding.rule}", to=known & finding.to | bit(deed.seat), **args)
        return verdict.deed

    def _following(self, journal: Journal, deed: Deed) -> list[Deed]:
        found: list[Deed] = []
        for hook in self._after.get(deed.move.type, self._after[ANY]):
            found.extend(hook.fn(journal, deed) or ())
        for plugin in self.here.values():
            for observer in plugin.observers:
                found.extend(observer(journal.look, deed))
        return found

    def _sort(self) -> None:
        """For each type of move the hooks that concern it: those of the type and those of any, by priority."""
        before = [hook for plugin in self.here.values() for hook in plugin.hooks]
        after = [hook for plugin in self.here.values() for hook in plugin.afters]
        self._before = {type: _ordered(before, type) for type in _types(before)}
        self._after = {type: _ordered(after, type) for type in _types(after)}
        self._rules = {}
        self.customs = {type: custom for plugin in self.here.values() for type, custom in plugin.customs.items()}


Hook = TypeVar("Hook", Before, After)


def _types(hooks: Iterable[Before] | Iterable[After]) -> set[str]:
    return {ANY, *(type for hook in hooks for type in hook.on)}


def _ordered(hooks: Iterable[Hook], type: str) -> tuple[Hook, ...]:
    concerned = [hook for hook in hooks if type in hook.on or ANY in hook.on]
    return tuple(sorted(concerned, key=lambda hook: hook.priority))
