"""The languages: gettext catalogues, compiled when a language is first used and kept beside the compiled modules.

A message's id is its key (`lobby.title`); English is a catalogue like any other. Those of the server are under
`locale/`, those of a game in the `words/` of its folder. Parameters are named, as in `{name} moved`; a message with a
plural is chosen by its parameter `n`.
"""

from __future__ import annotations

import os
import re
import secrets
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, lru_cache
from gettext import GNUTranslations
from hashlib import blake2b
from importlib import import_module
from importlib.util import cache_from_source
from io import BytesIO
from pathlib import Path
from typing import Final, Protocol

LANGUAGES: Final = ("en", "zh_CN")  # complete without a base
BASES: Final[Mapping[str, str]] = {"zh_TW": "zh_CN"}  # a missing text is taken from the base
CHOICES: Final = (*LANGUAGES, *BASES)
FALLBACK: Final = "en"
TRADITIONAL: Final = ("zh_tw", "zh_hk", "zh_mo", "zh_hant")  # prefixes of locales with traditional characters
LOCALE_DIR: Final = Path(__file__).parent / "locale"
GAMES_DIR: Final = Path(__file__).parents[1] / "boards" / "games"


HAN: Final = "[\u3400-\u9fff]"
# Where Chinese and a Latin letter or a digit meet; a sign belongs to its number.
SEAM: Final = re.compile(f"(?<={HAN})(?=[+-]?[A-Za-z0-9])|(?<=[A-Za-z0-9¢])(?={HAN})")

# A parameter that is a Chinese word, with the space of one in Latin letters; other people's own words stay as they are.
EDGE: Final = "\ue000"  # where such a parameter begins and ends
SPLIT: Final = re.compile(f"(?<=[\u3400-\u9fff）」》：，。；！？])(?:{EDGE} {EDGE}?| {EDGE})(?=[\u3400-\u9fff（「《])")


def spaced(text: str) -> str:
    """Put a space between Chinese and Latin letters or digits, and none beside a parameter that is Chinese.

    So says docs/style.md.

    >>> spaced("花费 4¢销毁")
    '花费 4¢ 销毁'
    >>> spaced("获得3信用点"), spaced("等待mira。")
    ('获得 3 信用点', '等待 mira。')
    >>> spaced(f"{edged('有人')} 超时"), spaced(f"等待 {edged('机器人（初级）')}"), spaced(f"{edged('mira')} 超时")
    ('有人超时', '等待机器人（初级）', 'mira 超时')
    """
    return text if text.isascii() else SEAM.sub(" ", SPLIT.sub("", text).replace(EDGE, ""))


def edged(value: object) -> object:
    """Mark where a parameter begins and ends, if it may be Chinese."""
    return f"{EDGE}{value}{EDGE}" if isinstance(value, str) and not value.isascii() else value


class Params(dict[str, object]):
    """A message's parameters; a missing one shows as "?"."""

    def __missing__(self, key: str) -> str:
        return "?"


def files(language: str) -> list[Path]:
    """Return a language's own .po files: the server's, then each game's."""
    own = sorted((LOCALE_DIR / language / "LC_MESSAGES").glob("*.po"))
    return [*own, *sorted(GAMES_DIR.glob(f"*/words/{language}/*.po"))]


def sources(language: str) -> list[tuple[str, Path]]:
    """Return the .po files that make a language, each with its own: those of the base first where it has one."""
    names = (BASES.get(language), language)
    return [(name, path) for name in names if name for path in files(name)]


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
        self._catalogue = GNUTranslations(BytesIO(compiled(language)))
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
        if not self._is_chinese:
            return text.format_map(values)
        return spaced(text.format_map(Params({name: edged(value) for name, value in params})))


def compiled(language: str) -> bytes:
    """Return a language as a .mo file: the one that is kept, as long as it was made of the very same texts.

    Compiling three languages took a fifth of the CPU of a start. Where Python may not keep what it compiles, nothing is
    kept.
    """
    digest = _digest(language)
    kept = Path(cache_from_source(__file__)).with_name(f"{language}.mo")
    with suppress(OSError):
        found = kept.read_bytes()
        if found.startswith(digest):
            return found[len(digest) :]
    made: bytes = import_module("server.i18n.compiling").compiled(language, sources(language))
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            _keep(kept, digest + made)
    return made


def _digest(language: str) -> bytes:
    """Return a hash of everything that a compiled catalogue is made of."""
    of = blake2b(digest_size=16)
    compiler = [("", path) for path in (Path(__file__).with_name("compiling.py"),) if path.exists()]
    for name, path in [*compiler, *sources(language)]:
        text = path.read_bytes()
        of.update(f"{name} {len(text)} ".encode())
        of.update(text)
    return of.digest()


def _keep(path: Path, content: bytes) -> None:
    """Write a file atomically, for every user of the program to read. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new-{secrets.token_hex(4)}")
    try:
        fresh.write_bytes(content)
        fresh.chmod(0o644)
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


@cache
def catalogue(language: str) -> Catalogue:
    """Return a language, English when there is no such one; each is read once per process."""
    return Catalogue(language if language in CHOICES else FALLBACK)


def load_all() -> None:
    """Read every language at the start of a process, so that no player waits for it."""
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
