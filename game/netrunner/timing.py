"""The table of timing steps: what each does, which window it opens, what comes next (Netrunner §1.3, §1.8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from game.netrunner.facts import CORP, RUNNER


@dataclass(frozen=True, slots=True)
class Row:
    """One step. `window`: P paid abilities, R rez, I rez the approached ice, S score, B break; '' for none."""

    does: str
    window: str
    next: str


TABLE: Final[dict[str, Row]] = {
    "setup.corp": Row("mulligan", "", "setup.runner"),
    "setup.runner": Row("mulligan", "", "corp.1.1"),
    "corp.1.1": Row("", "PRS", "corp.1.2"),
    "corp.1.2": Row("turn-begins", "", "corp.1.3"),
    "corp.1.3": Row("mandatory-draw", "", "corp.2.1"),
    "corp.2.1": Row("gain-clicks", "", "corp.2.2"),
    "corp.2.2": Row("", "PRS", "corp.2.3"),
    "corp.2.3": Row("actions", "PRS", "corp.3.1"),
    "corp.3.1": Row("lose-clicks", "", "corp.3.2"),
    "corp.3.2": Row("discard", "", "corp.3.3"),
    "corp.3.3": Row("", "PR", "corp.3.4"),
    "corp.3.4": Row("turn-ends", "", "runner.1.1"),
    "runner.1.1": Row("gain-clicks", "", "runner.1.2"),
    "runner.1.2": Row("", "PR", "runner.1.3"),
    "runner.1.3": Row("turn-begins", "", "runner.1.4"),
    "runner.1.4": Row("", "PR", "runner.1.5"),
    "runner.1.5": Row("actions", "PR", "runner.2.1"),
    "runner.2.1": Row("lose-clicks", "", "runner.2.2"),
    "runner.2.2": Row("discard", "", "runner.2.3"),
    "runner.2.3": Row("", "PR", "runner.2.4"),
    "runner.2.4": Row("turn-ends", "", "corp.1.1"),
    "run.1": Row("initiate", "", "run.2.1"),
    "run.2.1": Row("approach-ice", "P", "run.2.2"),
    "run.2.2": Row("jack-out-at-ice", "", "run.2.3"),
    "run.2.3": Row("", "PIR", "run.2.4"),
    "run.2.4": Row("meet-ice", "", "run.3.0"),
    "run.3.0": Row("encounter", "", "run.3.1"),
    "run.3.1": Row("before-subroutines", "PB", "run.3.2"),
    "run.3.2": Row("subroutines", "", "run.4"),
    "run.4": Row("pass-ice", "", "run.5.1"),
    "run.5.1": Row("approach-server", "P", "run.5.2"),
    "run.5.2": Row("jack-out", "", "run.5.3"),
    "run.5.3": Row("", "PR", "run.5.4"),
    "run.5.4": Row("success", "", "run.5.5"),
    "run.5.5": Row("access", "", "run.5.6"),
    "run.5.6": Row("accessed", "", "run.6"),
    "run.6": Row("end", "", ""),
    "run.7": Row("end", "", ""),
}
ACTION_STEP: Final = ("corp.2.3", "runner.1.5")
CLICKS: Final = (3, 4)
WINDOWS: Final = tuple(step for step, row in TABLE.items() if row.window)
ICE_STEPS: Final = ("run.2.1", "run.2.2", "run.2.3", "run.2.4", "run.3.0", "run.3.1", "run.3.2")
ENCOUNTER: Final = ("run.3.0", "run.3.1", "run.3.2")


def side_of(step: str) -> int:
    """Return whose turn a turn step belongs to."""
    return CORP if step.startswith(("corp", "setup.corp")) else RUNNER
