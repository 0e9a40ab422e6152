"""Tests quote no sentences of the catalogues but ask for message keys (tests/texts.py): words can be mended."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from server.i18n.catalogues import FALLBACK
from tests.texts import read_catalogue

TESTS = Path(__file__).parent
WORDS_IN_A_ROW = 4  # so many of a text are a quotation
PART = re.compile(r"\{[^}]*\}|[A-Za-z'’-]{2,}")  # a parameter, or a word
GAP = ""  # where a parameter stands
# What has the words of a text and is none: file, and why.
EXCEPTIONS = {
    "conformance/boards.py": "faults of boards have words of their own",
    "durability/history.py": "faults of a match's history have words of their own",
    "durability/test_history.py": "the same",
    "game/test_command_line.py": "`python -m game` says a game's own English",
    "hex/sentences.py": "the English of an example game, as `game/GAME/sentences.py` has it",
    "ssh/test_clients.py": "a warning that a program is not installed",
    "notices/test_posting.py": "the same",
    "notices/test_notices.py": "what is sent to another server, which knows no keys",
    "test_quotes.py": "planted quotations",
    "terminal/test_lines.py": "how any words are joined and cut",
    "boards/test_netrunner_dangers.py": "titles of identities",
    "boards/test_netrunner_questions.py": "how a card's sentence is composed of many texts",
    "session/test_barred.py": "how a sentence is composed of many texts",
    "admin/test_what_an_admin_reads.py": "acts beside the database have words of their own",
}


@cache
def texts() -> dict[str, list[tuple[tuple[str, ...], int]]]:
    """Return by word the English texts in which it stands, and where; parameters are gaps."""
    found: dict[str, list[tuple[tuple[str, ...], int]]] = defaultdict(list)
    for message in read_catalogue(FALLBACK):
        for text in (message.string,) if isinstance(message.string, str) else message.string or ():
            parts = tuple(GAP if part[0] == "{" else part.lower() for part in PART.findall(text)) if message.id else ()
            for at, part in enumerate(parts):
                if part != GAP:
                    found[part].append((parts, at))
    return found


def is_quoted(literal: str) -> bool:
    """Tell whether so many words of one text stand in a row, in the same order, or a whole text with two or more."""
    words = [word.lower() for word in PART.findall(literal)]
    for start, word in enumerate(words):
        for parts, at in texts().get(word, ()):
            length = 0
            for said, part in zip(words[start:], parts[at:], strict=False):
                if part not in (GAP, said):
                    break
                length += part == said
            whole = sum(part != GAP for part in parts)
            if length >= WORDS_IN_A_ROW or (length == whole >= 2 and len(words) == len(parts) and GAP in parts):
                return True
    return False


def literals(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield the strings of a module: no docstrings, and not what an assertion says when it fails."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Assert):
            yield from literals(node.test)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield from literals(node)


FILES = sorted(str(path.relative_to(TESTS)) for path in TESTS.rglob("*.py"))


def test_no_test_quotes_a_sentence() -> None:
    quoted = []
    for name in FILES:
        if name not in EXCEPTIONS:
            for literal in literals(ast.parse((TESTS / name).read_text())):
                if " " in str(literal.value) and is_quoted(str(literal.value)):
                    quoted.append(f"tests/{name}:{literal.lineno}: {literal.value!r}")
    assert quoted == [], "ask for the message key: tests.texts.en, or `says` of a screen"


def test_every_exception_is_needed() -> None:
    for name in EXCEPTIONS:
        tree = ast.parse((TESTS / name).read_text())
        assert any(is_quoted(str(literal.value)) for literal in literals(tree)), name


@pytest.mark.parametrize(
    ("literal", "bites"),
    [
        ("Waiting for tarn.", True),
        ("tarn (O) on e5: waiting for mira to move", False),
        ("Play a card, or end the phase.", True),
        ("play a card", False),
        ("Wall of Static", False),
    ],
)
def test_a_planted_quotation_is_found(literal: str, bites: bool) -> None:
    assert is_quoted(literal) is bites
