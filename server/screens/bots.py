"""A match against bots, at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from game import registry
from game.contract import LEVELS, MASTER, Json, Seat
from game.options import deviating
from server.accounts.identity import bot_player
from server.boards import keymap
from server.boards.gamefacts import playable, seat_range
from server.boards.seats import level_rating
from server.boards.speeds import WITH_UNTIMED
from server.matches.speeds import UNTIMED
from server.screens import bringing, options
from server.screens.form import FormPage, FormRow, cycle, end_of, goal, speed_row
from server.screens.gametable import numbered_emblems
from server.screens.lastforms import LastForm, last_form, with_form
from server.session import places
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.lines import Line, indented
from server.terminal.stage import TALL_FROM

ANY_SIDE = "any"


class LastBotForm(LastForm, frozen=True, kw_only=True):
    """The choices for one game. `side` is a seat's name or ANY_SIDE."""

    speed: str
    side: str

    def is_possible(self) -> bool:
        if not LastForm.is_possible(self) or self.speed not in WITH_UNTIMED:
            return False
        return self.side in (ANY_SIDE, *registry.get(self.game).seat_names(self.players))


def usual_form(game: str) -> LastBotForm:
    """Return the choices of a game that was never played against bots."""
    return LastBotForm(game=game, speed=UNTIMED.name, side=ANY_SIDE, players=seat_range(game).start, options={})


KEPT = "\N{NO-BREAK SPACE}"  # keeps a digit and its game on one line


class BotPage(FormPage):
    """Choose game, level, speed, side and decks; enter starts, a game's digit starts that game at once."""

    context: ClassVar[str] = "bots"

    def __init__(self, session: Session, game: str = "") -> None:
        super().__init__(session)
        last, level = session.person.preferences.bot_game, session.person.preferences.bot_level
        self.game = next((one for one in (game, last) if one in playable()), playable()[0])
        self.wished_level = level if level in (*LEVELS, MASTER) else LEVELS[0]
        self._forms: dict[str, LastBotForm] = {}  # here, by game: who looks at another game comes back to it
        form = self._last_form()
        self.speed = form.speed
        self.seat, self.players = form.side, form.players
        self.options: options.Options = form.options
        self.shows_options = False
        self.is_busy = False
        self.decks = bringing.DeckRows(session)

    @property
    def level(self) -> str:
        """Return the level that is asked for; the highest of a game that goes no further."""
        found = registry.levels(self.game)
        return self.wished_level if self.wished_level in found else found[-1]

    def start(self) -> None:
        self.session.spawn(self.session.decks.load())

    def help_topic(self) -> str:
        return self.game

    def landing(self) -> str:
        return f"bots {self.game}"

    def title(self) -> str:
        return self.session.t("bots.title")

    def intro(self) -> str:
        """Say that it starts at once."""
        return self.session.t("bots.text")

    def rows(self) -> list[FormRow]:
        look = self.session.look
        sides = (ANY_SIDE, *registry.get(self.game).seat_names(self.players))
        side = (
            look.t("form.side-any")
            if self.seat == ANY_SIDE
            else look.side(self.game, self.seat, sides.index(self.seat) - 1)
        )
        players_help = look.t("form.players-bots.help")
        sizes = seat_range(self.game)
        players = look.t("form.players"), str(self.players), self._change_players, players_help
        return [
            FormRow(
                look.t("form.game"),
                look.game(self.game),
                lambda step: self._set("game", playable(), step),
                goal(look, self.game),
            ),
            *((FormRow(*players, end=end_of(sizes, self.players)),) if len(sizes) > 1 else ()),
            FormRow(
                look.t("form.level"),
                self._level_words(),
                self._change_level,
                look.t("form.level.help"),
                end=end_of(registry.levels(self.game), self.level),
            ),
            speed_row(look, self.speed, WITH_UNTIMED, lambda step: self._set("speed", WITH_UNTIMED, step)),
            FormRow(look.t("form.side"), side, lambda step: self._set("seat", sides, step), look.t("form.side.help")),
            *self.decks.rows(self.game, self.options),
            *options.short_rows(
                look, self.game, self.options, self.set_options, self.shows_options, self._turn_options
            ),
        ]

    def _level_words(self) -> str:
        """Name the level, with its rating where it was measured."""
        rating = level_rating(bot_player(self.level), self.game, self.players)
        name = self.session.t(f"bot.{self.level}")
        return name if rating is None else self.session.t("form.level-rated", level=name, rating=rating)

    def outro_lines(self, cols: int, rows: int) -> list[Line]:
        """Say which digit starts which game: it is about keys, so it is drawn and not told."""
        look, level = self.session.look, self.session.t(f"bot.{self.wished_level}")
        if len(playable()) < 2:
            return []
        emblems = numbered_emblems(look, cols)
        gap: list[Line] = [()] if self.session.display.size[1] >= TALL_FROM else []
        drawn = [(), *indented(look.t("bots.at-once.below", level=level), cols, "dim"), *gap, *emblems]
        if emblems and len(drawn) <= rows:
            return drawn
        games = "   ".join(f"{n}{KEPT}{look.game(game)}" for n, game in enumerate(playable()[:9], 1))
        lines = indented(look.t("bots.at-once", level=level, games=games), cols, "dim")
        return [(), *(tuple((style, text.replace(KEPT, " ")) for style, text in line) for line in lines)]

    def hints(self) -> tuple[Hint, ...]:
        """Return the form's keys, and the digits."""
        return (*self.line_hints(), *keymap.hints("bots", self._extra()), *keymap.hints("everywhere", ("back",)))

    def digits(self) -> Mapping[str, str]:
        """Name the game that each digit starts."""
        return {str(n): self.session.look.game(game) for n, game in enumerate(playable()[:9], 1)}

    def _extra(self) -> tuple[str, ...]:
        return (*(("start",) if len(playable()) > 1 else ()), *(("decks",) if self._has_decks() else ()))

    def _has_decks(self) -> bool:
        return bool(bringing.side_names(self.game)) and not self.session.identity.is_guest

    def do_decks(self) -> None:
        """See one's own decks."""
        if self._has_decks():
            self.session.go(places.DecksPlace(self.game))

    def do_start(self) -> None:
        """Start the game of this digit with what is chosen for it."""
        games = playable()[:9]
        if int(self.key) <= len(games):
            game = games[int(self.key) - 1]
            if game != self.game:
                self._set("game", (game,), 0)
            self.do_accept()

    def _set(self, name: str, values: tuple[str, ...], step: int) -> None:
        if name == "game":
            self._forms[self.game] = self._form()
        setattr(self, name, cycle(values, getattr(self, name), step))
        if name == "game":
            form = self._forms.get(self.game) or self._last_form()
            self.seat, self.players, self.options = form.side, form.players, form.options

    def _last_form(self) -> LastBotForm:
        kept = self.session.person.preferences.bot_forms
        return last_form(kept, LastBotForm, self.game) or usual_form(self.game)

    def _form(self) -> LastBotForm:
        """Return what is chosen now."""
        changed = deviating(options.known(self.game), self.options)
        return LastBotForm(game=self.game, speed=self.speed, side=self.seat, players=self.players, options=changed)

    def back(self) -> bool:
        """Remember what was chosen, and go back."""
        self._remember()
        return False

    def _remember(self) -> None:
        kept, form = self.session.person.preferences, self._form()
        known = (kept.bot_game, kept.bot_level, self._last_form())
        if known != (self.game, self.wished_level, form):
            self.session.person.prefer(
                bot_game=self.game, bot_level=self.wished_level, bot_forms=with_form(kept.bot_forms, form)
            )

    def _change_level(self, step: int) -> None:
        self.wished_level = cycle(registry.levels(self.game), self.level, step)

    def _change_players(self, step: int) -> None:
        sizes, before = seat_range(self.game), self.players
        self.players = sizes.start + (before - sizes.start + step) % len(sizes)
        self.options = options.resized(self.game, self.options, before, self.players)
        self.seat = ANY_SIDE

    def set_options(self, chosen: options.Options) -> None:
        """Play with these options."""
        self.options = chosen

    def _turn_options(self) -> None:
        self.shows_options = not self.shows_options

    def do_accept(self) -> None:
        """Start the match, unless a deck that shows can't be brought."""
        if refusal := self.decks.refusal(self.game, self.options):
            self.session.prompts.say(refusal, "bad")
        elif not self.is_busy:
            self.is_busy = self.begins_match = True
            self.session.spawn(self._start())

    async def _start(self) -> None:
        names = registry.get(self.game).seat_names(self.players)
        seat = Seat(names.index(self.seat)) if self.seat in names else None
        self._remember()
        try:
            match = await self.session.services.lobby.play_bot(
                self.session.identity.player,
                self.game,
                self.level,
                self.options,
                self.speed,
                seat,
                self.players,
                seat_options=self._brought(),
            )
        finally:
            self.is_busy = self.begins_match = False
        if self.session.pages.top is self:
            self.session.pages.pop()
        await self.session.reach(places.OwnMatchPlace(match.id, by_key=True))

    def _brought(self) -> tuple[Mapping[str, Json], ...]:
        """Return the deck of each seat; nothing for games without decks."""
        seats = range(len(bringing.side_names(self.game)))
        return tuple(self._brought_to(i) for i in seats)

    def _brought_to(self, seat: int) -> Mapping[str, Json]:
        session, game, chosen = self.session, self.game, self.options
        deck = bringing.wished_deck(session, game, seat, chosen)
        return bringing.brought_along(session, game, seat, deck, chosen)
