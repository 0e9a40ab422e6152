"""Compiles a language's .po files with Babel. Loaded only where a compiled catalogue is missing or out of date."""

from __future__ import annotations

from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from server.i18n.catalogues import sources


def read_catalogue(language: str) -> Catalog:
    """Read all of a language's .po files as one catalogue, those of its base first where it has one."""
    whole = Catalog(locale=language, fuzzy=False)
    for name, path in sources(language):
        with path.open("rb") as file:
            for message in read_po(file, locale=name):
                if message.id:
                    whole.delete(message.id, message.context)  # `add` would keep the text that is there
                    whole.add(message.id, message.string, context=message.context)
    return whole


def compiled(language: str) -> bytes:
    """Return a language as a .mo file, which `gettext` reads."""
    file = BytesIO()
    write_mo(file, read_catalogue(language))
    return file.getvalue()
