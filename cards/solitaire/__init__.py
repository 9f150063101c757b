"""Solitaire: the smallest game that can be laid over the free table."""

from cards.solitaire.rules import Solitaire

GAME = Solitaire()
