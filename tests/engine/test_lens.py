"""Who sees what, told for each kind of viewer. Ann, Bo and Cy sit at a table of magpies, and somebody watches."""

from __future__ import annotations

import pytest

from engine.frames import Offer, Question
from engine.gallery import Gallery
from engine.journal import Journal
from engine.lens import Lens, view_name, viewers
from engine.match import Match
from engine.merge import canonical, merge
from engine.table import AUDIENCE, EVERYONE, bit
from tests.engine.games import MAGPIES, pen

ANN, BO, CY = 0, 1, 2
ALL = (ANN, BO, CY, AUDIENCE)


@pytest.fixture
def match() -> Match:
    return Match.deal(MAGPIES, seed="lens", first=ANN)


def told(match: Match, write) -> dict[int, list]:
    """What each viewer hears when somebody writes on the table; the patches are checked on the way."""
    lenses = {viewer: Lens(match.look, viewer) for viewer in viewers(3)}
    before = {viewer: lens.whole() for viewer, lens in lenses.items()}
    gallery = Gallery(match)
    shown = {viewer: Gallery(match, [viewer]) for viewer in lenses}
    journal = Journal(match.look)
    write(journal)
    step = journal.close()
    patches = gallery.patches(step)
    for viewer, alone in shown.items():
        view = view_name(viewer)
        assert canonical(merge(before[viewer], patches[view])) == canonical(Lens(match.look, viewer).whole())
        assert canonical(alone.patches(step)) == canonical({view: patches[view]})
    heard = {viewer: lens.news(step) for viewer, lens in lenses.items()}
    assert canonical(gallery.news(step)) == canonical({view_name(viewer): news for viewer, news in heard.items()})
    return heard


def lay(match: Match, face: str, zone: str, shown: int = 0) -> int:
    with pen(match) as journal:
        id = journal.create(face, -1, zone)
        if shown:
            journal.show(id, shown)
    return id


def view(match: Match, viewer: int) -> dict:
    return Lens(match.look, viewer).whole()


# a card moves


def test_a_card_drawn_from_the_pile_is_known_to_whoever_drew_it(match):
    card = lay(match, "Coin", "pile")
    heard = told(match, lambda journal: journal.move(card, "0.hand"))
    assert heard[ANN] == [{"e": "moved", "card": card, "from": "pile", "to": "0.hand"}]
    for viewer in (BO, CY, AUDIENCE):
        assert heard[viewer] == [{"e": "moved", "from": "pile", "to": "0.hand"}]


def test_a_card_laid_open_is_known_to_all_and_keeps_its_id(match):
    card = lay(match, "Coin", "0.hand")
    heard = told(match, lambda journal: journal.move(card, "heap"))
    for viewer in ALL:
        assert heard[viewer] == [{"e": "moved", "card": card, "from": "0.hand", "to": "heap"}]


def test_a_card_laid_face_down_is_a_new_thing_to_all_but_its_player_knows_which(match):
    card = lay(match, "Coin", "0.hand")
    heard = told(match, lambda journal: journal.move(card, "0.nest"))
    now = match.table.zones["0.nest"][-1]
    assert now != card
    ends = {"from": "0.hand", "to": "0.nest"}
    assert heard[ANN] == [{"e": "moved", "card": now, "was": card, "face": "Coin", **ends}]
    for viewer in (BO, CY, AUDIENCE):
        assert heard[viewer] == [{"e": "moved", "card": now, **ends}]
        assert view(match, viewer)["cards"][str(now)] == {"owner": -1, "lump": True}
    assert "face" not in view(match, ANN)["cards"][str(now)]


def test_a_card_that_is_taken_up_again_is_remembered_only_as_the_thing_it_was(match):
    thing = lay(match, "Coin", "1.nest")
    heard = told(match, lambda journal: journal.move(thing, "0.hand"))
    now = match.table.zones["0.hand"][-1]
    assert now != thing
    ends = {"from": "1.nest", "to": "0.hand"}
    assert heard[ANN] == [{"e": "moved", "card": now, "was": thing, **ends}]
    for viewer in (BO, CY, AUDIENCE):
        assert heard[viewer] == [{"e": "moved", "was": thing, **ends}]


def test_an_open_card_that_goes_into_the_pile_was_seen_going(match):
    card = lay(match, "Coin", "heap")
    heard = told(match, lambda journal: journal.move(card, "pile"))
    assert card not in match.table.entities
    for viewer in ALL:
        assert heard[viewer] == [{"e": "moved", "was": card, "face": "Coin", "from": "heap", "to": "pile"}]
        assert "cards" not in view(match, viewer)["zones"]["pile"]


def test_a_card_slipped_into_a_pocket_is_only_seen_to_be_gone(match):
    """Nobody may count a pocket, so nobody is told that it got fuller."""
    card = lay(match, "Coin", "0.hand")
    heard = told(match, lambda journal: journal.move(card, "0.pocket"))
    now = match.table.zones["0.pocket"][-1]
    assert heard[ANN][0]["card"] == now
    for viewer in (BO, CY, AUDIENCE):
        assert heard[viewer] == [{"e": "moved", "from": "0.hand"}]
        assert "0.pocket" not in view(match, viewer)["zones"]


def test_a_card_out_of_a_pocket_comes_from_nowhere(match):
    card = lay(match, "Coin", "0.pocket")
    heard = told(match, lambda journal: journal.move(card, "0.hand"))
    assert heard[ANN] == [{"e": "moved", "card": card, "from": "0.pocket", "to": "0.hand"}]
    for viewer in (BO, CY, AUDIENCE):
        assert heard[viewer] == [{"e": "moved", "to": "0.hand"}]


def test_a_card_from_one_pocket_to_another_is_no_news_to_others(match):
    card = lay(match, "Coin", "0.pocket")
    heard = told(match, lambda journal: journal.move(card, "1.pocket"))
    assert heard[CY] == heard[AUDIENCE] == []
    assert heard[ANN][0]["face"] == "Coin"
    assert "face" not in heard[BO][0]  # the card itself tells
    assert "card" not in heard[ANN][0]
    assert "was" not in heard[BO][0]


def test_a_card_that_stays_hidden_from_everybody_keeps_its_id_and_nobody_hears_it(match):
    card = lay(match, "Coin", "pile")
    heard = told(match, lambda journal: journal.move(card, "pile", at=0))
    assert match.table.zones["pile"][0] == card
    for viewer in ALL:
        assert heard[viewer] == [{"e": "moved", "from": "pile", "to": "pile"}]


# a card is shown


def test_a_card_shown_to_one_is_seen_by_that_one_in_its_place(match):
    card = lay(match, "Cat", "1.nest")
    heard = told(match, lambda journal: journal.show(card, bit(CY)))
    assert heard[CY] == [{"e": "turned", "card": card, "face": "Cat"}]
    for viewer in (ANN, BO, AUDIENCE):
        assert heard[viewer] == [{"e": "turned", "card": card}]
    assert view(match, CY)["cards"][str(card)]["face"] == "Cat"
    assert "face" not in view(match, BO)["cards"][str(card)]


def test_a_card_shown_inside_a_hidden_zone_is_seen_among_unseen_ones(match):
    card = match.table.zones["1.hand"][1]
    heard = told(match, lambda journal: journal.show(card, bit(ANN)))
    assert view(match, ANN)["zones"]["1.hand"] == {"n": 3, "cards": [0, card, 0]}
    assert view(match, ANN)["cards"][str(card)]["face"] == match.table[card].face
    assert view(match, CY)["zones"]["1.hand"] == view(match, AUDIENCE)["zones"]["1.hand"] == {"n": 3}
    assert heard[CY] == heard[AUDIENCE] == [{"e": "turned"}]


def test_a_card_shown_to_all_is_seen_by_all(match):
    card = match.table.zones["pile"][-1]
    told(match, lambda journal: journal.show(card, EVERYONE))
    for viewer in ALL:
        assert view(match, viewer)["cards"][str(card)]["face"] == match.table[card].face


def test_a_card_shown_in_a_place_that_nobody_may_count_is_seen_alike_by_old_and_new_viewers(match):
    card = lay(match, "Coin", "0.pocket")
    told(match, lambda journal: journal.show(card, bit(BO)))
    for viewer in (CY, AUDIENCE):
        assert "0.pocket" not in view(match, viewer)["zones"]
        assert str(card) not in view(match, viewer)["cards"]


def test_who_was_shown_a_card_loses_it_when_it_moves_on(match):
    card = lay(match, "Cat", "1.hand", shown=bit(CY))
    heard = told(match, lambda journal: journal.move(card, "0.hand"))
    assert heard[CY] == [{"e": "moved", "was": card, "face": "Cat", "from": "1.hand", "to": "0.hand"}]
    assert heard[AUDIENCE] == [{"e": "moved", "from": "1.hand", "to": "0.hand"}]
    assert card not in match.table.entities
    assert "cards" not in view(match, CY)["zones"]["0.hand"]


# a card is turned over where it lies


def test_a_card_laid_face_down_in_an_open_place_is_seen_as_a_thing_by_all(match):
    card = lay(match, "Cat", "0.hand")
    heard = told(match, lambda journal: journal.move(card, "0.yard", dark=EVERYONE))
    now = match.table.zones["0.yard"][-1]
    assert now != card
    assert heard[ANN] == [{"e": "moved", "card": now, "was": card, "face": "Cat", "from": "0.hand", "to": "0.yard"}]
    assert heard[BO] == heard[AUDIENCE] == [{"e": "moved", "card": now, "from": "0.hand", "to": "0.yard"}]
    for viewer in ALL:
        assert view(match, viewer)["zones"]["0.yard"]["cards"] == [now]
        assert view(match, viewer)["cards"][str(now)] == {"owner": -1, "lump": True}


def test_a_card_turned_down_for_some_gets_a_new_id_and_is_still_seen_by_the_others(match):
    card = lay(match, "Cat", "0.yard")
    heard = told(match, lambda journal: journal.turn(card, bit(ANN)))
    now = match.table.zones["0.yard"][-1]
    assert now != card
    assert heard[BO] == [{"e": "turned", "was": card, "face": "Cat", "card": now}]
    assert view(match, ANN)["cards"][str(now)]["face"] == "Cat"
    for viewer in (BO, CY, AUDIENCE):
        assert "face" not in view(match, viewer)["cards"][str(now)]


def test_a_card_turned_up_keeps_its_id(match):
    with pen(match) as journal:
        card = journal.turn(journal.create("Cat", -1, "0.yard"), 0)
    heard = told(match, lambda journal: journal.turn(card, EVERYONE))
    assert heard[CY] == [{"e": "turned", "card": card, "face": "Cat"}]
    assert match.table[card].dark == match.table[card].shown == 0


def test_a_look_that_ends_leaves_no_trace_and_is_no_news_to_others(match):
    card = match.table.zones["pile"][-1]
    with pen(match) as journal:
        journal.turn(card, bit(ANN))
    assert view(match, ANN)["zones"]["pile"]["cards"][-1] == card
    heard = told(match, lambda journal: journal.turn(card, 0))
    assert card not in match.table.entities
    assert "cards" not in view(match, ANN)["zones"]["pile"]
    assert heard[BO] == heard[AUDIENCE] == []


def test_a_card_that_lay_face_down_lies_open_when_it_moves_on_or_is_shuffled(match):
    with pen(match) as journal:
        first, second = (journal.turn(journal.create(face, -1, "0.yard"), 0) for face in ("Cat", "Coin"))
        journal.move(first, "1.yard")
        journal.shuffle("0.yard")
    assert {view(match, BO)["cards"][str(id)]["face"] for id in match.table.zones["1.yard"]} == {"Cat"}
    assert {view(match, BO)["cards"][str(id)]["face"] for id in match.table.zones["0.yard"]} == {"Coin"}
    assert second not in match.table.entities


# a zone is shuffled


def test_after_a_shuffle_nobody_recognises_a_card(match):
    with pen(match) as journal:
        journal.show(match.table.zones["pile"][-1], EVERYONE)
    before = match.table.zones["pile"]
    heard = told(match, lambda journal: journal.shuffle("pile"))
    assert before[-1] not in match.table.entities
    for viewer in ALL:
        assert heard[viewer] == [{"e": "shuffled", "zone": "pile"}]
        assert view(match, viewer)["zones"]["pile"] == {"n": len(before)}


# sentences


def test_a_sentence_names_a_card_only_to_those_who_may_know_it(match):
    mine, thing, pile = lay(match, "Coin", "0.hand"), lay(match, "Cat", "1.nest"), match.table.zones["pile"][0]

    def speak(journal: Journal) -> None:
        refs = [journal.ref(id) for id in (mine, thing, pile)]
        journal.say("robbed", card=refs[0], on=refs[1], by=refs[2], many=refs, count=3, words=["a", "b"])

    heard = {viewer: events[0]["args"] for viewer, events in told(match, speak).items()}
    assert heard[ANN] == {
        "card": {"card": mine, "face": "Coin"},
        "on": {"card": thing},
        "many": [{"card": mine, "face": "Coin"}, {"card": thing}, {}],
        "count": 3,
        "words": ["a", "b"],
    }
    for viewer in (BO, CY, AUDIENCE):
        assert heard[viewer] == {
            "on": {"card": thing},
            "many": [{}, {"card": thing}, {}],
            "count": 3,
            "words": ["a", "b"],
        }


def test_a_card_may_be_named_to_somebody_on_purpose(match):
    card = lay(match, "Coin", "0.hand")
    heard = told(match, lambda journal: journal.say("played", card=journal.ref(card, bit(BO))))
    assert heard[BO] == [{"e": "said", "key": "played", "args": {"card": {"card": card, "face": "Coin"}}}]
    assert heard[CY] == [{"e": "said", "key": "played", "args": {}}]


def test_some_things_are_told_to_one_seat_only(match):
    heard = told(match, lambda journal: (journal.say("drew", to=bit(BO), seat=1), journal.tell("rolled", to=bit(CY))))
    assert heard == {
        ANN: [],
        BO: [{"e": "said", "key": "drew", "args": {"seat": 1}}],
        CY: [{"e": "rolled"}],
        AUDIENCE: [],
    }


def test_an_event_names_its_cards_only_to_those_who_may_know_them(match):
    mine = lay(match, "Coin", "0.hand")
    thing = lay(match, "Cat", "1.nest")
    heard = told(match, lambda journal: journal.tell("struck", card=mine, on=thing, by=3))
    assert heard[ANN] == [{"e": "struck", "card": mine, "on": thing, "by": 3}]
    for viewer in (BO, CY, AUDIENCE):
        assert heard[viewer] == [{"e": "struck", "on": thing, "by": 3}]


@pytest.mark.parametrize("several", [list, tuple])
def test_several_cards_in_an_event_are_filtered_like_a_single_one(match, several):
    mine = lay(match, "Coin", "0.hand")
    heard = told(match, lambda journal: journal.tell("looked", cards=several([journal.ref(mine)]), seat=0))
    assert b"Coin" in canonical(heard[ANN])
    assert b"Coin" not in canonical(heard[BO])
    assert str(mine).encode() not in canonical(heard[BO])


# views


def test_a_view_is_as_the_protocol_draws_it(match):
    ann, watcher = view(match, ANN), view(match, AUDIENCE)
    assert ann["you"] == ANN
    assert "you" not in watcher
    assert ann["turn"] == {"number": 1, "seat": ANN, "waiting": [ANN]}
    assert ann["seats"] == {"0": {"shiny": 2}, "1": {}, "2": {}}
    assert watcher["seats"] == {"0": {}, "1": {}, "2": {}}
    assert ann["zones"]["1.hand"] == {"n": 3}
    assert ann["zones"]["0.hand"]["cards"] == list(match.table.zones["0.hand"])
    assert "0.pocket" in ann["zones"]
    assert "1.pocket" not in ann["zones"]
    assert set(ann["cards"]) == {str(id) for id in match.table.zones["0.hand"]}
    assert watcher["cards"] == {}
    assert "result" not in ann


def test_the_end_is_in_the_view(match):
    with pen(match) as journal:
        journal.end([CY, ANN], "counted", [[CY], [ANN], [BO]])
    for viewer in ALL:
        shown = view(match, viewer)
        assert shown["result"] == {"winners": [0, 2], "ranking": [[2], [0], [1]], "reason": "counted"}
        assert shown["turn"] == {"number": 1, "seat": ANN, "waiting": []}


def test_views_have_names_on_the_wire():
    assert [view_name(viewer) for viewer in viewers(3)] == ["0", "1", "2", "watch"]


def test_an_offer_is_as_the_protocol_draws_it(match):
    coin = lay(match, "Coin", "0.hand")
    hand = list(match.table.zones["0.hand"])
    offers = Lens(match.look, ANN).offers(match)
    assert {"type": "play", "card": coin, "label": "Play Coin", "say": ["offer.play", {"face": "Coin"}]} in offers
    assert {
        "type": "stash",
        "label": "Stash",
        "say": ["offer.stash", {}],
        "slots": [{"name": "thing", "from": hand, "least": 1, "most": 2}],
    } in offers
    assert Lens(match.look, BO).offers(match) == Lens(match.look, AUDIENCE).offers(match) == []


def test_blocked_cards_are_told_to_whoever_could_use_them(match):
    hiss = lay(match, "Hiss", "0.hand")
    assert {"card": hiss, "code": "not_now"} in Lens(match.look, ANN).blocked(match)
    lay(match, "Hiss", "1.hand")
    assert Lens(match.look, BO).blocked(match) == []


def test_the_label_of_an_offer_does_not_tell_what_lies_face_down(match):
    with pen(match) as journal:
        card = journal.turn(journal.create("Cat", -1, "0.yard"), 0)
        journal.ask({ANN: Question((Offer("poke", card),))})
    assert Lens(match.look, ANN).offers(match) == [
        {"type": "poke", "card": card, "label": "Poke", "say": ["offer.poke", {}]}
    ]
