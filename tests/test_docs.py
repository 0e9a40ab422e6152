"""The documentation's own promises: its links lead somewhere, its index is complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_layers import LAYERS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_decision_is_in_the_index() -> None:
    decisions = ROOT / "docs" / "decisions"
    listed = set(LINK.findall((decisions / "README.md").read_text()))
    assert listed == {page.name for page in decisions.glob("*.md")} - {"README.md"}


FILE = re.compile(r"`((?:server|game|tests|docs|deploy|migrations)/[\w./*-]+)`")
OF_A_GAME = {"mygame": "netrunner", "NAME": "netrunner", "GAME": "netrunner", "LANGUAGE": "en"}  # what stands for one


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    """docs/adding-a-card.md named catalogues that had moved."""
    named = FILE.findall(page.read_text()) if page.name != "CHANGELOG.md" else ()  # what it named has moved since
    assert [name for name in named if not [*ROOT.glob(_example(name))]] == []


def _example(name: str) -> str:
    for word, one in OF_A_GAME.items():
        name = name.replace(word, one)
    return name


def test_the_table_of_layers_is_the_one_that_is_checked() -> None:
    rows = re.findall(r"^\| ((?:`\w+` ?)+)\|", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE)
    assert [set(re.findall(r"`(\w+)`", row)) for row in rows] == [set(layer) for layer in LAYERS]
