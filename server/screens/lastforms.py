"""What somebody chose last in a form for a match, by game: kept with the account, the latest last."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from game.errors import BadNotation
from game.options import deviating
from server.boards.gamefacts import playable, seat_range
from server.screens import options


class LastForm(msgspec.Struct, frozen=True, kw_only=True):
    """The choices for one game. `options` holds those that are not usual."""

    game: str
    players: int
    options: dict[str, Any]

    def is_possible(self) -> bool:
        """Tell whether these choices can still be made."""
        if self.game not in playable() or self.players not in seat_range(self.game):
            return False
        try:
            deviating(options.known(self.game), self.options)
        except BadNotation:
            return False
        return True


F = TypeVar("F", bound=LastForm)


def last_form(kept: tuple[str, ...], kind: type[F], game: str = "") -> F | None:
    """Return what was chosen last for a game, without one for any; None: nothing, or it is no longer possible."""
    forms = (form for text in reversed(kept) if (form := _read(text, kind)) is not None)
    return next((form for form in forms if game in ("", form.game) and form.is_possible()), None)


def with_form(kept: tuple[str, ...], form: LastForm) -> tuple[str, ...]:
    """Keep the choices for a game in place of those before."""
    others = [one for one in kept if (known := _read(one, LastForm)) is not None and known.game != form.game]
    return (*others, msgspec.json.encode(form).decode())


def _read(text: str, kind: type[F]) -> F | None:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError:
        return None
