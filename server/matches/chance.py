"""What the server itself draws in a match: from the match's secret, never from what anybody can see."""

from __future__ import annotations

import hmac

from game.contract import Seat

LABEL = "patchbay bot"


def bot_seed(secret: bytes, decided: int, seat: Seat, attempt: int = 0) -> bytes:
    """Return the seed of what a built-in player draws for a decision, when `decided` answers stood as it was asked.

    Answers that were taken back do not count, nor do settings: who plays the same again meets the same bot.
    An HMAC-SHA-256 under the match's secret: any process that serves the match makes the same one, and nobody who does
    not know the secret can. The rules' own stream and the commitment are plain SHA-256 of the seed (game/rng.py), so
    none of the three tells anything of another. `attempt` counts the answers that could not be had.
    """
    return hmac.digest(secret, f"{LABEL} {decided} {seat} {attempt}".encode(), "sha256")
