"""Why an action is not legal, as the rules say it: asked of a position that fits what the viewer knows."""

from __future__ import annotations

from game import registry
from game.contract import Action, Watcher
from game.errors import BadNotation, GameError
from game.rng import Rng
from server.matches.model import AnyViewerState
from server.terminal.look import Look

ANY = Rng(bytes(32))  # whatever is hidden: a player's own choices don't depend on it


def reason(snapshot: AnyViewerState, text: str, look: Look) -> str:
    """Return why the viewer can't do this now, in a sentence; empty where they can, or only look on.

    Empty, too, where the text can't be read.
    """
    viewer = snapshot.viewer
    if isinstance(viewer, Watcher):
        return ""
    rules = registry.get(snapshot.game)
    try:
        rules.apply(rules.determinize(snapshot.view, ANY), viewer, Action(text))
    except BadNotation:
        return ""
    except GameError as refused:
        return look.t(refused.key) if look.has(refused.key) else ""
    return ""
