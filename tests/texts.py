"""The texts for tests, by message key: tests quote no sentences."""

from babel.messages.catalog import Catalog

from server.i18n import compiling
from server.i18n.catalogues import FALLBACK, catalogue, sources


def en(key: str, **params: object) -> str:
    """Return the English text of a message key; an unknown key is a mistake of the test."""
    texts = catalogue(FALLBACK)
    assert texts.has(key), f"no text for {key}"
    return texts.t(key, **params)


def read_catalogue(language: str) -> Catalog:
    """Return all texts of a language."""
    return compiling.read_catalogue(language, sources(language))
