"""What a bot makes of what it cannot see: what is half done, and what lies where it cannot look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from cards.lore.decks import COLOURS, COPIES
from cards.lore.facts import INKS
from cards.lore.remembering import Memory
from engine.effects import revive
from engine.frames import Frame, Heard, Seat, Turn
from engine.game import Luck, Record, View
from engine.imagining import Imagined
from engine.look import Look
from engine.table import TABLE, Table, bit, seat_id

if TYPE_CHECKING:
    from cards.lore.rules import Lore

OWN_FACTS = ("exerted", "drying", "damage", "at", "on", "used", "mods")
SEAT_FACTS = ("name", "lore", "inked", "altered", "mods")


# what the answer to a question is for


def pending(look: Look, seat: Seat) -> dict[str, Any]:
    """What is half done while a seat is asked, as far as that seat may know it: enough to go on in one's head."""
    table = look.table
    frames = [msgspec.to_builtins(frame, str_keys=True) for frame in table.stack if type(frame) is not Turn]
    shown = {"frames": [_told(look, seat, frame) for frame in frames]}
    if table.bag:
        shown["bag"] = [msgspec.to_builtins(heard) for heard in table.bag]
    return shown


def _told(look: Look, seat: Seat, frame: dict[str, Any]) -> dict[str, Any]:
    """A frame without the ids of cards that this seat cannot point at."""
    if "bound" in frame:
        frame["bound"] = {key: _known(look, seat, value) for key, value in frame["bound"].items()}
    return {key: value for key, value in frame.items() if value is not None}


def _known(look: Look, seat: Seat, value: Any) -> Any:
    if not isinstance(value, list | tuple):
        return value
    return [part for part in value if not isinstance(part, int) or _points(look, seat, part)]


def _points(look: Look, seat: Seat, id: int) -> bool:
    card = look.table.entities.get(id)
    return card is None or bool((look.places[card.zone].things | card.shown) & bit(seat))


def _resumed(game: Lore, table: Table, shown: dict[str, Any]) -> None:
    """Put what was half done back on the stack and into the bag."""
    frames = msgspec.convert(shown["frames"], list[Frame], str_keys=True, strict=False)
    table.stack += tuple(frame if isinstance(frame, Turn) else revive(game.effects, frame) for frame in frames)
    heard = msgspec.convert(shown.get("bag", []), list[Heard])
    table.bag = tuple(msgspec.structs.replace(h, word=game.effects.word(h.word.name, h.word.args)) for h in heard)


# what lies where one cannot look


def imagine(game: Lore, view: View, record: Record, luck: Luck) -> Table:
    """A table that could be the real one."""
    imagined = Imagined(game, view, luck, lambda shown: {key: shown[key] for key in OWN_FACTS if key in shown})
    table, turn = imagined.table, view["turn"]
    for seat in range(2):
        shown = view["seats"][str(seat)]
        _fill(game, imagined, view, record, seat)
        deck = {"deck": shown["deck"]} if "deck" in shown else {}
        imagined.note(seat_id(seat), **{key: shown[key] for key in SEAT_FACTS if key in shown}, **deck)
    first = next(int(seat) for seat, shown in view["seats"].items() if "first" in shown)
    facts = {key: turn[key] for key in ("number", "fight", "later") if key in turn}
    phase = {} if turn["phase"] == "alter" else {"phase": turn["phase"]}
    imagined.note(TABLE, first=first, **facts, **phase)
    table.stack = (Turn(turn["seat"]),)
    pending = view["seats"].get(str(view.get("you", -1)), {}).get("pending")
    if pending:
        _resumed(game, table, pending)
    return imagined.done()


def _fill(game: Lore, imagined: Imagined, view: View, record: Record, seat: Seat) -> None:
    """Give every hidden card of a seat a face: what is remembered where it is, then what else could be there."""
    room = {kind: len(imagined.unseen.get(f"{seat}.{kind}", ())) for kind in ("inkwell", "hand", "under", "aside")}
    size = len(imagined.unseen[f"{seat}.deck"])
    seen = Counter(card.face for card in imagined.table.entities.values() if card.owner == seat and card.face)
    memory = Memory(record, seat)
    rest = _hidden(game, view, seat, seen, memory.faces(), sum(room.values()) + size, imagined.luck)
    known = {"inkwell": memory.inkwell, "hand": memory.hand}
    held = {kind: _claim(rest, known.get(kind, Counter()), count) for kind, count in room.items()}
    bottom = _claim(rest, memory.bottom, size)
    top = _claim(rest, memory.top, size - len(bottom))
    for kind, count in room.items():
        more = [rest.pop(imagined.luck(len(rest))) for _ in range(count - len(held[kind]))]
        imagined.hide(f"{seat}.{kind}", (*held[kind], *more), seat)
    middle = [rest.pop(imagined.luck(len(rest))) for _ in range(len(rest))]
    deck = f"{seat}.deck"
    imagined.table.zones[deck] = tuple(imagined.lay(name, seat, deck) for name in (*bottom, *middle, *top[::-1]))


def _claim(rest: list[str], known: Iterable[str], room: int) -> list[str]:
    """Take what is known to be somewhere out of what is left, in its order, as far as there is room."""
    faces = known.elements() if isinstance(known, Counter) else known
    taken: list[str] = []
    for name in faces:
        if name in rest and len(taken) < room:
            rest.remove(name)
            taken.append(name)
    return taken


def _hidden(
    game: Lore, view: View, seat: Seat, seen: Counter[str], known: Counter[str], need: int, luck: Luck
) -> list[str]:
    """As many faces as a seat has hidden cards: the rest of one's own list, or of one that the other may have."""
    shown = view["seats"][str(seat)]
    if "deck" in shown:
        return list((Counter(shown["deck"]) - seen).elements())
    met = seen + known
    fitting = [deck for deck in game.decks.values() if len(deck) == seen.total() + need and met <= Counter(deck)]
    if fitting and luck(4):  # most people play what they can find
        return list((Counter(fitting[luck(len(fitting))]) - seen).elements())
    return _made_up(game, met, known, need, luck)


def _made_up(game: Lore, met: Counter[str], known: Counter[str], need: int, luck: Luck) -> list[str]:
    """A list of two inks with no more than four of a kind, around what was met of it."""
    inks = list(dict.fromkeys(game.cards[name].ink for name in met))
    while len(inks) < COLOURS:
        inks.append([ink for ink in INKS if ink not in inks][luck(len(INKS) - len(inks))])
    faces = list(known.elements())[:need]
    pool = [name for name, card in game.cards.items() if card.ink in inks for _ in range(COPIES - met[name])]
    while len(faces) < need:
        pool = pool or list(game.cards)
        faces.append(pool.pop(luck(len(pool))))
    return faces
