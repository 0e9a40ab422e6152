"""What the RaiNet board says in words: the status line, the players' cards, the log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from game.rainet.board import ALL_EXITS, EXITS, NAMES, NORTH, SOUTH
from game.rainet.state import BOOST, CHECK, FIREWALL, NOT_FOUND
from game.rainet.view import Card, View
from server.matches.model import SeenEvent, Snapshot
from server.tui.boards.rainet import pick as picks
from server.tui.boards.rainet.draw import owner_glyph, placed_cards, server_name
from server.tui.boards.rainet.pick import Pick, side, view_of
from server.tui.lines import Line, columns, packed, plain
from server.tui.look import Look
from server.tui.memo import by_identity
from server.tui.seats import player_name, seat_line

ORDER = ((NORTH, SOUTH), (SOUTH, NORTH))  # by the side at the bottom: the other one is listed first, as on the board


def seats(snapshot: Snapshot, look: Look, cols: int, now: datetime) -> list[Line]:
    """List both players: clock, stack, terminal cards; the one at the top of the board first."""
    bottom = side(snapshot)
    lines: list[Line] = []
    for seat in ORDER[bottom]:
        mark = owner_glyph(seat, bottom, look.glyphs)
        lines.append(seat_line(snapshot, seat, mark, look, cols, now))
        lines += _holdings(snapshot, seat, look, cols)
        if seat != bottom:
            lines.append(plain(look.glyphs.rule * cols, "rule"))
    return lines


@by_identity(1024)
def _held(view: View) -> dict[tuple[int, Look, int, bool], list[Line]]:
    """Return where what the players hold is kept once it is written: a clock's tick changes nothing in it."""
    return {}


def _holdings(snapshot: Snapshot, seat: int, look: Look, cols: int) -> list[Line]:
    kept, key = _held(view_of(snapshot)), (seat, look, cols, snapshot.result is None)
    if key not in kept:
        kept[key] = _written(snapshot, seat, look, cols)
    return kept[key]


def _written(snapshot: Snapshot, seat: int, look: Look, cols: int) -> list[Line]:
    view = view_of(snapshot)
    if view.is_setup and snapshot.result is not None:
        return []
    if view.is_setup:
        key = "rainet.seat.ready" if view.setups[seat] is not None else "rainet.seat.placing"
        return [plain(f"   {look.t(key)}", "dim")]
    return [*packed(_stack(snapshot, seat, look), cols, "", 3), *_terminals(snapshot, seat, look, cols)]


def _stack(snapshot: Snapshot, seat: int, look: Look) -> list[str]:
    cards = view_of(snapshot).stack(seat)
    parts = []
    for kind in ("link", "virus"):
        n = sum(card.kind == kind for card in cards)
        shown = " ".join(_stacked(card, look) for card in cards if card.area == kind)
        parts.append(f"{look.t(f'rainet.stack.{kind}', n=n)} {shown}".rstrip())
    hidden = sum(card.kind is None for card in cards)
    if hidden:
        parts.append(look.t("rainet.stack.hidden", n=hidden))
    return parts


def _stacked(card: Card, look: Look) -> str:
    """Write a stacked card: a letter, in brackets where only its owner knows it."""
    letter = {"link": "L", "virus": "V", None: look.glyphs.hidden}[card.kind]
    return letter if card.face_up or card.kind is None else f"({letter})"


def _terminals(snapshot: Snapshot, seat: int, look: Look, cols: int) -> list[Line]:
    view = view_of(snapshot)
    hand = view.hands[seat]
    boosted = next(
        (square for square in range(64) if (card := view.card_at(square)) and card.boosted and card.owner == seat), None
    )
    wall = view.firewalls[seat]
    parts = [
        look.t("rainet.hand.boost-ready")
        if hand & BOOST or boosted is None
        else look.t("rainet.hand.boost-on", square=NAMES[boosted]),
        look.t("rainet.hand.check-ready" if hand & CHECK else "rainet.hand.check-used"),
        look.t("rainet.hand.wall-ready")
        if hand & FIREWALL or wall < 0
        else look.t("rainet.hand.wall-on", square=NAMES[wall]),
        look.t("rainet.hand.404-ready" if hand & NOT_FOUND else "rainet.hand.404-used"),
    ]
    lines, current = [], "  "
    for part in parts:
        if columns(current) + 1 + columns(part) > cols:
            lines.append(current)
            current = "  "
        current += " " + part + " "
    return [plain(line.rstrip(), "dim") for line in (*lines, current)]


def status(snapshot: Snapshot, pick: Pick, look: Look) -> Line:
    """Say what to do now, and what the cursor stands on."""
    here = square_words(snapshot, pick, look)
    return (
        ((("warn", f" {prompt(snapshot, pick, look)}"), ("dim", f"  {here}")))
        if here
        else plain(f" {prompt(snapshot, pick, look)}", "warn")
    )


def prompt(snapshot: Snapshot, pick: Pick, look: Look) -> str:
    """Say what to do now."""
    if snapshot.pending is None:
        return _waiting(snapshot, look)
    chosen = [NAMES[square] for square in pick.chosen]
    match pick.mode:
        case "setup":
            return look.t("rainet.do.swap", square=chosen[0]) if chosen else look.t("rainet.do.setup")
        case "card":
            return _card_prompt(snapshot, pick, look)
        case "enter":
            return look.t("rainet.do.enter", square=chosen[0])
        case "boost" | "wall":
            places = picks.targets(snapshot, pick)
            offers = picks.offers(snapshot)
            texts = offers.boost if pick.mode == picks.BOOST else offers.wall
            takes_back = any(text[0] in "-~" for text in texts.values())
            name = NAMES[next(iter(places))] if takes_back and places else ""
            return look.t(f"rainet.do.{pick.mode}-back" if takes_back else f"rainet.do.{pick.mode}", square=name)
        case "check" | "404-first":
            return look.t(f"rainet.do.{pick.mode}")
        case "404-second":
            return look.t("rainet.do.404-second", square=chosen[0])
        case "404-swap":
            return look.t("rainet.do.404-swap", first=chosen[0], second=chosen[1])
    return look.t("rainet.do.move")


def _card_prompt(snapshot: Snapshot, pick: Pick, look: Look) -> str:
    start = pick.chosen[0]
    cards, goals = placed_cards(snapshot, pick), picks.targets(snapshot, pick)
    takes = sorted(NAMES[goal] for goal in goals if goal in cards)
    text = look.t("rainet.do.card", square=NAMES[start], n=sum(goal < 64 and goal not in cards for goal in goals))
    if takes:
        text += look.t("rainet.do.card-takes", squares=" ".join(takes))
    if any(goal >= 64 for goal in goals):
        text += look.t("rainet.do.card-enters")
    return text


def _waiting(snapshot: Snapshot, look: Look) -> str:
    names = [_name(snapshot, seat, look) for seat, _ in snapshot.deciding]
    if not names:
        return ""
    key = "rainet.do.wait-setup" if snapshot.view.is_setup else "rainet.do.wait"
    return look.t(key, name=look.t("list.comma").join(names))


def square_words(snapshot: Snapshot, pick: Pick, look: Look) -> str:
    """Say in words what the cursor stands on; empty for an empty square."""
    if pick.cursor == picks.NOBODY:
        return ""
    if pick.cursor in picks.SERVER_OF:
        return look.t(server_name(pick.cursor))
    square, view = pick.cursor, view_of(snapshot)
    parts = []
    card = placed_cards(snapshot, pick).get(square)
    if card is not None:
        owner = _name(snapshot, card.owner, look)
        kind = look.t(f"rainet.card.{card.kind or 'hidden'}")
        own = card.owner == snapshot.viewer and snapshot.result is None
        parts.append(look.t("rainet.square.own" if own else "rainet.square.card", name=owner, card=kind))
        states = (("face-up", card.face_up), ("boosted", card.boosted))
        parts += [look.t(f"rainet.legend.{word}") for word, is_so in states if is_so]
    parts += [
        look.t("rainet.square.wall", name=_name(snapshot, seat, look))
        for seat, wall in enumerate(view.firewalls)
        if wall == square
    ]
    if not parts and square in ALL_EXITS:
        seat = SOUTH if square in EXITS[SOUTH] else NORTH
        parts.append(look.t("rainet.square.exit", name=_name(snapshot, seat, look)))
    return f"{NAMES[square]}: {look.t('list.comma').join(parts)}" if parts else NAMES[square]


def _name(snapshot: Snapshot, seat: int, look: Look) -> str:
    return player_name(snapshot.seats[seat].player.name, look)


def say(event: SeenEvent, snapshot: Snapshot, look: Look) -> str:
    """Return an event as a line of the log. What goes with a move (a capture) is the second half of its sentence."""
    params: dict[str, object] = {**event.params, "name": _who(event.params, snapshot, look)}
    card = event.params.get("card")
    if isinstance(card, str):
        params["card"] = look.t("rainet.card.link" if card.upper() == "L" else "rainet.card.virus")
    if (area := event.params.get("area")) is not None:
        params["area"] = look.t(f"rainet.area.{area}")
    return look.t(f"rainet.event.{event.kind}", **{k: v for k, v in params.items() if not isinstance(v, list | dict)})


def _who(params: Mapping[str, object], snapshot: Snapshot, look: Look) -> str:
    seat = params.get("seat")
    return _name(snapshot, seat, look) if isinstance(seat, int) and 0 <= seat < len(snapshot.seats) else ""
