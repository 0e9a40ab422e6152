"""The languages: gettext catalogues, compiled by Babel when a language is first used.

A message's id is its key (`lobby.title`); English is a catalogue like any other. Those of the server are under
`locale/`, those of a game in the `words/` of its folder. Parameters are named, as in `{name} moved`; a message with a
plural is chosen by its parameter `n`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final, Protocol

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

LANGUAGES: Final = ("en", "zh_CN")  # complete without a base
BASES: Final[Mapping[str, str]] = {"zh_TW": "zh_CN"}  # a missing text is taken from the base
CHOICES: Final = (*LANGUAGES, *BASES)
FALLBACK: Final = "en"
TRADITIONAL: Final = ("zh_tw", "zh_hk", "zh_mo", "zh_hant")  # prefixes of locales with traditional characters
LOCALE_DIR: Final = Path(__file__).parent / "locale"
GAMES_DIR: Final = Path(__file__).parents[1] / "tui" / "games"


HAN: Final = "[\u3400-\u9fff]"
# Where Chinese and a Latin letter or a digit meet; a sign belongs to its number.
SEAM: Final = re.compile(f"(?<={HAN})(?=[+-]?[A-Za-z0-9])|(?<=[A-Za-z0-9])(?={HAN})")


def spaced(text: str) -> str:
    """Put a space between Chinese and Latin letters or digits (docs/style.md).

    >>> spaced("获得3信用点"), spaced("等待mira。"), spaced("第 2 局")
    ('获得 3 信用点', '等待 mira。', '第 2 局')
    """
    return text if text.isascii() else SEAM.sub(" ", text)


class Params(dict[str, object]):
    """A message's parameters; a missing one shows as "?"."""

    def __missing__(self, key: str) -> str:
        return "?"


def files(language: str) -> list[Path]:
    """Return a language's own .po files: the server's, then each game's."""
    own = sorted((LOCALE_DIR / language / "LC_MESSAGES").glob("*.po"))
    return [*own, *sorted(GAMES_DIR.glob(f"*/words/{language}/*.po"))]


def read_catalogue(language: str) -> Catalog:
    """Read all of a language's .po files as one catalogue, those of its base first where it has one."""
    whole = Catalog(locale=language, fuzzy=False)
    for name in (BASES.get(language), language):
        for path in files(name) if name else ():
            with path.open("rb") as file:
                for message in read_po(file, locale=name):
                    if message.id:
                        whole.delete(message.id, message.context)  # `add` would keep the text that is there
                        whole.add(message.id, message.string, context=message.context)
    return whole


class Texts(Protocol):
    """An object that turns message keys into sentences: a language, or a terminal's look."""

    def t(self, key: str, **params: object) -> str:
        """Return the sentence for a key."""
        ...

    def has(self, key: str) -> bool:
        """Tell whether there is a sentence for a key."""
        ...


class Catalogue:
    """One language: turns message keys into sentences."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._is_chinese = language.startswith("zh")
        compiled = BytesIO()
        write_mo(compiled, read_catalogue(language))
        compiled.seek(0)
        self._catalogue = Translations(compiled)
        self.say = lru_cache(maxsize=4096)(self._say)

    def has(self, key: str) -> bool:
        """Tell whether the catalogue knows a key."""
        return self._catalogue.gettext(key) != key or self._catalogue.ngettext(key, key, 1) != key

    def t(self, key: str, **params: object) -> str:
        """Return the sentence for a key; an unknown key comes back as it is."""
        try:
            return self.say(key, tuple(params.items()))
        except TypeError:  # a parameter that can't be hashed
            return self._say(key, tuple(params.items()))

    def _say(self, key: str, params: tuple[tuple[str, object], ...]) -> str:
        values = Params(params)
        n = values.get("n")
        text = self._catalogue.ngettext(key, key, n) if isinstance(n, int) else self._catalogue.gettext(key)
        if text == key and isinstance(n, int):
            text = self._catalogue.gettext(key)
        if not params and "{" not in text:
            return text
        said = text.format_map(values)
        return spaced(said) if self._is_chinese else said  # names, card titles and numbers come in by parameters


@cache
def catalogue(language: str) -> Catalogue:
    """Return a language, English when there is no such one; each is compiled once per process."""
    return Catalogue(language if language in CHOICES else FALLBACK)


def load_all() -> None:
    """Compile every language at the start of a process, so that no player waits for it."""
    for language in CHOICES:
        catalogue(language)


def from_locale(lang: str) -> str:
    """Choose a language from a POSIX locale name.

    >>> from_locale("zh_CN.UTF-8"), from_locale("zh_TW"), from_locale("de_DE"), from_locale("")
    ('zh_CN', 'zh_TW', 'en', 'en')
    """
    said = lang.lower().replace("-", "_")
    if said.startswith(TRADITIONAL):
        return "zh_TW"
    return "zh_CN" if said.startswith("zh") else FALLBACK


def following(language: str) -> str:
    """Return the language after one, in a circle."""
    return CHOICES[(CHOICES.index(language) + 1) % len(CHOICES)] if language in CHOICES else FALLBACK
