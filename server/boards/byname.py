"""Actions typed with names, as `advance nisei`, `run remote 1`, `attack ada`: the notation has places and numbers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

MOST_WORDS: Final = 40  # of what is typed: no action has more
UNHEARD: Final = "\"'!?.,:()"  # around a word: nobody says them
AS_TYPED: Final = str.maketrans({"-": " ", '"': " ", "’": "'"})  # signs to those of a keyboard, or to none
Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """Return the words of an action or a name as they are compared.

    >>> words_of('jack-out'), words_of('install "Mâché" remote1'), words_of("Runner’s turn")
    (('jack', 'out'), ('install', 'mache', 'remote1'), ("runner's", 'turn'))
    """
    bare = _without_marks(text.casefold().translate(AS_TYPED))  # to sort n of one letter takes n² steps
    plain = _without_marks(unicodedata.normalize("NFKD", bare))
    return tuple(filter(None, (word.strip(UNHEARD) for word in plain.split(None, MOST_WORDS)[:MOST_WORDS])))


def _without_marks(text: str) -> str:
    return "".join(char for char in text if not unicodedata.combining(char))


def found(typed: str, ways: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the actions that are meant, of those that can be said in these ways.

    The words typed stand there in their order, each whole or begun, the first one first. Of several actions those with
    the fewest words more are meant: `install ichi hq` names nothing to trash for it.
    """
    said = words_of(typed)
    far = {text: n for text, each in ways.items() if (n := _distance(said, each)) is not None}
    return [text for text, n in far.items() if n == min(far.values())]


def _distance(said: Words, ways: Iterable[str]) -> tuple[int, int] | None:
    """Return how many words of the nearest way were not typed, and how many only begun; None: it is not meant."""
    meant = [words for words in map(words_of, ways) if _is_meant(said, words)]
    return min(((len(words) - len(said), len(set(said) - set(words))) for words in meant), default=None)


def _is_meant(said: Words, words: Words) -> bool:
    if not said or not words or not words[0].startswith(said[0]):
        return False
    rest = iter(words)
    return all(any(word.startswith(one) for word in rest) for one in said)


def items(typed: str, names: Mapping[str, Iterable[str]]) -> list[str] | None:
    """Return the things of a list that are named one after the other, by whole names or their beginnings; None: not so.

    >>> items("snare ice wall", {'"Snare!"': ["Snare!"], '"Ice Wall"': ["Ice Wall"]})
    ['"Snare!"', '"Ice Wall"']
    """
    said, chosen = words_of(typed), list[str]()
    known = [(text, words_of(name)) for text, each in names.items() for name in each]
    while said:
        lengths = {text: max(_begun(said, words) for one, words in known if one == text) for text, _ in known}
        most = max(lengths.values(), default=0)
        best = [text for text, n in lengths.items() if n == most]
        if not most or len(best) > 1:
            return None
        chosen, said = [*chosen, best[0]], said[most:]
    return chosen


def _begun(said: Sequence[str], words: Words) -> int:
    """Return with how many words a name is begun."""
    n = 0
    while n < min(len(said), len(words)) and words[n].startswith(said[n]):
        n += 1
    return n
