"""What the calls about finished matches give back, written down for the spec."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from server.protocol import User

Outcome = Literal["won", "drawn", "lost"]


class Strength(Struct):
    """How strong somebody is at a game, and how sure that is."""

    rating: int
    deviation: int
    provisional: bool
    matches: int
    won: int
    drawn: int
    lost: int
    last: int
    rank: int


class Ranked(Strength):
    """A line of a leaderboard."""

    id: str
    name: str


class Leaderboard(Struct):
    """The best of a game; whoever has played too little to be sure of comes after all others."""

    game: str
    total: int
    players: list[Ranked]


class GameStrength(Strength):
    """The same of one of several games."""

    game: str


class PastSeat(Struct):
    """Who sat on a seat of a finished match, and how it went for them."""

    name: str
    bot: bool
    place: int
    outcome: Outcome
    id: str | UnsetType = UNSET
    rating: int | UnsetType = UNSET
    change: int | UnsetType = UNSET


class PastMatch(Struct):
    """A finished match, as one of its players would tell it."""

    room: str
    game: str
    mode: Literal["casual", "ranked"]
    started: int
    ended: int
    duration: int
    moves: int
    reason: str
    replay: bool
    verified: bool
    seat: int
    outcome: Outcome
    seats: list[PastSeat]


class PlayerPage(Struct):
    """Somebody's ratings and last matches."""

    id: str
    name: str
    last: int
    ratings: list[GameStrength]
    matches: list[PastMatch]


class Balance(Struct):
    """Matches of two against each other, from the first one's side."""

    game: str
    matches: int
    won: int
    drawn: int
    lost: int


class Against(Struct):
    """How two stand against each other, from the first one's side."""

    player: User
    other: User
    matches: int
    won: int
    drawn: int
    lost: int
    games: list[Balance]
    last: list[PastMatch]


class Quota(Struct):
    """How often something was so, counted once a seat and match, and how often that seat won."""

    matches: int
    won: int
    rate: float | None


class CardFigures(Struct):
    """What is known of a card."""

    face: str
    held: Quota
    drawn: Quota
    played: Quota


class DeckFigures(Quota):
    """What is known of a deck."""

    name: str
    faces: list[str]


class GameFigures(Struct):
    """What many matches say of a game's cards and decks."""

    game: str
    mode: Literal["all", "casual", "ranked"]
    matches: int
    drawn: int
    moves: float
    duration: int
    cards: list[CardFigures]
    decks: list[DeckFigures]
