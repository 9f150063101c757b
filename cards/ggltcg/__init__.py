"""GGLTCG: a two-player battle of toys."""

from cards.ggltcg.rules import ToyBattle

GAME = ToyBattle()
