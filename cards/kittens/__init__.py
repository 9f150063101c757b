"""Fizzlebox: draw, hope, and be the last one whom no spark has caught."""

from cards.kittens.rules import Fizzlebox

GAME = Fizzlebox()
