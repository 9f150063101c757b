"""Mars: a planet is made habitable, and whoever did most for it has won."""

from cards.mars.rules import Mars

GAME = Mars()
