"""Durations in words."""

from __future__ import annotations

from server.i18n.catalogues import Texts


def clock_words(ms: int, texts: Texts) -> str:
    """Write a duration as a clock: 2:41, 1:02:03, 2d 4h.

    >>> from server.i18n.catalogues import catalogue
    >>> clock_words(161_000, catalogue("en")), clock_words(180_000_000, catalogue("en"))
    ('2:41', '2d 2h')
    """
    seconds = ms // 1000
    days, hours, minutes = seconds // 86_400, seconds // 3600, seconds // 60
    if days:
        return texts.t("clock.days", d=days, h=hours % 24)
    if hours:
        return f"{hours}:{minutes % 60:02}:{seconds % 60:02}"
    return f"{minutes}:{seconds % 60:02}"
