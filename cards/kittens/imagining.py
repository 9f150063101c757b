"""What a bot makes of the fizzlebox: how it stands, and where the cards may be that it does not see."""

from __future__ import annotations

from collections import Counter
from math import exp
from typing import TYPE_CHECKING, Any

from cards.kittens import asking
from cards.kittens.facts import DEALT
from cards.kittens.memory import Memory
from engine.frames import PASS, Ask, Move, Run, Seat, Turn, word
from engine.game import Game, Luck, Record, View
from engine.imagining import Imagined
from engine.look import Look
from engine.table import TABLE, Table, seat_id

if TYPE_CHECKING:
    from cards.kittens.rules import Fizzlebox

TRIES = 8


def score(game: Fizzlebox, view: View, seat: Seat) -> float:
    """One's share of what all who are in have to hold against the sparks."""
    if "result" in view:
        return Game.score(game, view, seat)
    if not view["seats"][str(seat)]["alive"]:
        return 0.0
    shares = {int(other): _share(game, view, int(other)) for other, shown in view["seats"].items() if shown["alive"]}
    return shares[seat] / sum(shares.values())


def _share(game: Fizzlebox, view: View, seat: Seat) -> float:
    zone, cards = view["zones"][f"{seat}.hand"], view["cards"]
    if "cards" not in zone:
        return exp(game.unseen * zone["n"])
    return exp(sum(game.cards[cards[str(id)]["face"]].worth for id in zone["cards"]))


def imagine(game: Fizzlebox, view: View, record: Record, luck: Luck) -> Table:
    """A table that could be the real one."""
    imagined = Imagined(game, view, luck, lambda shown: {})
    table, turn = imagined.table, view["turn"]
    _fill_in(game, imagined, view, record)
    for seat in range(table.seats):
        shown = view["seats"][str(seat)]
        imagined.note(seat_id(seat), name=shown.get("name"), place=shown.get("place"))
    facts = {key: turn[key] for key in ("number", "shoved", "window") if key in turn}
    imagined.note(TABLE, **facts, **({"turns": turn["turns"]} if turn["turns"] > 1 else {}))
    table.stack = (Turn(turn["seat"]), *_asked(Look(game, table), view))
    return imagined.done()


def _fill_in(game: Fizzlebox, imagined: Imagined, view: View, record: Record) -> None:
    """Hands and pile: what is remembered in its place, the rest by chance, and no spark in any hand."""
    table, luck = imagined.table, imagined.luck
    box = game.box(table.seats, view["options"]["actions"])
    loose = Counter(box) - Counter(card.face for card in table.entities.values() if card.face)
    memory = Memory(view.get("you", -1), table.seats, len(box) - table.seats * (DEALT + 1), *game.fire, luck)
    memory.recall(record)
    size = view["zones"]["pile"]["n"]
    hidden = {seat: len(imagined.unseen.get(f"{seat}.hand", ())) for seat in range(table.seats)}
    hands = {seat: _claimed(memory.sure[seat], count, loose) for seat, count in hidden.items()}  # before any guess
    known = _known(game, memory.pile, size, loose)
    for seat, count in hidden.items():
        hands[seat] += _claimed(memory.hands[seat] - memory.sure[seat], count - len(hands[seat]), loose)
    sparks = [name for name in loose.elements() if game.cards[name].kind == "spark"]
    rest = [name for name in loose.elements() if game.cards[name].kind != "spark"]
    for seat, count in hidden.items():
        while len(hands[seat]) < count:
            hands[seat].append(_any_but(memory.lacks[seat], rest, luck))
        imagined.hide(f"{seat}.hand", hands[seat], -1)
    pile = _pile(size, known, [*rest, *sparks], luck)
    imagined.unseen["pile"] = []
    table.zones["pile"] = tuple(imagined.lay(name, -1, "pile") for name in pile)


def _known(game: Fizzlebox, pile: dict[int, str], size: int, loose: Counter[str]) -> dict[int, str]:
    """What is remembered of the pile, unless so much of it is a wrong guess that the sparks would have no place."""
    before = Counter(loose)
    known = {at: name for at, name in pile.items() if 0 <= at < size and _take(loose, name)}
    sparks = sum(count for name, count in loose.items() if game.cards[name].kind == "spark")
    if sparks <= size - len(known):
        return known
    loose.clear()
    loose.update(before)
    return {}


def _take(loose: Counter[str], name: str) -> bool:
    """Take a card that nobody has seen elsewhere; what is remembered may be wrong where it was a guess."""
    if loose[name] <= 0:
        return False
    loose[name] -= 1
    return True


def _claimed(known: Counter[str], count: int, loose: Counter[str]) -> list[str]:
    """The cards that are thought to be in a hand with room for so many."""
    found: list[str] = []
    for name in known.elements():
        if len(found) < count and _take(loose, name):
            found.append(name)
    return found


def _any_but(lacks: set[str], rest: list[str], luck: Luck) -> str:
    """Any card, if possible none that the hand is known to lack."""
    place = luck(len(rest))
    for _ in range(TRIES):
        if rest[place] not in lacks:
            break
        place = luck(len(rest))
    return rest.pop(place)


def _pile(size: int, known: dict[int, str], rest: list[str], luck: Luck) -> list[str]:
    """The pile from its bottom to its top: what is known in its place, the rest in any order."""
    order = [rest.pop(luck(len(rest))) for _ in range(len(rest))]
    return [known[size - 1 - at] if size - 1 - at in known else order.pop() for at in range(size)]


def _asked(look: Look, view: View) -> tuple[Any, ...]:
    """The question that is open, put again."""
    turn, table = view["turn"], look.table
    if "asked" not in turn:
        return ()
    match turn["phase"]:
        case "window":
            questions = asking.vetoes(look)
            answers = {seat: Move(PASS) for seat in questions if seat not in turn["waiting"]}
            ask = Ask(1, questions, "window", True, answers=answers)
            return Run((word("close_window"),), turn["seat"]), ask
        case "placing":
            return Run((word("put_back"),), turn["seat"]), Ask(1, {turn["seat"]: asking.place(table)})
        case _:
            giver = turn["waiting"][0]
            return Run((), turn["seat"]), Ask(1, {giver: asking.gift(table, giver, turn["seat"])})
