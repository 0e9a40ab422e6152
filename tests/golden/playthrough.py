"""Writing a seeded match as text: every decision, what it led to, and who is asked next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game.choices import expand
from game.cli.output import result_line
from game.contract import Event, Game, Json, Watcher, state_hash
from tests.conformance.play import Case, Moment, game_of, keys, moments, seed_of

FOLDER = Path(__file__).parent
LONGEST = 90  # decisions that are written down


@dataclass(frozen=True, slots=True)
class Playthrough:
    """One golden file. `seed` is a word; positions are written every `every` entries."""

    name: str
    case: Case
    seed: str = "golden"
    every: int = 1

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"


NAMED = (
    Playthrough("tiny-3", Case("tiny", 3, {"rounds": 3}), every=8),
    Playthrough("rainet-2", Case("rainet", 2), every=2),
    Playthrough("relati-2", Case("relati", 2, {"board": 5})),
    Playthrough("relati-4", Case("relati", 4, {"board": 7})),
    Playthrough("passage-3", Case("passage", 3), every=12),
    Playthrough("netrunner-2", Case("netrunner", 2), every=20),
)


def playthroughs() -> list[Playthrough]:
    """Return the golden files there are to be: what is named here, and one of every other game."""
    told = {one.case.key for one in NAMED}
    more = [
        Playthrough(f"{key}-first", Case(key, game_of(key).seats[0]), every=10) for key in keys() if key not in told
    ]
    return [one for one in NAMED if one.case.key in keys()] + more


def lines(playthrough: Playthrough) -> Iterator[str]:
    """Yield the text of a match played at random from its seed."""
    case = playthrough.case
    game = case.game
    yield f"{case.key} version {game.version}, {case.n_seats} seats, options {json.dumps(dict(case.options))}"
    yield f"seed {seed_of(playthrough.seed).hex()}"
    moment = None
    for moment in moments(case, seed_of(playthrough.seed)):
        yield from _moment(game, moment, playthrough.every)
        if moment.fold.seq == LONGEST:
            yield f"… and so on after {LONGEST} entries"
            break
    assert moment is not None
    if moment.fold.result:
        yield f"result: {result_line(moment.fold.result, game.seat_names(case.n_seats))}"
    yield f"hash {state_hash(game, moment.fold.state)}"


def _moment(game: Game[Any, Any], moment: Moment, every: int) -> Iterator[str]:
    state, entry = moment.fold.state, moment.entry
    names = game.seat_names(game.n_seats(state))
    yield ""
    if entry is not None and entry.seat is not None:
        yield f"{entry.seq} {names[entry.seat]} {entry.action}"
    for event in moment.events:
        yield f"  {_event(event)}"
    if moment.fold.seq % every == 0 or moment.fold.is_over:
        yield f"  position {_text(game.write_position(state))}"
        seen = game.view_json(game.view(state, Watcher.PUBLIC))
        yield f"  public {_text(seen.get('position'))}"
    for pending in game.pending(state):
        offered = sum(1 for _ in expand(pending.choice))
        yield f"  asks {names[pending.seat]} {pending.prompt} ({pending.window or 'turn'}), {offered} ways"


def _event(event: Event) -> str:
    told = [f"{event.kind} {_params(event.public)}"]
    told += [f"seat {seat}: {_params(known)}" for seat, known in (event.private or {}).items()]
    return "; ".join(told)


def _params(params: Mapping[str, Json] | None) -> str:
    return "-" if params is None else json.dumps(dict(params), ensure_ascii=False, sort_keys=True)


def _text(position: Json) -> str:
    return position if isinstance(position, str) else json.dumps(position, ensure_ascii=False)


def write() -> None:
    """Write every golden file anew; read the difference before you commit it."""
    for one in playthroughs():
        one.path.write_text("\n".join(lines(one)) + "\n", encoding="utf-8")
        print(one.path.name)
