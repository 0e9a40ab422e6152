"""Everything that the server does to a match has its sentences."""

from __future__ import annotations

import re

from server.i18n.catalogues import files
from server.matches.server_events import SERVER_EVENTS


def catalogue(language: str) -> set[str]:
    return {key for file in files(language) for key in re.findall(r'^msgid "(.+)"$', file.read_text(), re.MULTILINE)}


def test_every_happening_has_its_sentences() -> None:
    wanted = {kind.replace("match.", "match.event.") for kind in SERVER_EVENTS}
    for language in ("en", "zh_CN", "zh_TW"):
        assert wanted - catalogue(language) == set()
