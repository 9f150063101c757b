"""Nothing hidden leaks, and the spy who says so would notice."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec.structs import replace

from cards.ggltcg.rules import ToyBattle
from engine import chance
from engine.effects import Ctx, Effects
from engine.frames import PASS, Move, Question, word
from engine.gallery import Card, Gallery
from engine.journal import Journal
from engine.lens import Lens
from engine.table import EVERYONE
from tests.engine import magpies
from tests.engine.games import GAMES, MAGPIES, games, seeds
from tests.engine.magpies import Magpies, effects, hisses, make_face
from tests.engine.secrecy import Leak, ordered_pairs, spy_on


@given(game=games, seed=seeds)
def test_what_you_may_not_know_cannot_change_what_you_are_told(game, seed):
    spy_on(game, seed)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_spies_get_to_compare_many_steps(game):
    """Otherwise the property above would prove nothing."""
    compared, seeds = 0, iter(range(12))
    while compared <= 300:
        compared += spy_on(game, next(seeds))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_ids_have_no_order(game):
    assert 0.4 < ordered_pairs(game, range(60)) < 0.6


# mutants: games and lenses that leak, each of which the spy must catch


class TellsTheTop(Magpies):
    """Everybody sees what lies on top of the pile."""

    def show_table(self, look):
        pile = look.table.lying("pile")
        return {"top": pile[-1].face} if pile else {}


class GlassNest(Magpies):
    """A lump in a nest has a shape that tells what it is."""

    def show_back(self, look, card):
        return {"lump": len(card.face)}


class LoudPockets(Magpies):
    """The pockets rattle."""

    def show_table(self, look):
        return {"rattle": [len(look.table.zones[f"{seat}.pocket"]) % 2 for seat in range(3)]}


class OpenPurses(Magpies):
    """Everybody sees how much shiny the others have."""

    def show_seat(self, look, seat):
        return self.show_own(look, seat)


class SeesThroughBacks(Magpies):
    """The offers say which lump is a coin."""

    def offers(self, look, seat):
        coins = tuple(id for id in magpies.nests(look.table) if look.table[id].face == "Coin")
        return (replace(offer, cost={"coins": len(coins)}) for offer in super().offers(look, seat))


class NamesTheirCards(Magpies):
    """Whoever guesses another's card is told that it is not theirs."""

    def blocked(self, look, seat):
        yield from ((id, "not_yours") for id in look.table.zones[f"{(seat + 1) % 3}.hand"])


class TellsWhyNot(Magpies):
    """The reason why a hiss must wait depends on who else holds one."""

    def blocked(self, look, seat):
        others = [card.face for other in range(3) if other != seat for card in look.table.lying(f"{other}.hand")]
        for card in look.table.lying(f"{seat}.hand"):
            if card.face == "Hiss":
                yield card.id, "no_use" if "Hiss" not in others else "not_now"


class OffersTheirHands(Magpies):
    """A bird may point into the others' hands."""

    def offers(self, look, seat):
        yield from super().offers(look, seat)
        theirs = look.table.zones[f"{(seat + 1) % 3}.hand"]
        if theirs:
            yield magpies.Offer("wink", slots=(magpies.Slot("thing", theirs),))

    def perform(self, journal, seat, move):
        super().perform(journal, seat, magpies.Move("draw") if move.type == "wink" else move)


class TellsTheFirstCard(ToyBattle):
    """Everybody sees which card lies first in a hand."""

    def show_table(self, look):
        return {"first": [card.face for seat in range(2) for card in look.table.lying(f"{seat}.hand")[:1]]}


class TellsTheNextRoll(ToyBattle):
    """The turn tells which card the next direct attack would hit."""

    def show_turn(self, look):
        counts = look.table.luck
        return {**super().show_turn(look), "next": chance.below(look.table.seed, "luck", counts["luck"], 6)[0]}


@pytest.mark.parametrize(
    "game",
    [
        TellsTheTop,
        GlassNest,
        LoudPockets,
        OpenPurses,
        SeesThroughBacks,
        NamesTheirCards,
        TellsWhyNot,
        OffersTheirHands,
        TellsTheFirstCard,
        TellsTheNextRoll,
    ],
)
def test_the_spy_notices_a_game_that_leaks(game):
    with pytest.raises(Leak):
        watch(game())


def watch(game, **eyes):
    for seed in range(25):
        spy_on(game, seed, **eyes)


class Blabbermouth(Lens):
    """Tells every face that moves."""

    def news(self, step):
        told = super().news(step)
        return [*told, *({"e": "psst", "face": n.facts["card"].face} for n in step.news if n.e == "moved")]


class Counter(Lens):
    """Tells how many numbers were drawn from the generator: whether something was left to chance."""

    def whole(self, sight=None):
        return {**super().whole(sight), "luck": self.look.table.luck}


class PointsAtEverything(Lens):
    """Names hidden cards by their ids."""

    def news(self, step):
        return [{"e": n.e, "card": n.facts["card"].id} for n in step.news if n.e == "moved"]


class ShowsEveryOffer(Lens):
    """Shows everybody what those may do whose turn it is."""

    def offers(self, match):
        return [{"type": offer.type} for seat in match.waiting() for offer in match.offers(seat)]


@pytest.mark.parametrize("lens", [Blabbermouth, Counter, PointsAtEverything, ShowsEveryOffer])
def test_the_spy_notices_a_lens_that_leaks(lens):
    with pytest.raises(Leak):
        watch(MAGPIES, lens=lens)


class ShowsFaces(Gallery):
    """Shows whoever can point at a card what it is."""

    def _card(self, id, sight):
        card = super()._card(id, sight)
        return Card(card.things, card.things, sight.face(id), None) if card.things else card


class PassesPeeksOn(Gallery):
    """What one was shown of a hidden zone, all are shown."""

    def _card(self, id, sight):
        card = self.look.table.entities.get(id)
        return Card(EVERYONE, EVERYONE, sight.face(id), None) if card and card.shown else super()._card(id, sight)


class ListsEveryZone(Gallery):
    """Says which cards lie in a zone to whoever may only count them."""

    def _patch_zones(self, patches, wanted, step):
        super()._patch_zones(patches, wanted, step)
        for patch in patches.values():
            for key in patch.get("zones", {}):
                patch["zones"][key] = {"cards": list(self.look.table.zones[key])}


@pytest.mark.parametrize("gallery", [ShowsFaces, PassesPeeksOn, ListsEveryZone])
def test_the_spy_notices_a_gallery_that_leaks(gallery):
    with pytest.raises(Leak):
        watch(MAGPIES, gallery=gallery)


def test_the_spy_notices_a_sentence_that_says_too_much(monkeypatch):
    def draw_one(journal: Journal, seat: int) -> None:
        if pile := journal.table.zones["pile"]:
            journal.say("drew", seat=seat, card=journal.ref(pile[-1], EVERYONE))
            journal.move(pile[-1], f"{seat}.hand")

    monkeypatch.setattr(magpies, "draw_one", draw_one)
    with pytest.raises(Leak):
        watch(MAGPIES)


def test_the_spy_notices_when_only_those_are_asked_who_can_answer():
    telling = Effects(core=effects)
    del telling.words["hiss_window"]

    @telling.does("hiss_window")
    def hiss_window(ctx: Ctx, /, then: magpies.Program, hushed: bool = False) -> None:
        again = (word("spend_it"), word("hiss_window", then=then, hushed=not hushed))
        able = [seat for seat in range(3) if [*hisses(ctx.table, seat)]]
        ask = {
            seat: Question((magpies.Offer(PASS), *hisses(ctx.table, seat)), "ask.hiss", {}, Move(PASS), {"hiss": again})
            for seat in able
        }
        if ask:
            ctx.ask(ask, first=True)
        else:
            ctx.then(*then)

    class Telling(Magpies):
        effects = telling
        faces = {**Magpies.faces, "Cat": make_face(telling, "Cat", "pounce")}

    with pytest.raises(Leak):
        watch(Telling())


def test_the_spy_notices_cards_that_are_recognised_later(monkeypatch):
    """A card that goes out of sight and keeps its id."""
    move, mint, moving = Journal.move, Journal.mint, []

    def keeps_its_id(self, id, zone, at=None, facts=None):
        moving.append(id)
        try:
            return move(self, id, zone, at, facts)
        finally:
            moving.pop()

    monkeypatch.setattr(Journal, "move", keeps_its_id)
    monkeypatch.setattr(Journal, "mint", lambda self: moving[-1] if moving else mint(self))
    with pytest.raises(Leak, match="recognise"):
        watch(MAGPIES)


def test_the_spy_notices_ids_that_were_minted_in_order(monkeypatch):
    monkeypatch.setattr(chance, "minted", lambda seed, count: count + 1)
    assert not 0.4 < ordered_pairs(ToyBattle(), range(60)) < 0.6
