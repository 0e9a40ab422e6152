"""The tiny game, registered like any other for the tests of what all games share."""

from __future__ import annotations

from tests.conformance.tiny.registering import tiny_is_registered

__all__ = ["tiny_is_registered"]
