"""What a seat remembers from what it was told: which hidden cards it knows, and where they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.frames import Seat
from engine.game import Record


class Memory:
    """What is known of the hidden cards of one seat."""

    def __init__(self, record: Record, seat: Seat) -> None:
        self.seat = seat
        self.inkwell: Counter[str] = Counter()
        self.hand: Counter[str] = Counter()
        self.bottom: list[str] = []  # of the deck, from the lowest card up
        self.top: list[str] = []  # of the deck, from the topmost card down
        for event in record:
            if event["e"] == "said":
                self._hear(event["key"], event["args"])
            elif event["e"] == "shuffled" and event.get("zone") == f"{seat}.deck":
                self.bottom, self.top = [], []
            elif event["e"] == "looked" and event.get("zone") == f"{seat}.deck":
                self.top = self.top[event["count"] :]

    def faces(self) -> Counter[str]:
        """Every card that is known, wherever it is."""
        return self.inkwell + self.hand + Counter(self.bottom) + Counter(self.top)

    def _hear(self, key: str, args: Mapping[str, Any]) -> None:
        if args.get("seat", args.get("owner")) != self.seat:
            return
        face = args["card"].get("face") if isinstance(args.get("card"), dict) else args.get("face")
        match key:
            case "inked" if face:
                self.inkwell[face] += 1
                self._spend(face)
            case "drowned" | "slipped" if face:
                self.inkwell[face] += args.get("to", "inkwell") == "inkwell"
            case "played" | "sang" | "discarded" if face:
                self._spend(face)
            case "returned" if face:
                self.hand[face] += 1
            case "sunk" if face:
                self.bottom.insert(0, face)
            case "laid":
                self._lay(args["faces"], args["where"])
            case "drew":
                self.top = self.top[args["count"] :]
            case "ramped" | "boosted":
                self.top = self.top[1:]

    def _lay(self, faces: list[str], where: str) -> None:
        if where == "bottom":
            self.bottom = [*faces[::-1], *self.bottom]
        else:
            self.top = [*faces, *self.top]

    def _spend(self, face: str) -> None:
        if self.hand[face] > 0:
            self.hand[face] -= 1
