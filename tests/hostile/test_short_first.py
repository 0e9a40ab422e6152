"""Every attack for a second, the first half: two files, so that two processes share them."""

from __future__ import annotations

import pytest

from tests.hostile.enduring import GROUPS, endure


@pytest.mark.parametrize("names", GROUPS[::2], ids=lambda names: names[0])
async def test_an_attack_grows_and_leaves_nothing_and_keeps_nobody_out(names: list[str]) -> None:
    await endure(names)
