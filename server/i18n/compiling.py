"""Compiles a language's .po files with Babel. Loaded only where a compiled catalogue is missing or out of date."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

Sources = Iterable[tuple[str, Path]]  # .po files, each with its own language


def read_catalogue(language: str, sources: Sources) -> Catalog:
    """Read all of a language's .po files (`catalogues.sources`) as one; of a text that comes again the last."""
    whole = Catalog(locale=language, fuzzy=False)
    for name, path in sources:
        with path.open("rb") as file:
            for message in read_po(file, locale=name):
                if message.id:
                    whole.delete(message.id, message.context)  # `add` would keep the text that is there
                    whole.add(message.id, message.string, context=message.context)
    return whole


def compiled(language: str, sources: Sources) -> bytes:
    """Return a language as a .mo file, which `gettext` reads."""
    file = BytesIO()
    write_mo(file, read_catalogue(language, sources))
    return file.getvalue()
