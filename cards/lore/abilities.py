"""What stands on cards in play: what they hear, bend, make cheaper, forbid, take upon themselves, and can be used for.

when_played          this card is played          when_mine_played     a card of yours is
when_other_played    another card of yours is     when_theirs_played   a card of the other side is
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from msgspec import Struct

from cards.lore import verbs
from cards.lore.facts import USED, Count, Keyword, Kind, Rule, face, in_play
from cards.lore.picking import ANYONE, MYSELF, Given, Number, Side, Who, count, find, fits, holds
from cards.lore.speech import effects
from cards.lore.words import NONE
from engine.effects import Ctx, Of
from engine.frames import Entity, Event, Program, Seat, word
from engine.journal import Journal
from engine.look import Bend, Look

HEARD = (
    "banished",
    "banishes",
    "challenged",
    "challenges",
    "damaged",
    "discarded",
    "inked",
    "moved",
    "played",
    "quested",
    "sang",
    "turn_ended",
    "turn_started",
)
EARS: dict[str, Of] = {"": "self", "mine_": "mine", "other_": "others", "theirs_": "theirs", "any_": "any"}
Role = Literal["", "attacker", "defender", "either"]
CARD_LESS = ("turn_started", "turn_ended")  # nobody's card does this

# heard


def respond(
    ctx: Ctx,
    event: Event,
    /,
    do: Program,
    who: Who | None = None,
    foe: Who | None = None,
    role: Role = "",
    given: Given | None = None,
    may: bool = False,
    pay: int = 0,
    once: bool = False,
) -> None:
    """A card has heard something. What it depends on is looked at now; what set it off was looked at then."""
    if given is not None and not holds(ctx.look, given, ctx.card, ctx.seat, event):
        return
    if once:
        card = in_play(ctx.look, ctx.card.id)
        if card is None or event.kind in USED.of(card):
            return
        verbs.use(ctx.journal, card.id, event.kind)
    ctx.then(*((word("may", do=do, pay=pay),) if may or pay else do))


def concerns(
    look: Look,
    source: Entity,
    event: Event,
    /,
    who: Who | None = None,
    foe: Who | None = None,
    role: Role = "",
    **rest: Any,
) -> bool:
    """Whether what happens is what a card listens for."""
    seat = look.controller(source)
    if who is not None and (event.card is None or not fits(look, who, event.card, source, seat)):
        return False
    if foe is not None:
        other = look.table.entities.get(event.facts.get("foe", 0))
        if other is None or not fits(look, foe, other, source, seat):
            return False
    return not role or event.facts.get("role") in (("attacker", "defender") if role == "either" else (role,))


for _event in HEARD:
    for _whose, _of in EARS.items():
        if _event not in CARD_LESS or _of in ("mine", "theirs", "any"):
            effects.when(f"when_{_whose}{_event}", _event, _of, only=concerns)(respond)


# bent


@effects.always("has")
def has(
    bend: Bend,
    /,
    who: Who = MYSELF,
    strength: Number = 0,
    willpower: Number = 0,
    lore: Number = 0,
    keywords: dict[Keyword | Rule, int] = NONE,
    given: Given | None = None,
) -> None:
    """These cards have other numbers or more keywords for as long as this one is in play."""
    look, source = bend.look, bend.source
    seat = look.controller(source)
    if given is not None and not holds(look, given, source, seat):
        return
    changes = {"strength": strength, "willpower": willpower, "lore": lore}
    numbers = {what: count(look, said, source, seat) for what, said in changes.items() if said}
    for card in find(look, who, source, seat):
        for what, amount in (*numbers.items(), *keywords.items()):
            bend.add(card.id, what, amount)


# paid


@effects.costs("cheaper", "own_play")
def cheaper(look: Look, card: Entity, seat: Seat, /, less: Number = 1, given: Given | None = None) -> int:
    """This card costs less to play."""
    if given is not None and not holds(look, given, card, seat):
        return 0
    return count(look, less, card, seat)


@effects.costs("cheaper_cards", "play")
def cheaper_cards(
    look: Look,
    source: Entity,
    card: Entity,
    seat: Seat,
    /,
    type: Kind | Literal["any"],
    less: int = 1,
    side: Side = "mine",
) -> int:
    """Cards of a type cost you less, or the other side more, for as long as this one is in play."""
    mine = look.controller(source) == seat
    if (side == "mine" and not mine) or (side == "theirs" and mine):
        return 0
    return less if type in ("any", face(look, card).type) else 0


@effects.does("discount")
def discount(ctx: Ctx, /, type: Kind, less: Count) -> None:
    """The next card of this type that you play this turn costs less."""
    verbs.change(ctx.journal, -1 - ctx.seat, f"discount.{type}", less, "turn")


# allowed


@effects.allows("extra_ink", "ink")
def extra_ink(look: Look, /, amount: Count = 1) -> int:
    """You may ink more cards during each of your turns."""
    return amount


@effects.allows("not_challenged_by", "challenge_me")
def not_challenged_by(look: Look, source: Entity, card: Entity, /, who: Who) -> bool:
    """These characters cannot challenge this one."""
    return not fits(look, who, card, source, look.controller(source))


# taken upon itself


@effects.instead("takes_the_blow", "damage", of="others")
def takes_the_blow(journal: Journal, source: Entity, event: Event, /, who: Who = ANYONE) -> bool:
    """The first time each turn that another character of yours would be dealt damage, this one is dealt it instead."""
    card = event.card
    if card is None or "blow" in USED.of(source) or not fits(journal.look, who, card, source, event.seat):
        return False
    verbs.use(journal, source.id, "blow")
    journal.say("took_blow", card=journal.ref(source.id), on=journal.ref(card.id))
    verbs.redirect(journal, source.id, event.facts["amount"])
    return True


@effects.instead("slips_away", "banish", of="self")
def slips_away(
    journal: Journal, source: Entity, event: Event, /, to: Literal["hand", "inkwell"], role: Role = ""
) -> bool:
    """When it would be banished, perhaps only in a challenge, it goes elsewhere instead."""
    if not concerns(journal.look, source, event, role=role):
        return False
    journal.say("slipped", card=journal.ref(source.id))
    verbs.leave(journal, source.id, to, facts={"exerted": True} if to == "inkwell" else None)
    return True


# used


class Cost(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an ability costs."""

    exert: bool = False
    ink: int = 0
    banish: bool = False  # the card itself
    discard: int = 0  # cards from the hand
    sacrifice: Who | None = None  # another card of yours is banished
    tap: Who | None = None  # another ready, dry character of yours is exerted


@effects.uses("activate")
def activate(ctx: Ctx, /, cost: Cost, do: Program, once: bool = False) -> None:
    """An ability that its player may use: first the cost, then what it does."""
    ctx.then(*do)


# keywords, as they are printed


def plain(look: Look, /) -> int:
    """A keyword that a card has or has not."""
    return 1


def counted(look: Look, /, amount: Count) -> int:
    """A keyword with a number. Numbers add up."""
    return amount


COUNTED = ("challenger", "resist", "singer")
for _keyword in get_args(Keyword):
    effects.allows(_keyword, "keyword")(counted if _keyword in COUNTED else plain)


@effects.allows("shift", "keyword")
def shift(look: Look, /, cost: Count, onto: str = "") -> int:
    """May be played on a character of the same name, of a class, or on any (`*`), for another price."""
    return cost


@effects.allows("sing_together", "keyword")
def sing_together(look: Look, /, total: Count) -> int:
    """May be sung by any number of characters whose costs come to the total."""
    return total


@effects.allows("boost", "keyword")
def boost(look: Look, /, cost: Count) -> int:
    """Once a turn, for ink: the top card of your deck goes face down under it."""
    return cost
