"""Which games to be paired in, how fast, rated or not."""

from __future__ import annotations

from typing import ClassVar

from server.boards import keymap
from server.boards.gamefacts import playable
from server.lobby.pairing import PATIENCE_S
from server.matches.speeds import SPEEDS
from server.screens import bringing
from server.screens.form import FormPage, FormRow, end_of, grouped, speed_row, switch_row
from server.screens.playnow import SPANS, PlayChoices
from server.session import places
from server.session.session import Session
from server.terminal.hint import Hint


class GamesPage(FormPage):
    """The choices behind Play now."""

    context: ClassVar[str] = "games"

    def __init__(self, session: Session, searcher: places.PlayStarter) -> None:
        super().__init__(session)
        self.searcher = searcher
        self.choices = PlayChoices(session)
        self.decks = bringing.DeckRows(session)

    def start(self) -> None:
        self.session.spawn(self.session.decks.load())

    def landing(self) -> str:
        return "games"

    def title(self) -> str:
        return self.session.t("games.title")

    def intro(self) -> str:
        """Say what it is for."""
        return self.session.t("games.text")

    def rows(self) -> list[FormRow]:
        """Return a line for each game, the speed, the kind."""
        look, choices = self.session.look, self.choices

        def ticker(game: str) -> FormRow:
            is_on, note = game in choices.games, look.t("form.tick.help")
            return switch_row(look, look.game(game), is_on, lambda step: choices.tick(game), note)

        ticked = [ticker(game) for game in playable()]
        return [
            *ticked,
            *grouped(look.t("form.group.match"), self._match_rows()),
            *grouped(look.t("form.group.decks"), self._deck_rows()),
            *grouped(look.t("form.group.opponents"), self._opponent_rows()),
        ]

    def _match_rows(self) -> list[FormRow]:
        """Return the lines for speed and number of players."""
        look, choices = self.session.look, self.choices
        rows = [speed_row(look, choices.speed, tuple(SPEEDS), choices.change_speed, self.session.identity.player)]
        if choices.has_several():
            note = look.t("form.players-several.help")
            name, end = look.t("form.players-several"), end_of(choices.sizes, choices.players)
            rows.append(FormRow(name, str(choices.players), choices.change_players, note, end=end))
            rows.append(self._smaller())
        return [*rows, self._bots()]

    def _deck_rows(self) -> list[FormRow]:
        """Return the lines for side and decks of each game that has decks."""
        rows: list[FormRow] = []
        for game in (one for one in self.choices.games if bringing.side_names(one)):
            rows += [bringing.side_row(self.session, game), *self.decks.rows(game)]
        return rows

    def _opponent_rows(self) -> list[FormRow]:
        """Return the lines for who may be an opponent, and whether it counts."""
        look, choices, rows = self.session.look, self.choices, list[FormRow]()
        if not self.session.identity.is_guest:
            span = look.t("form.span", n=choices.span) if choices.span else look.t("form.span-any")
            name, note = look.t("form.opponents"), look.t("form.opponents.help")
            rows.append(FormRow(name, span, choices.change_span, note, end=end_of(SPANS, choices.span)))
            kind = look.t("match.rated" if choices.rated else "match.casual")
            note = look.t("form.kind.help")
            rows.append(FormRow(look.t("form.kind"), kind, lambda step: choices.toggle_rated(), note))
        return [*rows, self._machines()]

    def _smaller(self) -> FormRow:
        """Return the line that says whether a smaller table will do."""
        look, said = self.session.look, self.choices.smaller
        note = look.t(f"form.seek-fewer.{said}.help", n=round(PATIENCE_S))
        word = look.t("form.seek-fewer.ask" if said == "ask" else f"form.{said}")
        return FormRow(look.t("form.seek-fewer"), word, self.choices.change_smaller, note)

    def _bots(self) -> FormRow:
        """Return the line that says whether bots take empty seats when nobody comes."""
        look, takes = self.session.look, self.choices.bots
        note = look.t("form.seek-bots.help", n=round(PATIENCE_S))

        def flip(step: int) -> None:
            self.session.person.prefer(bots=not takes)

        return switch_row(look, look.t("form.seek-bots"), takes, flip, note)

    def _machines(self) -> FormRow:
        """Return the line that says whether machines may be opponents."""
        look, takes = self.session.look, self.choices.machines

        def flip(step: int) -> None:
            self.session.person.prefer(machines=not self.session.person.preferences.machines)

        return switch_row(look, look.t("form.seek-machines"), takes, flip, look.t("form.seek-machines.help"))

    def hints(self) -> tuple[Hint, ...]:
        commands = ("play", "tick", "speed", *(() if self.session.identity.is_guest else ("rated",)))
        decks = ("decks",) if self._deck_game() and not self.session.identity.is_guest else ()
        return (*keymap.hints("games", (*commands, *decks)), *keymap.hints("everywhere", ("back",)))

    def _deck_game(self) -> str:
        """Return the first ticked game that is played with decks, '' for none."""
        return next((game for game in self.choices.games if bringing.side_names(game)), "")

    def do_decks(self) -> None:
        """See one's own decks."""
        if (game := self._deck_game()) and not self.session.identity.is_guest:
            self.session.go(places.DecksPlace(game))

    def do_tick(self) -> None:
        """Change the chosen line."""
        self.key = "right"
        self.do_change()

    def do_speed(self) -> None:
        """Choose the next speed."""
        self.choices.change_speed(1)

    def do_rated(self) -> None:
        """Choose rated or casual."""
        if not self.session.identity.is_guest:
            self.choices.toggle_rated()

    def do_play(self) -> None:
        """Look for players with these choices."""
        self.session.pages.pop()
        self.searcher.do_play()
