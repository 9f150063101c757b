"""A card as its JSON has it: what sets it off, what it takes, what it gives, what may be chosen.

These are the shapes of the file and nothing else. A field that nobody knows is a mistake, not a wish; what the words
come to is said where they are lowered.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

Resource = Literal["credit", "steel", "titanium", "plant", "energy", "heat"]
Stored = Literal["animal", "microbe", "science"]
Material = Literal["steel", "titanium"]
Tag = Literal["building", "space", "science", "earth", "power", "plant", "microbe", "jovian", "city", "animal"]
AnyTag = Literal[Tag, "event"]
CardType = Literal["automated", "active", "event", "corporation"]
Project = Literal[
    "sell-patents",
    "power-plant",
    "asteroid",
    "aquifer",
    "greenery",
    "city",
    "plant-conversion",
    "heat-conversion",
]
Production = Literal[
    "credit-production",
    "steel-production",
    "titanium-production",
    "plant-production",
    "energy-production",
    "heat-production",
]
Modifier = Literal["discount", "value-modifier", "defense", "global-parameter-lenience", "payment-substitute"]
Tile = Literal["ocean-placement", "city-placement", "greenery-placement", "special-tile", "land-claim"]
OutputType = Literal[
    Resource,
    Production,
    "tr",
    "temperature",
    "oxygen",
    Tile,
    "card-draw",
    "card-peek",
    "card-take",
    "card-buy",
    Stored,
    "card-resource",
    Modifier,
]
InputType = Literal[Resource, Production, Stored, "card-discard"]
Target = Literal[
    "self-player",
    "none",
    "any-card",
    "self-card",
    "any-player",
    "steal-any-player",
    "steal-from-any-card",
    "trigger-card",
]
TriggerType = Literal["auto", "manual", "auto-corporation-start", "auto-corporation-first-action"]
Happening = Literal[
    "card-played",
    "tag-played",
    "city-placed",
    "ocean-placed",
    "greenery-placed",
    "tile-placed",
    "standard-project-played",
    "placement-bonus-gained",
    "temperature-raise",
    "oxygen-raise",
    "production-increased",
    "tr-raise",
]
AlwaysOn = Literal["always-active", "card-hand-updated", "player-effects-changed"]
CountType = Literal[
    "tag",
    "city-tile",
    "greenery-tile",
    "ocean-tile",
    "tile",
    Stored,
    Resource,
    Production,
    "tr",
    "card-hand",
]
NeedType = Literal["temperature", "oxygen", "ocean", "tags", "production", "resource", "city", "greenery", "tr"]
Deeds = Literal["tr-raise", "ocean-placement", "city-placement", "greenery-placement"]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(max_length=400)]
Amount = Annotated[int, Meta(ge=-99, le=99)]
Count = Annotated[int, Meta(ge=1, le=99)]


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename="camel"):
    """A part of a card."""


class Bounds(Part, frozen=True):
    """At least and at most, either of which may be left open."""

    min: int | None = None
    max: int | None = None

    def hold(self, number: int) -> bool:
        """Whether a number lies inside."""
        return (self.min is None or number >= self.min) and (self.max is None or number <= self.max)


class Selector(Part, frozen=True):
    """Which cards, resources or projects are meant; everything that it says must hold at once."""

    tags: tuple[AnyTag, ...] = ()
    card_types: tuple[CardType, ...] = ()
    resources: tuple[Resource | Stored, ...] = ()
    standard_projects: tuple[Project, ...] = ()
    required_original_cost: Bounds | None = None


class Per(Part, frozen=True):
    """What an amount is multiplied by: for each so many of these."""

    type: CountType
    amount: Count = 1
    tag: Tag | None = None
    location: Literal["anywhere", "mars"] = "anywhere"
    target: Literal["self-player", "any-player", "opponent", "self-card"] | None = None
    adjacent: bool = False  # only those next to the tile of this card


class Restrictions(Part, frozen=True):
    """Where a tile may lie, in place of where its kind usually may."""

    board_tags: tuple[Name, ...] = ()  # hexes that the map gives this name, reserved or not
    on_tile_type: Literal["ocean", "land"] | None = None
    adjacency: Literal["none"] | None = None  # next to nothing at all
    adjacent_to: Literal["greenery", "city", "ocean", "own"] | None = None
    min_adjacent_cities: Annotated[int, Meta(ge=0, le=6)] = 0
    on_bonus: tuple[Literal[Resource, "card"], ...] = ()


class Entry(Part, frozen=True):
    """Something that is taken or given: what, how much, whose."""

    type: str
    amount: Amount = 1
    target: Target | None = None
    selectors: tuple[Selector, ...] = ()
    per: Per | None = None
    max_trigger: int = -1  # at most so many times the amount; -1 is as often as it counts
    tile_restrictions: Restrictions | None = None
    variable: bool = False  # times a number that the player chooses


class Output(Entry, frozen=True):
    """Something that is given, placed or changed for good."""

    type: OutputType
    tile: Name | None = None  # what a special tile is called
    lasting: Literal["next-card"] | None = None  # a modifier for the next card of this generation and no more


class Input(Entry, frozen=True):
    """Something that must be paid first."""

    type: InputType
    payable_with: tuple[Material, ...] = ()  # money that may also be paid in these


class Need(Part, frozen=True):
    """One thing that must be so before a card may be played."""

    type: NeedType
    min: int | None = None
    max: int | None = None
    tag: Tag | None = None
    resource: Resource | Stored | None = None

    def hold(self, number: int, slack: int = 0) -> bool:
        """Whether a number will do, give or take the slack."""
        low = self.min is None or number >= self.min - slack
        return low and (self.max is None or number <= self.max + slack)


class Requirements(Part, frozen=True):
    """Everything that must be so; all of it."""

    items: tuple[Need, ...]
    description: Text = ""


class Condition(Part, frozen=True):
    """What a passive listens to, and whose deed it must be."""

    type: Literal[Happening, AlwaysOn]
    target: Literal["self-player", "any-player", "opponent"] = "self-player"
    location: Literal["anywhere", "mars"] = "anywhere"
    selectors: tuple[Selector, ...] = ()
    includes_self: bool = False  # whether the card hears its own play and its own tiles


class Trigger(Part, frozen=True):
    """When a behaviour acts."""

    type: TriggerType
    condition: Condition | None = None


class Choice(Part, frozen=True):
    """One of several things that a player may do; known by its id, or else by its number."""

    inputs: tuple[Input, ...] = ()
    outputs: tuple[Output, ...] = ()
    id: Name = ""
    description: Text = ""
    requirements: Requirements | None = None


class Happened(Part, frozen=True):
    """Something that the player must have done this generation."""

    event: Deeds
    count: Bounds = Bounds(min=1)


class Custom(Part, frozen=True):
    """A procedure of its own, by the name of the word that does it, and what that word is given."""

    do: Name
    args: dict[str, Any] = field(name="with", default_factory=dict)


class Behavior(Part, frozen=True):
    """One behaviour of a card. Plain outputs and a chosen branch add up, and so do their inputs."""

    triggers: Annotated[tuple[Trigger, ...], Meta(min_length=1, max_length=1)]
    inputs: tuple[Input, ...] = ()
    outputs: tuple[Output, ...] = ()
    choices: tuple[Choice, ...] = ()
    generational_event_requirements: tuple[Happened, ...] = ()
    description: Text = ""
    custom: Custom | None = None


class Storage(Part, frozen=True):
    """What a card can hold."""

    type: Stored
    starting: Annotated[int, Meta(ge=0)] = 0
    capacity: Count | None = None
    description: Text = ""


class VictoryPoints(Part, frozen=True):
    """What a card is worth at the end."""

    amount: Amount
    condition: Literal["fixed", "per"] = "fixed"
    per: Per | None = None
    max_trigger: int = -1


class Row(Part, frozen=True):
    """A card whole."""

    id: Name
    name: Name
    type: CardType
    cost: Annotated[int, Meta(ge=0, le=99)] = 0
    description: Text = ""
    pack: Name = "own"
    tags: tuple[Tag, ...] = ()
    requirements: Requirements | None = None
    behaviors: tuple[Behavior, ...] = ()
    resource_storage: Storage | None = None
    vp_conditions: tuple[VictoryPoints, ...] = ()
    copies: Annotated[int, Meta(ge=1, le=9)] = 1  # how many of it lie in the deck
