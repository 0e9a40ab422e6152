"""Netrunner's cards in words: complete in every language, and saying all that their entries hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from game.netrunner import vocabulary as v
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import FACTS, title
from game.netrunner.text import Rule, all_keys, card_text, sentence, spoken
from game.netrunner.text.lines import rules
from server.i18n.catalogues import LANGUAGES, catalogue
from tests.boards.golden import check
from tests.netrunner.cards.variants import is_idle

CODES = sorted(ENTRIES)


def written(code: str, language: str) -> str:
    """Return a card as it is read: title, types, numbers, rules."""
    say, text = catalogue(language).t, card_text(code)
    numbers = " · ".join(spoken(fact, say) for fact in text.facts)
    lines = [f"  {rule.kind}: {sentence(rule.phrase, say)}" for rule in text.rules]
    return "\n".join([text.title, f"  {spoken(text.kind, say)} | {numbers}", *lines])


def ruled(lines: Iterator[Rule] | tuple[Rule, ...]) -> list[str]:
    """Return rules in English."""
    return [f"{rule.kind}: {sentence(rule.phrase, catalogue('en').t)}" for rule in lines]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_reads_as_it_did_when_it_was_last_read(language: str) -> None:
    check(f"netrunner-cards.{language}", "\n".join(written(code, language) for code in CODES))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_words_for_all_its_parts(language: str) -> None:
    assert [key for key in sorted(all_keys()) if not catalogue(language).has(key)] == []
    left_over = re.compile(r"netrunner\.card|[{}?]|\bNone\b|\(\)")
    assert {title(code): text for code in ENTRIES if left_over.search(text := written(code, language))} == {}
    assert [title(code) for code in ENTRIES if not card_text(code).rules] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_that_differ_in_effect_differ_in_text(language: str) -> None:
    texts: dict[tuple[str, ...], v.CardEntry] = {}
    for code in CODES:
        said = tuple(sentence(rule.phrase, catalogue(language).t) for rule in card_text(code).rules)
        same = texts.setdefault((FACTS[code].type, *said), ENTRIES[code])
        assert same == ENTRIES[code], f"{title(code)} reads like another card that does something else"


def changes(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield copies of an entry in which one number, flag or part of it is another, with the place of the change."""
    match value:
        case bool():
            yield path, not value
        case int():
            yield path, value + 1
        case tuple():
            for i, one in enumerate(value):
                yield f"{path}[{i}]", (*value[:i], *value[i + 1 :])
                for place, other in changes(one, f"{path}[{i}]"):
                    yield place, (*value[:i], other, *value[i + 1 :])
        case _ if is_dataclass(value) and not isinstance(value, type):
            for field in fields(value):
                for place, other in changes(getattr(value, field.name), f"{path}.{field.name}"):
                    if not is_idle(value, field.name):
                        yield place, replace(value, **{field.name: other})


@pytest.mark.parametrize("code", CODES)
def test_a_card_that_did_anything_else_would_say_so(code: str) -> None:
    """Change one thing in the entry: the text must change with it, else it would leave something out."""
    said = ruled(card_text(code).rules)
    unseen = []
    for place, other in changes(ENTRIES[code]):
        try:
            unseen += [place] if ruled(rules(code, other)) == said else []
        except (LookupError, TypeError, ValueError):
            continue  # it can't be said at all
    assert unseen == []


def eithers(part: Any) -> Iterator[v.Either]:
    """Yield every choice between two words inside a part of an entry."""
    if isinstance(part, v.Either):
        yield part
    inside = [getattr(part, field.name) for field in fields(part)] if is_dataclass(part) else part
    for one in inside if isinstance(inside, list | tuple) else ():
        yield from eithers(one)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_a_card_lets_somebody_choose_is_said(language: str) -> None:
    chosen = {word for entry in ENTRIES.values() for one in eithers(entry) for word in (one.first[0], one.second[0])}
    assert {"tag", "end", "card", "viruses"} <= chosen
    assert [word for word in sorted(chosen) if not catalogue(language).has(f"netrunner.word.{word}")] == []


def test_subroutines_and_abilities_are_listed_in_the_order_of_their_numbers() -> None:
    for code in CODES:
        kinds = [rule.kind for rule in card_text(code).rules]
        assert kinds.count("sub") == len(ENTRIES[code].subs)
        assert kinds.count("ability") == len(ENTRIES[code].abilities)
