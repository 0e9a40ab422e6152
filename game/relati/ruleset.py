"""The readings of the rules that options can change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from game.contract import Json, Option
from game.options import complete
from game.relati.geometry import LARGEST, SMALLEST

CONTACT_LINES = ("own-or-dead", "live-too", "strict")
BOMBS = ("literal", "everything")
FORBIDS = ("source", "local")
LATER: dict[str, Json] = {
    "forbid": "source",
    "attack_dead": False,
    "far_runs": False,
}  # options that matches stored before do not name


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The readings of one match; the defaults are the decided ones (An)."""

    board: int = 15  # A27: cells on a side
    escape_anywhere: bool = False  # A10: escape also to cells that could be connected
    contact_line: str = "own-or-dead"  # A12: what may stand between target and medium of a contact attack
    attack_shields: bool = False  # A14: shields may be targets
    spend_source: bool = True  # A15: a source may be spent in an attack
    defend_source: bool = False  # A16: a source may become a shield
    bomb: str = "literal"  # A17: what a bomb spares
    pincer_first: bool = True  # A20: pincer before forbid
    rim_is_safe: bool = True  # A22: the rim belongs to the rectangle
    capture_shields: bool = False  # A29: pincers capture shields
    forbid: str = "source"  # A7: what a piece has to be linked to, the source or any valid piece; else it is forbid
    attack_dead: bool = False  # A14: dead cells of others may be targets
    far_runs: bool = False  # A13: "cross-unlimited" begins at two cells


DEFAULT = Ruleset()
AS_WRITTEN: dict[str, Json] = {  # every reading at the letter, where the letter can be played
    "escape_anywhere": True,
    "contact_line": "live-too",
    "attack_shields": True,
    "defend_source": True,
    "capture_shields": True,
    "forbid": "local",
    "attack_dead": True,
    "far_runs": True,
}


@lru_cache(maxsize=1)
def options() -> tuple[Option, ...]:
    """Return the lines of the new-match form, in the order of the ruleset's fields."""
    values = {"contact_line": CONTACT_LINES, "bomb": BOMBS, "forbid": FORBIDS}
    found = []
    for field in fields(Ruleset):
        default: Json = getattr(DEFAULT, field.name)
        if field.name == "board":
            found.append(Option(field.name, "number", default, low=SMALLEST, high=LARGEST))
        elif field.name in values:
            found.append(Option(field.name, "choice", default, values[field.name]))
        else:
            found.append(Option(field.name, "flag", default))
    return tuple(found)


def read_ruleset(given: Mapping[str, Json]) -> Ruleset:
    """Build the ruleset from options by name; what is left out has its default.

    Raises BadNotation for an unknown option or a value it does not take.
    """
    return Ruleset(**complete(options(), given))  # type: ignore[arg-type]  # checked, name by name


def write_ruleset(ruleset: Ruleset) -> dict[str, Json]:
    """Return every option by name, as `read_ruleset` takes them."""
    return {field.name: getattr(ruleset, field.name) for field in fields(Ruleset)}
