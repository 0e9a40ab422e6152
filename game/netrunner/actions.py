"""Actions that cost clicks: basic actions, installs, plays, card actions (Netrunner §1.4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from game.contract import OneOf
from game.netrunner import changes
from game.netrunner.costs import available, can_pay, pay
from game.netrunner.facts import CORP, FACTS, RUNNER, plain_title, title
from game.netrunner.frames import Vars
from game.netrunner.harm import trash_installed
from game.netrunner.moves import place_counters, tag_gone, trash
from game.netrunner.ops import answer, choice, one_of
from game.netrunner.places import candidates, find, quoted, ref
from game.netrunner.queries import (
    amount,
    can_be_advanced,
    holds,
    install_discount,
    is_a,
    is_shelf,
    memory_limit,
    memory_used,
    shelf_room,
    statics,
)
from game.netrunner.state import Card
from game.netrunner.table import CENTRALS, Table, entry, facts, is_able
from game.netrunner.vocabulary import Choose, Cost
from game.netrunner.windows import payable, use
from game.netrunner.zones import set_aside

PURGE, TAG_CLICK = 3, Cost(clicks=1, credits=2)
MANY = 7  # most cards of which every subset (of seven: 128) is offered for trashing before an install
ADVANCE = Cost(clicks=1, credits=1)


@choice("action")
def action_choice(t: Table, f: Vars) -> OneOf:
    """Offer every action the seat can take."""
    texts = [*BASIC, *plays(t, f["seat"])]
    texts += corp_actions(t) if f["seat"] == CORP else runner_actions(t)
    texts += card_actions(t, f["seat"])
    return one_of(sorted(texts, key=is_install_with_trash))


def is_install_with_trash(text: str) -> bool:
    """Tell whether an action trashes something first: there are many of these, so they are offered last."""
    return text.startswith("install") and " trash " in text


BASIC = ("credit", "draw")  # always legal; the Corp loses by drawing from an empty R&D


def plays(t: Table, seat: int) -> Iterator[str]:
    """Yield the events or operations that can be played."""
    for code in dict.fromkeys(t.hand(seat)):
        if FACTS[code].type in ("event", "operation") and can_play(t, seat, code):
            yield f"play {quoted(code)}"


def can_play(t: Table, seat: int, code: str) -> bool:
    """Tell whether a card can be played: its condition, its cost, something to choose or else a rest of its effect."""
    entered = entry(code)
    price = max(0, play_cost(t, code) - cut(t, seat, code))
    clicks = 1 + entered.play_cost.clicks
    if not holds(t, entered.play_if, {}) or not can_pay(t, seat, Cost(clicks=clicks, credits=price)):
        return False
    has_rest = len(entered.play) > 1 and changes.rest_of_an_effect_suffices(t.version)
    return has_rest or finds_what_it_chooses(t, seat, code)


def finds_what_it_chooses(t: Table, seat: int, code: str) -> bool:
    """Tell whether a card that begins with a choice, when played, has something to choose from, as far as is known."""
    first = entry(code).play[0] if entry(code).play else None
    what = first.what if isinstance(first, Choose) and first.count is not None else None
    return what is None or what.pool in ("stack", "rd") or bool(candidates(t, what, seat))


def play_cost(t: Table, code: str) -> int:
    """Return the credits it costs to play a card, besides X."""
    own = sum(amount(t, {}, static.n) for static in entry(code).static if static.kind == "play-cost")
    return max(0, FACTS[code].cost + own)


def cutters(t: Table) -> list[tuple[Card, int]]:
    """Return the Runner's cards that can still reduce a cost this turn, with the reduction."""
    found = [(card, static) for card, static in statics(t) if static.kind == "trash-to-pay-less"]
    return [(card, amount(t, {}, one.n)) for card, one in found if f"used:{card.iid}" not in t.this_turn]


def cut(t: Table, seat: int, code: str) -> int:
    """Return by how many credits trashing another card of the grip can reduce a card's cost; 0 for the Corp.

    A copy of the card in the grip is taken for the card itself.
    """
    if seat != RUNNER or len(t.grip) - (code in t.grip) < 1:
        return 0
    return max((n for _, n in cutters(t)), default=0)


def corp_actions(t: Table) -> Iterator[str]:
    """Yield the Corp's own actions."""
    for code in dict.fromkeys(t.hq):
        if FACTS[code].type in ("agenda", "asset", "upgrade", "ice"):
            yield from corp_installs(t, code)
    cards = sorted(t.cards.values(), key=lambda card: card.place)
    if can_pay(t, CORP, ADVANCE):
        ours = [card for card in cards if card.place.startswith(("ice:", "root:"))]
        yield from (f"advance {ref(t, card, CORP)}" for card in ours if can_be_advanced(card))
    if t.tags and can_pay(t, CORP, TAG_CLICK):
        yield from (f"trash-resource {ref(t, card, CORP)}" for card in t.rig() if facts(card).type == "resource")
    if t.clicks[CORP] >= PURGE:
        yield "purge"


def corp_installs(t: Table, code: str, *, free: bool = False, within: str = "") -> Iterator[str]:
    """Yield the installs of one card: where, and what is trashed first (Netrunner §1.5).

    `within` is 'remote' for any remote server or the only server that counts.
    """
    servers = [*t.servers(), "new"]
    for server in [one for one in servers if within in ("", one) or (within == "remote" and one not in CENTRALS)]:
        for gone in trashable_sets(t, code, server):
            if can_install(t, code, server, gone, free):
                tail = "".join(f" {ref(t, card, CORP)}" for card in gone)
                yield f"install {quoted(code)} {server}{' trash' + tail if gone else ''}"


def trashable_sets(t: Table, code: str, server: str) -> Iterator[tuple[Card, ...]]:
    """Yield the sets of cards that may be trashed before an install: of a server's ice for ice, else of its root."""
    yield from sets_of(t.ice(server) if FACTS[code].type == "ice" else t.root(server))


def sets_of(cards: list[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield every set of these cards, the small ones first; of many cards only none, one, two or all."""
    sizes = range(len(cards) + 1) if len(cards) <= MANY else (0, 1, 2, len(cards))
    for n in sizes:
        yield from combinations(cards, n)


def can_install(t: Table, code: str, server: str, gone: tuple[Card, ...], free: bool) -> bool:
    """Tell whether the Corp may install a card there after trashing these."""
    printed = FACTS[code]
    if printed.type == "ice":
        return free or len(t.ice(server)) - len(gone) <= t.credits[CORP]
    is_remote = server == "new" or server.startswith("remote")
    if entry(code).only_in:
        return server == entry(code).only_in
    left = [card for card in t.root(server) if card not in gone]
    if printed.type == "upgrade":
        return True  # the older of two regions is trashed when the newer is installed
    return is_remote and not any(facts(card).type in ("agenda", "asset") for card in left)


def runner_actions(t: Table) -> Iterator[str]:
    """Yield the Runner's own actions."""
    for code in dict.fromkeys(t.grip):
        if FACTS[code].type in ("program", "hardware", "resource"):
            yield from runner_installs(t, code)
    if t.tags and can_pay(t, RUNNER, TAG_CLICK, 0, "remove-tag"):
        yield "remove-tag"
    yield from (f"run {server}" for server in t.servers())


def runner_installs(t: Table, code: str, discount: int = 0) -> Iterator[str]:
    """Yield the installs of one card; programs are trashed only to make room."""
    printed = FACTS[code]
    if install_cost(t, code, discount) - cut(t, RUNNER, code) > available(t, RUNNER, install_purpose(code)):
        return
    host = entry(code).host
    if host and not candidates(t, host, RUNNER):
        return
    over = memory_used(t) + printed.memory - memory_limit(t) if printed.type == "program" else 0
    if over <= 0 or shelves(t, code):
        yield f"install {quoted(code)}"
    programs = [card for card in t.rig() if is_a(t, card, "program")] if printed.type == "program" else []
    for gone in sets_of(programs):
        if gone and freed(t, gone) >= over:
            yield f"install {quoted(code)} trash {' '.join(ref(t, card, RUNNER) for card in gone)}"


def freed(t: Table, gone: tuple[Card, ...]) -> int:
    """Return the memory that these programs and the programs they host take up."""
    hosted = [guest for card in gone for guest in t.hosted(card.iid) if not is_shelf(t, card.iid)]
    alone = {card.iid: card for card in (*gone, *hosted) if not (card.host and is_shelf(t, card.host))}
    return sum(facts(card).memory for card in alone.values())


def install_cost(t: Table, code: str, discount: int = 0) -> int:
    """Return what installing a Runner card costs."""
    return max(0, FACTS[code].cost - install_discount(t, code) - discount)


def install_purpose(code: str) -> str:
    """Return what credits spent on installing this card are spent for."""
    return "install virus-install" if "virus" in FACTS[code].subtypes else "install"


def shelves(t: Table, code: str) -> list[Card]:
    """Return the cards that could host this program."""
    printed = FACTS[code]
    if printed.type != "program" or "icebreaker" in printed.subtypes or entry(code).host:
        return []
    return [card for card in t.rig() if entry(card.code).hosts and shelf_room(t, card) >= printed.memory]


def card_actions(t: Table, seat: int) -> Iterator[str]:
    """Yield the uses of cards that cost a click."""
    for card in sorted(t.cards.values(), key=lambda card: (card.place, card.host)):
        for i, ability in enumerate(entry(card.code).abilities if card.side == seat and is_able(t, card) else ()):
            fits = ability.when == "action" and holds(t, ability.only_if, {"iid": card.iid})
            if fits and payable(t, card, ability, seat):
                yield f"use {ref(t, card, seat)} {i}"


@answer("action")
def action_answer(t: Table, f: Vars, words: list[str]) -> None:
    """Begin the action."""
    t.pop()
    seat = f["seat"]
    match words[0]:
        case "use":
            card = find(t, words[1], seat)
            if card is not None:
                use(t, card, int(words[2]), seat)
        case "run":
            t.clicks[seat] -= 1
            t.push("run", server=words[1], mods=(), source=0, stage=-1)
        case "install":
            t.clicks[seat] -= 1
            begin_install(t, seat, words)
        case "play":
            t.clicks[seat] -= 1
            t.push("play", seat=seat, index=index_of(t, seat, words[1]), stage=0)
        case _:
            simple_action(t, seat, words)


def begin_install(t: Table, seat: int, words: list[str]) -> None:
    """Begin an install."""
    index = index_of(t, seat, words[1])
    refs = words[words.index("trash") + 1 :] if "trash" in words[2:] else []
    gone = tuple(card.iid for card in (find(t, word, seat) for word in refs) if card is not None)
    if seat == CORP:
        t.push("install-corp", zone="hq", index=set_aside(t, index), server=words[2], trash=gone, stage=1, free=False)
    else:
        t.push("install-runner", zone="grip", index=index, trash=gone, stage=0, discount=0)


def simple_action(t: Table, seat: int, words: list[str]) -> None:
    """Carry out the actions that are over at once."""
    t.tell("action", {"side": seat, "action": words[0]})
    match words[0]:
        case "credit":
            t.clicks[seat] -= 1
            t.gain(seat, 1)
        case "draw":
            t.clicks[seat] -= 1
            t.draw(seat, 1)
        case "purge":
            t.clicks[seat] -= PURGE
            for card in list(t.cards.values()):
                place_counters(t, card.iid, "virus", -card.virus)
            t.tell("purged", {})
        case _:
            t.push("basic", seat=seat, words=tuple(words), iid=ids(t, words, seat))
            cost = ADVANCE if words[0] == "advance" else TAG_CLICK
            pay(t, seat, cost, 0, words[0])


def ids(t: Table, words: list[str], seat: int) -> int:
    """Return the id of the card that an action names; 0: it names none."""
    card = find(t, words[1], seat) if len(words) > 1 else None
    return card.iid if card is not None else 0


def index_of(t: Table, seat: int, word: str) -> int:
    """Return the index in a hand of the first card with a quoted title."""
    return [plain_title(title(code)) for code in t.hand(seat)].index(plain_title(word[1:-1]))


def remove_tag(t: Table) -> None:
    """Take one tag off the Runner."""
    t.tags -= 1
    t.tell("tags", {"count": -1, "tags": t.tags})
    tag_gone(t)


def finish_basic(t: Table, f: Vars) -> None:
    """Carry out the paid basic action."""
    match f["words"][0]:
        case "advance":
            place_counters(t, f["iid"], "advancement", 1)
        case "trash-resource":
            trash_installed(t, f["iid"])
        case "remove-tag":
            remove_tag(t)


def trash_all(t: Table, iids: tuple[int, ...]) -> None:
    """Trash these cards."""
    for iid in iids:
        trash(t, iid)
