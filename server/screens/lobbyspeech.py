"""The lobby in words, and what may be typed behind a word that begins a match: which games, at which speed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from server.boards import keymap
from server.boards.gamefacts import playable
from server.matches.speeds import SPEEDS
from server.screens.gametable import games_told
from server.screens.playersearch import PlayerSearch
from server.session import places
from server.session.page import Page, Speech
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.items import Item
from server.terminal.look import Look


class LobbySpeech(Speech):
    """The lobby to somebody who hears it."""

    def __init__(self, page: Page, session: Session, search: PlayerSearch) -> None:
        super().__init__(page)
        self._session, self._search = session, search

    def prompt(self) -> str:
        return self._session.t("lobby.title")

    def entered(self) -> Sequence[Item]:
        """Leave out what each game is once somebody has played."""
        items, known = self.page.items(), games_told(self._session.look)
        has_played = bool(self._session.person.preferences.bot_game)
        return [one for one in items if one not in known] if has_played else items

    def asks(self) -> Hashable:
        """Return what the pairing asks."""
        return self._search.asked

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys whose commands can be typed: who looks for players may name other games."""
        return (*super().hints(), *(keymap.hints("lobby", ("play",)) if self._search.is_on else ()))

    def do_with(self, command: str, words: str) -> Sequence[str] | None:
        """Play the games that are named at the speed that is named, or a bot at one game."""
        look = self._session.look
        if command == "play":
            wish = read_play(words, look)
            if isinstance(wish, str):
                return (wish,)
            self._search.begin(*wish)
            return ()
        if command == "bot":
            game, said = read_game(words, look)
            if game:
                self._session.go(places.BotsPlace(game))
            return (said,) if said else ()
        return None


def read_play(words: str, look: Look) -> tuple[tuple[str, ...], str] | str:
    """Return the games and the speed that are named, none and '' where none is; or the sentence that says what is not.

    Names are read in any case, in the person's language and in English.
    """
    games, speeds = _games(look), {look.t(f"speed.{one}").casefold(): one for one in SPEEDS}
    speeds |= {one: one for one in SPEEDS}
    named, speed = list[str](), ""
    for word in words.casefold().split():
        if word in games:
            named.append(games[word])
        elif word in speeds and not speed:
            speed = speeds[word]
        else:
            names = look.t("list.comma").join(look.t(f"speed.{one}") for one in SPEEDS)
            return look.t("lobby.play-words", word=word[:40], games=_names(look), speeds=names)
    return tuple(dict.fromkeys(named)), speed


def read_game(words: str, look: Look) -> tuple[str, str]:
    """Return the game that is named, and ''; or '' and the sentence that says that it is none."""
    game = _games(look).get(words.casefold(), "")
    return game, "" if game else look.t("lobby.bot-words", word=words[:40], games=_names(look))


def _games(look: Look) -> dict[str, str]:
    """Return the games by what they are called."""
    return {name: game for game in playable() for name in (game, look.game(game).casefold())}


def _names(look: Look) -> str:
    return look.t("list.comma").join(map(look.game, playable()))
