"""What is typed behind a word that begins a match: which games, at which speed."""

from __future__ import annotations

from server.matches.speeds import SPEEDS
from server.screens.playnow import playable
from server.terminal.look import Look


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
