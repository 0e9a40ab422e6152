"""What everybody may know of a match of Hex: all."""

from __future__ import annotations

from dataclasses import dataclass

from game.contract import Viewer
from tests.hex.state import State


@dataclass(frozen=True, slots=True)
class View:
    """Who looks, and what there is to see."""

    viewer: Viewer
    state: State
