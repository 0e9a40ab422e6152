"""The table of timing steps: what each does, which window it opens, what comes next (Netrunner §1.3, §1.8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from game.netrunner.facts import CORP, RUNNER


@dataclass(frozen=True, slots=True)
class TimingStep:
    """One step. `window`: P paid abilities, R rez, I rez the approached ice, S score, B break; '' for none."""

    does: str
    window: str
    next: str


TABLE: Final[dict[str, TimingStep]] = {
    "setup.corp": TimingStep("mulligan", "", "setup.runner"),
    "setup.runner": TimingStep("mulligan", "", "corp.1.1"),
    "corp.1.1": TimingStep("", "PRS", "corp.1.2"),
    "corp.1.2": TimingStep("turn-begins", "", "corp.1.3"),
    "corp.1.3": TimingStep("mandatory-draw", "", "corp.2.1"),
    "corp.2.1": TimingStep("gain-clicks", "", "corp.2.2"),
    "corp.2.2": TimingStep("", "PRS", "corp.2.3"),
    "corp.2.3": TimingStep("actions", "PRS", "corp.3.1"),
    "corp.3.1": TimingStep("lose-clicks", "", "corp.3.2"),
    "corp.3.2": TimingStep("discard", "", "corp.3.3"),
    "corp.3.3": TimingStep("", "PR", "corp.3.4"),
    "corp.3.4": TimingStep("turn-ends", "", "runner.1.1"),
    "runner.1.1": TimingStep("gain-clicks", "", "runner.1.2"),
    "runner.1.2": TimingStep("", "PR", "runner.1.3"),
    "runner.1.3": TimingStep("turn-begins", "", "runner.1.4"),
    "runner.1.4": TimingStep("", "PR", "runner.1.5"),
    "runner.1.5": TimingStep("actions", "PR", "runner.2.1"),
    "runner.2.1": TimingStep("lose-clicks", "", "runner.2.2"),
    "runner.2.2": TimingStep("discard", "", "runner.2.3"),
    "runner.2.3": TimingStep("", "PR", "runner.2.4"),
    "runner.2.4": TimingStep("turn-ends", "", "corp.1.1"),
    "run.1": TimingStep("initiate", "", "run.2.1"),
    "run.2.1": TimingStep("approach-ice", "P", "run.2.2"),
    "run.2.2": TimingStep("jack-out-at-ice", "", "run.2.3"),
    "run.2.3": TimingStep("", "PIR", "run.2.4"),
    "run.2.4": TimingStep("meet-ice", "", "run.3.0"),
    "run.3.0": TimingStep("encounter", "", "run.3.1"),
    "run.3.1": TimingStep("before-subroutines", "PB", "run.3.2"),
    "run.3.2": TimingStep("subroutines", "", "run.4"),
    "run.4": TimingStep("pass-ice", "", "run.5.1"),
    "run.5.1": TimingStep("approach-server", "P", "run.5.2"),
    "run.5.2": TimingStep("jack-out", "", "run.5.3"),
    "run.5.3": TimingStep("", "PR", "run.5.4"),
    "run.5.4": TimingStep("success", "", "run.5.5"),
    "run.5.5": TimingStep("access", "", "run.5.6"),
    "run.5.6": TimingStep("accessed", "", "run.6"),
    "run.6": TimingStep("end", "", ""),
    "run.7": TimingStep("end", "", ""),
}
ACTION_STEP: Final = ("corp.2.3", "runner.1.5")
CLICKS: Final = (3, 4)
WINDOWS: Final = tuple(step for step, row in TABLE.items() if row.window)
ICE_STEPS: Final = ("run.2.1", "run.2.2", "run.2.3", "run.2.4", "run.3.0", "run.3.1", "run.3.2")
ENCOUNTER: Final = ("run.3.0", "run.3.1", "run.3.2")


def side_of(step: str) -> int:
    """Return whose turn a turn step belongs to."""
    return CORP if step.startswith(("corp", "setup.corp")) else RUNNER
