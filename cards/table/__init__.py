"""The free table: fifty-two cards, two to five people, and no rules."""

from cards.table.rules import FreeTable

GAME = FreeTable()
