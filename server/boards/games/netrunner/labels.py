"""What the Netrunner board calls things: servers, places, cards, seats, steps, what stands on a card."""

from __future__ import annotations

from datetime import datetime

from game.choices import tokens
from game.netrunner.facts import CODES, HIDDEN, RUNNER, plain_title
from game.netrunner.state import Card, State
from game.netrunner.table import Table
from server.boards.board import Players
from server.boards.games.netrunner.cardtext import credits, title_of
from server.boards.games.netrunner.scene import Shown, counters_of, is_known, is_up, named, strength_of, table_of
from server.boards.seats import free_ms, own_seat, player_card, short_name_at
from server.i18n.durations import clock_words
from server.terminal.lines import Line, fit
from server.terminal.look import Look
from server.terminal.playercard import player_strip

CENTRAL = ("hq", "rd", "archives")
ABREAST = 60  # columns from which both players share a line
MARKS = {"virus": "v", "power": "p", "agenda": "a"}


def seat_name(snapshot: Shown, seat: object, look: Look) -> str:
    """Return a player's name; of two bots of one level the number."""
    if isinstance(seat, int) and 0 <= seat < len(snapshot.seats):
        return short_name_at(snapshot, seat, look)
    return "?"


def side_name(side: int, look: Look) -> str:
    """Return 'Corp' or 'Runner'."""
    return look.t(f"netrunner.side.{'runner' if side == RUNNER else 'corp'}")


def server_name(server: str, look: Look) -> str:
    """Return a server's name: 'HQ', 'Remote 2', 'a new remote'."""
    if server.startswith("remote"):
        return look.t("netrunner.server.remote", number=server.removeprefix("remote"))
    return look.t(f"netrunner.server.{server}")


def place_words(place: str, look: Look) -> str:
    """Return where a card lies."""
    kind, _, server = place.partition(":")
    match kind:
        case "ice":
            return look.t("netrunner.place.ice", server=server_name(server, look))
        case "root" if server in CENTRAL:
            return look.t("netrunner.place.root", server=server_name(server, look))
        case "root":
            return server_name(server, look)
    return look.t(f"netrunner.place.{kind}")


def archives_count(scene: State, look: Look) -> str:
    """Return how many cards of Archives lie face up and down."""
    down = sum(not up for _, up in scene.archives)
    up = len(scene.archives) - down
    return f"{up}+{down}{look.glyphs.hidden}" if down else str(up)


def card_name(card: Card, look: Look) -> str:
    """Return a card on the table by name."""
    return title_of(card.code, look)


def mark_of(kind: str, n: int, look: Look) -> str:
    """Return some counters as they stand behind a card's name."""
    if kind == "advancement":
        return f"+{n}"
    return credits(n, look) if kind in ("credit", "recurring") else f"{MARKS[kind]}{n}"


def marks(card: Card, look: Look) -> str:
    """Return all counters on a card: '+2' advancements, credits, 'v1' virus, 'p' power, 'a' agenda counters."""
    return " ".join(mark_of(kind, n, look) for kind, n in counters_of(card))


def label(t: Table, card: Card, look: Look) -> str:
    """Return a card as the table shows it: a card face down has a mark before what the viewer knows of it."""
    strength = strength_of(t, card)
    name = ("" if not is_known(card) else card_name(card, look)) if not is_up(card) else card_name(card, look)
    if not is_up(card):
        hidden = look.glyphs.hidden
        name = f"{hidden}{name}" if name else hidden * 4
    elif card.place == "hosted":
        name = f"({name})"
    told = [name, "" if strength is None else str(strength), marks(card, look)]
    return " ".join(part for part in told if part)


def reference(snapshot: Shown, text: str, look: Look) -> str:
    """Return in words what an item of a choice names: a card with its place, a title, a server, a zone's card."""
    if text.startswith('"'):
        return text[1:-1]
    card = named(snapshot, text)
    if card is not None:
        return located(card, look, table_of(snapshot))
    zone, _, which = text.partition(":")
    code = zone_card(snapshot, zone, which)
    if code is not None:
        return look.t("netrunner.located", card=title_of(code, look), place=place_words(zone, look))
    if zone in CENTRAL or zone.startswith("remote") or zone == "new":
        return server_name(zone, look)
    return look.t(f"netrunner.word.{zone}")


def located(card: Card, look: Look, t: Table) -> str:
    """Return a card's name with its place, where that is worth saying; of several alike which one it is."""
    name = card_name(card, look)
    if not card.place.startswith(("ice:", "root:")):
        return name
    if nth := root_words(card, look, t):
        told = " ".join(part for part in (name, marks(card, look)) if part)
        return look.t("netrunner.located", card=told, place=nth)
    return look.t("netrunner.located", card=name, place=ice_words(card, look, t) or place_words(card.place, look))


def root_words(card: Card, look: Look, t: Table) -> str:
    """Return which card of its root this is, from above as drawn; empty where no other one there looks like it."""
    kind, _, server = card.place.partition(":")
    root = t.root(server) if kind == "root" else []
    if sum(one.code == card.code for one in root) < 2:
        return ""
    at = [one.iid for one in root].index(card.iid)
    return look.t("netrunner.place.root.nth", place=place_words(card.place, look), number=at + 1)


def ice_words(card: Card, look: Look, t: Table) -> str:
    """Return which piece of ice before its server this is; empty where it is no ice, or the only one."""
    kind, _, server = card.place.partition(":")
    column = [one.iid for one in t.ice(server)] if kind == "ice" else []
    if len(column) < 2 or card.iid not in column:
        return ""
    at = column.index(card.iid)
    which = {0: "innermost", len(column) - 1: "outermost"}.get(at, "nth")
    return look.t(f"netrunner.place.ice.{which}", server=server_name(server, look), number=at + 1)


def zone_card(snapshot: Shown, zone: str, which: str) -> str | None:
    """Return the code at a place of an open zone, None where there is no such place."""
    scene = snapshot.view.scene
    row = {"heap": scene.heap, "archives": tuple(code for code, _ in scene.archives)}.get(zone, ())
    return str(row[int(which)]) if which.isdigit() and int(which) < len(row) else None


def subject(snapshot: Shown, text: str) -> tuple[str, Card | None]:
    """Return the code of the card that an action is about ("" for none), and the card if it lies on the table."""
    for word in tokens(text)[1:]:
        if word.startswith('"'):
            return CODES.get(plain_title(word[1:-1]), ""), None
        card = named(snapshot, word)
        if card is not None:
            return ("" if card.code == HIDDEN else card.code), card
        zone, _, which = word.partition(":")
        code = zone_card(snapshot, zone, which)
        if code is not None and code != HIDDEN:
            return code, None
    return "", None


def players(snapshot: Shown, look: Look, cols: int, now: datetime) -> Players:
    """Return both players with their sides and clocks, and to who looks on, how long a window is still free."""
    cards = [player_card(snapshot, seat, side_name(seat, look), look, now) for seat in range(2)]
    free = 0 if snapshot.is_past or own_seat(snapshot) is not None else free_ms(snapshot, now)
    said = (("warn", " " + look.t("match.free-time", time=clock_words(free, look))),) if free else ()
    return Players(tuple(cards), (said,) if said else (), is_across=True)


def abreast(snapshot: Shown, look: Look, cols: int, now: datetime) -> list[Line]:
    """Draw both players in one line."""
    half = cols // 2 - 1
    both = [player_strip(card, look, half) for card in players(snapshot, look, half, now).cards]
    return [(*fit(both[0], half), ("", "  "), *fit(both[1], half))]
