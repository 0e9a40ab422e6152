"""Every example in a docstring of the server is true; those of the rules are held by tests/game/test_contract.py."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WITH_EXAMPLES = sorted(
    path.relative_to(ROOT) for path in (ROOT / "server").rglob("*.py") if "    >>> " in path.read_text()
)


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_an_example_promised_x_for_a_prompt(path: Path) -> None:
    """Nothing ran the examples: one that was never finished stood among them."""
    found = doctest.testmod(import_module(".".join(path.with_suffix("").parts)))
    assert found.attempted
    assert not found.failed
