"""Every game: a match with take-backs goes on as one in which what was taken back never happened."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from game import registry
from game.choices import draw
from game.contract import Seat
from game.record import read_record, record_of, write_record
from game.replay import TAKEBACK, Entry, standing
from game.rng import Rng
from server.accounts.identity import Player
from server.clock import rfc3339
from server.matches.agreement import Agreement
from server.matches.chance import bot_seed
from server.matches.checkpoint import Checkpoint, after
from server.matches.drafts import is_setting
from server.matches.matchlog import MatchLog
from server.matches.speeds import speed_of
from server.matches.terms import Terms
from tests.clocks import FakeClock
from tests.conformance.play import Case, bots_of, cases, drawn_of, viewers

START = FakeClock().now()
BASE = [case for case in cases() if case.is_base and case.key in registry.KEYS]
MOST_ENTRIES = 90
NEXT = 20


def terms_of(case: Case, seed: bytes) -> Terms:
    """Return the terms of a casual match with a fast clock."""
    players = tuple(Player("guest", f"guest-{seat}", guest_id=f"guest-{seat}") for seat in range(case.n_seats))
    agreement = Agreement(case.key, players=case.n_seats, speed="fast")
    version = case.game.version
    return Terms("m", agreement, version, players, (), seed, "", speed_of("fast"), None, START)


def played_with_take_backs(case: Case, seed: bytes) -> tuple[Terms, MatchLog]:
    """Play a match at random for a while, taking back now and then whatever may be taken back."""
    terms, rng = terms_of(case, seed), Rng(hashlib.sha256(b"back" + seed).digest())
    log = MatchLog(terms)
    while log.head.is_live and log.head.seq < MOST_ENTRIES:
        entry, rng = next_entry(case, log.head, rng)
        banks = [log.head.clocks.bank_at(Seat(seat), moment(log.head.seq + 1)) for seat in range(case.n_seats)]
        log.absorb(entry)
        if entry.kind == TAKEBACK:
            assert all(new <= old for new, old in zip(log.head.clocks.banks, banks, strict=True)), "a bank has risen"
    return terms, log


def moment(seq: int) -> Any:
    return START + timedelta(seconds=seq)


def next_entry(case: Case, head: Checkpoint, rng: Rng) -> tuple[Entry, Rng]:
    """Draw what happens next."""
    game, state, seq, at = case.game, head.fold.state, head.seq + 1, rfc3339(moment(head.seq + 1))
    roll, rng = rng.below(100)
    able = [seat for seat, to in enumerate(head.back) if to is not None]
    if able and roll < 25:
        seat, rng = rng.choose(able)
        return Entry(seq, TAKEBACK, Seat(seat), None, at, {"to": head.back[seat]}), rng
    pending, rng = rng.choose(head.pending)
    if roll >= 95 and (settings := game.settings(state, pending.seat)):
        choice, rng = rng.choose(settings)
        said, rng = draw(choice, rng)
        if is_setting(game, head, pending.seat, said):
            return Entry(seq, "setting", pending.seat, said.text, at), rng
    if roll >= 92 and pending.window is not None:
        return Entry(seq, "timeout", pending.seat, None, at), rng
    said, rng = draw(pending.choice, rng)
    return Entry(seq, "action", pending.seat, said.text, at), rng


def renumbered(entries: Sequence[Entry]) -> list[Entry]:
    """Return a log without what was taken back."""
    return [replace(entry, seq=seq) for seq, entry in enumerate(standing(entries), 1)]


def stored(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries as they come out of a store."""
    rows = [
        json.loads(json.dumps([one.seq, one.kind, one.seat, one.action, one.at, dict(one.data)])) for one in entries
    ]
    return [Entry(*row) for row in rows]


def by_bots(case: Case, checkpoint: Checkpoint) -> Iterator[str]:
    """Yield what easy bots would do next on all seats."""
    game, bot = case.game, bots_of(case.key)["easy"]
    for _ in range(NEXT):
        if not checkpoint.is_live:
            return
        asked = checkpoint.pending[0]
        seed = bot_seed(bytes(32), checkpoint.asked_after[asked.seat], asked.seat)
        said = bot.decide(game.view(checkpoint.fold.state, asked.seat), asked, Rng(seed))
        yield said.text
        seq = checkpoint.seq + 1
        entry = Entry(seq, "action", asked.seat, said.text, rfc3339(moment(seq)))
        checkpoint, _ = after(game, checkpoint, entry)


def compare(case: Case, seed: bytes, *, with_bots: bool, with_records: bool = False) -> int:
    """Compare a match with take-backs, folded cold, with the match without what they took back."""
    terms, log = played_with_take_backs(case, seed)
    cold, straight = MatchLog(terms), MatchLog(terms)
    for entry in stored(log.entries):
        cold.absorb(entry)
    assert cold.head == log.head
    for entry in renumbered(log.entries):
        straight.absorb(entry)
    ours, theirs, game = cold.head, straight.head, case.game
    assert ours.fold.state == theirs.fold.state, seed.hex()
    assert ours.pending == theirs.pending
    for viewer in viewers(case):
        assert game.view(ours.fold.state, viewer) == game.view(theirs.fold.state, viewer)
    assert (ours.acted, ours.decided, ours.asked_after) == (theirs.acted, theirs.decided, theirs.asked_after)
    assert [one is None for one in ours.clocks.decisions] == [one is None for one in theirs.clocks.decisions]
    if with_bots:
        assert list(by_bots(case, ours)) == list(by_bots(case, theirs))
    if with_records:
        check_records(case, terms, log)
    return sum(entry.kind == TAKEBACK for entry in log.entries)


def check_records(case: Case, terms: Terms, log: MatchLog) -> None:
    """Compare what processes of their own make of the record, and of one without what was taken back."""
    with TemporaryDirectory() as folder:
        files = [
            ended_record(Path(folder) / name, terms, entries)
            for name, entries in (("with", log.entries), ("without", renumbered(log.entries)))
        ]
        for viewer in ("public", *map(str, range(case.n_seats))):
            assert len({replayed(file, viewer) for file in files}) == 1, (case, viewer)


def ended_record(file: Path, terms: Terms, entries: Sequence[Entry]) -> Path:
    """Write a record that ends with these entries, and void where they do not end the match."""
    last = len(entries) + 1
    ended = [*entries, Entry(last, "void", at=rfc3339(moment(last)))]
    file.write_text("\n".join(write_record(record_of(terms.header, ended))))
    assert read_record(file.read_text().splitlines()).entries == tuple(ended)
    return file


def replayed(file: Path, viewer: str) -> str:
    """Return what `python -m game replay` prints for a viewer."""
    line = [sys.executable, "-m", "game", "replay", str(file), "--as", viewer]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def share(case: Case, matches: int) -> int:
    """Return how many of a game's matches are played at a table of this size."""
    return ceil(matches / sum(other.key == case.key for other in BASE))


@pytest.mark.parametrize("case", BASE, ids=str)
def test_what_was_taken_back_never_happened(case: Case) -> None:
    for n in range(share(case, 30)):
        compare(case, drawn_of(f"back {case} {n}"), with_bots=n == 0)


@pytest.mark.soak
@pytest.mark.parametrize("case", BASE, ids=str)
def test_what_was_taken_back_never_happened_in_thousands(case: Case) -> None:
    done = 0
    for n in range(share(case, 2_000)):
        done += compare(case, drawn_of(f"backs {case} {n}"), with_bots=n % 50 == 0, with_records=n % 50 == 0)
    print(case, done, "take-backs")


@pytest.mark.parametrize("key", sorted({case.key for case in BASE}))
def test_the_command_line_replays_a_record_with_take_backs_and_one_without(key: str) -> None:
    case = next(one for one in BASE if one.key == key)
    check_records(case, *played_with_take_backs(case, drawn_of(f"record {case}")))


@pytest.mark.parametrize("case", BASE, ids=str)
def test_asking_tells_nothing_of_what_is_hidden(case: Case) -> None:
    twins(case, share(case, 100))


@pytest.mark.soak
@pytest.mark.parametrize("case", BASE, ids=str)
def test_asking_tells_nothing_of_what_is_hidden_in_ten_thousand_twins(case: Case) -> None:
    twins(case, share(case, 10_000))


def twins(case: Case, most: int) -> None:
    """Do the same in two matches that a seat can't tell apart: while it can't, it may take back alike in both."""
    game, done, n = case.game, 0, 0
    while done < most:
        n += 1
        rng = Rng(drawn_of(f"twin {case} {n}"))
        _, log = played_with_take_backs(case, rng.seed)
        for at in range(0, log.head.seq, 7):
            real = log.at(at)
            if not real.is_live:
                continue
            number, rng = rng.below(case.n_seats)
            seat = Seat(number)
            drawn, rng = rng.split()
            state = game.determinize(game.view(real.fold.state, seat), drawn)
            twin = replace(real, fold=replace(real.fold, state=state), pending=game.pending(state))
            done += 1
            for _ in range(6):
                pending, rng = rng.choose(real.pending)
                said, rng = draw(pending.choice, rng)
                if twin.owed_by(pending.seat) is None:
                    break
                entry = Entry(real.seq + 1, "action", pending.seat, said.text, rfc3339(moment(real.seq + 1)))
                try:
                    real, told = after(game, real, entry)
                    twin, told_too = after(game, twin, entry)
                except ValueError:
                    break  # what another seat did is not possible in the twin
                seen = [[one.seen_by(seat) for one in events] for events in (told, told_too)]
                if seen[0] != seen[1] or game.view(real.fold.state, seat) != game.view(twin.fold.state, seat):
                    break
                assert real.back[seat] == twin.back[seat], (case, n, at)
                if not real.is_live:
                    break
