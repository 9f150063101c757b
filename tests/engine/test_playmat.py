"""The playmat: what it may say, and how a mistake in it is told."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from cards import find_game, game_ids
from engine.errors import BadCards
from engine.playmat import Playmat, read_playmat
from engine.table import Zone
from tests.engine.magpies import Magpies

ZONES = (Zone("hand", faces="owner"), Zone("deck"), Zone("pile", faces="all", shared=True))


def at(row: int, col: int, **more: int) -> dict[str, int]:
    return {"row": row, "col": col, **more}


MAT: dict[str, Any] = {
    "id": "plain",
    "name": "A plain mat",
    "game": "plain",
    "areas": {
        "others": {
            "rows": 1,
            "cols": 4,
            "slots": [
                {"id": "their-hand", "zone": "hand", "position": at(1, 1, colSpan=3)},
                {"id": "their-deck", "zone": "deck", "position": at(1, 4)},
            ],
        },
        "shared": {"rows": 1, "cols": 1, "slots": [{"id": "pile", "zone": "pile", "position": at(1, 1)}]},
        "me": {
            "rows": 2,
            "cols": 4,
            "slots": [
                {"id": "my-hand", "zone": "hand", "position": at(2, 1, colSpan=3), "stackDirection": "fan"},
                {"id": "my-deck", "zone": "deck", "position": at(1, 4, rowSpan=2), "showCount": True},
            ],
        },
    },
    "seat": {"counters": [{"name": "points", "label": "Points", "least": 0, "most": 20}]},
    "card": {"corner": "cost", "colour": "suit", "colours": {"hearts": "red", "spades": "#334"}, "owner": "tint"},
}


def spoilt(*path: str | int, to: Any = None) -> dict[str, Any]:
    """The mat with one thing in it changed, or taken out."""
    mat: Any = copy.deepcopy(MAT)
    part = mat
    for step in path[:-1]:
        part = part[step]
    if to is None:
        del part[path[-1]]
    else:
        part[path[-1]] = to
    return dict(mat)


def read(mat: dict[str, Any], seats: int = 2, zones: tuple[Zone, ...] = ZONES) -> Playmat:
    return read_playmat(mat, "plain", zones, seats)


def mistakes(mat: dict[str, Any], **more: Any) -> list[str]:
    with pytest.raises(BadCards) as caught:
        read(mat, **more)
    return list(caught.value.mistakes)


def test_a_mat_that_fits_is_read():
    mat = read(MAT)
    assert mat.areas.me is not None
    assert mat.areas.me.slots[0].stack_direction == "fan"
    assert mat.seat.counters[0].most == 20


@pytest.mark.parametrize("id", game_ids())
def test_every_game_of_ours_has_a_mat_that_fits(id):
    game = find_game(id)
    assert read_playmat(game.playmat, game.id, game.zones, game.seats[1]).game == id


def test_a_game_whose_mat_does_not_fit_cannot_be_loaded():
    class Crooked(Magpies):
        playmat = MAT

    with pytest.raises(BadCards, match="this mat is for 'plain', not for 'magpies'"):
        Crooked()


@pytest.mark.parametrize(
    ("path", "to", "told"),
    [
        (("name",), None, "the mat: Object missing required field `name`"),
        (("colour",), "red", "the mat: Object contains unknown field `colour`"),
        (("game",), "other", "game: this mat is for 'other', not for 'plain'"),
        (("areas", "middle"), {}, "areas: Object contains unknown field `middle`"),
        (("areas", "me", "slots", 0, "align"), "left", "areas.me.slots[0].align: Invalid enum value 'left'"),
        (("areas", "me", "slots", 0, "scale"), 0, "areas.me.slots[0].scale: Expected `float` > 0.0"),
        (("areas", "me", "slots", 0, "zone"), "hands", "areas.me.slots[0].zone: there is no zone 'hands'."),
        (("areas", "me", "slots", 0, "zone"), "pile", "areas.me.slots[0].zone: the zone 'pile' is shared;"),
        (("areas", "shared", "slots", 0, "zone"), "deck", "areas.shared.slots[0].zone: the zone 'deck' is one of"),
        (
            ("areas", "me", "slots", 1, "id"),
            "pile",
            "areas.me.slots[1].id: 'pile' is taken by areas.shared.slots[0].id",
        ),
        (("areas", "me", "slots", 1, "position", "row"), 3, "areas.me.slots[1].position: it reaches outside the grid"),
        (("areas", "me", "slots", 1, "position", "row"), 0, "areas.me.slots[1].position.row: Expected `int` >= 1"),
        (("areas", "me", "slots", 0, "position", "colSpan"), 5, "areas.me.slots[0].position: it reaches outside"),
        (
            ("areas", "me", "slots", 0, "position", "colSpan"),
            4,
            "areas.me.slots[1].position: 'my-deck' lies on 'my-hand'",
        ),
        (
            ("areas", "me", "slots", 0, "position"),
            {"q": 1, "r": 1},
            "areas.me.slots[0].position: a cell has row and col",
        ),
        (("areas", "me", "hex"), True, "areas.me: an area has rows and cols, or hex: true"),
        (("areas", "me", "rows"), None, "areas.me: rows and cols are needed, both"),
        (("areas", "shared"), None, "areas.shared: the zone pile has no slot; draw it, or name it in undrawn"),
        (("areas", "others", "slots", 1), None, "areas.others: the zone deck has no slot"),
        (("undrawn",), ["pile"], "undrawn: the zone pile is drawn after all"),
        (("undrawn",), ["pyle"], "undrawn[0]: there is no zone 'pyle'. Did you mean pile?"),
        (("seat", "counters", 0, "most"), 0, "seat.counters[0].most: it is not above least"),
        (("seat", "counters", 0, "label"), "", "seat.counters[0].label: Expected `str` of length >= 1"),
        (("card", "colours", "hearts"), "#12345", "card.colours[...]: Expected `str` matching regex"),
        (("card", "owner"), "border", "card.owner: Invalid enum value 'border'"),
        (("zones",), [{"id": "hand", "faces": "everyone"}], "zones[0].faces: Invalid enum value 'everyone'"),
        (("zones",), [{"id": "hand"}, {"id": "hand"}], "zones[1].id: 'hand' is taken by zones[0].id"),
    ],
)
def test_a_mistake_is_told_by_the_name_of_its_field(path, to, told):
    assert any(mistake.startswith(f"playmat.json: {told}") for mistake in mistakes(spoilt(*path, to=to)))


def test_several_mistakes_are_told_at_once():
    mat = spoilt("areas", "me", "slots", 0, "zone", to="hend")
    mat["areas"]["me"]["slots"][1]["id"] = "their-deck"
    assert [mistake.split(": ")[1] for mistake in mistakes(mat)] == [
        "areas.me.slots[1].id",
        "areas.me.slots[0].zone",
        "areas.me",  # nothing draws the hand now
    ]


def test_a_zone_may_be_left_out_on_purpose():
    mat = spoilt("areas", "others", "slots", 1)
    assert read({**mat, "undrawn": ["deck"]}).undrawn == ("deck",)


def test_who_plays_alone_has_no_others():
    alone = tuple(zone for zone in ZONES if not zone.shared)
    assert read({**MAT, "areas": {"me": MAT["areas"]["me"]}}, seats=1, zones=alone).areas.others is None
    assert mistakes({**MAT, "areas": {"me": MAT["areas"]["me"]}}, seats=2, zones=alone)


class Hexes:
    zones = (Zone("hex.0.0", shared=True), Zone("hex.1.-1", shared=True))

    @staticmethod
    def mat(*places: dict[str, int]) -> dict[str, Any]:
        slots = [
            {"id": f"hex-{n}", "zone": zone.name, "position": place}
            for n, (zone, place) in enumerate(zip(Hexes.zones, places, strict=True))
        ]
        return {**MAT, "areas": {"shared": {"hex": True, "slots": slots}}}


def test_a_board_is_made_of_hexes():
    assert read(Hexes.mat({"q": 0, "r": 0}, {"q": 1, "r": -1}), zones=Hexes.zones)


def test_two_hexes_do_not_lie_on_each_other():
    (mistake,) = mistakes(Hexes.mat({"q": 0, "r": 0}, {"q": 0, "r": 0}), zones=Hexes.zones)
    assert mistake == "playmat.json: areas.shared.slots[1].position: 'hex-1' lies on 'hex-0'"


def test_a_hex_has_no_row():
    (mistake,) = mistakes(Hexes.mat({"q": 0, "r": 0}, {"row": 1, "col": 1}), zones=Hexes.zones)
    assert mistake == "playmat.json: areas.shared.slots[1].position: a hex has q and r"


def test_a_mat_survives_being_written_and_read():
    mat = read(MAT)
    assert msgspec.json.decode(msgspec.json.encode(mat), type=Playmat) == mat
