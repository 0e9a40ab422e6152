"""Speeds in words: with the time there is for all decisions, wherever one is chosen."""

from __future__ import annotations

from typing import Final

from server.matches.speeds import DAY, MINUTE, SECOND, SPEEDS, UNTIMED
from server.terminal.look import Look

WITH_UNTIMED: Final = (UNTIMED.name, *SPEEDS)  # where all other seats are built-in players


def speed_note(name: str, look: Look) -> str:
    """Say in a sentence what a speed gives."""
    speed = SPEEDS.get(name)
    if speed is None:
        return look.t("form.speed.untimed.help")
    if speed.bank >= DAY:
        return look.t("form.speed.days.help", days=speed.bank // DAY, more=speed.refill // DAY)
    return look.t("form.speed.help", minutes=speed.bank // MINUTE, more=speed.refill // SECOND)


def speed_words(name: str, look: Look) -> str:
    """Say which speed it is and what it gives: "normal (10 min, +15 s)"."""
    speed = SPEEDS.get(name)
    word = look.t(f"speed.{name}")
    if speed is None:
        return word
    if speed.bank >= DAY:
        return look.t("speed.of-days", speed=word, days=speed.bank // DAY, more=speed.refill // DAY)
    return look.t("speed.of-minutes", speed=word, minutes=speed.bank // MINUTE, more=speed.refill // SECOND)
