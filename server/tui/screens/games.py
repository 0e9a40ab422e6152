"""Which games to be paired in, how fast, rated or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from server.lobby.pairing import PATIENCE_S
from server.tui import keymap
from server.tui.keymap import Hint
from server.tui.screens import bringing
from server.tui.screens.form import FormPage, FormRow
from server.tui.screens.wishes import Wishes, playable

if TYPE_CHECKING:
    from server.tui.app import Session
    from server.tui.screens.lobby import LobbyPage


class GamesPage(FormPage):
    """The choices behind Play now."""

    context: ClassVar[str] = "games"

    def __init__(self, session: Session, lobby: LobbyPage) -> None:
        super().__init__(session)
        self.lobby = lobby
        self.wishes = Wishes(session)

    def start(self) -> None:
        """Read the person's own decks."""
        self.session.spawn(self.session.load_decks())

    def title(self) -> str:
        """Say what is chosen here."""
        return self.session.t("games.title")

    def intro(self) -> str:
        """Say what it is for."""
        return self.session.t("games.text")

    def rows(self) -> list[FormRow]:
        """Return a line for each game, the speed, the kind."""
        look, glyphs, wishes = self.session.look, self.session.look.glyphs, self.wishes

        def ticker(game: str) -> FormRow:
            return FormRow(
                look.game(game), glyphs.yes if game in wishes.games else glyphs.no, lambda step: wishes.tick(game)
            )

        rows = [ticker(game) for game in playable()]
        rows.append(FormRow(look.t("form.speed"), look.t(f"speed.{wishes.speed}"), lambda step: wishes.next_speed()))
        if wishes.has_several():
            rows.append(FormRow(look.t("form.players-several"), str(wishes.players), wishes.change_players))
            rows.append(self._smaller())
        rows.append(self._switch("bots", wishes.bots))
        for game in (one for one in wishes.games if bringing.side_names(one)):
            rows += [bringing.side_row(self.session, game), *bringing.deck_rows(self.session, game)]
        if not self.session.identity.is_guest:
            span = look.t("form.span", n=wishes.span) if wishes.span else look.t("form.span-any")
            rows.append(FormRow(look.t("form.opponents"), span, wishes.change_span))
            kind = look.t("match.rated" if wishes.rated else "match.casual")
            rows.append(FormRow(look.t("form.kind"), kind, lambda step: wishes.toggle_rated()))
        return rows

    def _smaller(self) -> FormRow:
        """Return the line that says whether a smaller table will do."""
        look, said = self.session.look, self.wishes.smaller
        note = look.t(f"form.seek-fewer.{said}.help", n=round(PATIENCE_S))
        word = look.t("form.seek-fewer.ask" if said == "ask" else f"form.{said}")
        return FormRow(look.t("form.seek-fewer"), word, self.wishes.change_smaller, note)

    def _switch(self, name: str, value: bool) -> FormRow:
        """Return the line of a yes or no that says what happens when nobody comes."""
        look = self.session.look
        note = look.t(f"form.seek-{name}.help", n=round(PATIENCE_S))
        word = look.t("form.yes" if value else "form.no")
        return FormRow(look.t(f"form.seek-{name}"), word, lambda step: self.session.prefer(**{name: not value}), note)

    def hints(self) -> tuple[Hint, ...]:
        """Return the form's keys."""
        commands = ("play", "tick", "speed", *(() if self.session.identity.is_guest else ("rated",)))
        decks = ("decks",) if self._deck_game() and not self.session.identity.is_guest else ()
        return (*keymap.hints("games", (*commands, *decks)), *keymap.hints("everywhere", ("back",)))

    def _deck_game(self) -> str:
        """Return the first ticked game that is played with decks, '' for none."""
        return next((game for game in self.wishes.games if bringing.side_names(game)), "")

    def do_decks(self) -> None:
        """See one's own decks."""
        from server.tui.screens import doors

        if (game := self._deck_game()) and not self.session.identity.is_guest:
            doors.go_to_decks(self.session, game)

    def do_tick(self) -> None:
        """Change the chosen line."""
        self.key = "right"
        self.do_change()

    def do_speed(self) -> None:
        """Choose the next speed."""
        self.wishes.next_speed()

    def do_rated(self) -> None:
        """Choose rated or casual."""
        if not self.session.identity.is_guest:
            self.wishes.toggle_rated()

    def do_play(self) -> None:
        """Look for players with these choices."""
        self.session.pop()
        self.lobby.do_play()
