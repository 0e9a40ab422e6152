"""The items of pages in words, each kind at one place; what can be chosen has its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from server.terminal.items import (
    Empty,
    Heading,
    Item,
    ListRow,
    Offer,
    PlayerCard,
    Said,
    SettingRow,
    SparkLine,
    Tabs,
)
from server.terminal.lines import joined, text_of
from server.terminal.look import Look
from server.terminal.meaning import ItemTold

MOST_ROWS: Final = 20  # of a list that are told at once


def in_words(items: Iterable[Item], look: Look) -> list[str]:
    """Return what stands on a page in sentences, one for each item; rows are counted from 1."""
    said, n = list[str](), 0
    for item in items:
        if isinstance(item, ListRow | SettingRow):
            n += 1
        if words := _words(item, n, look):
            said.append(words)
    return said


def told(items: Iterable[Item], look: Look) -> list[ItemTold]:
    """Return the items of a page in words, each with its kind; what can be chosen has its number.

    Of many rows only some are told: those around the chosen one, with the ways to those before and behind them.
    """
    said, n = list[ItemTold](), 0
    for item in items:
        if isinstance(item, ListRow):
            n += 1
            said.append(ItemTold("row", item.text, n, item.is_chosen))
        elif isinstance(item, SettingRow):
            n += 1
            said.append(ItemTold("row", item.name, n if item.can_change else 0, item.is_chosen, item.value))
        elif words := _words(item, n, look):
            said.append(ItemTold("heading" if isinstance(item, Heading) else "text", words))
    return said if n <= MOST_ROWS else _windowed(said, look)


def _windowed(said: Sequence[ItemTold], look: Look) -> list[ItemTold]:
    """Return the same items with the rows of one part of the list, of so many rows as nobody has to pass one by one."""
    rows = [one for one in said if one.kind == "row"]
    at = next((i for i, one in enumerate(rows) if one.is_chosen), 0)
    first = at - at % MOST_ROWS
    shown = rows[first : first + MOST_ROWS]
    kept: list[ItemTold] = []
    for one in said:
        if one is shown[0]:
            kept.append(ItemTold("heading", _part(look, "web.rows", first, len(rows))))
            kept += _way(look, "web.rows-before", first - MOST_ROWS, rows)
        if one.kind != "row" or one in shown:
            kept.append(one)
        if one is shown[-1]:
            kept += _way(look, "web.rows-behind", first + MOST_ROWS, rows)
    return kept


def _way(look: Look, key: str, first: int, rows: Sequence[ItemTold]) -> Iterator[ItemTold]:
    """Yield the way to the part of a list that begins at this row, where there is one."""
    if 0 <= first < len(rows):
        yield ItemTold("part", _part(look, key, first, len(rows)), rows[first].number, value=rows[first].text)


def _part(look: Look, key: str, first: int, count: int) -> str:
    return look.t(key, first=first + 1, last=min(first + MOST_ROWS, count), of=count)


def rows_of(items: Iterable[Item]) -> tuple[str, ...]:
    """Return what each numbered row is called, whatever it is set to: a number means what it meant when it was said."""
    return tuple(
        item.text if isinstance(item, ListRow) else item.name
        for item in items
        if isinstance(item, ListRow | SettingRow)
    )


def chosen_row(items: Iterable[Item]) -> str:
    """Return what the chosen row is called, as `rows_of` calls it; empty: none is chosen."""
    rows = (item for item in items if isinstance(item, ListRow | SettingRow) and item.is_chosen)
    return next((row.text if isinstance(row, ListRow) else row.name for row in rows), "")


def _words(item: Item, n: int, look: Look) -> str:
    match item:
        case Heading(text) | Said(text):
            return text
        case ListRow(text):
            return look.t("lines.row", n=n, text=text)
        case SettingRow(name, value):
            return look.t("lines.setting", n=n, name=name, value=value)
        case Tabs(names, chosen):
            return look.t("lines.tabs", names=look.t("list.then").join(names), chosen=names[chosen]) if names else ""
        case Empty(text, offers):
            told, stop = look.t("list.then").join(_offer(offer, look) for offer in offers), look.t("lines.stop")
            return joined((text, told)).removesuffix(stop) + stop if offers else text
        case SparkLine(values):
            return _curve(values, look)
        case Offer():
            return _offer(item, look)
        case PlayerCard():
            return _player(item, look)


def _offer(offer: Offer, look: Look) -> str:
    return look.t("lines.offer", label=offer.label, why=offer.why).rstrip(" :：")


def _curve(values: Sequence[float], look: Look) -> str:
    if not values:
        return ""
    first, last, low, high = (round(one) for one in (values[0], values[-1], min(values), max(values)))
    return look.t("lines.curve", first=first, last=last, low=low, high=high)


def _player(card: PlayerCard, look: Look) -> str:
    """Name a player, whether it is their turn, their time and what lies before them."""
    clock = look.t("lines.clock", time=card.clock.words) if card.clock is not None and card.clock.words else ""
    turn = look.t("lines.turn") if card.is_turn else ""
    held = (*(text_of(line).strip() for line in card.holds), *card.aside)
    name = look.t("list.noted", what=card.name, note=card.mark) if card.mark.isupper() else card.name
    parts = (f"{name} {card.rating}".strip(), card.note, turn, clock, *held)
    return look.t("list.clause").join(part for part in parts if part) + look.t("lines.stop")
