"""Every message key of Hex with the names of its parameters."""

from __future__ import annotations

PROMPTS: dict[str, tuple[str, ...]] = {"hex.prompt.place": ()}
EVENTS: dict[str, tuple[str, ...]] = {"hex.event.placed": ("seat", "cell")}
REASONS: dict[str, tuple[str, ...]] = {"hex.reason.joined": (), "hex.reason.left": (), "hex.reason.timeout": ()}
ERRORS: dict[str, tuple[str, ...]] = {
    "hex.error.cell": (),
    "hex.error.not-your-turn": (),
    "hex.error.over": (),
    "hex.error.position": (),
    "hex.error.taken": (),
}
