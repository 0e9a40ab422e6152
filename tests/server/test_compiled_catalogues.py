"""The languages' compiled files: kept, used as long as they fit, and made again when a text has changed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from server.i18n import catalogues, compiling
from server.i18n.catalogues import Catalogue

ENTRY = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"\n\nmsgid "lobby.title"\nmsgstr "{}"\n'


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """What writes the one text that there is; what is compiled is kept elsewhere than by the other tests."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(catalogues, "LOCALE_DIR", tmp_path / "locale")
    monkeypatch.setattr(catalogues, "GAMES_DIR", tmp_path / "games")
    file = tmp_path / "locale" / "en" / "LC_MESSAGES" / "server.po"
    file.parent.mkdir(parents=True)

    def put(text: str) -> None:
        file.write_text(ENTRY.format(text), encoding="utf-8")

    return put


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The languages that were compiled, in order."""
    made: list[str] = []
    real = compiling.compiled

    def compiled(language: str, sources: compiling.Sources) -> bytes:
        made.append(language)
        return real(language, sources)

    monkeypatch.setattr(compiling, "compiled", compiled)
    return made


def said() -> str:
    return Catalogue("en").t("lobby.title")


def kept(folder: Path) -> list[Path]:
    return [Path(at) / name for at, _, names in os.walk(folder / "kept") for name in names]


def test_a_language_is_compiled_once(write: Callable[[str], None], compilations: list[str], tmp_path: Path) -> None:
    write("Lobby")
    assert (said(), said()) == ("Lobby", "Lobby")
    assert compilations == ["en"]
    [file] = kept(tmp_path)
    assert file.stat().st_mode & 0o777 == 0o644, "whoever runs the program may read it"


def test_a_text_that_has_changed_is_seen(write: Callable[[str], None], compilations: list[str], tmp_path: Path) -> None:
    write("Lobby")
    said()
    [file] = kept(tmp_path)
    was = file.stat().st_mtime_ns
    write("Hobby")  # as long as it was
    os.utime(file, ns=(was + 10**12, was + 10**12))  # whatever the files' times say
    assert said() == "Hobby"
    assert compilations == ["en", "en"]
    assert kept(tmp_path) == [file], "in the place of the other"


def test_what_is_kept_may_be_anything(write: Callable[[str], None], compilations: list[str], tmp_path: Path) -> None:
    write("Lobby")
    said()
    [file] = kept(tmp_path)
    for spoilt in (b"", b"\0" * 8, file.read_bytes()[1:]):
        file.write_bytes(spoilt)
        assert said() == "Lobby"
    file.unlink()
    file.mkdir()
    assert said() == "Lobby", "nor can it be kept there"
    assert len(compilations) == 5


def test_nothing_is_kept_where_python_keeps_nothing(
    write: Callable[[str], None], compilations: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    write("Lobby")
    assert (said(), said()) == ("Lobby", "Lobby")
    assert (compilations, kept(tmp_path)) == (["en", "en"], [])
