"""Chance is part of the table: fair, repeatable, and the same on every machine."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import BLOCK, IDS, LUCK, below, commitment, draw, make_seed, minted
from engine.frames import Entity
from engine.match import Match
from engine.table import SEAT_NUMBERS
from tests.engine.games import MAGPIES, pen

SEED = make_seed("upcard")


def drawn(seed: bytes, limit: int, times: int) -> list[int]:
    numbers, count = [], 0
    for _ in range(times):
        number, count = below(seed, LUCK, count, limit)
        numbers.append(number)
    return numbers


def chi_square(counts: Counter[int], limit: int) -> float:
    expected = counts.total() / limit
    return sum((counts[number] - expected) ** 2 / expected for number in range(limit))


def test_the_generator_gives_the_numbers_it_always_gave():
    """Whoever changes the generator breaks every replay: then these numbers and the rules' version change together."""
    assert SEED.hex() == "f05d79aeb143bb06f295b6eaed329af17c6c35fc188d560062486dc0b8564372"
    assert [draw(SEED, LUCK, n) for n in range(3)] == [0x5F7D9219C7467A1D, 0x3D7CD556F5C580F8, 0x779C5E7F845B4D17]
    assert draw(SEED, IDS, 0) == 0xB52D8A1A81425619
    assert drawn(SEED, 52, 12) == [33, 32, 3, 4, 14, 21, 34, 24, 42, 11, 14, 27]
    assert [minted(SEED, n) for n in range(6)] == [99, 51, 204, 258, 132, 119]
    assert [minted(SEED, n) for n in (BLOCK - 1, BLOCK, BLOCK + 1)] == [184, 518, 320]


def test_the_commitment_is_the_hash_of_the_seed():
    assert commitment(SEED) == sha256(SEED).hexdigest()
    assert commitment(SEED) == "a8d90d22a791659d50723a63120d69384f1f8f8d830aa2c0d8cfaf1e2d1a304b"


@pytest.mark.parametrize("seed", ["7", 7, b"7"])
def test_a_seed_is_whatever_a_person_types(seed):
    assert make_seed(seed) == sha256(b"7").digest()


def test_thirty_two_bytes_are_a_seed_already():
    assert make_seed(SEED) == SEED
    assert make_seed(SEED[:-1]) == sha256(SEED[:-1]).digest()


@pytest.mark.parametrize("limit", [2, 3, 6, 7, 10, 52])
def test_every_number_is_as_likely(limit):
    """Chi-square stays below its mean plus five standard deviations: once in a million by bad luck, and never here."""
    counts = Counter(drawn(SEED, limit, 6000))
    assert set(counts) == set(range(limit))
    assert chi_square(counts, limit) < limit - 1 + 5 * (2 * (limit - 1)) ** 0.5


def test_two_draws_in_a_row_do_not_know_each_other():
    numbers = drawn(SEED, 6, 7200)
    pairs = Counter(6 * one + other for one, other in pairwise(numbers))
    assert chi_square(pairs, 36) < 35 + 5 * 70**0.5


def test_numbers_beyond_the_last_whole_round_are_drawn_again():
    """With a limit just over half of all numbers, about every second draw is thrown away."""
    limit, count = (1 << 63) + 1, 0
    for _ in range(200):
        number, count = below(SEED, LUCK, count, limit)
        assert 0 <= number < limit
    assert 300 < count < 500


@pytest.mark.parametrize("limit", [0, -1])
def test_nothing_cannot_be_chosen_from(limit):
    with pytest.raises(ValueError, match="nothing to choose"):
        below(SEED, LUCK, 0, limit)


def test_one_thing_is_chosen_without_doubt():
    assert below(SEED, LUCK, 3, 1) == (0, 4)


def test_lanes_and_seeds_have_nothing_to_do_with_each_other():
    lanes = [draw(seed, lane, n) for seed in (SEED, make_seed(1)) for lane in (LUCK, IDS, "other") for n in range(99)]
    assert len(set(lanes)) == len(lanes)


def test_a_block_of_ids_is_a_permutation_and_the_next_goes_on_behind_it():
    for block in range(5):
        ids = [minted(SEED, block * BLOCK + count) for count in range(BLOCK)]
        assert sorted(ids) == [block * BLOCK + SEAT_NUMBERS + place for place in range(BLOCK)]
        assert ids != sorted(ids)


def test_the_place_of_an_id_in_its_block_tells_nothing():
    """Over many matches each of the first ids is as likely to be any number of the block."""
    for count in (0, 1, BLOCK - 1):
        found = Counter((minted(make_seed(seed), count) - SEAT_NUMBERS) // 16 for seed in range(3200))
        assert chi_square(found, 16) < 15 + 5 * 30**0.5


@given(one=st.integers(0, 3 * BLOCK), other=st.integers(0, 3 * BLOCK), seed=st.integers(0, 99))
def test_no_two_counts_ever_give_the_same_id(one, other, seed):
    seed = make_seed(seed)
    assert (minted(seed, one) == minted(seed, other)) == (one == other)


def test_no_card_has_the_number_of_a_seat():
    """A choice among numbers is then never unclear: below sixteen they are players, from there on cards."""
    with pen(Match.deal(MAGPIES, seed=3)) as journal:
        ids = {journal.mint() for _ in range(BLOCK)}
    assert len(ids) == BLOCK
    assert min(ids) >= SEAT_NUMBERS


def test_every_order_of_a_shuffle_is_as_likely():
    """Four cards, 24 orders: shuffled by the match's own luck, over and over."""
    match = Match.deal(MAGPIES, seed="shuffle")
    with pen(match) as journal:
        for id in match.table.zones["pile"][4:]:
            journal.move(id, "heap")
        for n, id in enumerate(match.table.zones["pile"]):
            journal.put(Entity(id, "Coin", n, "pile"))
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(4800):
        before = [card.owner for card in match.table.lying("pile")]
        with pen(match) as journal:
            journal.shuffle("pile")
        orders[tuple(before.index(card.owner) for card in match.table.lying("pile"))] += 1
    assert len(orders) == 24
    assert sum((count - 200) ** 2 / 200 for count in orders.values()) < 23 + 5 * 46**0.5
