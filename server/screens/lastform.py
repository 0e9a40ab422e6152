"""What somebody chose last for a match against bots, game by game, as it is kept with their preferences."""

from __future__ import annotations

from typing import Any

import msgspec

from game import registry
from game.errors import BadNotation
from game.options import deviating
from server.boards.speeds import WITH_UNTIMED
from server.matches.speeds import UNTIMED
from server.screens.options import room_wide
from server.screens.playnow import seat_range

ANY_SIDE = "any"


class LastForm(msgspec.Struct, frozen=True):
    """The choices for one game. `side` is a seat's name or ANY_SIDE; `options` holds those that are not usual."""

    game: str
    speed: str
    side: str
    players: int
    options: dict[str, Any]


def usual_form(game: str) -> LastForm:
    """Return the choices of a game that was never played against bots."""
    return LastForm(game, UNTIMED.name, ANY_SIDE, seat_range(game).start, {})


def last_form(kept: tuple[str, ...], game: str) -> LastForm:
    """Return what was chosen last for a game; the usual choices where nothing was, or it is no longer possible."""
    found = (form for form in map(_read, kept) if form is not None and form.game == game and _is_possible(form))
    return next(found, usual_form(game))


def with_form(kept: tuple[str, ...], form: LastForm) -> tuple[str, ...]:
    """Keep the choices for a game in place of those before."""
    others = [one for one in kept if (known := _read(one)) is not None and known.game != form.game]
    return (*others, msgspec.json.encode(form).decode())


def _read(text: str) -> LastForm | None:
    try:
        return msgspec.json.decode(text, type=LastForm)
    except msgspec.DecodeError:
        return None


def _is_possible(form: LastForm) -> bool:
    try:
        deviating(room_wide(form.game), form.options)
    except BadNotation:
        return False
    if form.speed not in WITH_UNTIMED or form.players not in seat_range(form.game):
        return False
    return form.side in (ANY_SIDE, *registry.get(form.game).seat_names(form.players))
