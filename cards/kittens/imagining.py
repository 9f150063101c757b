"""What a bot makes of the fizzlebox: how it stands, and where the cards may be that it does not see."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from cards.kittens import asking
from engine.frames import PASS, Ask, Move, Run, Seat, Turn, word
from engine.game import Game, Luck, Record, View
from engine.imagining import Imagined
from engine.look import Look
from engine.table import TABLE, Table, seat_id

if TYPE_CHECKING:
    from cards.kittens.rules import Fizzlebox

WORTH = {"douse": 1.0, "veto": 0.25, "action": 0.2, "trinket": 0.05}


def score(game: Fizzlebox, view: View, seat: Seat) -> float:
    """One's share of what all who are in have to hold against the sparks."""
    if "result" in view:
        return Game.score(game, view, seat)
    if not view["seats"][str(seat)]["alive"]:
        return 0.0
    shares = {int(other): _share(game, view, int(other)) for other, shown in view["seats"].items() if shown["alive"]}
    return shares[seat] / sum(shares.values())


def _share(game: Fizzlebox, view: View, seat: Seat) -> float:
    zone = view["zones"][f"{seat}.hand"]
    if "cards" not in zone:
        return 1.0 + 0.2 * float(zone["n"])
    return 1.0 + sum(WORTH[game.cards[view["cards"][str(id)]["face"]].kind] for id in zone["cards"])


def imagine(game: Fizzlebox, view: View, record: Record, luck: Luck) -> Table:
    """A table that could be the real one."""
    imagined = Imagined(game, view, luck, lambda shown: {})
    table, turn = imagined.table, view["turn"]
    seen = Counter(card.face for card in table.entities.values() if card.face)
    unseen = Counter(game.box(table.seats, view["options"]["actions"])) - seen
    sparks = [name for name in unseen.elements() if game.cards[name].kind == "spark"]
    known = _known(game, view, record)
    if Counter(known.values()) - unseen:
        known = {}  # somebody left and took a spark along: what was known is not certain any more
    loose = list((unseen - Counter(known.values())).elements())
    loose = [name for name in loose if game.cards[name].kind != "spark"]
    for seat in range(table.seats):
        hidden = [loose.pop(luck(len(loose))) for _ in imagined.unseen.get(f"{seat}.hand", ())]
        imagined.hide(f"{seat}.hand", hidden, -1)
    rest = [*loose, *sparks[: len(sparks) - sum(game.cards[name].kind == "spark" for name in known.values())]]
    pile = _pile(view["zones"]["pile"]["n"], known, rest, luck)
    imagined.unseen["pile"] = []
    table.zones["pile"] = tuple(imagined.lay(name, -1, "pile") for name in pile)
    for seat in range(table.seats):
        shown = view["seats"][str(seat)]
        imagined.note(seat_id(seat), name=shown.get("name"), place=shown.get("place"))
    facts = {key: turn[key] for key in ("number", "shoved", "window") if key in turn}
    imagined.note(TABLE, **facts, **({"turns": turn["turns"]} if turn["turns"] > 1 else {}))
    table.stack = (Turn(turn["seat"]), *_asked(Look(game, table), view))
    return imagined.done()


def _pile(size: int, known: dict[int, str], rest: list[str], luck: Luck) -> list[str]:
    """The pile from its bottom to its top: what is known in its place, the rest in any order."""
    order = [rest.pop(luck(len(rest))) for _ in range(len(rest))]
    return [known[size - 1 - at] if size - 1 - at in known else order.pop() for at in range(size)]


def _known(game: Fizzlebox, view: View, record: Record) -> dict[int, str]:
    """What this seat knows of the pile, by how far below the top: what it foresaw or hid and nobody has moved since."""
    known: dict[int, str] = {}
    for event in record:
        if event["e"] == "shuffled":
            known = {}
        elif event["e"] == "said":
            known = _after(game, known, event["key"], event["args"], view.get("you", -1))
    return {at: name for at, name in known.items() if at < view["zones"]["pile"]["n"]}


def _after(game: Fizzlebox, known: dict[int, str], key: str, args: Any, me: Seat) -> dict[int, str]:
    match key:
        case "drew" | "sparked":
            return {at - 1: name for at, name in known.items() if at}
        case "foreseen":
            return {**known, **dict(enumerate(args["faces"]))}
        case "placed":
            spark = next(name for name, card in game.cards.items() if card.kind == "spark")
            return {**{at + (at >= args["at"]): name for at, name in known.items()}, args["at"]: spark}
        case "returned" if args["seat"] != me:
            return {}  # it may lie anywhere, also between what was known
        case "spark_removed":
            return {}
    return known


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
