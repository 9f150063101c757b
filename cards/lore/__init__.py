"""Lore: ink, quests, challenges and songs on the Lamplit Quays."""

from cards.lore.rules import Lore

GAME = Lore()
