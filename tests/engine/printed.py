"""What is secret in every game, by the rules as they are printed; nothing in here asks a lens or a zone."""

from __future__ import annotations

from typing import NamedTuple

from engine.game import Game


class Pile(NamedTuple):
    """What the rules say of a kind of zone: who sees its faces, who can tell its cards apart, who may count it."""

    faces: str
    things: str
    counted: str = "all"


OPEN, OWN, SHUT = Pile("all", "all"), Pile("owner", "owner"), Pile("none", "none")


class Printed(NamedTuple):
    """The secrets of a game as its rules have them."""

    piles: dict[str, Pile]
    mixed: bool  # hidden cards of different zones could be each other's; otherwise only the order within a zone
    apart: tuple[str, ...] = ()  # kinds of zone whose hidden cards could only be each other's
    own_facts: tuple[str, ...] = ()  # of a seat, known to its player only
    told: tuple[str, ...] = ()  # sentences in which the rules reveal something to everybody
    confided: tuple[str, ...] = ()  # sentences in which they reveal something to the seat that they name
    never_held: tuple[str, ...] = ()  # faces that everybody knows to be in no hand
    on_backs: tuple[str, ...] = ()  # facts of a card that show although its face does not


PRINTED = {
    # Deck lists are public, and so is every card that leaves a hand: only which card of a hand is which stays hidden.
    "ggltcg": Printed({"hand": OWN, "in_play": OPEN, "sleep": OPEN}, mixed=False),
    # A spark is never in a hand. Who foresees or hides something is told so once, and the view forgets it.
    "kittens": Printed(
        {"hand": OWN, "pile": SHUT, "discard": OPEN, "fuse": OPEN, "out": OPEN},
        mixed=True,
        told=("missed", "demanded"),
        confided=("foreseen", "placed"),
        never_held=("Spark",),
    ),
    # What is inked is shown first; from then on nobody looks, but everybody sees which ink is exerted. A card that is
    # returned or sunk was seen until then. Deck lists are their players' own.
    "lore": Printed(
        {
            "deck": SHUT,
            "hand": OWN,
            "inkwell": Pile("none", "all"),
            "characters": OPEN,
            "items": OPEN,
            "locations": OPEN,
            "discard": OPEN,
            "under": OPEN,
            "aside": OWN,
            "stage": OPEN,
        },
        mixed=True,
        own_facts=("deck",),
        told=("inked",),
        confided=("laid",),
        on_backs=("exerted", "on"),
    ),
    # Hands, research and discards are hidden; corporations that were not chosen too, and they are no projects.
    "mars": Printed(
        {
            "deck": SHUT,
            "discard": SHUT,
            "corporations": SHUT,
            "hand": OWN,
            "draft": OWN,
            "offer": OWN,
            "tableau": OPEN,
            "events": OPEN,
            "orbit": OPEN,
            **{f"hex.{q}.{r}": OPEN for q in range(-4, 5) for r in range(-4, 5) if abs(q + r) <= 4},
        },
        mixed=True,
        apart=("corporations", "offer"),
        told=("revealed",),
    ),
    # Who looks into something hidden is told what lies there; that they look, everybody hears.
    "table": Printed(
        {
            "deck": SHUT,
            "discard": OPEN,
            "middle": OPEN,
            "trump": OPEN,
            "hand": OWN,
            "front": OPEN,
            "stack": OPEN,
            "aside": Pile("none", "all"),
        },
        mixed=True,
        confided=("saw",),
        on_backs=("counters", "orientation"),
    ),
    # While the table is set up, creatures lie face down for everybody; a deck list is its player's own.
    "creatures": Printed(
        {
            "deck": SHUT,
            "hand": OWN,
            "active": OPEN,
            **{f"bench_{n}": OPEN for n in range(1, 6)},
            "discard": OPEN,
            **{f"prizes_{n}": Pile("none", "all") for n in range(1, 7)},
            "lost_zone": OPEN,
            "stadium": OPEN,
            "staging": OPEN,
        },
        mixed=True,
        own_facts=("deck",),
        confided=("saw",),
        on_backs=("counters", "orientation"),
    ),
    # What lies face down in a pile is dark to its player too.
    "solitaire": Printed(
        {
            "stock": SHUT,
            "waste": OPEN,
            **{f"foundation_{n}": OPEN for n in range(1, 5)},
            **{f"tableau_{n}": OPEN for n in range(1, 8)},
        },
        mixed=True,
        confided=("saw",),
        on_backs=("orientation",),
    ),
    "magpies": Printed(
        {
            "pile": SHUT,
            "heap": OPEN,
            "hand": OWN,
            "nest": Pile("none", "all"),
            "pocket": Pile("owner", "owner", "owner"),
            "yard": OPEN,
        },
        mixed=True,
        own_facts=("shiny",),
        told=("bids",),
    ),
}


def printed(game: Game) -> Printed:
    """The secrets of a game; a new game has to state its own above."""
    return PRINTED[game.id]
