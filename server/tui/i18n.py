"""The languages: gettext catalogues under locale/, compiled by Babel when a language is first used.

A message's id is its key (`lobby.title`); English is a catalogue like any other. Each area of the house has its own
file (`house.po`, `rainet.po`, …), so that adding a game touches no other game's words. Parameters are named, as in
`{name} moved`; a message with a plural is chosen by its parameter `n`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

LANGUAGES: Final = ("en", "zh_CN")  # whole on their own
BASES: Final[Mapping[str, str]] = {"zh_TW": "zh_CN"}  # what is missing there is said as in its base
CHOICES: Final = (*LANGUAGES, *BASES)
FALLBACK: Final = "en"
TRADITIONAL: Final = ("zh_tw", "zh_hk", "zh_mo", "zh_hant")  # how locales begin that read traditional characters
LOCALE_DIR: Final = Path(__file__).parent / "locale"


class Params(dict[str, object]):
    """A message's parameters; one that is missing shows as "?" and hurts nobody."""

    def __missing__(self, key: str) -> str:
        return "?"


def catalogue(language: str) -> Catalog:
    """Read all of a language's .po files as one catalogue, those of its base first where it has one."""
    whole = Catalog(locale=language, fuzzy=False)
    for name in (BASES.get(language), language):
        for path in sorted((LOCALE_DIR / name / "LC_MESSAGES").glob("*.po")) if name else ():
            with path.open("rb") as file:
                for message in read_po(file, locale=name):
                    if message.id:
                        whole.delete(message.id, message.context)  # what is added twice would stay as it was
                        whole.add(message.id, message.string, context=message.context)
    return whole


class Words:
    """One language: turns message keys into sentences."""

    def __init__(self, language: str) -> None:
        self.language = language
        compiled = BytesIO()
        write_mo(compiled, catalogue(language))
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
        return text.format_map(values) if params or "{" in text else text


@cache
def words(language: str) -> Words:
    """Return a language, English when there is no such one; each is compiled once per process."""
    return Words(language if language in CHOICES else FALLBACK)


def load_all() -> None:
    """Compile every language now: at the start of a process, so that no first player waits for it."""
    for language in CHOICES:
        words(language)


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
