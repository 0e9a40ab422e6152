"""The English sentences of `python -m game` for refusals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from game import registry
from game.errors import GameError
from game.printable import printable

SERVER: Mapping[str, str] = {
    "action.unreadable": "Actions are written as they are offered, word for word; this can’t be read.",
    "game.unknown": "There is no such game.",
    "match.adjourned": "The match is adjourned.",
    "match.gap": "The record has a gap.",
    "match.no-action": "There is nothing to do now.",
    "match.no-setting": "There is no such setting.",
    "match.not-adjourned": "The match is not adjourned.",
    "match.other-rules": "That match was played by other rules.",
    "match.over": "The match is over.",
    "match.unknown-bot": "There is no such bot.",
    "match.unknown-kind": "The record holds something unknown.",
    "match.unknown-seat": "There is no such seat.",
    "option.deck-field": "A deck has no such field.",
    "option.deck-size": "A deck has at most this number of characters.",
    "option.unknown": "There is no such option.",
    "option.value": "That option can’t have this value.",
    "record.entry": "An entry of the record can’t be read.",
    "record.header": "The record’s first line can’t be read.",
    "record.hex": "The record’s seed can’t be read.",
    "record.incomplete": "The record is not complete.",
    "record.line": "A line of the record can’t be read.",
    "record.result": "The record’s result can’t be read.",
    "record.time": "A time in the record can’t be read.",
}
USAGE: Mapping[str, str] = {
    "bot.not-offered": "A bot chose what was not offered.",
    "usage.bots": "That is not the right number of bots.",
    "usage.choice": "That choice is not taken here.",
    "usage.command": "There is no such command.",
    "usage.file": "The file can't be read.",
    "usage.missing": "Something is missing.",
    "usage.no-suite": "The game has no suite of positions.",
    "usage.no-tuning": "No bot of this game can be tuned.",
    "usage.number": "That number is not taken here.",
    "usage.option": "That option is not taken here.",
    "usage.pairings": "There is no such list of pairings.",
    "usage.players": "The game is not for this number of players.",
    "usage.position": "The position can't be read.",
    "usage.quote": "A quote is not closed.",
    "usage.seat": "There is no such seat.",
    "usage.seed": "A seed is 64 hexadecimal digits.",
    "usage.twice": "That option is given twice.",
    "usage.value": "That option needs a value.",
    "usage.words": "There are too many words.",
}


@cache
def sentences() -> Mapping[str, str]:
    """Return every refusal's sentence, those of all games too."""
    return {key: said for table in (SERVER, USAGE, *map(_of_game, registry.KEYS)) for key, said in table.items()}


def _of_game(key: str) -> Mapping[str, str]:
    """Return a game's `SENTENCES`; empty for a game without any, whose refusals then share one sentence."""
    try:
        found: Mapping[str, str] = import_module(f"game.{key}.sentences").SENTENCES
    except ModuleNotFoundError:
        return {}
    return found


def sentence(error: GameError) -> str:
    """Return the sentence for a refusal, with its detail behind it: that may quote anything, and comes out printable.

    >>> sentence(GameError("usage.missing", "--as"))
    'Something is missing: --as'
    """
    said = sentences().get(error.key, "That can't be done.")
    return f"{said.removesuffix('.')}: {printable(error.detail)}" if error.detail else said
