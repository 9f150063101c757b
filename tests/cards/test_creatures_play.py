"""The creature battle: setting up, turns, what follows moves, counters and conditions, and how it ends."""

from __future__ import annotations

from collections import Counter

import pytest

from cards.creatures.field import EXTRA
from cards.table.facts import DECISION, phase
from engine.bots import make_bot
from engine.errors import Refused
from engine.findings import Unusual
from engine.journal import Journal
from engine.lens import Lens
from engine.match import Match
from engine.store import state_hash
from tests.cards.tables import Scene
from tests.cards.test_creatures_remarks import ACTIVE, ANN, BO, COLLAR, EMBER, GAME, MOSS, ODILE, scene

# setting up


def dealt(seed: object = 1, **more: object) -> Match:
    return Match.deal(GAME, seed=seed, names=("Ann", "Bo"), **more)


def hand(match: Match, seat: int) -> list[str]:
    return [card.face for card in match.table.lying(f"{seat}.hand")]


def basics(match: Match, seat: int) -> list[int]:
    return [card.id for card in match.table.lying(f"{seat}.hand") if GAME.faces[card.face].is_basic]


def set_up(match: Match) -> Match:
    """Both send out a Basic and are ready."""
    for _ in range(60):
        if phase(match.table) != "setup":
            return match
        seat = match.waiting()[0]
        if match.table.zones[f"{seat}.active"]:
            match.act(seat, {"type": "end_turn"}, heed="all")
        elif found := basics(match, seat):
            match.act(seat, {"type": "move_card", "what": found[:1], "to": [f"{seat}.active"], "at": ["top"]})
        else:
            match.act(seat, {"type": "mulligan", "count": 7})
    raise AssertionError("nobody ever has a Basic")


@pytest.mark.parametrize("seat", [ANN, BO])
def test_seven_cards_six_prizes_and_the_rest_is_the_deck(seat):
    match = dealt()
    sizes = {zone.partition(".")[2]: len(ids) for zone, ids in match.table.zones.items() if zone.startswith(f"{seat}.")}
    assert sizes["hand"] == 7
    assert [sizes[f"prizes_{n}"] for n in range(1, 7)] == [1] * 6
    assert sizes["deck"] == 47
    names = [card.face for card in match.table.entities.values() if card.owner == seat and card.face]
    assert Counter(names) in [Counter(deck) for deck in GAME.decks.values()]


def test_a_hand_without_a_basic_begins_again_and_the_other_may_draw_one_more():
    seed = next(seed for seed in range(99) if not basics(dealt(seed), ANN))
    match = dealt(seed)
    (offer,) = [offer for offer in match.offers(ANN) if not offer.free]
    assert offer.type == "mulligan"
    step = match.act(ANN, {"type": "mulligan", "count": 7})
    assert len(hand(match, ANN)) == 7
    assert [news.facts["key"] for news in step.news if news.e == "said"] == ["mulligan", "may_draw_extra"]
    assert EXTRA.of(match.table.seat(BO)) == 1
    while match.waiting() == (ANN,):
        set_up_one(match)
    match.act(BO, {"type": "draw_extra", "count": 1})
    assert len(hand(match, BO)) == 8
    assert EXTRA.of(match.table.seat(BO)) == 0
    with pytest.raises(Refused):
        match.act(BO, {"type": "draw_extra", "count": 1})


def set_up_one(match: Match) -> None:
    """One step of Ann's setting up."""
    if match.table.zones[ACTIVE]:
        match.act(ANN, {"type": "end_turn"})
    elif found := basics(match, ANN):
        match.act(ANN, {"type": "move_card", "what": found[:1], "to": [ACTIVE], "at": ["top"]})
    else:
        match.act(ANN, {"type": "mulligan", "count": 7})


def test_a_hand_with_a_basic_sends_it_out():
    seed = next(seed for seed in range(99) if basics(dealt(seed), ANN))
    types = [offer.type for offer in dealt(seed).offers(ANN) if not offer.free]
    assert types == ["move_card"]


def test_creatures_lie_face_down_for_both_until_both_are_ready():
    match = dealt(next(seed for seed in range(99) if basics(dealt(seed), ANN) and basics(dealt(seed), BO)))
    for seat in (ANN, BO):
        found = basics(match, seat)
        match.act(seat, {"type": "move_card", "what": found[:1], "to": [f"{seat}.active"], "at": ["top"]})
        for viewer in (ANN, BO, -1):
            view = Lens(match.look, viewer).whole()
            (id,) = view["zones"][f"{seat}.active"]["cards"]
            assert "face" not in view["cards"][str(id)]
        match.act(seat, {"type": "end_turn"})
    for viewer in (ANN, BO, -1):
        view = Lens(match.look, viewer).whole()
        for seat in (ANN, BO):
            (id,) = view["zones"][f"{seat}.active"]["cards"]
            assert "face" in view["cards"][str(id)]


def test_a_coin_decides_who_begins_and_draws():
    firsts = Counter()
    for seed in range(30):
        match = set_up(dealt(seed))
        first = match.waiting()[0]
        firsts[first] += 1
        assert match.table[0].facts["number"] == 1
    assert min(firsts[ANN], firsts[BO]) > 5


@pytest.mark.parametrize("first", [ANN, BO])
def test_whoever_was_chosen_begins(first):
    assert set_up(dealt(4, first=first)).waiting() == (first,)


def test_being_ready_with_nobody_sent_out_is_unusual():
    match = dealt(next(seed for seed in range(99) if basics(dealt(seed), ANN)))
    with pytest.raises(Unusual, match="has sent nobody out"):
        match.act(ANN, {"type": "end_turn"}, heed="all")
    assert [finding.rule for finding in match.act(ANN, {"type": "end_turn"}).warnings] == ["no_active"]


# a turn


def turned(active: list[str], theirs: list[str], **zones: list[str]) -> Scene:
    return scene(active=active, their_active=theirs, **zones)


def test_the_next_turn_begins_with_a_draw():
    table = turned(["Sootling"], ["Puddlet"])
    table.act(ANN, "end_turn")
    assert (table.waiting(), table.number, table.faces("1.hand")) == ((BO,), 4, ["Spyglass"])


def test_whoever_cannot_draw_has_lost():
    table = Scene(GAME, {ACTIVE: ["Sootling"], "1.active": ["Puddlet"], "1.hand": [ODILE]}, turn=3)
    table.act(ANN, "draw", count=3)  # a draw that nobody must make is no matter
    assert not table.match.over
    table.act(ANN, "end_turn")
    result = table.match.table.result
    assert (result.winners, result.reason) == ((ANN,), "deck_out")


def test_handing_a_decision_back_draws_nothing():
    table = turned(["Sootling"], ["Puddlet"])
    table.act(ANN, "create_decision", seat=BO, message=[])
    table.act(BO, "end_turn")
    assert (table.waiting(), table.number, table.faces("1.hand"), table.faces("0.hand")) == ((ANN,), 3, [], [])


def test_poison_and_fire_hurt_between_turns():
    table = turned(["Sootling"], ["Puddlet"])
    table.act(ANN, "add_counter", what="Puddlet", counter="poison", amount=1)
    table.act(ANN, "add_counter", what="Sootling", counter="burn", amount=1)
    table.act(ANN, "end_turn")
    assert table.counters("Puddlet") == {"10": 1, "poison": 1}
    heads = [news.facts["results"] for news in table.step.news if news.e == "rolled"] == [["heads"]]
    assert table.counters("Sootling") == ({"10": 2} if heads else {"10": 2, "burn": 1})


def test_who_was_paralyzed_in_their_own_turn_moves_again_after_it():
    table = turned(["Sootling"], ["Puddlet"])
    table.act(ANN, "set_orientation", what="Puddlet", orientation="90")
    table.act(ANN, "end_turn")
    assert table.orientation("Puddlet") == "90"
    table.act(BO, "end_turn")
    assert table.orientation("Puddlet") == "0"


def test_a_sleeper_may_wake_between_turns():
    woken = Counter()
    for seed in range(24):
        table = Scene(GAME, {ACTIVE: ["Sootling"], "1.active": ["Puddlet"], "1.deck": ["Spyglass"]}, turn=3, seed=seed)
        table.act(ANN, "set_orientation", what="Puddlet", orientation="-90")
        table.act(ANN, "end_turn")
        woken[table.orientation("Puddlet")] += 1
    assert set(woken) == {"0", "-90"}


def test_on_the_bench_conditions_do_nothing():
    table = turned(["Sootling"], ["Puddlet"], bench=["Ashwick"])
    table.act(ANN, "add_counter", what="Ashwick", counter="poison", amount=1)
    table.act(ANN, "end_turn")
    assert table.counters("Ashwick") == {"poison": 1}


# what follows moves


def test_a_trainer_is_read_out_when_it_is_played():
    table = scene(hand=[ODILE])
    table.move(ANN, ODILE, "staging")
    assert table.log(BO) == [f"Ann moves {ODILE} from 0.hand to staging.", f"{ODILE}: Draw three cards."]


def test_an_attack_is_read_out_when_it_is_declared():
    table = scene(active=[EMBER, EMBER, "Sootling", "Cindermaul"])
    table.act(ANN, "declare_action", kind="attack", name="Scorch Swipe", what="Cindermaul")
    assert table.log(BO) == [
        "Cindermaul, attack: Scorch Swipe.",
        "Scorch Swipe: Flip a coin. Heads: the defender is burned.",
    ]


def test_a_stack_is_laid_in_order_and_its_counters_stay_on_top():
    table = scene(hand=["Cindermaul", EMBER, COLLAR], active=["Sootling"])
    table.act(ANN, "add_counter", what="Sootling", counter="10", amount=3)
    table.move(ANN, COLLAR, ACTIVE)
    table.move(ANN, EMBER, ACTIVE)
    table.move(ANN, "Cindermaul", ACTIVE, 0)
    assert table.faces(ACTIVE) == [COLLAR, EMBER, "Sootling", "Cindermaul"]
    assert table.counters("Cindermaul") == {"10": 3}


def test_a_stack_that_somebody_cannot_see_through_stays_as_it_is():
    table = scene(hand=[EMBER], active=["Sootling"])
    table.act(ANN, "flip_card", what="Sootling", seen_by=[ANN])
    table.move(ANN, EMBER, ACTIVE, "top")
    assert table.faces(ACTIVE) == ["Sootling", EMBER]


def test_creatures_that_came_this_turn_are_marked_until_it_ends():
    table = turned([], ["Puddlet"], hand=["Sootling"])
    table.move(ANN, "Sootling", ACTIVE)
    assert table.view(BO)["cards"][str(table.id("Sootling"))]["played_this_turn"] is True
    table.act(ANN, "end_turn")
    assert "played_this_turn" not in table.view(BO)["cards"][str(table.id("Sootling"))]


def test_an_energy_and_a_creature_from_elsewhere_are_not_marked():
    table = scene(hand=[EMBER], discard=["Ashwick"], active=["Sootling"])
    table.move(ANN, EMBER, ACTIVE, "bottom")
    table.move(ANN, "Ashwick", "0.bench_1")
    assert not any("played_this_turn" in card for card in table.view(ANN)["cards"].values())


# counters and conditions


def test_damage_goes_up_with_an_evolution_and_down_again_with_it():
    table = scene(hand=["Cindermaul"], active=["Sootling"])
    table.act(ANN, "add_counter", what="Sootling", counter="10", amount=3)
    table.move(ANN, "Cindermaul", ACTIVE)
    assert (table.counters("Cindermaul"), table.counters("Sootling")) == ({"10": 3}, {})
    assert table.view(BO)["cards"][str(table.id("Cindermaul"))]["damage"] == 30
    table.move(ANN, "Cindermaul", "0.hand")
    assert table.counters("Sootling") == {"10": 3}


def test_damage_travels_to_the_bench_and_is_gone_in_the_discard():
    table = scene(active=[EMBER, "Sootling"], bench=["Ashwick"])
    table.act(ANN, "add_counter", what="Sootling", counter="50", amount=1)
    table.act(ANN, "swap_card_stacks", zones=[ACTIVE, "0.bench_1"])
    assert table.counters("Sootling") == {"50": 1}
    table.act(ANN, "place_on_zone", what=[EMBER, "Sootling"], zone="0.discard", at="top")
    assert table.counters("Sootling") == {}


def test_an_attached_energy_leaves_a_condition_and_leaving_or_evolving_cures_it():
    table = scene(hand=[EMBER, "Cindermaul"], active=["Sootling"], bench=["Ashwick"])
    table.act(ANN, "set_orientation", what="Sootling", orientation="90")
    table.move(ANN, EMBER, ACTIVE, "bottom")
    assert table.view(BO)["cards"][str(table.id("Sootling"))]["status"] == "paralyzed"
    table.act(ANN, "swap_card_stacks", zones=[ACTIVE, "0.bench_1"])
    assert table.orientation("Sootling") == "0"
    table.act(ANN, "set_orientation", what="Sootling", orientation="180")
    table.move(ANN, "Cindermaul", "0.bench_1")
    assert table.orientation("Cindermaul") == "0"


def test_an_energy_laid_on_top_by_hand_leaves_the_condition_too():
    table = scene(hand=[EMBER], active=["Sootling"])
    table.act(ANN, "set_orientation", what="Sootling", orientation="90")
    table.move(ANN, EMBER, ACTIVE)
    assert (table.faces(ACTIVE), table.orientation("Sootling")) == ([EMBER, "Sootling"], "90")


# the end


def test_a_beaten_creature_is_thrown_away_whole_and_a_prize_is_due():
    table = turned([EMBER, "Sootling"], ["Tide Charge", "Puddlet"], prizes_1=["Spyglass"], prizes_2=["Spyglass"])
    assert "knock_out" not in table.offered(ANN)
    table.act(ANN, "add_counter", what="Puddlet", counter="50", amount=1)
    table.act(ANN, "add_counter", what="Puddlet", counter="10", amount=1)
    table.act(ANN, "knock_out", card="Puddlet", heed="all")
    assert sorted(table.faces("1.discard")) == ["Puddlet", "Tide Charge"]
    assert "Puddlet is beaten." in table.log(BO)
    usual = [offer for offer in table.match.offers(ANN) if not offer.free]
    assert [(offer.type, offer.slots[1].from_) for offer in usual] == [("move_card", ("0.hand",))]


def test_whoever_has_nobody_in_front_sends_somebody_out_when_asked():
    table = turned(["Sootling"], [], prizes_1=["Spyglass"])
    journal = Journal(table.match.look)
    journal.create("Puddlet", BO, "1.bench_2")
    journal.close()
    table.match._offers = {}
    usual = [offer for offer in table.match.offers(ANN) if not offer.free]
    assert [offer.type for offer in usual] == ["create_decision"]
    table.act(ANN, "create_decision", seat=BO, message="Choose a new active creature.")
    usual = [offer for offer in table.match.offers(BO) if not offer.free]
    assert [offer.type for offer in usual] == ["send_out"]
    table.act(BO, "send_out", card="Puddlet", heed="all")
    assert table.faces("1.active") == ["Puddlet"]
    usual = [offer for offer in table.match.offers(BO) if not offer.free]
    assert [offer.type for offer in usual] == ["resolve_decision"]


def test_whoever_is_to_choose_a_new_active_creature_does_it_once():
    table = scene(active=["Sootling"], their_active=["Puddlet"], prizes_1=["Spyglass"])
    journal = Journal(table.match.look)
    journal.create("Brinecap", BO, "1.bench_1")
    journal.close()
    table.act(ANN, "create_decision", seat=BO, message="Choose a new active creature.")
    table.act(BO, "send_out", card="Brinecap", heed="all")
    assert (table.faces("1.active"), table.faces("1.bench_1")) == (["Brinecap"], ["Puddlet"])
    assert "send_out" not in table.offered(BO)


@pytest.mark.parametrize("reason", ["prizes", "no_creatures"])
def test_what_the_table_can_see_wins_at_once(reason):
    theirs = {"their_active": ["Puddlet"]} if reason == "prizes" else {"prizes_1": ["Spyglass"]}
    table = scene(active=["Sootling"], **theirs)
    table.act(ANN, "declare_victory", reason=reason)
    assert (table.match.table.result.winners, table.match.table.result.reason) == ((ANN,), reason)


def test_a_claim_that_the_table_cannot_see_is_a_proposal_that_no_bot_agrees_to():
    table = scene(active=["Sootling"], their_active=["Puddlet"], prizes_1=["Spyglass"])
    table.act(ANN, "declare_victory", reason="prizes")
    bot = make_bot("random", GAME, BO, 1)
    assert all(bot.pick({}, table.match.offers(BO), []) == {"type": "refuse"} for _ in range(9))
    table.act(BO, "agree")
    assert table.match.table.result.winners == (ANN,)


def test_resigning_in_the_middle_of_a_decision_leaves_none_behind():
    table = turned(["Sootling"], ["Puddlet"], hand=[ODILE])
    table.act(ANN, "reveal_hand", zone="0.hand", seat=BO, how="mine", message=[])
    table.match.resign(ANN)
    assert table.fact(DECISION) == {}
    assert table.match.table.result.winners == (BO,)


# bots


@pytest.mark.parametrize("seed", range(5))
def test_a_bot_that_minds_every_remark_plays_a_match_to_its_end(seed):
    match = dealt(seed, decks=(GAME.decks["Kiln Road"], GAME.decks["Low Water"]))
    bots = [make_bot("random", GAME, seat, seed) for seat in (ANN, BO)]
    while not match.over:
        seat = match.waiting()[0]
        step = match.act(seat, bots[seat].pick({}, match.offers(seat), []), heed="all")
        assert step.warnings == ()
        assert match.table.version < 1500
    assert len(match.table.result.winners) == 1


def test_bots_beat_creatures_cure_them_decide_and_win_in_more_than_one_way():
    seen, reasons = set(), set()
    for seed in range(4):
        match = dealt(seed, decks=(GAME.decks["Kiln Road"], GAME.decks["Low Water"]))
        bots = [make_bot("random", GAME, seat, seed) for seat in (ANN, BO)]
        while not match.over:
            seat = match.waiting()[0]
            step = match.act(seat, bots[seat].pick({}, match.offers(seat), []), heed="all")
            seen |= {news.facts["key"] for news in step.news if news.e == "said"}
        reasons.add(match.table.result.reason)
    assert {"knocked_out", "recovers", "flipped_coins", "decides_about", "mulligan"} <= seen
    assert len(reasons) > 1


def test_the_same_seed_and_the_same_moves_give_the_same_table():
    hashes = []
    for _ in range(2):
        match = dealt(7)
        bots = [make_bot("random", GAME, seat, 3) for seat in (ANN, BO)]
        for _ in range(60):
            seat = match.waiting()[0]
            match.act(seat, bots[seat].pick({}, match.offers(seat), []))
        hashes.append(state_hash(match.table))
    assert hashes[0] == hashes[1]


def test_after_a_takeback_the_same_moves_lead_to_the_same_table():
    table = scene(hand=[EMBER, MOSS], active=["Sootling"])
    table.match.remember()
    table.move(ANN, EMBER, ACTIVE, "bottom")
    after = table.faces(ACTIVE), table.faces("0.hand")
    table.match.take_back(ANN)
    assert (table.faces(ACTIVE), table.faces("0.hand")) == (["Sootling"], [EMBER, MOSS])
    table.move(ANN, EMBER, ACTIVE, "bottom")
    assert (table.faces(ACTIVE), table.faces("0.hand")) == after
