"""Accepting a challenge to a game with decks: one chooses them first, as the match begins at once then."""

from __future__ import annotations

from typing import ClassVar

from server.boards.gamefacts import game_words
from server.lobby.room import Room
from server.screens import bringing, options, roomdrawing
from server.screens.form import FormPage, FormRow
from server.screens.gametable import game_card
from server.session import places
from server.session.session import Session
from server.terminal.items import Item, Said
from server.terminal.lines import Line


class AcceptancePage(FormPage):
    """The decks with which a challenge is accepted."""

    context: ClassVar[str] = "acceptance"
    is_steady = True

    def __init__(self, session: Session, room: Room, has_code: bool) -> None:
        super().__init__(session)
        self.room, self.has_code = room, has_code
        self.view = room.snapshot()
        self.seat = room.accepted_on(session.identity.player) or 0
        self._decks = bringing.DeckRows(session)

    def start(self) -> None:
        self.subscriptions.append(self.room.subscribe(self._changed))

    def _changed(self) -> None:
        self.view = self.room.snapshot()
        self.session.dirty()

    def title(self) -> str:
        return self.session.t("acceptance.title", name=self.view.host)

    def intro(self) -> str:
        """Say what is played, and on which side first."""
        look, game = self.session.look, self.view.agreement.game
        side = look.side(game, bringing.side_names(game)[self.seat], self.seat)
        terms = look.t("list.comma").join(roomdrawing.terms(self.view, look))
        return look.t("acceptance.text", terms=terms, side=side)

    def outro(self) -> list[Said]:
        """Say what is unusual, and who sees the decks."""
        look, agreed = self.session.look, self.view.agreement
        unusual = options.summary(look, agreed.game, agreed.options)
        return [*(Said(text) for text in unusual), Said(look.t("decks.hidden"), "dim")]

    def outro_lines(self, cols: int, rows: int) -> list[Line]:
        """Draw that below what the game is, where there is room."""
        lines, card = super().outro_lines(cols, rows), game_card(self.view.agreement.game, self.session.look, cols)
        return [(), *card, *lines] if 1 + len(card) + len(lines) <= rows else lines

    def items(self) -> list[Item]:
        look, game = self.session.look, self.view.agreement.game
        return [*super().items(), Said(look.t("list.pair", what=look.game(game), value=game_words(game, look)))]

    def rows(self) -> list[FormRow]:
        return self._decks.rows(self.view.agreement.game, self.view.agreement.options)

    def help_topic(self) -> str:
        return self.view.agreement.game

    def do_accept(self) -> None:
        """Accept, unless a deck that shows can't be brought."""
        agreed = self.view.agreement
        if refusal := self._decks.refusal(agreed.game, agreed.options):
            self.session.prompts.say(refusal, "bad")
        elif self.session.pages.top is self:
            self.session.pages.pop()
            place = places.RoomPlace(self.room.code, self.has_code, accepts=True)
            self.session.spawn(self.session.reach(place))
