"""Agents at the free table: what they read, what they call, and what they are answered."""

from __future__ import annotations

import io
import json

import pytest

from engine.bots import make_bot
from engine.conversation import Conversation
from engine.match import Match
from server.commands.drive import drive
from tests.cards.tables import Scene
from tests.cards.test_creatures_remarks import ACTIVE, ANN, BO, EMBER, GAME, MOSS, ODILE, scene
from tests.engine.games import find_game
from tests.engine.test_readable import spoken


def talk(table: Scene, seat: int = ANN, **more: str) -> Conversation:
    return Conversation(table.match, seat, **more)


def called(talking: Conversation) -> set[str]:
    return {tool["name"] for tool in talking.tools()}


def test_counters_are_read_as_damage_and_a_turned_card_as_its_condition():
    table = scene(active=[EMBER, "Sootling"])
    table.act(ANN, "add_counter", what="Sootling", counter="10", amount=2)
    table.act(ANN, "add_counter", what="Sootling", counter="50", amount=1)
    table.act(ANN, "set_orientation", what="Sootling", orientation="-90")
    cards = talk(table).state()["zones"]["your_active"]["cards"]
    assert cards == [{"name": EMBER}, {"name": "Sootling", "damage": 70, "status": "asleep"}]


def test_four_equal_energies_are_one_line():
    table = scene(hand=[EMBER] * 4, active=["Sootling"])
    assert talk(table).state()["zones"]["your_hand"]["cards"] == [{"name": EMBER, "count": 4}]


def test_what_a_trainer_says_is_in_the_text():
    table = scene(hand=[ODILE], active=["Sootling"])
    assert "Draw three cards." in talk(table).text()
    assert "Draw three cards." not in talk(table, BO).text()


def test_what_was_done_this_turn_is_told_to_each_as_far_as_they_know():
    table = scene(hand=[EMBER, MOSS], active=["Sootling"])
    table.move(ANN, EMBER, ACTIVE, "bottom")
    table.move(ANN, MOSS, "0.deck", "bottom")
    for seat, who, whose in ((ANN, "you", "your"), (BO, "opponent", "opponent")):
        first, second = talk(table, seat).state()["this_turn"]
        assert first == {
            "do": "move_card",
            "seat": who,
            "to": f"{whose}_active",
            "cards": [EMBER],
            "from": f"{whose}_hand",
        }
        assert second["cards"] == ["a hidden card"]


def test_a_call_in_words_is_a_move_and_its_answer_says_what_happened():
    table = scene(hand=[EMBER], active=["Sootling"])
    answer = talk(table).call("move_card", {"what": EMBER, "to": "your_active", "at": "bottom"})
    assert answer.done
    assert answer.text == f"Seat 0 moves {EMBER} from your_hand to your_active.\nWaiting for you."
    assert table.faces(ACTIVE) == [EMBER, "Sootling"]


def test_a_hard_remark_stops_an_agent_and_says_how_to_go_on():
    table = scene(hand=[ODILE, MOSS])
    talking = talk(table)
    assert talking.call("move_card", {"what": ODILE, "to": "staging", "at": "top"}).done
    answer = talking.call("move_card", {"what": MOSS, "to": "staging", "at": "top"})
    assert not answer.done
    assert answer.text == (
        f"Nothing was done. {ODILE} was played this turn; {MOSS} would be a second supporter."
        " Call it again with sure=true to do it all the same."
    )
    assert talking.call("move_card", {"what": MOSS, "to": "staging", "at": "top", "sure": True}).done


def test_a_soft_remark_stops_only_an_agent_that_heeds_all():
    wrong = {"what": EMBER, "to": "your_active", "at": "top"}
    assert not talk(scene(hand=[EMBER], active=["Sootling"]), heed="all").call("move_card", wrong).done
    answer = talk(scene(hand=[EMBER], active=["Sootling"])).call("move_card", wrong)
    assert answer.done
    assert f"Warning: {EMBER} goes underneath: at the bottom, position 0." in answer.text


def test_a_call_that_cannot_be_says_what_can():
    talking = talk(scene(hand=[EMBER], active=["Sootling"]))
    answer = talking.call("move_card", {"what": "Ember Chrage", "to": "your_active", "at": "bottom"})
    assert not answer.done
    assert "Did you mean 'Ember Charge in your_hand'?" in answer.text
    assert "You cannot call dance now." in talking.call("dance").text


def test_setting_up_a_turn_and_a_decision_have_their_own_tools():
    match = Match.deal(GAME, seed=1)
    seat = match.waiting()[0]
    assert Conversation(match, seat).mode() == "setup"
    table = scene(active=["Sootling"], hand=[EMBER])
    assert talk(table).mode() == "main"
    assert {"end_turn", "create_decision"} <= called(talk(table))
    assert "resolve_decision" not in called(talk(table))
    assert talk(table, BO).mode() == "waiting"
    assert called(talk(table, BO)) == set()
    talk(table).call("create_decision", {"seat": "opponent", "message": "Choose a card."})
    asked = talk(table, BO)
    assert asked.mode() == "decision"
    assert asked.state()["decision"] == {"by": "opponent", "seat": "you", "message": "Choose a card."}
    assert "resolve_decision" in called(asked)
    assert {"end_turn", "create_decision"}.isdisjoint(called(asked))


def test_a_look_is_answered_with_what_was_seen():
    table = Scene(find_game("table"), {"deck": ["Ace of Spades", "Two of Spades"]})
    answer = talk(table).call("peek", {"zone": "deck", "count": 2, "end": "top"})
    assert "Seat 0 sees Two of Spades and Ace of Spades." in answer.text


def test_a_move_is_taken_back_and_not_once_somebody_has_learned_something():
    table = Scene(find_game("table"), {"0.front": ["Ace of Spades"], "deck": ["Two of Spades"]})
    table.match.remember()
    talking = talk(table)
    talking.call("move_card", {"what": "Ace of Spades", "to": "middle", "at": "top"})
    assert talking.call("take_back").done
    assert table.faces("0.front") == ["Ace of Spades"]
    talking.call("coin_flip", {"count": 1})
    assert not talking.call("take_back").done
    assert talking.call("resign").text.endswith("The match is over, won by opponent.")


def lines(*commands: object, game=GAME, seed: str = "x") -> list[dict]:
    """What drive says in words."""
    out = io.BytesIO()
    match = Match.deal(game, seed=seed, first=0)
    drive(match, [json.dumps(command).encode() for command in commands], out, readable=True)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_drive_reads_the_table_out_and_takes_calls():
    opening, answered = lines(
        {"seat": 0, "call": {"name": "mulligan", "arguments": {"count": 7}}},
    )
    assert list(opening["seats"]) == ["0"]
    assert set(opening["seats"]["0"]) == {"mode", "text", "state", "tools"}
    assert answered["answer"]["done"]
    assert answered["v"] == 1


def test_of_several_calls_the_first_that_is_not_done_ends_the_rest():
    _, told = lines(
        {
            "seat": 0,
            "calls": [
                {"name": "coin_flip", "arguments": {"count": 1}},
                {"name": "coin_flip", "arguments": {"count": 99}},
                {"name": "end_turn"},
            ],
        },
    )
    assert [answer["done"] for answer in told["answers"]] == [True, False, False]
    assert told["answers"][2]["text"] == "end_turn was not tried: the call before it was not done."
    assert told["to_act"] == [0]


@pytest.mark.parametrize(
    ("line", "code"),
    [({"seat": 9, "call": {"name": "x"}}, "bad_command"), ({"call": {"name": "x"}}, "bad_command"), ([], "bad_frame")],
)
def test_a_line_that_cannot_be_is_refused(line, code):
    assert lines(line)[1]["err"]["code"] == code


def test_a_whole_match_is_played_in_words():
    """Whatever a bot would do is said by name and called; nothing is ever refused."""
    match = Match.deal(GAME, seed=5, options={"turn_limit": 14})
    talks = [Conversation(match, seat, "all") for seat in (ANN, BO)]
    bots = [make_bot("random", GAME, seat, 5) for seat in (ANN, BO)]
    while not match.over:
        seat = match.waiting()[0]
        do = bots[seat].pick({}, match.offers(seat), [])
        answer = talks[seat].call(str(do["type"]), spoken(GAME, talks[seat].lens.whole(), do))
        assert answer.done, answer.text
        for talking in talks:
            talking.hear(answer.step)
    assert "over" in talks[ANN].text()
