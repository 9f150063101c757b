"""The words on the cards. A word is a function here; its signature is what a card may say.

What a word may be aimed at is chosen with the move, so each word that needs a target also says which cards those
are. A card in play of the other side that is protected is no target, and mass effects pass it by.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from cards.ggltcg import verbs
from cards.ggltcg.facts import DAMAGE, PLUS, STATS, Targets, face, protected, side, sleepers
from engine.effects import Ctx, Effects
from engine.frames import PASS, Entity, Event, Move, Offer, Question, Seat, Slot, word
from engine.journal import Journal
from engine.look import Bend, Look

Amount = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]
Stat = Literal["speed", "strength", "stamina", "all"]

effects = Effects(events=("slept", "played", "turn_started", "tussle"))


def _stats(stat: Stat) -> tuple[str, ...]:
    return STATS if stat == "all" else (stat,)


def _reachable(look: Look, seat: Seat) -> list[Entity]:
    """The cards in play, either side, that this seat's effects can touch."""
    return [card for card in look.in_play() if not protected(look, card, seat)]


# what a word may be aimed at: the targets, and how many of them at least and at most


def _any_awake(look: Look, seat: Seat, /, count: int = 1) -> tuple[Targets, int, int]:
    return [card.id for card in _reachable(look, seat)], 1, count


def _own_sleepers(look: Look, seat: Seat, /, kind: str = "any", count: int = 1) -> tuple[Targets, int, int]:
    asleep = look.table.lying(f"{seat}.sleep")
    return [card.id for card in asleep if kind == "any" or face(look, card).type == "action"], 1, count


def _opposing(look: Look, seat: Seat, /, amount: int = 0) -> tuple[Targets, int, int]:
    return [card.id for card in _reachable(look, seat) if look.controller(card) != seat], 1, 1


def _own_side(look: Look, seat: Seat, /) -> tuple[Targets, int, int]:
    return list(side(look.table, seat)), 1, 1


# played once


@effects.does("gain_cc")
def gain_cc(ctx: Ctx, /, amount: Count, when: Literal["any_turn", "not_first_turn"] = "any_turn") -> None:
    """Gain CC."""
    verbs.gain(ctx.journal, ctx.seat, amount)


@effects.does("unsleep", aim=_own_sleepers)
def unsleep(ctx: Ctx, /, kind: Literal["any", "actions"] = "any", count: Count = 1) -> None:
    """Wake cards of your own: they return to your hand."""
    for id in ctx.chosen():
        verbs.to_hand(ctx.journal, id)


@effects.does("sleep_target", aim=_any_awake)
def sleep_target(ctx: Ctx, /, count: Count = 1) -> None:
    """Put the chosen cards to sleep."""
    for id in ctx.chosen():
        verbs.sleep(ctx.journal, id)


@effects.does("return_target_to_hand", aim=_any_awake)
def return_target_to_hand(ctx: Ctx, /, count: Count = 1) -> None:
    """Return the chosen cards to their owners' hands."""
    for id in ctx.chosen():
        verbs.to_hand(ctx.journal, id)


@effects.does("sleep_all")
def sleep_all(ctx: Ctx, /) -> None:
    """Put every card in play to sleep."""
    verbs.sleep_all(ctx.journal, _reachable(ctx.look, ctx.seat))


@effects.does("return_all_to_hand")
def return_all_to_hand(ctx: Ctx, /) -> None:
    """Return every card in play to its owner's hand."""
    for card in _reachable(ctx.look, ctx.seat):
        verbs.to_hand(ctx.journal, card.id)


@effects.does("take_control", aim=_opposing)
def take_control(ctx: Ctx, /) -> None:
    """Take control of the chosen card."""
    for id in ctx.chosen():
        verbs.take(ctx.journal, id, ctx.seat)


@effects.does("copy_card", aim=_own_side)
def copy_card(ctx: Ctx, /) -> None:
    """Enter play as the chosen card. What that one does when it is played does not happen."""
    for id in ctx.chosen():
        verbs.become(ctx.journal, ctx.card.id, ctx.look.face(ctx.table[id]).name, ctx.seat)


@effects.does("turn_stat_boost")
def turn_stat_boost(ctx: Ctx, /, stat: Stat, amount: Count) -> None:
    """Your toys in play now have more of a stat until the end of the turn."""
    for id in side(ctx.table, ctx.seat):
        plus = dict(PLUS.of(ctx.table[id]))
        for name in _stats(stat):
            plus[name] = plus.get(name, 0) + amount
            ctx.journal.tell("changed", card=id, what=name, by=amount)
        ctx.journal.set(id, PLUS, plus)


@effects.does("damage_all_opponent_cards")
def damage_all_opponent_cards(ctx: Ctx, /, left: Count) -> None:
    """Every other toy in play, on both sides, is worn down; those printed no higher go to sleep."""
    for card in _reachable(ctx.look, ctx.seat):
        if card.id == ctx.card.id:
            continue
        printed = face(ctx.look, card).stamina
        if printed <= left:
            verbs.sleep(ctx.journal, card.id)
        elif printed - DAMAGE.of(card) > left:
            verbs.wear(ctx.journal, card.id, printed - DAMAGE.of(card) - left)


# while in play


@effects.always("stat_boost")
def stat_boost(bend: Bend, /, stat: Stat, amount: int) -> None:
    """Your toys have more of a stat, this one too, for as long as it is in play."""
    for card in bend.mine():
        for name in _stats(stat):
            bend.add(card.id, name, amount)


@effects.costs("reduce_cost_by_sleeping", "own_play")
def reduce_cost_by_sleeping(look: Look, seat: Seat, /) -> int:
    """Costs 1 less for each of your sleeping cards."""
    return -sleepers(look.table, seat)


@effects.costs("self_cost_increase_by_sleeping", "own_play")
def self_cost_increase_by_sleeping(look: Look, seat: Seat, /) -> int:
    """Costs 1 more for each of your sleeping cards."""
    return sleepers(look.table, seat)


@effects.costs("opponent_cost_increase", "play")
def opponent_cost_increase(look: Look, source: Entity, card: Entity, /, amount: Amount) -> int:
    """Your opponent's cards cost more to play, unless they are protected."""
    seat = look.controller(source)
    return 0 if look.controller(card) == seat or protected(look, card, seat) else amount


@effects.costs("alternative_cost_sleep_card", "pay_by_sleeping")
def alternative_cost_sleep_card(look: Look, card: Entity, /) -> Targets:
    """May be paid for by putting another card of yours to sleep."""
    seat = look.controller(card)
    return [*side(look.table, seat), *(id for id in look.table.zones[card.zone] if id != card.id)]


@effects.costs("set_tussle_cost", "tussle")
def set_tussle_cost(look: Look, source: Entity, card: Entity, /, amount: Amount) -> int | None:
    """Tussles of your cards cost this much."""
    return amount if look.controller(source) == look.controller(card) else None


@effects.costs("set_self_tussle_cost", "own_tussle")
def set_self_tussle_cost(
    look: Look, source: Entity, card: Entity, /, amount: Amount, when: Literal["any_turn", "not_turn_1"] = "any_turn"
) -> int | None:
    """This card's tussles cost this much. With `not_turn_1` it cannot start one on the first turn of all."""
    return amount


@effects.allows("cannot_tussle", "tussle")
def cannot_tussle(look: Look, /) -> bool:
    """This card starts no tussles."""
    return False


@effects.allows("direct_attack", "strike_past")
def direct_attack(look: Look, /) -> bool:
    """This card may attack a hand although there are cards in play."""
    return True


@effects.allows("opponent_immunity", "effects")
def opponent_immunity(look: Look, /) -> bool:
    """The other side's effects don't touch this card."""
    return False


@effects.allows("team_opponent_immunity", "team_effects")
def team_opponent_immunity(look: Look, /) -> bool:
    """The other side's effects don't touch any card of this side."""
    return False


@effects.instead("auto_win_tussle_on_own_turn", "tussle")
def auto_win_tussle_on_own_turn(journal: Journal, source: Entity, event: Event, /) -> bool:
    """Attacking on your own turn, it puts the defender to sleep without a fight."""
    seat = journal.look.controller(source)
    foe = journal.table[event.facts["foe"]]
    if journal.table.active != seat or protected(journal.look, foe, seat):
        return False
    verbs.sleep(journal, foe.id)
    return True


# used


@effects.uses("remove_stamina_ability", aim=_opposing)
def remove_stamina_ability(ctx: Ctx, /, amount: Count) -> None:
    """For 1 CC: an opposing toy loses stamina."""
    for id in ctx.chosen():
        verbs.wear(ctx.journal, id, amount)


# heard


@effects.when("gain_cc_when_sleeped", "slept")
def gain_cc_when_sleeped(ctx: Ctx, event: Event, /, amount: Count) -> None:
    """Put to sleep from play, it gives its owner CC, whoever had stolen it."""
    verbs.gain(ctx.journal, ctx.card.owner, amount)


@effects.when("start_of_turn_gain_cc", "turn_started", of="mine")
def start_of_turn_gain_cc(ctx: Ctx, event: Event, /, amount: Count) -> None:
    """At the start of your turn you gain CC."""
    verbs.gain(ctx.journal, ctx.seat, amount)


@effects.when("on_card_played_gain_cc", "played", of="others")
def on_card_played_gain_cc(ctx: Ctx, event: Event, /, amount: Count) -> None:
    """Whenever you play another card you gain CC."""
    verbs.gain(ctx.journal, ctx.seat, amount)


@effects.when("may_sleep_when_sleeped", "slept")
def may_sleep_when_sleeped(ctx: Ctx, event: Event, /, count: Count) -> None:
    """Put to sleep from play, it lets its owner put a card in play to sleep."""
    question = may_sleep(ctx.look, ctx.card.owner, count)
    if question:
        ctx.ask({ctx.card.owner: question})


def may_sleep(look: Look, seat: Seat, count: int) -> Question | None:
    """The question which card to put to sleep, if any. Without a card to choose there is none."""
    targets, least, most = _any_awake(look, seat, count)
    if not targets:
        return None
    choose = Offer("choose", slots=(Slot("target", tuple(targets), None, least, min(most, len(targets))),))
    return Question((choose, Offer(PASS)), "ask.may_sleep", {}, Move(PASS), {"choose": (word("sleep_target"),)})


# the frame around a play


@effects.does("retire")
def retire(ctx: Ctx, /) -> None:
    """An action that has done its work goes to sleep; a Copy that became a toy stays."""
    card = ctx.table.entities.get(ctx.card.id)
    if card is not None and card.zone == f"{card.owner}.hand":
        ctx.journal.move(card.id, f"{card.owner}.sleep")


@effects.does("announce")
def announce(ctx: Ctx, /) -> None:
    """A card was played: others of the same side hear of it."""
    ctx.journal.emit(Event("played", ctx.seat, ctx.card))
