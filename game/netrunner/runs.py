"""A run: a frame that walks the run steps of the table (Netrunner §1.8); `encounters` has those at ice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from game.contract import OneOf
from game.netrunner import changes, encounters
from game.netrunner.facts import RUNNER
from game.netrunner.frames import Vars
from game.netrunner.moments import emit
from game.netrunner.moves import end_run, expire
from game.netrunner.ops import answer, ask, choice, one_of, op
from game.netrunner.resolve import begin
from game.netrunner.state import Card, Run
from game.netrunner.table import Table, entry
from game.netrunner.timing import ENCOUNTER, TABLE
from game.netrunner.vocabulary import RunOn
from game.netrunner.windows import open_window

Does = Callable[[Table, Vars, Run], str | None]  # returns the next step where it is not the table's


def now(t: Table) -> Run:
    """Return the run that is going on. Raises ValueError where there is none."""
    if t.run is None:
        raise ValueError("no run")
    return t.run


def set_run(t: Table, **more: Any) -> Run:
    """Change fields of the run and return it. Raises ValueError without a run."""
    t.run = replace(now(t), **more)
    return t.run


@op("run")
def run_frame(t: Table, f: Vars) -> None:
    """Begin the run (stage -1), do a step (0), open its window (1), go on (2)."""
    if f["stage"] == -1:
        return start(t, f)
    if t.run is None:
        t.pop()
        return
    run = t.run
    if run.ended and run.step not in ("run.6", "run.7"):
        return cut_short(t, f, run)
    row = TABLE[run.step]
    if f["stage"] == 0:
        f["stage"] = 1
        if row.does:
            jump = DOES[row.does](t, f, run)
            if jump is not None:
                to(t, f, jump)
    elif f["stage"] == 1:
        f["stage"] = 2
        if row.window and not is_gone(t, run):
            open_window(t, row.window)
    else:
        to(t, f, row.next if not is_gone(t, now(t)) else "run.4")


def is_gone(t: Table, run: Run) -> bool:
    """Tell whether the approached or encountered ice was uninstalled: it counts as passed."""
    return run.step.startswith(("run.2", "run.3")) and run.ice not in t.cards


def to(t: Table, f: Vars, step: str) -> None:
    """Go to a step, ending the encounter where the step is outside it."""
    if t.run is not None:
        leaving = t.run.step in ENCOUNTER and step not in ENCOUNTER
        set_run(t, step=step)
        if leaving and now(t).encountering:
            encounters.end(t, now(t))
    f["stage"] = 0
    f.pop("sub", None)
    f.pop("answer", None)


def start(t: Table, f: Vars) -> None:
    """Declare the run; the Runner gets a credit for each bad publicity (step 1)."""
    server = f["server"]
    f["stage"] = 0
    t.run = Run(server, credits=t.bad_publicity, mods=f["mods"], source=f["source"])
    t.fact("made_run")
    t.fact(f"run:{server}")
    t.tell("run", {"server": server})


def cut_short(t: Table, f: Vars, run: Run) -> None:
    """Go to the end of a run that was ended early; one that was successful stays so."""
    to(t, f, "run.6" if run.successful else "run.7")


def ahead(t: Table, run: Run) -> Card | None:
    """Return the outermost ice not passed yet that lies further in than all that was passed."""
    column = t.ice(run.server)
    passed = [i for i, card in enumerate(column) if card.iid in run.passed]
    inner = column[: min(passed)] if passed else column
    return inner[-1] if inner else None


def initiate(t: Table, f: Vars, run: Run) -> str | None:
    """Go on to the outermost ice, or to the server where there is none (step 1)."""
    return "run.2.1" if ahead(t, run) else "run.4"


def approach_ice(t: Table, f: Vars, run: Run) -> str | None:
    """Begin the approach of the next ice (step 2.1)."""
    card = ahead(t, run)
    if card is None:
        return "run.4"
    if run.ice != card.iid or run.step == "run.2.1":
        set_run(t, ice=card.iid, approached=run.approached + 1, broken=(), breakers=(), bypassed=False)
        t.tell("approach", {"place": card.place, "ice": card.iid})
    return None


def jack_out_at_ice(t: Table, f: Vars, run: Run) -> str | None:
    """Ask whether to jack out, but not at the first ice of the run (step 2.2)."""
    if run.approached > 1:
        ask(t, "jack-out", RUNNER, "jack-out")
    return None


def jack_out(t: Table, f: Vars, run: Run) -> str | None:
    """Ask whether to jack out before the server (step 5.2)."""
    ask(t, "jack-out", RUNNER, "jack-out")
    return None


@choice("jack-out")
def jack_out_choice(t: Table, f: Vars) -> OneOf:
    """Offer to go on or to end the run."""
    return one_of(["continue", "jack-out"])


@answer("jack-out")
def jack_out_answer(t: Table, f: Vars, words: list[str]) -> None:
    """Go on, or end the run."""
    t.pop()
    if words[0] == "jack-out":
        t.tell("jacked-out", {})
        end_run(t)


def meet_ice(t: Table, f: Vars, run: Run) -> str | None:
    """Go on to the encounter with rezzed ice; past unrezzed ice (step 2.4)."""
    card = t.cards.get(run.ice)
    return "run.3.0" if card is not None and card.rezzed else "run.4"


def pass_ice(t: Table, f: Vars, run: Run) -> str | None:
    """Note that the ice was passed; go on to the next, or to the server (step 4)."""
    if run.ice:
        ice, passed = run.ice, run.passed if run.ice in run.passed else (*run.passed, run.ice)
        run = set_run(t, passed=passed, ice=0)
        t.tell("passed-ice", {})
        emit(t, "passed-ice", ice)
        if t.queue:
            f["stage"] = 0  # once that is over, look again what is ahead
            return None
    return "run.2.1" if ahead(t, run) else "run.5.1"


def approach_server(t: Table, f: Vars, run: Run) -> str | None:
    """Mark what happens when the Runner approaches the server; before that, push the question about unrezzed ice."""
    if changes.ice_springs_up(t.version) and any(
        not card.rezzed for card in t.cards.values() if card.place.startswith("ice:")
    ):
        t.push("spring")
    emit(t, "approach-server")
    return None


def accessed(t: Table, f: Vars, run: Run) -> str | None:
    """Mark what happens after the breach."""
    if "replaced" not in run.mods:
        emit(t, "breached")
    return None


def success(t: Table, f: Vars, run: Run) -> str | None:
    """Declare the success (step 5.4); Sneakdoor Beta's run moves to HQ first.

    "If successful" comes before "when successful", which is marked only then.
    """
    if f.pop("declared", False):
        emit(t, "success")
        return None
    if "to-hq" in run.mods:
        run = set_run(t, server="hq")
        t.tell("redirected", {"server": "hq"})
    set_run(t, successful=True)
    t.fact(f"success:{run.server}")
    t.fact("successful_run")
    t.tell("successful", {"server": run.server})
    if changes.if_successful_comes_first(t.version) and is_instead(t, run):
        f |= {"declared": True, "stage": 0}
        begin_instead(t, run)
        return None
    emit(t, "success")
    return None


def access(t: Table, f: Vars, run: Run) -> str | None:
    """Breach the server, unless something happens instead (step 5.5)."""
    if f.get("stage2") != run.server:
        f["stage2"] = run.server
        if is_instead(t, run) and not changes.if_successful_comes_first(t.version):
            f["stage"] = 0
            begin_instead(t, run)
            return None
        emit(t, "breach")
        f["stage"] = 0
        return None
    f.pop("stage2")
    if "replaced" not in now(t).mods:
        t.push("breach", server=run.server, left=-1, next=0, done=(), roots=())
    return None


def is_instead(t: Table, run: Run) -> bool:
    """Tell whether what made this run does something instead of the breach, in the server that it named."""
    if run.source not in t.cards or not {"siphon", "instead"} & set(run.mods):
        return False
    made = [effect for effect in entry(t.cards[run.source].code).play if isinstance(effect, RunOn)]
    return any(run.server in effect.servers.split() for effect in made)


def begin_instead(t: Table, run: Run) -> None:
    """Begin what is done instead of the breach."""
    begin(t, t.cards[run.source].code, ("on", 0, "do"), RUNNER, run.source)


def end(t: Table, f: Vars, run: Run) -> str | None:
    """End the run: what held for it is over (steps 6 and 7)."""
    if "over" not in run.mods:
        if run.encountering:
            encounters.end(t, run)
        set_run(t, mods=(*now(t).mods, "over"))
        t.fact("unsuccessful_run" if not run.successful else "run_ended")
        emit(t, "run-ends")
        f["stage"] = 0
        return None
    expire(t, "run", "encounter")
    t.run = None
    t.tell("run-over", {"server": run.server, "successful": run.successful})
    return None


DOES: Final[dict[str, Does]] = {
    "initiate": initiate,
    "approach-ice": approach_ice,
    "jack-out-at-ice": jack_out_at_ice,
    "meet-ice": meet_ice,
    "encounter": encounters.meet,
    "before-subroutines": encounters.before_subroutines,
    "subroutines": encounters.resolve_subroutines,
    "pass-ice": pass_ice,
    "approach-server": approach_server,
    "jack-out": jack_out,
    "accessed": accessed,
    "success": success,
    "access": access,
    "end": end,
}
