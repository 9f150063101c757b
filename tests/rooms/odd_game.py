"""A game whose bots come to grief in every way there is: how, is said in the view that they are given."""

from __future__ import annotations

import os
import time

from engine.effects import Effects, Face
from engine.errors import Fault
from engine.frames import Offer
from engine.game import Game
from engine.table import Zone


class Odd(Game):
    """Say a number. Thinking about it may go wrong."""

    id = "odd"
    title = "Odd"
    rules = "1"
    seats = (2, 2)
    effects = Effects()
    faces = {"One": Face(name="One")}
    zones = (Zone("hand", faces="owner"),)

    def deal(self, journal, decks, first):
        journal.take_turn(0)

    def offers(self, look, seat):
        yield Offer("odd")
        yield Offer("even")

    def imagine(self, view, record, luck):
        match view["mode"]:
            case "crash":
                os._exit(3)
            case "hang":
                time.sleep(600)
            case "print":
                print("this is no answer")
        raise Fault("no world here; a secret card's name")


GAME = Odd()
