"""A table drawn in a terminal: the others on top, what is shared in the middle, the viewer below.

It draws what a view holds and nothing else, so it draws any game. A number that differs from the printed one has an
arrow behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from engine.game import Game, View
from server.commands.captions import FACE_DOWN, Captions, zone_order
from server.commands.hexmap import HexMap, place_of

WIDE = 100  # columns from which the texts of all cards are told, not only of one's own
ROOM = 28  # columns that a text beside its card must have; with less it goes below
HEAD = frozenset(
    {"game", "rules", "options", "commitment", "turn", "seats", "zones", "cards", "you", "result"}
)  # the parts of a view that every game has


class Picture:
    """Draws one viewer's table, again and again."""

    def __init__(self, console: Console, game: Game, names: Sequence[str]) -> None:
        self.console = console
        self.game = game
        self.captions = Captions(game, names)
        self.map = HexMap(game.playmat)
        self.secret: set[str] = set()  # kinds of zone that were seen to hide their cards from others

    def draw(self, view: View, offers: Sequence[Mapping[str, Any]] = (), blocked: frozenset[int] = frozenset()) -> None:
        """The whole table as it is now."""
        self.secret |= {_kind(key) for key, zone in view["zones"].items() if zone["n"] and "cards" not in zone}
        sheet = _Sheet(self.captions, view, _pointed_at(offers), blocked, self.console.width, self.secret)
        me = view.get("you")
        seats = [seat for seat in map(int, view["seats"]) if seat != me]
        for seat in _round(seats, me):
            self._side(sheet, seat, "others")
        self._middle(sheet)
        if me is not None:
            self._side(sheet, me, "me")

    def turn(self, view: View) -> None:
        """Whose turn it is, as a line across."""
        turn = view["turn"]
        facts = [f"Turn {turn['number']}"] if "number" in turn else []
        facts += [str(value) for key, value in turn.items() if isinstance(value, str)]
        waiting = [self.captions.seat(seat) for seat in turn.get("waiting", ())]
        if waiting:
            facts.append(f"{', '.join(waiting)} to {'answer' if turn.get('asked') else 'move'}")
        self.console.print(Rule(Text(" · ".join(facts), "bold"), style="cyan", align="left"))

    def _side(self, sheet: _Sheet, seat: int, area: str) -> None:
        shown = sheet.view["seats"][str(seat)]
        mark = "▶ " if sheet.view["turn"].get("seat") == seat else ""
        title = Text(f"{mark}{self.captions.seat(seat)}", "bold")
        if area == "me":
            title.append(" (you)", "not bold")
        facts = self.captions.seat_facts(shown)
        beside = "".join(f" · {fact}" for fact in facts)
        fits = len(title) + len(beside) + 2 <= self.console.width
        self.console.print(Rule(title.append(beside if fits else "", "not bold cyan"), style="dim", align="left"))
        if not fits:
            whole = " · ".join(fact.replace(" ", "\N{NO-BREAK SPACE}") for fact in facts)  # a line ends between two
            self.console.print(Padding(Text(whole, "cyan"), (0, 1)))
        order = zone_order(self.game.playmat, area)
        self._zones(sheet, sorted(sheet.zones_of(seat), key=lambda key: _rank(order, _kind(key))))
        self._lists(sheet, shown)

    def _middle(self, sheet: _Sheet) -> None:
        zones = sheet.view["zones"]
        shared = [key for key in zones if not key[:1].isdigit() and zones[key]["n"] and place_of(key) is None]
        extra = {key: value for key, value in sheet.view.items() if key not in HEAD}
        if shared or extra:
            self.console.print(Rule(Text("The table", "bold"), style="dim", align="left"))
            self._zones(sheet, shared)
        for line in self.map.lines(sheet.view):
            self.console.print(line)
        for key, value in extra.items():
            self.console.print(sheet.row(key.replace("_", " "), Text(self.captions.fact(key, value))))

    def _zones(self, sheet: _Sheet, keys: Sequence[str]) -> None:
        heads = True
        for key in keys:
            body = sheet.zone(key, heads)
            heads = heads and isinstance(body, Text)
            self.console.print(sheet.row(self.captions.zone(key), body))

    def _lists(self, sheet: _Sheet, shown: Mapping[str, Any]) -> None:
        """Lists that stand with a seat; not what lies in a zone anyway, nor what only a program could read."""
        zones = {_kind(key) for key in sheet.view["zones"]}
        for key, value in shown.items():
            if isinstance(value, list | dict) and value and key not in zones and not _nested(value):
                self.console.print(sheet.row(key.replace("_", " "), Text(self.captions.fact(key, value), "dim")))


class _Sheet:
    """The measures of one drawing: column widths that fit everything on this table."""

    def __init__(
        self,
        captions: Captions,
        view: View,
        pointed_at: frozenset[int],
        blocked: frozenset[int],
        width: int,
        secret: set[str],
    ) -> None:
        self.captions = captions
        self.view = view
        self.pointed_at = pointed_at
        self.blocked = blocked
        self.width = width
        self.secret = secret
        self.faces = [card["face"] for card in view["cards"].values() if "face" in card]
        self.label = max((len(captions.zone(key)) for key in view["zones"] if place_of(key) is None), default=4) + 1
        self.name = min(max(map(len, [*self.faces, FACE_DOWN])), 28 if width >= WIDE else 24)
        self.columns = captions.numbers([face for key in view["zones"] if self._spread(key) for face in self._in(key)])

    def zones_of(self, seat: int) -> list[str]:
        """The zones on one side of the table."""
        return [key for key in self.view["zones"] if key.startswith(f"{seat}.")]

    def row(self, label: str, body: RenderableType) -> Table:
        """A label at the left, and beside it whatever it labels."""
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column(width=self.label, style="dim", no_wrap=True)
        grid.add_column(max_width=max(20, self.width - self.label - 2))
        grid.add_row(Text(f" {label}"), body)
        return grid

    def zone(self, key: str, heads: bool) -> RenderableType:
        """The cards of a zone: one a line where they matter, in a row where they only lie, else how many."""
        zone = self.view["zones"][key]
        ids = zone.get("cards", ())
        if not zone["n"] or not ids:
            return Text(_many(zone["n"]) if zone["n"] else "–", "dim" if not zone["n"] else "")
        if self._blank(ids):
            return self._backs(ids)
        if self._spread(key):
            return self._spread_out(ids, heads, self.width >= WIDE or self._private(key))
        names = Text(", ".join(self.captions.card(self.view, id) if id else "?" for id in ids))
        return names if len(ids) < 6 else Text(f"{_many(zone['n'])}: ").append_text(names)

    def _blank(self, ids: Sequence[int]) -> bool:
        """Whether nobody can tell these cards apart by their faces, and none of them can be used."""
        cards = [self.view["cards"].get(str(id), {}) for id in ids]
        return self.pointed_at.isdisjoint(ids) and not any("face" in card for card in cards)

    def _backs(self, ids: Sequence[int]) -> Text:
        """How many lie there face down, and how many of them lie how."""
        cards = (self.view["cards"].get(str(id), {}) for id in ids)
        notes = Counter(note for card in cards for note in self.captions.notes(self.view, card, self.columns))
        told = ", ".join(f"{count} {note}" for note, count in notes.items())
        return Text(f"{_many(len(ids))}, {FACE_DOWN}" + (f": {told}" if told else ""))

    def _spread_out(self, ids: Sequence[int], heads: bool, texts: bool) -> RenderableType:
        """A card a line. Its text stands beside it, or below where there is no room."""
        taken = self.label + self.name + 6 + sum(max(len(column), 3) + 2 for column in self.columns)
        if not texts or self.width - taken >= ROOM:
            return self._lines(ids, heads, texts)
        parts: list[RenderableType] = []
        for id in ids:
            parts.append(self._lines((id,), heads and not parts, False))
            if text := self._text(id):
                parts.append(Padding(Text(text, "dim"), (0, 0, 0, 4)))
        return Group(*parts)

    def _lines(self, ids: Sequence[int], heads: bool, texts: bool) -> Table:
        table = Table(
            box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=heads and bool(self.columns), header_style="dim"
        )
        table.add_column("", width=self.name + 2, no_wrap=True)
        for column in self.columns:
            table.add_column(column.replace("_", " "), justify="right", width=max(len(column), 3))
        table.add_column("")
        for id in ids:
            table.add_row(*self._cells(id, texts))
        return table

    def _text(self, id: int) -> str:
        """What a card says."""
        return str(self.captions.printed(self.view["cards"].get(str(id), {}).get("face", "")).get("text", ""))

    def _cells(self, id: int, texts: bool) -> Iterator[Text]:
        card = self.view["cards"].get(str(id), {})
        can = "bold" if id in self.pointed_at else "dim" if id in self.blocked else ""
        yield Text("• " if id in self.pointed_at else "  ", "green").append(self.captions.card(self.view, id), can)
        printed = self.captions.printed(card.get("face", ""))
        for column in self.columns:
            yield _number(card.get(column), printed.get(column))
        notes = Text(", ".join(self.captions.notes(self.view, card, self.columns)), "yellow")
        if texts and (text := self._text(id)):
            notes.append(" " if notes else "").append(text, "not yellow dim")
        yield notes

    def _spread(self, key: str) -> bool:
        """Whether the cards of a zone matter one by one: they show something, can be used, or are one's own secret."""
        ids = [id for id in self.view["zones"][key].get("cards", ()) if id]
        detailed = any(len(self.view["cards"].get(str(id), {}).keys() - {"face", "owner"}) for id in ids)
        return bool(ids) and (detailed or self._private(key) or not self.pointed_at.isdisjoint(ids))

    def _private(self, key: str) -> bool:
        return key.startswith(f"{self.view.get('you')}.") and _kind(key) in self.secret

    def _in(self, key: str) -> list[str]:
        cards = (self.view["cards"].get(str(id), {}) for id in self.view["zones"][key].get("cards", ()))
        return [card["face"] for card in cards if "face" in card]


def _number(now: Any, printed: Any) -> Text:
    if now is None and printed is None:
        return Text("")
    if now is None:
        return Text(f"{printed} " if printed >= 0 else "? ")
    if printed is None or now == printed or printed < 0:
        return Text(f"{now} ")  # the room of an arrow, so that digits stand below digits
    return Text(f"{now}{'▲' if now > printed else '▼'}", "bold yellow")


def _kind(key: str) -> str:
    """A zone without its seat."""
    return key.partition(".")[2] if key[:1].isdigit() else key


def _pointed_at(offers: Sequence[Mapping[str, Any]]) -> frozenset[int]:
    """The cards that offers are about."""
    return frozenset(offer["card"] for offer in offers if "card" in offer)


def _round(seats: list[int], me: int | None) -> list[int]:
    """The others in playing order after the viewer."""
    return sorted(seats, key=lambda seat: (seat - (me or 0)) % (len(seats) + 1))


def _rank(order: Sequence[str], kind: str) -> int:
    return order.index(kind) if kind in order else len(order)


def _many(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _nested(value: Sequence[Any] | Mapping[str, Any]) -> bool:
    """Whether there are lists within a list."""
    parts = value.values() if isinstance(value, Mapping) else value
    return any(isinstance(part, list | dict) for part in parts)
