"""The English texts for tests, by message key: tests quote no sentences."""

from server.i18n.catalogues import FALLBACK, catalogue


def en(key: str, **params: object) -> str:
    """Return the English text of a message key; an unknown key is a mistake of the test."""
    texts = catalogue(FALLBACK)
    assert texts.has(key), f"no text for {key}"
    return texts.t(key, **params)
