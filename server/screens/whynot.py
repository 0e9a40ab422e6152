"""What is said to a key that did nothing on a board."""

from __future__ import annotations

from typing import Any, Final

from server.boards.board import AnyBoard
from server.matches.model import AnyViewerState
from server.session.session import Session

CHOOSE: Final = "enter"  # is never without an answer where something is asked


def say_why_not(session: Session, board: AnyBoard, shot: AnyViewerState, chosen: Any, answer: Any, key: str) -> bool:
    """Say why a key did nothing, where something is asked of the player; False: it did, or there is nothing to say.

    `answer`: what the board has made of the key; None: the key is not the board's.
    """
    is_unknown = answer is None and key != CHOOSE
    if shot.pending is None or is_unknown or answer not in (None, chosen):
        return False
    if why := board.why_not(shot, chosen, session.look, key):
        session.prompts.say(why, "bad")
    elif key == CHOOSE:
        session.prompts.notice("match.no-enter" if answer is None else "match.not-here")
    else:
        return False
    return True
