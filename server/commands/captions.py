"""What things on the table are called, for people. It knows no rules: all comes from the view and the game's data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Game, View
from engine.table import SEAT_NUMBERS
from server.commands.hexmap import place_of

FACE_DOWN = "face down"
ASIDE = frozenset({"face", "owner", "controller"})  # of a card, shown in places of their own
BESIDE = frozenset({"text", "set", "choices"})  # of a face, told elsewhere or not at all
Shown = Mapping[str, Any]


class Captions:
    """The words for one viewer's table."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self.game = game
        self.names = names
        self.catalogue: Shown = game.catalogue()
        self.playmat = game.playmat
        self.labels = {slot["zone"]: slot["label"] for slot in slots(game.playmat) if slot.get("label")}
        self.counters = {one["name"]: one for one in game.playmat.get("seat", {}).get("counters", ())}
        self.owned = {one["name"] for one in game.playmat.get("table", {}).get("counters", ()) if one.get("owners")}

    def seat(self, seat: int) -> str:
        """A player's name."""
        return self.names[seat] if 0 <= seat < len(self.names) else f"seat {seat}"

    def zone(self, key: str) -> str:
        """A zone as it is labelled on the playmat, or by its own name; on a board with its place."""
        kind = key.partition(".")[2] if key[:1].isdigit() else key
        if place := place_of(kind):
            return f"{self.labels.get(kind, 'Hex')} ({place[0]}, {place[1]})"
        return str(self.labels.get(kind, kind.replace("_", " ")))

    def choice(self, view: View, card: int, entry: int | str, whole: bool = True) -> str:
        """What may be chosen because of a card: in the words of the card, if it has some for it."""
        choices = self.printed(self.card(view, card)).get("choices", {})
        return str(choices[entry]) if entry in choices else (self.entry if whole else self.brief)(view, entry)

    def card(self, view: View, id: int) -> str:
        """A card by its face, as far as it is known."""
        return str(view["cards"].get(str(id), {}).get("face", FACE_DOWN))

    def entry(self, view: View, entry: int | str) -> str:
        """One of the things that may be chosen: a card and where it lies, a player, a zone, a word."""
        brief = self.brief(view, entry)
        where = next((key for key, zone in view["zones"].items() if entry in zone.get("cards", ())), "")
        return f"{brief} ({self._place(view, where)})" if where else brief

    def brief(self, view: View, entry: int | str) -> str:
        """The same without the place where it lies."""
        if isinstance(entry, str):
            return self.zone(entry) if entry in view["zones"] else self._said("word", entry)
        return self.seat(entry) if entry < SEAT_NUMBERS else self.card(view, entry)

    def slot(self, name: str) -> str:
        """The name of a gap in an offer."""
        return self._said("slot", name)

    def cost(self, cost: Mapping[str, int]) -> str:
        """A price, `2 CC`."""
        return ", ".join(f"{amount} {self.counter(name)}" for name, amount in cost.items())

    def counter(self, name: str) -> str:
        """A counter as the playmat labels it."""
        each = next((f"{one['label']} each turn" for one in self.counters.values() if one.get("gain") == name), None)
        return each or str(self.counters.get(name, {}).get("label", name.replace("_", " ")))

    def fact(self, key: str, value: Any) -> str:
        """A fact of the table in short; where the playmat says so, who has what."""
        if key not in self.owned:
            return _short(value)
        return ", ".join(f"{self._said('word', thing)}: {self.seat(seat)}" for thing, seat in value.items()) or "–"

    def seat_facts(self, shown: Shown) -> list[str]:
        """What stands beside a player's name: what the playmat counts, or without one whatever is there."""
        plain = {key: v for key, v in shown.items() if key != "name" and v and not isinstance(v, list | dict)}
        facts = {key: v for key, v in shown.items() if key in self.counters} if self.counters else plain
        return [fact for key, value in facts.items() if (fact := self._fact(key, value, shown))]

    def _fact(self, key: str, value: Any, shown: Shown) -> str:
        """One of them: the word for its value where the playmat has words, else a number and what comes each turn."""
        counter = self.counters.get(key, {})
        if "words" in counter:
            return str(counter["words"].get(str(value).lower() if isinstance(value, bool) else str(value), ""))
        gain = shown.get(counter.get("gain", ""))
        most = f"/{counter['most']}" if counter.get("most") else ""
        return f"{self.counter(key)} {value}{most}" + ("" if gain is None else f" {gain:+d}")

    def numbers(self, faces: Sequence[str]) -> list[str]:
        """The numbers that are printed on these cards, in the order of the playmat."""
        drawn = self.playmat.get("card", {})
        first = [name for name in (drawn.get("corner"), *drawn.get("stats", ())) if name]
        printed = {key for face in faces for key, value in self.printed(face).items() if _is_number(value)}
        return [key for key in first if key in printed] + sorted(printed.difference(first))

    def printed(self, face: str) -> Shown:
        """What the catalogue says of a face."""
        found: Shown = self.catalogue.get(face, {})
        return found

    def print(self, printed: Shown) -> list[str]:
        """What the catalogue says of a face, beside its text."""
        shown = {key: value for key, value in printed.items() if key not in BESIDE and value != -1}
        return [note for note in (_note(key, value) for key, value in shown.items()) if note]

    def notes(self, view: View, card: Shown, numbers: Sequence[str]) -> list[str]:
        """Whatever else can be seen of a card."""
        drawn = self.playmat.get("card", {})
        links, aside = drawn.get("links", ()), {*ASIDE, *numbers, *drawn.get("silent", ())}
        notes = [_note(key, value) for key, value in card.items() if key not in aside and key not in links]
        notes += [f"{key.replace('_', ' ')} {self.card(view, card[key])}" for key in links if card.get(key)]
        if "controller" in card and card["owner"] >= 0:
            notes.append(f"owned by {self.seat(card['owner'])}")
        return [note for note in notes if note]

    def result(self, result: Shown) -> str:
        """How a match ended, in one sentence."""
        reason = self._said("reason", str(result["reason"]))
        if not result["winners"]:
            return f"The match is a draw ({reason})."
        names = [self.seat(seat) for seat in result["winners"]]
        return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'} ({reason})."

    def _said(self, kind: str, word: str) -> str:
        """A word of the game, in the game's own words if it has some."""
        return str(self.game.messages.get(f"{kind}.{word}", word.replace("_", " ")))

    def _place(self, view: View, key: str) -> str:
        if not key[:1].isdigit():
            return self.zone(key)
        seat = int(key.partition(".")[0])
        whose = "you" if seat == view.get("you") else self.seat(seat)
        return f"{whose}, {self.zone(key).lower()}"


def slots(playmat: Shown) -> list[Shown]:
    """Every place that a playmat draws."""
    return [slot for area in playmat.get("areas", {}).values() for slot in area.get("slots", ())]


def zone_order(playmat: Shown, area: str) -> list[str]:
    """The zones of an area from top to bottom."""
    drawn = playmat.get("areas", {}).get(area, {}).get("slots", ())
    places = sorted(drawn, key=lambda slot: (slot["position"].get("row", 0), slot["position"].get("col", 0)))
    return [slot["zone"] for slot in places]


def _note(key: str, value: Any) -> str:
    name = key.replace("_", " ")
    if value is True:
        return name
    if isinstance(value, dict):
        return ", ".join(f"{part} {amount:+}" if _is_number(amount) else f"{part}" for part, amount in value.items())
    if isinstance(value, list):
        return f"{name} {', '.join(map(str, value))}" if value else ""
    return f"{name} {value}" if value or _is_number(value) else ""


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_short(part)}" for key, part in value.items())
    return ", ".join(map(_short, value)) if isinstance(value, list) else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
