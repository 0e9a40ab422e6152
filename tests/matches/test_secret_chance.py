"""What built-in players draw is secret: an attacker with the source at hand tries to work it out."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations

from game.contract import Seat, Watcher
from game.rainet.bots.levels import BOTS
from game.rainet.rules import GAME
from game.rng import Rng, commitment
from server.clock import rfc3339
from server.matches.chance import bot_seed
from server.matches.match import Match
from server.matches.next_match import rematch_of
from server.store import arrangements
from server.store import matches as store
from tests.clocks import FakeClock
from tests.matches.table import EASY, HARD, MIRA, SEED, TARN, Table, open_matches

PERSON, BOT = Seat(0), Seat(1)
TRIES = 8  # matches; a formula that is right by chance (1 of 70 setups) is not right in most of them
PREFIXES = ("", "bot ", "patchbay bot ")
HASHES: dict[str, Callable[[bytes], bytes]] = {
    "sha256": lambda text: hashlib.sha256(text).digest(),
    "sha3": lambda text: hashlib.sha3_256(text).digest(),
    "blake2b": lambda text: hashlib.blake2b(text, digest_size=32).digest(),
}


def setup_drawn_from(seed: bytes) -> str:
    """Return what RaiNet's built-in player sets up when this is the seed of its chance."""
    state = GAME.setup({}, 2, bytes(32)).state
    pending = next(one for one in GAME.pending(state) if one.seat == BOT)
    return BOTS["hard"].decide(GAME.view(state, BOT), pending, Rng(seed)).text


async def setup_of_the_bot(table: Table, match: Match) -> str:
    """Return what the built-in player really set up, from the log that nobody sees."""
    await table.wait(2)
    rows = await table.database.read(store.log, match.id)
    return next(row.action or "" for row in rows if row.seat == BOT)


def facts_of(match: Match) -> dict[str, str]:
    """Return everything the other seat and those who watch know of a match before the first move."""
    mine, public = match.snapshot(PERSON), match.snapshot(Watcher.PUBLIC)
    return {
        "id": match.id,
        "seq": "0",
        "seat": str(BOT),
        "commitment": public.commitment,
        "began": rfc3339(public.started_at),
        "turn": str(mine.turn_seq),
        "names": " ".join(info.player.name for info in public.seats),
        "view": json.dumps(GAME.view_json(mine.view), sort_keys=True),
    }


def guesses(facts: dict[str, str]) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """Yield seeds that could be made of what is public, each with how: up to three facts, hashed in some way."""
    for count in (1, 2, 3):
        for names in permutations(facts, count):
            for prefix in PREFIXES:
                text = (prefix + " ".join(facts[name] for name in names)).encode()
                for how, hashed in HASHES.items():
                    yield (how, prefix, *names), hashed(text)
                key = bytes.fromhex(facts["commitment"])
                yield ("hmac", prefix, *names), hmac.digest(key, text, "sha256")


async def test_the_secret_setup_of_a_bot_was_a_hash_of_the_match_s_public_id(table: Table) -> None:
    """`sha256("bot {match_id} {seq} {seat}")` named it before move 1, in every match."""
    right = 0
    for _ in range(TRIES):
        match = await table.begin(MIRA, HARD, game="rainet", seed=None)
        guess = setup_drawn_from(hashlib.sha256(f"bot {match.id} 0 {BOT}".encode()).digest())
        right += guess == await setup_of_the_bot(table, match)
    assert right < TRIES / 2


async def test_no_hash_of_what_is_public_names_the_secret_setup_of_a_bot(table: Table) -> None:
    right: Counter[tuple[str, ...]] = Counter()
    for _ in range(TRIES):
        match = await table.begin(MIRA, HARD, game="rainet", seed=None)
        tried = {how: setup_drawn_from(seed) for how, seed in guesses(facts_of(match))}
        real = await setup_of_the_bot(table, match)
        right.update(how for how, guess in tried.items() if guess == real)
    assert len(tried) > 4_000
    assert right.most_common(1)[0][1] < TRIES * 3 / 4, right.most_common(3)


async def test_what_a_bot_draws_follows_from_the_match_s_secret(table: Table) -> None:
    """Whoever knows the secret, after the end, finds the setup; so the tests above try something that can be found."""
    match = await table.begin(MIRA, HARD, game="rainet", seed=None)
    real = await setup_of_the_bot(table, match)
    assert table.pool.seeds[0] == bot_seed(match.terms.seed, 0, BOT)
    assert setup_drawn_from(bot_seed(match.terms.seed, 0, BOT)) == real


def test_every_decision_has_a_stream_of_its_own_apart_from_the_rules() -> None:
    other = bytes(reversed(SEED))
    seeds = [
        bot_seed(SEED, 4, BOT),
        bot_seed(other, 4, BOT),
        bot_seed(SEED, 5, BOT),
        bot_seed(SEED, 4, PERSON),
        bot_seed(SEED, 4, BOT, 1),
        bot_seed(SEED, 1, Seat(11)),
        bot_seed(SEED, 11, Seat(1)),
    ]
    drawn_by_the_rules = {hashlib.sha256(SEED + used.to_bytes(8, "big")).digest() for used in range(1000)}
    split_off = {Rng(SEED, used).split()[0].seed for used in range(1000)}
    public = {SEED, bytes.fromhex(commitment(SEED))}
    assert len({*seeds}) == len(seeds)
    assert not {*seeds} & (drawn_by_the_rules | split_off | public)


async def test_another_process_continues_the_stream_where_one_was_killed(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        first.pool.is_stuck = True
        match = await first.begin(MIRA, HARD, game="rainet", seed=None)
        await first.wait(2)
    async with open_matches(url, clock) as second:
        await second.matches.open(match.id)
        await second.wait(2)
        assert first.pool.seeds[0] == second.pool.seeds[0] == bot_seed(match.terms.seed, 0, BOT)


async def test_an_answer_that_was_refused_is_followed_by_a_drawn_one_from_the_secret(table: Table) -> None:
    table.pool.answers = ["nonsense"]
    match = await table.begin(MIRA, EASY, game="rainet", seed=None)
    assert (await setup_of_the_bot(table, match)).startswith("setup ")


async def test_playing_on_from_a_finished_match_draws_a_new_secret(url: str, clock: FakeClock) -> None:
    """The seed of the finished match is public: whoever played on knew what the bots would draw."""
    async with open_matches(url, clock) as first:
        first.pool.is_stuck = True
        over = await first.begin(MIRA, TARN, game="rainet", seed=None)
        await over.resign(PERSON)
        published = bytes.fromhex(over.snapshot(Watcher.PUBLIC).seed or "")
        again = [await first.matches.branch(over.id, MIRA, 0, PERSON, "hard") for _ in range(2)]
        await first.wait(2)
        drawn = {*first.pool.seeds}
        assert len(drawn) == 2
        assert bot_seed(published, 0, BOT) not in drawn
        assert [one.terms.seed for one in again] == [published] * 2, "the entries that were copied fit no other"
    async with open_matches(url, clock) as second:
        for one in again:
            assert (await second.matches.open(one.id)).terms.secret == one.terms.secret
        await second.wait(2)
        assert {*second.pool.seeds} == drawn


async def test_what_is_published_of_one_match_tells_nothing_of_its_rematch(table: Table) -> None:
    over = await table.begin(MIRA, HARD, game="rainet", seed=None)
    await over.resign(PERSON)
    again = await table.matches.create(rematch_of(over.terms))
    assert again.terms.seed != over.terms.seed
    assert again.terms.secret == again.terms.seed
    stored = await table.database.read(arrangements.whole_matches, [again.id])
    assert stored[again.id].arrangement == {"clock": 2}
