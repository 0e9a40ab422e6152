"""What is heard of a Netrunner board: both sides, the servers, the rig, a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from game.netrunner.facts import CODES, CORP, FACTS, HIDDEN, RUNNER, plain_title, title
from game.netrunner.places import ref
from game.netrunner.queries import hand_size, link, memory_limit, memory_used, points
from game.netrunner.state import Card
from game.netrunner.table import Table
from server.boards import saying
from server.boards.games.netrunner import details, selection, settings, sides, spokenchoice
from server.boards.games.netrunner.cardtext import (
    counted_title,
    credits,
    kind_words,
    number_words,
    text_lines,
    title_of,
)
from server.boards.games.netrunner.details import ListedCard
from server.boards.games.netrunner.labels import card_name, seat_name, server_name, side_name
from server.boards.games.netrunner.rowtext import met_sub_words
from server.boards.games.netrunner.scene import (
    Shown,
    accessed,
    column,
    counted,
    counters_of,
    hand_of,
    holder,
    ice_met,
    is_up,
    named,
    rig_rows,
    scene_of,
    score_row,
    setting,
    step_of,
    strength_of,
    subs_of,
    table_of,
    told_hands,
)
from server.boards.saying import listed, sentence
from server.boards.seats import is_you, own_seat, waiting_words
from server.terminal.lines import joined
from server.terminal.look import Look

HANDS: Final = ("hq", "grip")
PILES: Final = ("hq", "rd", "archives", "grip", "stack", "heap", "rig", "score")


def position(snapshot: Shown, look: Look) -> tuple[str, ...]:
    """Say the table: the step, what is asked, both sides, the servers, the rig, the scored agendas, the own hand."""
    t = table_of(snapshot)
    head = tuple(filter(None, (_step(snapshot, look), spokenchoice.whole_question(snapshot, look))))
    both = (_side(snapshot, CORP, look), *_servers(snapshot, look), _side(snapshot, RUNNER, look), _rig(snapshot, look))
    scored = tuple(_scored(snapshot, side, look) for side in (CORP, RUNNER) if score_row(t, side))
    held = hand(snapshot, look)[:1]
    few = (_side(snapshot, CORP, look), *_servers(snapshot, look, is_brief=True), _side(snapshot, RUNNER, look))
    ways = ((*both, *scored, *held), (*both, *held), both, (*few, _rig(snapshot, look)), few)
    return saying.fitting([(*head, *way) for way in ways])


def _step(snapshot: Shown, look: Look) -> str:
    """Say whose turn it is, the step, and who has to act."""
    scene, seat = scene_of(snapshot), holder(snapshot)
    step = step_of(scene)
    turn = look.t(f"netrunner.turn.{'corp' if scene.turn == CORP else 'runner'}")
    said = sides.step_name(step, look)
    told = [sentence(said if step.startswith("setup") else look.t("list.pair", what=turn, value=said), look)]
    if scene.run is not None:
        told.append(_run(snapshot, look))
    if seat is not None and not is_you(snapshot, seat):
        told.append(waiting_words(snapshot, (seat,), look))
    return joined(told)


def _run(snapshot: Shown, look: Look) -> str:
    """Say where a run stands."""
    t = table_of(snapshot)
    assert t.run is not None
    server, ice, here = server_name(t.run.server, look), ice_met(t), accessed(snapshot)
    if ice is not None:
        before = column(t, t.run.server)
        at = {"nth": before.index(ice) + 1, "count": len(before)} if ice in before else {}
        key = "netrunner.say.run.ice" if len(before) < 2 or not at else "netrunner.say.run.ice-of"
        said = look.t(key, server=server, card=_card(t, ice, look), **at)
        return joined((said, _subs(snapshot, ice, look))) if is_up(ice) else said
    if here is not None:
        return look.t("netrunner.say.run.access", server=server, card=title_of(here.code, look))
    return look.t("netrunner.say.run.server" if t.run.step == "run.5.2" else "netrunner.say.run", server=server)


def _subs(snapshot: Shown, ice: Card, look: Look) -> str:
    """Say the subroutines of the ice that a run has come to."""
    t = table_of(snapshot)
    broken = t.run.broken if t.run is not None else ()
    told = [
        look.t(
            f"netrunner.say.sub.{'broken' if at in broken else 'open'}",
            number=at + 1,
            does=met_sub_words(ice, at, snapshot, look),
        )
        for at in range(subs_of(t, ice))
    ]
    return look.t("netrunner.say.subs", subs=look.t("list.then").join(told)) if told else ""


def _side(snapshot: Shown, side: int, look: Look) -> str:
    """Say what a side has: credits, clicks, cards, and what counts against it."""
    scene, t = scene_of(snapshot), table_of(snapshot)
    told = [credits(scene.credits[side], look)]
    if scene.turn == side:
        told.append(look.t("netrunner.say.clicks", n=scene.clicks[side]))
    told += _corp_has(t, look) if side == CORP else _runner_has(t, look)
    told.append(look.t("netrunner.say.points", n=points(t, side)))
    identities = [card for card in t.at("identity") if card.side == side]
    held = [_on(card, look) for card in identities]
    name = look.t("netrunner.say.you") if is_you(snapshot, side) else seat_name(snapshot, side, look)
    known = listed((card_name(card, look) for card in identities if card.code != HIDDEN), look)
    key = "netrunner.say.who-is" if known else "netrunner.say.who"
    who = look.t(key, name=name, side=side_name(side, look), identity=known)
    return look.t("netrunner.say.side", who=who, words=listed((*told, *filter(None, held)), look))


def _corp_has(t: Table, look: Look) -> Iterator[str]:
    down = sum(not up for _, up in t.archives)
    yield look.t("netrunner.say.hq", count=len(t.hand(CORP)), most=hand_size(t, CORP))
    yield look.t("netrunner.has.rd", count=len(t.rd))
    yield look.t("netrunner.say.archives", up=len(t.archives) - down, down=down)
    if t.bad_publicity:
        yield look.t("netrunner.say.bad-publicity", count=t.bad_publicity)
    for card in t.at("current"):
        yield look.t("netrunner.has.current", card=card_name(card, look))


def _runner_has(t: Table, look: Look) -> Iterator[str]:
    yield look.t("netrunner.say.grip", count=len(t.hand(RUNNER)), most=hand_size(t, RUNNER))
    yield look.t("netrunner.has.stack", count=len(t.stack))
    yield look.t("netrunner.has.heap", count=len(t.heap))
    yield look.t("netrunner.say.memory", used=memory_used(t), most=memory_limit(t))
    counts = {"link": link(t), "tags": t.tags, "brain": t.brain}
    yield from (look.t(f"netrunner.has.{name}", count=n) for name, n in counts.items() if n)


def _servers(snapshot: Shown, look: Look, is_brief: bool = False) -> tuple[str, ...]:
    """Say what stands before and in each server; `is_brief`: how much."""
    t = table_of(snapshot)
    bare = [server_name(server, look) for server in t.servers() if not t.ice(server) and not t.root(server)]
    told = [server_words(t, server, look, is_brief) for server in t.servers() if t.ice(server) or t.root(server)]
    return (*told, *([look.t("netrunner.say.servers.bare", servers=listed(bare, look))] if bare else []))


def server_words(t: Table, server: str, look: Look, is_brief: bool = False) -> str:
    """Say what stands before a server, the outermost first, and what is in its root."""
    ice, root = column(t, server), t.root(server)
    if is_brief:
        return look.t("netrunner.say.server.brief", server=server_name(server, look), ice=len(ice), root=len(root))
    if not ice and not root:
        return look.t("netrunner.say.servers.bare", servers=server_name(server, look))
    key = "netrunner.say.server.no-ice" if not ice else "netrunner.say.server.root" if root else "netrunner.say.server"
    return look.t(key, server=server_name(server, look), ice=_cards(t, ice, look), root=_cards(t, root, look))


def _cards(t: Table, cards: Iterable[Card], look: Look) -> str:
    return listed((_card(t, card, look) for card in cards), look)


def _card(t: Table, card: Card, look: Look) -> str:
    """Say a card on the table: its name, strength, what is on it, what it hosts, whether it is rezzed."""
    strength = strength_of(t, card) if is_up(card) else None
    told = [look.t("netrunner.tile.strength", n=strength)] if strength is not None else []
    told += [_on(card, look)]
    if not is_up(card) and card.code != HIDDEN:
        told.append(look.t("netrunner.look.unrezzed"))
    told += [look.t("netrunner.look.hosts", cards=_cards(t, t.hosted(card.iid), look))] if t.hosted(card.iid) else []
    words, name = listed(filter(None, told), look), card_name(card, look)
    return look.t("netrunner.say.card", card=name, words=words) if words else name


def _on(card: Card, look: Look) -> str:
    """Say the counters on a card."""
    return listed((_counters(kind, n, look) for kind, n in counters_of(card)), look)


def _counters(kind: str, n: int, look: Look) -> str:
    if kind in ("credit", "recurring"):
        return look.t("netrunner.say.on", cost=credits(n, look))
    return look.t(f"netrunner.tile.{kind}", n=n)


def _rig(snapshot: Shown, look: Look) -> str:
    """Say what the Runner has installed, by kind; what is hosted is said with its host."""
    t = table_of(snapshot)
    told = []
    for kind, cards in zip(sides.KINDS, rig_rows(t), strict=True):
        shown = [card for card in cards if card.place != "hosted" or t.cards[card.host].side == CORP]
        if shown:
            told.append(look.t("list.pair", what=look.t(f"netrunner.rig.{kind}"), value=_cards(t, shown, look)))
    if not told:
        return look.t("netrunner.rig.empty")
    return look.t("netrunner.say.rig", cards=look.t("list.then").join(told))


def _scored(snapshot: Shown, side: int, look: Look) -> str:
    t = table_of(snapshot)
    pile = look.t(f"netrunner.pile.{'scored' if side == CORP else 'stolen'}")
    cards = _cards(t, score_row(t, side), look) or look.t("netrunner.hand.empty")
    return sentence(look.t("list.pair", what=pile, value=cards), look)


def hand(snapshot: Shown, look: Look) -> tuple[str, ...]:
    """Say the viewer's hand: first all of it, then what each card is; of who watches open hands both, a turn ago."""
    seat, scene = own_seat(snapshot), scene_of(snapshot)
    if seat is None:
        hands = told_hands(snapshot.view)
        shown = () if hands is None else ((HANDS[CORP], hands.hq), (HANDS[RUNNER], hands.grip))
        return tuple(
            _held(look.t("netrunner.a-turn-ago", place=look.t(f"netrunner.place.{name}")), held, look)
            for name, held in shown
        )
    held = hand_of(scene, seat)
    codes = [code for code, _ in counted(held)]
    return (_held(look.t(f"netrunner.pile.{HANDS[seat]}"), held, look), *(_printed(code, look) for code in codes))


def _held(name: str, codes: tuple[str, ...], look: Look) -> str:
    return sentence(look.t("list.pair", what=name, value=_titles(codes, look) or look.t("netrunner.hand.empty")), look)


def _titles(codes: tuple[str, ...], look: Look) -> str:
    return listed((counted_title(code, n, look) for code, n in counted(codes)), look)


def _printed(code: str, look: Look) -> str:
    """Say what is printed on a card."""
    if code not in FACTS:
        return sentence(look.t("netrunner.look.unknown"), look)
    told = look.t("list.clause").join(filter(None, (kind_words(code, look).rstrip(".。"), number_words(code, look))))
    head = look.t("list.pair", what=FACTS[code].title, value=told)
    return joined((sentence(head, look), *(sentence(line, look) for line in text_lines(code, look))))


def of(snapshot: Shown, look: Look, what: str) -> tuple[str, ...]:
    """Say a card by its title or reference, a server, a pile, or what a player has."""
    said, t = what.strip(), table_of(snapshot)
    if saying.is_named(said, ("auto", look.t("keys.netrunner.auto"))):
        return _stops(snapshot, look)
    for server in t.servers():
        if saying.is_named(said, (server, server_name(server, look))):
            return (server_words(t, server, look), *_pile(snapshot, server, look))
    for pile in PILES:
        if saying.is_named(said, (pile, look.t(f"netrunner.say.pile.{pile}"))):
            return tuple(_pile(snapshot, pile, look))
    for seat in (CORP, RUNNER):
        names = (seat_name(snapshot, seat, look), side_name(seat, look))
        if saying.is_named(said, names):
            codes = [card.code for card in table_of(snapshot).at("identity") if card.side == seat]
            return (_side(snapshot, seat, look), *(_printed(code, look) for code in codes))
    return _of_cards(snapshot, look, said)


def _stops(snapshot: Shown, look: Look) -> tuple[str, ...]:
    """Say at which steps the match stops for the viewer, and how that is changed."""
    steps = settings.windows(snapshot)
    if not steps:
        return ()
    told = (
        look.t(
            "netrunner.say.stop",
            step=step,
            name=f"{settings.side_word(step, look)} {look.t(f'netrunner.step.{step}')}",
            mode=look.t(f"netrunner.auto.{setting(snapshot, step)}"),
        )
        for step in steps
    )
    return (look.t("netrunner.auto.text"), *told, look.t("netrunner.say.stops", modes=_modes(look)))


def _modes(look: Look) -> str:
    """Say the words that choose when the match stops at a step, each with what it means."""
    return look.t("list.then").join(
        look.t("list.pair", what=mode, value=look.t(f"netrunner.auto.{mode}")) for mode in settings.MODES
    )


def _of_cards(snapshot: Shown, look: Look, said: str) -> tuple[str, ...]:
    """Say the cards in view of a title, a part of one that is no other's, or a reference; else a printed card."""
    card = named(snapshot, said) if said else None
    if card is not None:
        return (_described(ListedCard("", card.code, card), snapshot, look),)
    wanted = _plain(said.strip('"'))
    if not wanted:
        return ()
    items = [item for item in details.items(snapshot) if item.code in FACTS]
    found = [item for item in items if wanted in (_plain(title(item.code)), _plain(title_of(item.code, look)))]
    if not found:
        begun = [item for item in items if _plain(title(item.code)).startswith(wanted)]
        found = begun if len({item.code for item in begun}) == 1 else []
    if found:
        code = found[0].code
        lying = [_described(item, snapshot, look, False) for item in found if item.card is not None]
        return (_printed(code, look), *dict.fromkeys(filter(None, lying)))
    known = next((code for name, code in CODES.items() if name.casefold() == wanted), None)
    return (_printed(known, look),) if known is not None else ()


def _plain(name: str) -> str:
    """Return a card's name as it is compared."""
    return plain_title(name).casefold()


def _described(item: ListedCard, snapshot: Shown, look: Look, is_whole: bool = True) -> str:
    """Say a card on the table: what is printed on it, and where and how it lies."""
    t, card = table_of(snapshot), item.card
    printed = _printed(item.code, look) if is_whole else ""
    if card is None or card.place == "identity":
        return printed
    place = details.heading(_place(card), look)
    told = [look.t("list.pair", what=place, value=_card(t, card, look)), *details.hosting(t, card, look)]
    seat = own_seat(snapshot)
    if seat is not None:
        told.append(look.t("netrunner.say.written", text=ref(t, card, seat)))
    return joined((printed, *(sentence(one, look) for one in told)))


def _place(card: Card) -> str:
    kind, _, server = card.place.partition(":")
    return f"server:{server}" if kind in ("ice", "root") else "rig" if kind == "hosted" else card.place


def _pile(snapshot: Shown, pile: str, look: Look) -> Iterator[str]:
    """Yield what lies in a pile, as far as the viewer knows."""
    scene = scene_of(snapshot)
    match pile:
        case "rig":
            yield _rig(snapshot, look)
        case "score":
            yield from (_scored(snapshot, side, look) for side in (CORP, RUNNER))
        case "rd" | "stack":
            yield look.t("netrunner.say.count", pile=look.t(f"netrunner.say.pile.{pile}"), n=len(getattr(scene, pile)))
        case "hq" | "grip" | "heap" | "archives":
            cards = tuple(code for code, _ in scene.archives) if pile == "archives" else getattr(scene, pile)
            name = look.t(f"netrunner.say.pile.{pile}")
            yield look.t("netrunner.say.count", pile=name, n=len(cards))
            if counted(cards):
                yield look.t("netrunner.say.known", cards=_titles(cards, look))


def news(snapshot: Shown, look: Look) -> str:
    """Return the question that the prompt has no room for; where one may jack out, how far the run is."""
    pending = snapshot.pending
    if pending is not None and pending.prompt == selection.JACK_OUT:
        return _run(snapshot, look)
    return spokenchoice.whole_question(snapshot, look)
