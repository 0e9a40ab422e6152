"""Reading the run of a position: where it is, what was passed, broken and accessed (Netrunner §5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from game.contract import Json
from game.netrunner.facts import CODES, RUNNER, plain_title
from game.netrunner.fields import array, bad, flag, ints, mapping, number, words
from game.netrunner.notation import SERVERS
from game.netrunner.state import Run, State
from game.netrunner.timing import ENCOUNTER, ICE_STEPS, TABLE

AFTER_SUCCESS: Final = ("run.5.5", "run.5.6", "run.6")
RUN_KEYS: Final = {*Run.__dataclass_fields__, "gone", "ids", "turn_step"} - {"step"}


def read_ids(run_data: dict[str, Json]) -> tuple[int, tuple[int, ...]]:
    """Read the ice at hand and what was passed by their ids, as they are written when some are gone."""
    at, *passed = ints(run_data, "ids") or (0,)
    return at, tuple(passed)


def read_path(run_data: dict[str, Json], column: list[int], step: str) -> tuple[int, tuple[int, ...]]:
    """Read the ice at hand (left out: the outermost not passed), and what was passed (left out: all further out)."""
    places = range(len(column))
    given = [*ints(run_data, "passed")] if "passed" in run_data else None
    at = run_data.get("ice")
    if (at is not None and at not in places) or any(i not in places for i in given or ()):
        bad("run: no such ice")
    if at is None and step in (*ICE_STEPS, "run.4"):
        at = min(given, default=len(column)) - 1 if given else len(column) - 1
        if at < 0 and step != "run.4":
            bad("run: no ice")
    is_near = isinstance(at, int) and at >= 0 and step in (*ICE_STEPS, "run.4")
    if given is None:
        given = [] if step == "run.1" else [i for i in places if not isinstance(at, int) or i > at]
    ice = column[at] if is_near and isinstance(at, int) else 0
    return ice, tuple(column[i] for i in sorted(given, reverse=True))


def with_run(state: State, data: dict[str, Json]) -> State:
    """Read the run, if there is one; `step` is then a step of it."""
    said = data.get("run")
    if said is None:
        if state.step.startswith("run."):
            bad("a step of a run without a run")
        return state
    run_data = mapping(said, "run", RUN_KEYS)
    server = str(run_data.get("server", "hq"))
    column = [card.iid for card in state.cards if card.place == f"ice:{server}"]
    if server not in SERVERS and "ids" not in run_data and not any(c.place.endswith(f":{server}") for c in state.cards):
        bad(f"server {server}")
    step = state.step if state.step.startswith("run.") else "run.1"
    ice, passed = read_ids(run_data) if "ids" in run_data else read_path(run_data, column, step)
    if step in ENCOUNTER and any(card.iid == ice and not card.rezzed for card in state.cards):
        bad("run: the encountered ice is not rezzed")
    met = (1 if ice else 0) + len(passed) - (step == "run.2.1" and bool(ice))  # step 2.1 counts the approach itself
    run = Run(
        server=server,
        step=step,
        ice=ice,
        passed=passed,
        broken=ints(run_data, "broken"),
        breakers=ints(run_data, "breakers"),
        bypassed=flag(run_data, "bypassed", False),
        encountering=flag(run_data, "encountering", step in ENCOUNTER),
        credits=number(run_data, "credits", state.bad_publicity if step == "run.1" else 0),  # step 1 gives them
        successful=flag(run_data, "successful", step in AFTER_SUCCESS),
        ended=flag(run_data, "ended", False),
        approached=number(run_data, "approached", met),
        encountered=number(run_data, "encountered", 1 if step in ENCOUNTER else 0),
        mods=words(run_data, "mods"),
        source=number(run_data, "source", 0),
        accessed=tuple(
            read_accessed(state, item, is_past="ids" in run_data)
            for item in array(run_data.get("accessed", []), "accessed")
        ),
    )
    turn_step = str(run_data.get("turn_step"))
    facts = state.this_turn if "this_turn" in data else facts_of(run)
    step = turn_step if turn_step in TABLE else "runner.1.5"
    return replace(state, run=run, step=step, turn=RUNNER, this_turn=facts)


def facts_of(run: Run) -> tuple[str, ...]:
    """Return what has happened this turn by the run itself, where a position says nothing of it."""
    made = ("made_run", f"run:{run.server}")
    has_succeeded = run.successful and run.step in AFTER_SUCCESS
    return (*made, f"success:{run.server}", "successful_run") if has_succeeded else made


def read_accessed(state: State, item: Json, *, is_past: bool) -> int | str:
    """Read what was accessed in this run: a root card by its reference, a card of HQ, R&D or Archives by its place.

    In a position that was written by the game (`is_past`) the card may be gone from there.
    """
    zone, _, index = str(item).partition('"')[0].rpartition(":")
    if not index and isinstance(item, str):
        index = named(state, zone, item[len(zone) + 2 : -1])
    if index.isdecimal() and len(index) < 7:
        row = [card.iid for card in state.cards if zone.startswith("root:") and card.place == zone]
        if int(index) < len(row):
            return row[int(index)]
        if zone in SERVERS and (is_past or int(index) < len(getattr(state, zone))):
            return str(item)
        if zone == "gone" and is_past:
            return int(index)
    bad(f"accessed {item}")


def named(state: State, zone: str, name: str) -> str:
    """Return the index of the only card of a place that has this title."""
    codes = [card.code for card in state.cards if card.place == zone and zone.startswith("root:")]
    if zone in ("hq", "rd", "archives"):
        codes = [one if isinstance(one, str) else one[0] for one in getattr(state, zone)]
    places = [i for i, one in enumerate(codes) if one == CODES.get(plain_title(name))]
    return str(places[0]) if len(places) == 1 else ""
