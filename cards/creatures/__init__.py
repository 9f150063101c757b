"""A battle of creatures: a plugin over the free table, with cards, a mat and what there is a reason to do."""

from cards.creatures.rules import Creatures

GAME = Creatures()
