"""The same seed and the same moves give the same match in another process, whatever Python hashes strings to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from msgspec.structs import replace

from tests.engine.games import GAMES, MAGPIES
from tests.engine.magpies import Magpies, effects, make_face

ROOT = Path(__file__).parents[2]

SCRIPT = """
import sys
from hashlib import sha256
from random import Random
from engine.gallery import Gallery
from engine.lens import viewers
from engine.match import Match
from engine.merge import canonical
from engine.store import state_hash
from tests.engine.games import GAMES, everything, play

for game in GAMES:
    for seed in range(6):
        match = Match.deal(game, seed=seed)
        told = sha256()
        gallery = Gallery(match)
        for turned in play(match, Random(seed)):
            told.update(canonical(gallery.patches(turned.step)))
            for viewer in viewers(match.table.seats):
                told.update(everything(match, viewer, turned.step))
        print(game.id, game.cards_hash, seed, match.table.version, state_hash(match.table), told.hexdigest())
"""


def played(hash_seed: str, program: Path = ROOT) -> str:
    """All matches in a process of their own, as the hashes of everything that anybody was ever told."""
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=env, cwd=program, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_processes_with_different_hashing_play_the_same_matches():
    one, other = played("1"), played("2")
    assert one == other
    assert len(one.splitlines()) == 6 * len(GAMES)


def test_the_hash_of_the_cards_changes_with_any_of_them():
    name, face = next(iter(MAGPIES.faces.items()))
    one_less = {other: face for other, face in MAGPIES.faces.items() if other != name}
    retold = {**MAGPIES.faces, name: replace(face, text=face.text + "!")}
    dearer = {**MAGPIES.faces, name: make_face(effects, name, "gain:3")}
    assert len({hash_of(faces) for faces in (MAGPIES.faces, one_less, retold, dearer)}) == 4
    assert hash_of(MAGPIES.faces) == MAGPIES.cards_hash


def hash_of(cards) -> str:
    class Other(Magpies):
        faces = cards

    return Other().cards_hash
