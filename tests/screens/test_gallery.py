"""The gallery: a scene of every page there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pictures import STYLES, shown
from tests.scenes import SCENES
from tests.screens.test_told import page_classes


@pytest.fixture(autouse=True)
def one_game() -> None:
    """Let the screens offer every game."""


async def test_every_page_is_in_the_gallery(migrated_file: Path) -> None:
    found = set()
    for scene in SCENES:
        async with shown(scene, (80, 24), STYLES["dark"], migrated_file) as seated:
            found.add(type(seated.session.pages.top))
    assert {one.__name__ for one in page_classes()} == {one.__name__ for one in found}
