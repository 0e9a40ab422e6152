"""Records: a finished match as JSON lines, written, read back, and played again to compare."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from game import registry
from game.contract import Json, Result, Seat, result_json, state_hash
from game.errors import BadNotation, IllegalAction
from game.printable import escaped
from game.replay import TAKEBACK, Entry, Header, Status, begin, check_shape, fold_all, folds, standing
from game.rng import SEED_BYTES, commitment
from game.sentences import sentence

V = 1  # the format version of records
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
ENTRY_FIELDS = frozenset(("v", "type", "seq", "kind", "seat", "action", "at"))


@dataclass(frozen=True, slots=True)
class Record:
    """A finished match as its file has it. `commitment` and `state_hash` are what the file says, not checked.

    `seats` holds one object a seat: who sat there (`player`, `rating`), and under `options` what the seat brought.
    """

    header: Header
    seats: tuple[Mapping[str, Json], ...]
    commitment: str
    started: str | None
    entries: tuple[Entry, ...]
    status: Status
    result: Result | None
    state_hash: str
    match: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What playing a record again showed: `differs` names what does not agree, and is empty when all does."""

    differs: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Tell whether nothing differs."""
        return not self.differs


def record_of(header: Header, entries: Iterable[Entry]) -> Record:
    """Return the record of a match that has ended, played here from its header and entries.

    Raises BadNotation where the match goes on, else as `fold_all`.
    """
    log = tuple(entries)
    game = registry.get(header.game, header.rules_version)
    end = fold_all(game, header, log)
    if not end.is_over:
        raise BadNotation("record.incomplete", "the match goes on")
    brought = header.seat_options or ({},) * header.n_seats
    seats = tuple({"options": dict(options)} if options else {} for options in brought)
    hashed = state_hash(game, end.state)
    return Record(header, seats, commitment(header.seed), None, log, end.status, end.result, hashed)


def verify(record: Record) -> Verdict:
    """Play a record again and compare seed, result and final state.

    Raises BadNotation for other rules and for actions that can't be read.
    """
    game = registry.get(record.header.game, record.header.rules_version)
    fold, _ = begin(game, record.header)
    differs = [] if commitment(record.header.seed) == record.commitment else ["commitment"]
    standing(record.entries)  # a take-back may go only to an entry that counts
    try:
        for folded, _ in folds(game, record.header, record.entries):
            fold = folded
    except IllegalAction as refused:
        return Verdict((*differs, f"entry {fold.seq + 1}: {sentence(refused)}"))
    if fold.status is not record.status:
        differs.append(f"status: {fold.status.value}")
    if fold.result != record.result:
        differs.append(f"result: {result_json(fold.result)}")
    if (ends_as := state_hash(game, fold.state)) != record.state_hash:
        differs.append(f"state_hash: {ends_as}")
    return Verdict(tuple(differs))


def write_record(record: Record) -> Iterator[str]:
    """Yield the lines of a record, without line ends."""
    header = record.header
    first: dict[str, Json] = {"v": V, "type": "record", "game": header.game, "rules_version": header.rules_version}
    if record.match is not None:
        first["match"] = record.match
    first |= {"options": dict(header.options), "seats": [dict(seat) for seat in record.seats]}
    first |= {"seed": header.seed.hex(), "commitment": record.commitment, "started": record.started}
    yield _line(first)
    for entry in record.entries:
        yield _line(entry_json(entry))
    last: dict[str, Json] = {"v": V, "type": "result", "seq": len(record.entries), "status": record.status.value}
    last |= {"result": result_json(record.result), "state_hash": record.state_hash}
    if takebacks := sum(entry.kind == TAKEBACK for entry in record.entries):
        last["takebacks"] = takebacks
    yield _line(last)


def entry_json(entry: Entry) -> dict[str, Json]:
    """Return one row of a log as a record has it: what `data` holds stands beside the rest."""
    said: dict[str, Json] = {"v": V, "type": "entry", "seq": entry.seq, "kind": entry.kind}
    if entry.seat is not None:
        said["seat"] = entry.seat
    if entry.action is not None:
        said["action"] = entry.action
    if entry.at is not None:
        said["at"] = entry.at
    return said | {name: value for name, value in entry.data.items() if name not in ENTRY_FIELDS}


def _line(value: dict[str, Json]) -> str:
    return escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def read_record(lines: Iterable[str]) -> Record:
    """Read a whole record. Raises BadNotation where it can't be read, has gaps, or does not end with its result."""
    rows = [_object(line, i) for i, line in enumerate(lines, 1) if line.strip()]
    if len(rows) < 2 or rows[0].get("type") != "record" or rows[-1].get("type") != "result":
        raise BadNotation("record.incomplete", "not from a header to a result")
    first, *between, last = rows
    header, seats = _read_header(first)
    entries = tuple(_read_entry(row, seq, len(seats)) for seq, row in enumerate(between, 1))
    if last.get("seq", len(entries)) != len(entries):
        raise BadNotation("match.gap", f"{len(entries)} entries where {last['seq']} were due")
    return Record(
        header,
        seats,
        _hex(first, "commitment"),
        _time(first.get("started")),
        entries,
        _read_status(last),
        _read_result(last.get("result"), len(seats)),
        _hex(last, "state_hash"),
        None if first.get("match") is None else str(first["match"]),
    )


def _object(line: str, number: int) -> dict[str, Json]:
    """Read one line."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadNotation("record.line", f"line {number} is not JSON") from error
    if not isinstance(value, dict):
        raise BadNotation("record.line", f"line {number} is not an object")
    return value


def _read_header(row: Mapping[str, Json]) -> tuple[Header, tuple[Mapping[str, Json], ...]]:
    """Read the first line: the header, and who sat where."""
    match row:
        case {
            "v": 1 as v,
            "game": str(game),
            "rules_version": int(version),
            "options": dict(options),
            "seats": list(seats),
        } if _are_numbers(v, version):
            people = tuple(_read_seat(seat, i) for i, seat in enumerate(seats))
        case _:
            raise BadNotation("record.header", "a field is missing or has another shape")
    brought = tuple(_brought(seat) for seat in people)
    seed = bytes.fromhex(_hex(row, "seed"))
    return Header(game, version, options, len(people), seed, brought if any(brought) else ()), people


def _read_seat(seat: Json, number: int) -> Mapping[str, Json]:
    if not isinstance(seat, dict) or not _are_numbers(said := seat.get("seat", number)) or said != number:
        raise BadNotation("record.header", f"seat {number}")
    return seat


def _brought(seat: Mapping[str, Json]) -> Mapping[str, Json]:
    options = seat.get("options", {})
    if not isinstance(options, dict):
        raise BadNotation("record.header", "a seat's options")
    return options


def _read_entry(row: Mapping[str, Json], seq: int, n_seats: int) -> Entry:
    """Read an entry that must be number `seq`."""
    match row.get("seq"), row.get("kind"), row.get("seat"), row.get("action"):
        case int(number), str(kind), int() | None as seat, str() | None as action if _are_numbers(number, seat or 0):
            data = {name: value for name, value in row.items() if name not in ENTRY_FIELDS}
            entry = Entry(number, kind, None if seat is None else Seat(seat), action, _time(row.get("at")), data)
            check_shape(entry, seq, n_seats)
            return entry
    raise BadNotation("record.entry", f"entry {seq}")


def _read_status(row: Mapping[str, Json]) -> Status:
    """Read how the match ended; a result line that does not say, with a result, means that it was finished."""
    said = row.get("status", "void" if row.get("result") is None else "finished")
    if said not in (Status.FINISHED.value, Status.VOID.value):
        raise BadNotation("record.result", "status")
    return Status(said)


def _read_result(value: Json, n_seats: int) -> Result | None:
    match value:
        case None:
            return None
        case {"placements": list(tiers), "reason": str(reason)}:
            placements = tuple(_tier(tier, n_seats) for tier in tiers)
            return Result(placements, reason)
    raise BadNotation("record.result", "result")


def _tier(tier: Json, n_seats: int) -> tuple[Seat, ...]:
    if not isinstance(tier, list) or not _are_numbers(*tier) or not all(seat in range(n_seats) for seat in tier):
        raise BadNotation("record.result", "placements")
    return tuple(Seat(seat) for seat in tier if isinstance(seat, int))


def _are_numbers(*values: Json) -> bool:
    """Tell whether all are whole numbers; to Python, and not to JSON, `true` is one too."""
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)


def _hex(row: Mapping[str, Json], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", value):
        raise BadNotation("record.hex", name)
    return value


def _time(value: Json) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not TIME.fullmatch(value):
        raise BadNotation("record.time", "not an RFC 3339 time")
    return value
