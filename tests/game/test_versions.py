"""Versions of rules: which there are, and that a game of one version needs to say nothing of them."""

from __future__ import annotations

import pytest

from game import registry
from game.errors import BadNotation


def test_no_version_means_the_newest() -> None:
    for key in registry.KEYS:
        newest = registry.get(key)
        assert registry.get(key, newest.version) is newest
        assert [registry.get(key, version).version for version in range(1, newest.version + 1)]


def test_the_rules_of_a_version_are_one_object() -> None:
    assert registry.get("netrunner", 1) is registry.get("netrunner", 1)
    assert registry.get("netrunner", 1) is not registry.get("netrunner")


@pytest.mark.parametrize("version", [0, -1, 99])
@pytest.mark.parametrize("key", ["tiny", "netrunner"])
def test_a_version_that_there_is_not_cannot_be_read(key: str, version: int) -> None:
    with pytest.raises(BadNotation, match=r"match\.other-rules"):
        registry.get(key, version)
