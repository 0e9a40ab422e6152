"""A match against the computer, at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from game import registry
from game.contract import Json, Seat
from server.matches.speeds import SPEEDS
from server.tui import keymap
from server.tui.keymap import Hint
from server.tui.lines import Line
from server.tui.screens import bringing
from server.tui.screens.form import FormPage, FormRow, cycle, note
from server.tui.screens.wishes import playable, seat_range

if TYPE_CHECKING:
    from server.tui.app import Session


KEPT = "\N{NO-BREAK SPACE}"  # keeps a digit and its game on one line


class BotPage(FormPage):
    """Choose game, level, speed, side and decks; enter starts, a game's digit starts that game at once."""

    context: ClassVar[str] = "bots"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        last, level = session.preferences.bot_game, session.preferences.bot_level
        self.game = last if last in playable() else playable()[0]
        self.level = level if level in registry.LEVELS else registry.LEVELS[0]
        self.speed = "normal"
        self.seat = "any"
        self.players = seat_range(self.game).start
        self.is_busy = False

    def start(self) -> None:
        """Read the person's own decks."""
        self.session.spawn(self.session.load_decks())

    def title(self) -> str:
        """Say what is chosen here."""
        return self.session.t("bots.title")

    def intro(self) -> str:
        """Say that it starts at once."""
        return self.session.t("bots.text")

    def rows(self) -> list[FormRow]:
        """Return the choices."""
        look = self.session.look
        sides = ("any", *registry.get(self.game).seat_names(self.players))
        side = (
            look.t("form.side-any")
            if self.seat == "any"
            else look.side(self.game, self.seat, sides.index(self.seat) - 1)
        )
        several = [FormRow(look.t("form.players"), str(self.players), self._change_players)]
        return [
            FormRow(look.t("form.game"), look.game(self.game), lambda step: self._set("game", playable(), step)),
            *(several if len(seat_range(self.game)) > 1 else ()),
            FormRow(
                look.t("form.level"),
                look.t(f"bot.{self.level}"),
                lambda step: self._set("level", registry.LEVELS, step),
            ),
            FormRow(
                look.t("form.speed"),
                look.t(f"speed.{self.speed}"),
                lambda step: self._set("speed", tuple(SPEEDS), step),
            ),
            FormRow(look.t("form.side"), side, lambda step: self._set("seat", sides, step)),
            *bringing.deck_rows(self.session, self.game),
        ]

    def outro(self, cols: int) -> list[Line]:
        """Say which digit starts which game."""
        look = self.session.look
        if len(playable()) < 2:
            return []
        games = "   ".join(f"{n}{KEPT}{look.game(game)}" for n, game in enumerate(playable()[:9], 1))
        lines = note(look.t("bots.at-once", games=games), cols)
        return [tuple((style, text.replace(KEPT, " ")) for style, text in line) for line in lines]

    def hints(self) -> tuple[Hint, ...]:
        """Return the form's keys, and the digits."""
        form = (*keymap.hints("bots", ("accept",)), *keymap.hints("form", ("next", "change")))
        return (*form, *keymap.hints("bots", self._extra()), *keymap.hints("everywhere", ("back",)))

    def _extra(self) -> tuple[str, ...]:
        return (*(("start",) if len(playable()) > 1 else ()), *(("decks",) if self._has_decks() else ()))

    def _has_decks(self) -> bool:
        return bool(bringing.side_names(self.game)) and not self.session.identity.is_guest

    def do_decks(self) -> None:
        """See one's own decks."""
        from server.tui.screens import doors

        if self._has_decks():
            doors.go_to_decks(self.session, self.game)

    def do_start(self) -> None:
        """Start the game of this digit with what is chosen for it."""
        games = playable()[:9]
        if int(self.key) <= len(games):
            game = games[int(self.key) - 1]
            if game != self.game:
                self._set("game", (game,), 0)
            self.do_accept()

    def _set(self, name: str, values: tuple[str, ...], step: int) -> None:
        setattr(self, name, cycle(values, getattr(self, name), step))
        if name == "game":
            self.seat, self.players = "any", seat_range(self.game).start

    def _change_players(self, step: int) -> None:
        sizes = seat_range(self.game)
        self.players = sizes.start + (self.players - sizes.start + step) % len(sizes)
        self.seat = "any"

    def do_accept(self) -> None:
        """Start the match."""
        if not self.is_busy:
            self.is_busy = True
            self.session.spawn(self._start())

    async def _start(self) -> None:
        from server.tui.screens.doors import go_to_own_match

        names = registry.get(self.game).seat_names(self.players)
        seat = Seat(names.index(self.seat)) if self.seat in names else None
        self.session.prefer(bot_game=self.game, bot_level=self.level)
        try:
            match = await self.session.services.lobby.play_bot(
                self.session.identity.player,
                self.game,
                self.level,
                {},
                self.speed,
                seat,
                self.players,
                seat_options=self._brought(),
            )
        finally:
            self.is_busy = False
        if self.session.page is self:
            self.session.pop()
        await go_to_own_match(self.session, match.id)

    def _brought(self) -> tuple[Mapping[str, Json], ...]:
        """Return the deck of each seat; nothing for games without decks."""
        session, game = self.session, self.game
        seats = range(len(bringing.side_names(game)))
        return tuple(bringing.brought_along(session, game, i, bringing.wished_deck(session, game, i)) for i in seats)
