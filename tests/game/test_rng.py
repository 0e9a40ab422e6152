"""The stream of chance: the same everywhere, even, and independent after a split."""

from __future__ import annotations

import hashlib
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from game.rng import Rng, commitment

SEED = bytes(range(32))
SEEDS = st.binary(min_size=32, max_size=32)


def test_the_stream_is_what_it_was() -> None:
    """Records made today must verify for ever: these numbers are fixed."""
    rng, drawn = Rng(SEED), []
    for n in (2, 6, 52, 1000, 1 << 32):
        x, rng = rng.below(n)
        drawn.append(x)
    assert drawn == DRAWN
    assert rng.used == 5
    first = hashlib.sha256(SEED + (0).to_bytes(8, "big")).digest()
    assert Rng(SEED).below(1 << 32)[0] == int.from_bytes(first[:8], "big") % (1 << 32)
    assert Rng(SEED).shuffle("abcdefgh")[0] == SHUFFLED


@given(SEEDS, st.integers(1, 1000))
@settings(deadline=None)
def test_a_draw_is_in_range_and_moves_the_stream(seed: bytes, n: int) -> None:
    x, after = Rng(seed).below(n)
    assert 0 <= x < n
    assert after.used > 0
    assert Rng(seed).below(n) == (x, after)


@given(SEEDS, st.lists(st.integers(), max_size=12))
@settings(deadline=None)
def test_a_shuffle_keeps_what_there_is(seed: bytes, items: list[int]) -> None:
    shuffled, _ = Rng(seed).shuffle(items)
    assert Counter(shuffled) == Counter(items)


@given(SEEDS, st.integers(0, 9))
@settings(deadline=None)
def test_a_sample_holds_different_places(seed: bytes, k: int) -> None:
    sample, _ = Rng(seed).sample(range(6), k)
    assert len(sample) == min(k, 6)
    assert len(set(sample)) == len(sample)


def test_shuffles_are_even() -> None:
    rng, counts = Rng(SEED), Counter[tuple[int, ...]]()
    for _ in range(2400):
        shuffled, rng = rng.shuffle((1, 2, 3, 4))
        counts[shuffled] += 1
    assert len(counts) == 24
    chi2 = sum((n - 100) ** 2 / 100 for n in counts.values())
    assert chi2 < 49.7, "99.9 % of even shuffles are below"


def test_a_split_stream_shares_nothing_with_its_parent() -> None:
    child, parent = Rng(SEED).split()
    other, _ = parent.split()
    assert len({child.seed, other.seed, SEED}) == 3
    assert (parent.seed, parent.used) == (SEED, 1)
    assert child.below(1 << 60)[0] != Rng(SEED).below(1 << 60)[0]


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


DRAWN = [1, 4, 18, 210, 2906654489]
SHUFFLED = tuple("ecdbgahf")
