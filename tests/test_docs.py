"""The documentation's own promises: its links lead somewhere, its index is complete."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from game.registry import KEYS
from tests.test_layers import LAYERS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/*.md")])
CITED = re.compile(r"§\d+(?:\.\d+)?(?!\\)|\bA\d{1,2}\b")  # a section of a game's rules, a decided reading
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


METHOD = re.compile(r"`([A-Z]\w*)\.([a-z]\w*)[`(]")
CODE = [*ROOT.glob("server/**/*.py"), *ROOT.glob("game/**/*.py"), *ROOT.glob("tests/netrunner/*.py")]


def test_every_method_that_a_page_names_exists() -> None:
    """docs/architecture.md named `Input.take` long after it was `Input.press`."""
    known = _names_of_classes()
    pages = [page for page in PAGES if page.name != "CHANGELOG.md"]
    named = {(page.name, *found) for page in pages for found in METHOD.findall(page.read_text())}
    assert [one for one in sorted(named) if one[2] not in known.get(one[1], ())] == []


def _names_of_classes() -> dict[str, set[str]]:
    """Return what each class defines, and what its bases do."""
    own, bases = dict[str, set[str]](), dict[str, set[str]]()
    for module in CODE:
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.ClassDef):
                own.setdefault(node.name, set()).update(filter(None, map(_defined, ast.walk(node))))
                of = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}
                bases.setdefault(node.name, set()).update(of)

    def all_of(name: str) -> set[str]:
        return own.get(name, set()).union(*map(all_of, bases.get(name, set()) - {name}))

    return {name: all_of(name) for name in own}


def _defined(node: ast.AST) -> str:
    """Return the name of what a class has: a method, a field, an attribute of `self`; empty: it is none."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
            return name
        case ast.Attribute(attr=name, ctx=ast.Store()):
            return name
    return ""


@pytest.mark.parametrize("game", KEYS)
def test_every_section_and_reading_that_code_cites_is_named_on_the_game_s_page(game: str) -> None:
    """A reader met "(A21)" or "Netrunner §1.8", and no page said what that is."""
    path = ROOT / f"docs/{game}-notation.md"
    page = path.read_text("utf-8") if path.exists() else ""  # a plain game needs none
    files = [one for folder in ("game", "tests") for one in sorted((ROOT / folder / game).rglob("*.py"))]
    cited = {one for file in files for one in CITED.findall(file.read_text("utf-8"))}
    named = set(CITED.findall(page))
    assert sorted(one for one in cited if one not in named and one.partition(".")[0] not in named) == []


def test_the_table_of_layers_is_the_one_that_is_checked() -> None:
    rows = re.findall(r"^\| ((?:`\w+` ?)+)\|", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE)
    assert [set(re.findall(r"`(\w+)`", row)) for row in rows] == [set(layer) for layer in LAYERS]
