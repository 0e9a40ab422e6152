"""What the RaiNet board says in words: the status line, the players' cards, the log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from game.rainet.board import ALL_EXITS, EXITS, NAMES, NORTH, SOUTH
from game.rainet.state import BOOST, CHECK, FIREWALL, NOT_FOUND
from game.rainet.view import Card
from server.boards.board import Players, Weight
from server.boards.games.rainet import selection
from server.boards.games.rainet.draw import owner_glyph
from server.boards.games.rainet.position import placed_cards, server_name
from server.boards.games.rainet.selection import Selection, Shown, nearest
from server.boards.seats import player_card, short_name_at, waiting_words
from server.matches.model import SeenEvent
from server.terminal import edges
from server.terminal.lines import Line, Span, plain
from server.terminal.look import Look

WEIGHTS = {
    "ready": Weight.BOOKKEEPING,  # stands beside the name
    **dict.fromkeys(("check", "404", "boost", "unboost", "firewall", "unfirewall"), Weight.MATTERS),
    **dict.fromkeys(("capture", "enter", "enter-shown", "enter-hidden"), Weight.DRAMATIC),
}
ROOMY_COLS = 28  # of a card whose pieces have edges
Holdings = tuple[tuple[Line, ...], tuple[str, ...]]  # what lies before a player; what is said of it
ORDER = ((NORTH, SOUTH), (SOUTH, NORTH))  # by the side at the bottom: the other one is listed first, as on the board


def players(snapshot: Shown, look: Look, cols: int, now: datetime) -> Players:
    """Return both players: clock, stack, terminal cards; the one at the top of the board first."""
    bottom = nearest(snapshot)
    cards = [
        player_card(
            snapshot,
            seat,
            owner_glyph(seat, bottom, look.glyphs),
            look,
            now,
            *_holdings(snapshot, seat, look, cols >= ROOMY_COLS),
        )
        for seat in ORDER[bottom]
    ]
    return Players(tuple(cards), is_across=True)


def _holdings(snapshot: Shown, seat: int, look: Look, is_roomy: bool) -> Holdings:
    """Write what lies before a player, and what their terminal cards do. `is_roomy`: pieces have edges."""
    view = snapshot.view
    if view.is_setup and snapshot.result is not None:
        return (), ()
    if view.is_setup:
        return (), (look.t("rainet.seat.ready" if view.setups[seat] is not None else "rainet.seat.placing"),)
    return _stack(snapshot, seat, look, " " if is_roomy else ""), terminal_words(snapshot, seat, look)


def _stack(snapshot: Shown, seat: int, look: Look, edge: str) -> tuple[Line, ...]:
    """Draw what a player has taken or brought home, each card as a piece between two edges."""
    cards = snapshot.view.stack(seat)
    parts: list[Line] = []
    for kind in ("link", "virus"):
        found = [card for card in cards if card.kind == kind]
        shown: list[Span] = []
        for card in cards:
            if card.area == kind:
                shown += [("", " "), (card.kind or "dim", f"{edge}{_stacked(card, look)}{edge}")]
        parts.append((("", look.t(f"rainet.stack.{kind}", n=len(found))), *shown))
    if hidden := sum(card.kind is None for card in cards):
        parts.append(plain(look.t("rainet.stack.hidden", n=hidden)))
    return tuple(parts)


def _stacked(card: Card, look: Look) -> str:
    """Write a stacked card: a letter, in brackets where only its owner knows it."""
    letter = {"link": "L", "virus": "V", None: look.glyphs.hidden}[card.kind]
    return letter if card.face_up or card.kind is None else f"({letter})"


def terminal_words(snapshot: Shown, seat: int, look: Look) -> tuple[str, ...]:
    """Say what a player's terminal cards do."""
    view = snapshot.view
    hand = view.hands[seat]
    boosted = next(
        (square for square in range(64) if (card := view.card_at(square)) and card.boosted and card.owner == seat), None
    )
    wall = view.firewalls[seat]
    return (
        look.t("rainet.hand.boost-ready")
        if hand & BOOST or boosted is None
        else look.t("rainet.hand.boost-on", square=NAMES[boosted]),
        look.t("rainet.hand.check-ready" if hand & CHECK else "rainet.hand.check-used"),
        look.t("rainet.hand.wall-ready")
        if hand & FIREWALL or wall < 0
        else look.t("rainet.hand.wall-on", square=NAMES[wall]),
        look.t("rainet.hand.404-ready" if hand & NOT_FOUND else "rainet.hand.404-used"),
    )


def marks(look: Look) -> tuple[tuple[str, str], ...]:
    """Return the marks on the board with what each means, for help."""
    glyphs = look.glyphs
    shown = {
        "ours": glyphs.ours,
        "theirs": glyphs.theirs,
        "link": "L",
        "virus": "V",
        "hidden": glyphs.hidden,
        "boosted": glyphs.boosted,
        "face-up": glyphs.face_up,
        "both": glyphs.boosted_face_up,
        "exit": glyphs.exit,
        "threatened": f"{glyphs.exit}!",
        "wall": f"{glyphs.wall}{glyphs.wall_owners[0]}{glyphs.wall}",
        "goal": glyphs.dot,
    }
    return (*((mark, look.t(f"rainet.legend.{name}")) for name, mark in shown.items()), *edges.marks(look))


def status(snapshot: Shown, chosen: Selection, look: Look) -> Line:
    """Say what to do now, and what the cursor stands on."""
    here, said = square_words(snapshot, chosen, look), action_words(snapshot, chosen, look)
    is_named = chosen.cursor in chosen.squares or chosen.mode == selection.ENTER
    if is_named or (said and here == _empty(chosen.cursor, look)):
        here = ""  # what is asked names that square already
    asked = plain(f" {said or prompt(snapshot, chosen, look)}", "warn")
    return (*asked, ("dim", f"  {here}")) if here else asked


def action_words(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say what enter does at the cursor, where a card or a terminal card is in hand; empty: nothing."""
    word = done_here(snapshot, chosen)
    start = NAMES[chosen.squares[0]] if chosen.squares else ""
    to = NAMES[chosen.cursor] if chosen.cursor < len(NAMES) else ""
    return look.t(f"rainet.here.{word}", **{"from": start, "to": to}) if word else ""


def done_here(snapshot: Shown, chosen: Selection) -> str:
    """Return in a word of the catalogues what enter does at the cursor with what is in hand; empty: nothing."""
    cursor, found = chosen.cursor, selection.offers(snapshot)
    if cursor not in selection.targets(snapshot, chosen) or chosen.mode == selection.ENTER:
        return ""
    cards = placed_cards(snapshot, chosen)
    match chosen.mode:
        case "card":
            return "enter" if cursor in selection.SERVER_OF else "take" if cursor in cards else "go"
        case "boost":
            return "unboost" if found.boost[cursor].startswith("-") else "boost"
        case "check":
            return "check"
        case "wall":
            return "unwall" if found.wall[cursor].startswith("~") else "wall"
    return "choose"


def prompt(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say what to do now."""
    if snapshot.pending is None:
        return waiting_words(snapshot, (seat for seat, _ in snapshot.deciding), look)
    names = [NAMES[square] for square in chosen.squares]
    match chosen.mode:
        case "setup":
            return look.t("rainet.do.swap", square=names[0]) if names else look.t("rainet.do.setup")
        case "card":
            return _card_prompt(snapshot, chosen, look)
        case "enter":
            return look.t("rainet.do.enter", square=names[0])
        case "boost" | "wall":
            places = selection.targets(snapshot, chosen)
            offers = selection.offers(snapshot)
            texts = offers.boost if chosen.mode == selection.BOOST else offers.wall
            takes_back = any(text[0] in "-~" for text in texts.values())
            name = NAMES[next(iter(places))] if takes_back and places else ""
            return look.t(f"rainet.do.{chosen.mode}-back" if takes_back else f"rainet.do.{chosen.mode}", square=name)
        case "check" | "404-first":
            return look.t(f"rainet.do.{chosen.mode}")
        case "404-second":
            return look.t("rainet.do.404-second", square=names[0])
        case "404-swap":
            return look.t("rainet.do.404-swap", first=names[0], second=names[1])
    return look.t("rainet.do.move")


def _card_prompt(snapshot: Shown, chosen: Selection, look: Look) -> str:
    start = chosen.squares[0]
    cards, goals = placed_cards(snapshot, chosen), selection.targets(snapshot, chosen)
    takes = sorted(NAMES[goal] for goal in goals if goal in cards)
    text = look.t("rainet.do.card", square=NAMES[start], n=sum(goal < 64 and goal not in cards for goal in goals))
    if takes:
        text += look.t("rainet.do.card-takes", squares=" ".join(takes))
    if any(goal >= 64 for goal in goals):
        text += look.t("rainet.do.card-enters")
    return text


def square_words(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say in words what the cursor stands on; empty where it stands nowhere."""
    if chosen.cursor == selection.NOBODY:
        return ""
    if chosen.cursor in selection.SERVER_OF:
        return server_name(snapshot, chosen.cursor, look)
    square, view = chosen.cursor, snapshot.view
    parts = []
    card = placed_cards(snapshot, chosen).get(square)
    if card is not None:
        owner = short_name_at(snapshot, card.owner, look)
        kind = look.t(f"rainet.card.{card.kind or 'hidden'}")
        own = card.owner == snapshot.viewer and snapshot.result is None
        parts.append(look.t("rainet.square.own" if own else "rainet.square.card", name=owner, card=kind))
        states = (("face-up", card.face_up), ("boosted", card.boosted))
        parts += [look.t(f"rainet.legend.{word}") for word, is_so in states if is_so]
        if own and selection.is_stuck(snapshot, chosen):
            parts.append(look.t("rainet.square.stuck"))
    parts += [
        look.t("rainet.square.wall", name=short_name_at(snapshot, seat, look))
        for seat, wall in enumerate(view.firewalls)
        if wall == square
    ]
    if not parts and square in ALL_EXITS:
        seat = SOUTH if square in EXITS[SOUTH] else NORTH
        parts.append(look.t("rainet.square.exit", name=short_name_at(snapshot, seat, look)))
    if not parts:
        return _empty(square, look)
    return look.t("list.pair", what=NAMES[square], value=look.t("list.clause").join(parts))


def _empty(square: int, look: Look) -> str:
    return look.t("rainet.square.empty", square=NAMES[square]) if square < len(NAMES) else ""


TOLD_LONGER = ("move", "capture")  # to who hears it


def say(snapshot: Shown, look: Look, event: SeenEvent) -> str:
    """Return an event as a line of the log. What goes with a move (a capture) is the second half of its sentence."""
    params: dict[str, object] = {**event.params, "name": _who(event.params, snapshot, look)}
    card = event.params.get("card")
    if isinstance(card, str):
        params["card"] = look.t("rainet.card.link" if card.upper() == "L" else "rainet.card.virus")
    if (area := event.params.get("area")) is not None:
        params["area"] = look.t(f"rainet.area.{area}")
    if event.kind == "capture" and isinstance(seat := event.params.get("seat"), int):
        params["owner"] = _who({"seat": 1 - seat}, snapshot, look)
    key = f"rainet.say.{event.kind}" if look.is_heard and event.kind in TOLD_LONGER else f"rainet.event.{event.kind}"
    return look.t(key, **{k: v for k, v in params.items() if not isinstance(v, list | dict)})


def _who(params: Mapping[str, object], snapshot: Shown, look: Look) -> str:
    seat = params.get("seat")
    return short_name_at(snapshot, seat, look) if isinstance(seat, int) and 0 <= seat < len(snapshot.seats) else ""
