"""The settings of windows: at which steps of a turn or run the viewer is asked, and the list in which it is changed."""

from __future__ import annotations

from game.contract import Action, OneOf
from game.netrunner.facts import CORP, RUNNER
from server.boards.games.netrunner.labels import side_name
from server.boards.games.netrunner.scene import Shown, scene_of, setting, step_of
from server.terminal.lines import Line, block, columns, pad, plain, wrapped
from server.terminal.look import Look

NAME_COLS = 46  # of a step, where the words of its setting leave so many
VALUE_COLS = 8  # a setting's edges, and what stands before a name
MODES = ("always", "could", "turn", "never")


def windows(snapshot: Shown) -> list[str]:
    """Return the steps that have a setting, in the order of the table."""
    found: list[str] = []
    for choice in snapshot.settings:
        if isinstance(choice, OneOf):
            found += [action.text.split()[1] for action in choice.actions if action.text.startswith("auto ")]
    return [*dict.fromkeys(found)]


def changed(snapshot: Shown, cursor: int, step: int) -> Action | None:
    """Return the action that changes the setting under the cursor."""
    steps = windows(snapshot)
    if not 0 <= cursor < len(steps):
        return None
    mode = MODES[(MODES.index(setting(snapshot, steps[cursor])) + step) % len(MODES)]
    return Action(f"auto {steps[cursor]} {mode}")


def start_at(snapshot: Shown) -> int:
    """Return the setting to begin with: that of the step the match stands at."""
    steps, now = windows(snapshot), step_of(scene_of(snapshot))
    return steps.index(now) if now in steps else 0


def draw(snapshot: Shown, cursor: int, look: Look, cols: int, rows: int) -> list[Line]:
    """Draw every window with its setting."""
    lines: list[Line] = [*wrapped(f" {look.t('netrunner.auto.text')}", cols, "dim", 1), ()]
    steps, names = windows(snapshot), [_named(step, look) for step in windows(snapshot)]
    words = max(columns(look.t(f"netrunner.auto.{mode}")) for mode in MODES)
    name_cols = min(NAME_COLS, cols - VALUE_COLS - words)
    is_below = max(map(columns, names), default=0) > name_cols  # then each setting stands below its step
    room = max(1, (rows - len(lines)) // (2 if is_below else 1))
    top = max(0, min(len(steps) - room, cursor - room // 2))
    for at, step in enumerate(steps[top : top + room], top):
        here = at == cursor
        word = look.t(f"netrunner.auto.{setting(snapshot, step)}")
        value = f" < {word} >" if here else f"   {word}"
        pointer, style = f" {look.glyphs.pointer} " if here else "   ", "row" if here else ""
        if is_below:
            lines += [plain(pad(text, cols), style) for text in (f"{pointer}{names[at]}", f"   {value}")]
        else:
            lines.append(plain(pad(f"{pointer}{pad(names[at], name_cols)}{value}", cols), style))
    return block(lines, cols, rows)


def _named(step: str, look: Look) -> str:
    """Return whose step it is, its number and its name."""
    return f"{side_word(step, look)} {step.partition('.')[2]} {look.t(f'netrunner.step.{step}')}"


def side_word(step: str, look: Look) -> str:
    """Return whose turn a step belongs to, or that it is a run's."""
    if step.startswith("run."):
        return look.t("netrunner.step.of-run")
    return side_name(CORP if step.startswith("corp") else RUNNER, look)
