"""Looking at cards: every card a viewer knows, place by place, with what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from game.choices import tokens
from game.contract import OneOf
from game.netrunner.facts import CODES, CORP, FACTS, HIDDEN, RUNNER, plain_title
from game.netrunner.state import Card
from game.netrunner.table import Table
from server.boards.games.netrunner.cardtext import kind_words, number_parts, number_words, text_lines, title_of
from server.boards.games.netrunner.labels import label, located, marks, server_name
from server.boards.games.netrunner.scene import (
    Shown,
    accessed,
    column,
    ice_met,
    rig_rows,
    scene_of,
    score_row,
    table_of,
)
from server.boards.seats import own_seat
from server.terminal.lines import Line, block, columns, fit, pad, plain, wrapped
from server.terminal.look import Look

LIST_COLS = 30


@dataclass(frozen=True, slots=True)
class ListedCard:
    """A card to look at. `place` heads the cards that follow it; `code` may be "?"."""

    place: str
    code: str
    card: Card | None = None
    count: int = 1


def items(snapshot: Shown) -> list[ListedCard]:
    """Return every card the viewer may look at, place by place: what is accessed, own hand, table, piles."""
    return [*_items(snapshot)]


def _items(snapshot: Shown) -> Iterator[ListedCard]:
    t, scene = table_of(snapshot), scene_of(snapshot)
    here = accessed(snapshot)
    if here is not None and here.code != HIDDEN:
        yield ListedCard("accessed", here.code)
    yield from asked_about(snapshot)
    seat = own_seat(snapshot)
    hands = [("hq", scene.hq), ("grip", scene.grip)]
    for place, hand in reversed(hands) if seat == RUNNER else hands:
        yield from _zone(place, hand)
    for server in t.servers():
        for card in [*column(t, server), *t.root(server)]:
            yield ListedCard(f"server:{server}", card.code, card)
            yield from (ListedCard(f"server:{server}", one.code, one) for one in t.hosted(card.iid) if one.side == CORP)
    for row in rig_rows(t):
        yield from (ListedCard("rig", card.code, card) for card in row)
    for place in ("play", "current"):
        yield from (ListedCard(place, card.code, card) for card in t.at(place))
    for side, place in ((CORP, "score:corp"), (RUNNER, "score:runner")):
        yield from (ListedCard(place, card.code, card) for card in score_row(t, side))
    yield from _zone("archives", tuple(code for code, _ in scene.archives))
    yield from _zone("heap", scene.heap)
    yield from _zone("removed", scene.removed)
    for card in t.at("identity"):
        yield ListedCard("identity", card.code, card)


def asked_about(snapshot: Shown) -> Iterator[ListedCard]:
    """Yield the cards that a question names and that lie nowhere in sight: the top of R&D, the stack searched."""
    pending = snapshot.pending
    if pending is None or pending.prompt == "action" or not isinstance(pending.choice, OneOf):
        return
    named = [word[1:-1] for action in pending.choice.actions for word in tokens(action.text)[1:] if word[0] == '"']
    for name in dict.fromkeys(named):
        if (code := CODES.get(plain_title(name))) is not None:
            yield ListedCard("choice", code)


def _zone(place: str, codes: tuple[str, ...]) -> Iterator[ListedCard]:
    known = [code for code in codes if code != HIDDEN]
    for code in dict.fromkeys(known):
        yield ListedCard(place, code, None, known.count(code))
    if len(known) < len(codes) and known:
        yield ListedCard(place, HIDDEN, None, len(codes) - len(known))


def first_of(snapshot: Shown, code: str, card: Card | None) -> int:
    """Return where looking begins: at a card, at one of its kind, else at what a run has come to."""
    found = items(snapshot)
    met = card or (ice_met(table_of(snapshot)) if not code else None)
    for at, item in enumerate(found):
        if (met is not None and item.card is not None and item.card.iid == met.iid) or (code and item.code == code):
            return at
    return 0


def draw_cards(snapshot: Shown, cursor: int, look: Look, cols: int, rows: int) -> list[Line]:
    """Draw the list of cards, and beside it the one that is chosen."""
    found = items(snapshot)
    at = max(0, min(cursor, len(found) - 1))
    left_cols = min(LIST_COLS, cols // 2)
    left = _listed(found, at, snapshot, look, left_cols, rows)
    right = described(found[at], snapshot, look, cols - left_cols - 3) if found else []
    bar = (("rule", f" {look.glyphs.vertical} "),)
    right = block(right, cols - left_cols - 3, rows)
    return [(*a, *bar, *b) for a, b in zip(left, right, strict=True)]


def _listed(found: list[ListedCard], at: int, snapshot: Shown, look: Look, cols: int, rows: int) -> list[Line]:
    lines: list[Line] = []
    place, line_of = "", 0
    for i, item in enumerate(found):
        if item.place != place:
            place = item.place
            lines.append(plain(f" {heading(place, look)}", "title"))
        if i == at:
            line_of = len(lines)
        pointer = look.glyphs.pointer if i == at else " "
        lines.append(
            (("key", f"  {pointer} "), ("cursor" if i == at else "", pad(_name(item, snapshot, look), cols - 4)))
        )
    half = max(1, rows // 2)  # a list turns by half, so that it stands still while the cursor moves
    top = max(0, min(len(lines) - rows, line_of // half * half - half // 2))
    return block(lines[top:], cols, rows)


def _name(item: ListedCard, snapshot: Shown, look: Look) -> str:
    if item.card is not None and item.place != "identity":
        return label(table_of(snapshot), item.card, look)
    name = title_of(item.code, look)
    return look.t("netrunner.times", card=name, count=item.count) if item.count > 1 else name


def heading(place: str, look: Look) -> str:
    """Return the name of a place of cards."""
    kind, _, which = place.partition(":")
    if kind == "server":
        return server_name(which, look)
    if kind == "score":
        return look.t(f"netrunner.pile.{'scored' if which == 'corp' else 'stolen'}")
    return look.t(f"netrunner.pile.{kind}")


def described(item: ListedCard, snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Say all that is known of a card: name, type, numbers, text, what stands on it."""
    if item.code == HIDDEN or item.code not in FACTS:
        lines = wrapped(look.t("netrunner.look.unknown"), cols, "dim")
    else:
        lines = card_lines(item.code, look, cols)
    if item.card is not None and (told := marks(item.card, look)):
        lines += [(), plain(look.t("netrunner.look.counters", counters=told), "warn")]
    if item.card is not None:
        lines += [plain(one, "warn") for one in hosting(table_of(snapshot), item.card, look)]
    if item.card is not None and item.card.place.startswith(("ice:", "root:")):
        lines.append(plain(look.t(f"netrunner.look.{'rezzed' if item.card.rezzed else 'unrezzed'}"), "dim"))
    return lines


def hosting(t: Table, card: Card, look: Look) -> Iterator[str]:
    """Say what a card hosts, and what hosts it."""
    if hosted := t.hosted(card.iid):
        cards = look.t("list.comma").join(label(t, one, look) for one in hosted)
        yield look.t("netrunner.look.hosts", cards=cards)
    if card.host in t.cards:
        yield look.t("netrunner.look.host", card=located(t.cards[card.host], look, t))


def card_lines(code: str, look: Look, cols: int) -> list[Line]:
    """Write a card out: its full name, its facts, what it does."""
    facts = FACTS[code]
    lines = wrapped(facts.title, cols, "title")
    lines += [*wrapped(kind_words(code, look), cols, "dim"), *wrapped(number_words(code, look), cols, "dim"), ()]
    for sentence in text_lines(code, look):
        lines += wrapped(sentence, cols, "", 2)
    return lines


def brief_lines(code: str, look: Look, cols: int) -> list[Line]:
    """Write a card out in little room: name, kind and numbers in one line, then what it does.

    Of what has no room behind the name the last number is left out first, then the kind, then what still has none.
    """
    title, kind, numbers = title_of(code, look), kind_words(code, look), number_parts(code, look)
    told = [(kind, *numbers), (kind, *numbers[:-1]), *(numbers[:n] for n in range(len(numbers), -1, -1))]
    heads = [look.t("netrunner.dot").join((title, *parts)) for parts in told]
    head = next((one for one in heads if columns(one) <= cols), title)
    lines: list[Line] = [fit(plain(head, "title"), cols)]
    for sentence in text_lines(code, look):
        lines += wrapped(sentence, cols, "", 2)
    return lines
