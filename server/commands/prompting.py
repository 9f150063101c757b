"""Asking a person at a terminal: numbered offers, numbered fillings, and words that only look things up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from engine.game import View
from server.commands.captions import Captions

Offer = Mapping[str, Any]
HINT = "number: do it · ? cards · ? NAME · ?? rules · t table · l log · q give up"
FEW_RULES = 2  # that are named one by one


class EndOfInput(Exception):
    """Nobody will answer any more."""


class Lines:
    """Lines that somebody types, or that come from a file."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.typed = sys.stdin.isatty() and console.is_terminal
        if self.typed:
            import readline  # noqa: F401 - typing gets a history and arrow keys

    def ask(self, prompt: str) -> str:
        """The next line. What is not typed is written down, so that the output reads like a session."""
        if self.typed:
            try:
                return input(f"{prompt} ").strip()
            except EOFError:
                raise EndOfInput from None
            except KeyboardInterrupt:
                self.console.print()  # the next prompt of the shell gets a line of its own
                raise
        line = sys.stdin.readline()
        if not line:
            raise EndOfInput
        self.console.print(Text(f"{prompt} {line.strip()}"))
        return line.strip()


class Prompt:
    """Turns offers into one filled offer, with a person's help."""

    def __init__(self, console: Console, captions: Captions, lines: Lines, look_up: Callable[[str], bool]) -> None:
        self.console = console
        self.captions = captions
        self.lines = lines
        self.look_up = look_up  # does what a word like `?` asks for, and says whether it knew it

    def choose(self, view: View, offers: Sequence[Offer], ask: Mapping[str, Any] | None) -> dict[str, Any]:
        """The move that somebody wants to make."""
        self.show(view, offers, ask)
        while True:
            picked = self._number(f"{self._who(view)} [1-{len(offers)}]>", len(offers))
            if picked is None:
                continue
            move = self._filled(view, offers[picked], _asker(ask))
            if move is not None:
                return move
            self.show(view, offers, ask)

    def show(self, view: View, offers: Sequence[Offer], ask: Mapping[str, Any] | None) -> None:
        """The question, if there is one, and what can be done."""
        if ask is not None:
            by = f"{self.captions.card(view, ask['by'])}: " if ask.get("by") else ""
            text = Text(ask["text"] if ask["text"].startswith(by) else f"{by}{ask['text']}", "bold")
            self.console.print(Panel(text, title="A QUESTION FOR YOU", border_style="bold yellow", padding=(0, 2)))
        self.console.print(Padding(self._offers(view, offers, _asker(ask)), (0, 0, 0, 1)))
        self.console.print(Text(f" {HINT}", "dim"))

    def confirm(self, question: str) -> bool:
        """Whether somebody says yes; anything else is no."""
        return self.lines.ask(f"{question} [y/N]>").lower() in ("y", "yes")

    def _offers(self, view: View, offers: Sequence[Offer], by: int) -> Table:
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(justify="right", style="bold cyan", width=len(str(len(offers))))
        table.add_column(no_wrap=True)
        table.add_column(justify="right", style="cyan", no_wrap=True)
        table.add_column(style="dim")
        for number, offer in enumerate(offers, 1):
            more = [self._slot(view, slot, offer.get("card", by)) for slot in offer.get("slots", ())]
            more += _doubts(offer.get("warns", ()))
            price = self.captions.cost(offer.get("cost", {}))
            table.add_row(str(number), Text(offer["label"]), price, Text("; ".join(more)))
        return table

    def _slot(self, view: View, slot: Mapping[str, Any], card: int) -> str:
        if "range" in slot:
            low, high = slot["range"]
            return f"{self.captions.slot(slot['name'])}: {low} to {high}"
        alone = len(slot["from"]) == 1
        entries = [self.captions.choice(view, card, entry, whole=alone) for entry in slot["from"]]
        shown = ", ".join(entries[:4]) + (f" and {len(entries) - 4} more" if len(entries) > 4 else "")
        many = "" if slot["most"] == 1 else f", {_count(slot)} of"
        return f"{self.captions.slot(slot['name'])}{many}: {shown}"

    def _filled(self, view: View, offer: Offer, by: int) -> dict[str, Any] | None:
        """The offer with its slots filled; None if somebody thought better of it."""
        move = {key: offer[key] for key in ("type", "card") if key in offer}
        for slot in offer.get("slots", ()):
            value = self._fill(view, offer["label"], slot, offer.get("card", by))
            if value is None:
                return None
            move[slot["name"]] = value
        return move

    def _fill(self, view: View, label: str, slot: Mapping[str, Any], card: int) -> Any:
        if "range" in slot:
            return self._from_range(label, slot)
        entries = slot["from"]
        if len(entries) == slot["least"] == 1:
            return list(entries)
        for number, entry in enumerate(entries, 1):
            line = Text(f"   {number:>2}  ", "bold cyan")
            line.append(self.captions.choice(view, card, entry), "not bold default")
            self.console.print(line.append(f", worth {_worth(slot, [number])}" if "worth" in slot else "", "dim"))
        most = min(slot["most"], len(entries))
        like = " ".join(str(number + 1) for number in range(max(2, slot["least"])))
        how = f"[1-{len(entries)}]" if most == 1 else f"[{_count(slot)} of 1-{len(entries)}, like {like}]"
        none = ", 0 for none" if slot["least"] == 0 else ""
        return self._entries(f"{label}, {self.captions.slot(slot['name'])} {how}{none}, Enter goes back>", slot)

    def _entries(self, prompt: str, slot: Mapping[str, Any]) -> list[Any] | None:
        entries = slot["from"]
        while line := self._answer(prompt):
            numbers = _numbers(line)
            if numbers == [0] and slot["least"] == 0:
                return []
            good = numbers and len(set(numbers)) == len(numbers) and all(1 <= n <= len(entries) for n in numbers)
            enough = good and slot["least"] <= len(numbers) <= slot["most"]
            if enough and _worth(slot, numbers) >= slot.get("total", 0):
                return [entries[number - 1] for number in numbers]
            total = f" They must come to {slot['total']}, not {_worth(slot, numbers)}." if enough else ""
            self._say(f"Type {_count(slot)} of the numbers 1 to {len(entries)}, all different.{total}")
        return None

    def _from_range(self, label: str, slot: Mapping[str, Any]) -> int | None:
        low, high = slot["range"]
        if low == high:
            return int(low)
        while line := self._answer(f"{label}, {self.captions.slot(slot['name'])} [{low}-{high}], Enter goes back>"):
            numbers = _numbers(line)
            if len(numbers) == 1 and low <= numbers[0] <= high:
                return numbers[0]
            self._say(f"Type a number from {low} to {high}.")
        return None

    def _answer(self, prompt: str) -> str:
        """A line that looks nothing up."""
        while self.look_up(line := self.lines.ask(prompt)):
            pass
        return line

    def _number(self, prompt: str, most: int) -> int | None:
        line = self._answer(prompt)
        numbers = _numbers(line)
        if len(numbers) == 1 and 1 <= numbers[0] <= most:
            return numbers[0] - 1
        self._say(f"Type a number from 1 to {most}, or ? for the cards." if line else HINT)
        return None

    def _say(self, text: str) -> None:
        self.console.print(Text(f" {text}", "yellow"))

    def _who(self, view: View) -> str:
        return self.captions.seat(view["you"])


def _asker(ask: Mapping[str, Any] | None) -> int:
    """The card that asks; 0 if none does."""
    return ask.get("by") or 0 if ask else 0


def _doubts(rules: Sequence[str]) -> list[str]:
    """Rules that may find an offer unusual; where many may, only that."""
    return [f"⚠ {rule}" for rule in rules] if len(rules) <= FEW_RULES else ["⚠ may be unusual"]


def _numbers(line: str) -> list[int]:
    """The numbers of a line; none if there is anything else in it."""
    words = line.replace(",", " ").split()
    return [int(word) for word in words] if all(word.isascii() and word.isdigit() for word in words) else []


def _worth(slot: Mapping[str, Any], numbers: Sequence[int]) -> int:
    return sum(slot["worth"][number - 1] for number in numbers) if "worth" in slot else 0


def _count(slot: Mapping[str, Any]) -> str:
    least, most = slot["least"], min(slot["most"], len(slot["from"]))
    return str(least) if least == most else f"{least} to {most}"
