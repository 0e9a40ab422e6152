"""What the rows of a decision say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from game.choices import tokens
from game.contract import Subset
from game.netrunner.actions import ADVANCE, TAG_CLICK, install_cost
from game.netrunner.costs import POOL
from game.netrunner.facts import CODES, CORP, FACTS, RUNNER, plain_title
from game.netrunner.installs import replaced
from game.netrunner.places import ref
from game.netrunner.queries import printed_index, rez_cost, steal_cost
from game.netrunner.state import Card
from game.netrunner.table import Table, entry
from game.netrunner.vocabulary import Cost
from game.netrunner.windows import purpose_of
from server.boards.games.netrunner import breaking, paying, selection
from server.boards.games.netrunner.cardtext import ability_words, cost_words, credits, may_words, sub_words, title_of
from server.boards.games.netrunner.labels import card_name, located, reference, server_name
from server.boards.games.netrunner.rows import TRASHING, ChoiceRow
from server.boards.games.netrunner.scene import Shown, accessed, ice_met, is_known, named, scene_of, table_of
from server.boards.games.netrunner.selection import Selection
from server.boards.games.netrunner.whynot import reason
from server.boards.seats import own_seat
from server.terminal.lines import clip, columns
from server.terminal.look import Look

BARE = ("credit", "draw", "purge", "keep", "mulligan", "continue", "jack-out", "steal", "trash", "yes", "no", "leave")
ANSWERS = ("yes", "no")
STATUS_COLS = 76  # how much of the line of status a sentence may take
PRICES = {"advance": ADVANCE, "remove-tag": TAG_CLICK, "trash-resource": TAG_CLICK}
LISTED = ("run", "advance", "trash-resource", "order")


def row_words(row: ChoiceRow, snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Return what a row says."""
    pending = snapshot.pending
    if row.part.startswith((f"{selection.WANT} ", f"{selection.AT_END} ")):
        return wanted_words(row, snapshot, chosen, look)
    if row.part.startswith(f"{selection.HUSH} "):
        card = named(snapshot, tokens(row.part)[1])
        is_hushed = card is not None and card.iid in chosen.errands.hushed
        key = "netrunner.row.hush.no" if is_hushed else "netrunner.row.hush"
        return look.t(key, card=reference(snapshot, tokens(row.part)[1], look))
    if row.part == selection.TO_ACCESS:
        return look.t("netrunner.row.to-access.no" if chosen.errands.to_access else "netrunner.row.to-access")
    if chosen.mode == selection.SURE:
        said = "" if row.part == selection.BACK else action_words(row.part, snapshot, look)
        return look.t("netrunner.row.sure", what=said) if said else look.t("netrunner.row.back")
    if not row.texts:
        name = hand_words(*barred_words(row.part), snapshot, look)
        return look.t("netrunner.barred", name=name, why=reason(row.part, snapshot, look))
    if row.part.startswith(f"{breaking.VERB} "):
        return breaking_words(row.part, snapshot, look)
    if pending is not None and isinstance(pending.choice, Subset):
        return item_words(pending.choice.verb, row.part, snapshot, look)
    if chosen.path:
        return further_words(row, snapshot, chosen, look)
    if row.texts[0].startswith("order ") and row.part != "order" and not row.part.startswith("order "):
        return reference(snapshot, row.part, look)
    if row.part in LISTED and not row.is_whole:
        return with_price(row.part, look.t(f"netrunner.row.{row.part}.which"), look)
    return action_words(row.part if not row.is_whole else row.texts[0], snapshot, look, whole=row.is_whole)


def wanted_words(row: ChoiceRow, snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Return what a row says with which a card is rezzed by the screen when its time comes, or no longer."""
    verb, of = tokens(row.part)
    name, card = reference(snapshot, of, look), named(snapshot, of)
    if card is None:
        return name
    left = chosen.errands
    if card.iid in (left.wanted if verb == selection.WANT else left.at_end):
        return look.t(f"netrunner.row.{verb}.no", card=name)
    return look.t(f"netrunner.row.{verb}", card=name, cost=credits(rez_cost(table_of(snapshot), card), look))


def barred_words(part: str) -> tuple[str, list[str]]:
    """Return the verb and the title of a row that can't be taken."""
    verb, *rest = tokens(part)
    return verb, rest


def refusal(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say why the row under the cursor can't be taken; empty where it can."""
    found = selection.rows(snapshot, chosen) if chosen.mode == selection.FREE else ()
    row = found[chosen.cursor] if 0 <= chosen.cursor < len(found) else None
    if row is None or row.texts or not row.part:
        return ""
    name = hand_words(*barred_words(row.part), snapshot, look)
    return look.t("netrunner.barred.said", name=name, why=reason(row.part, snapshot, look))


def barred_cell(row: ChoiceRow, snapshot: Shown, look: Look, cols: int) -> str:
    """Name what can't be done now, without the reason, in so many columns: the cursor on it says why.

    Where there is less room, it is the card alone.
    """
    verb, (quoted, *_) = barred_words(row.part)
    name = hand_words(verb, [quoted], snapshot, look)
    room = max(1, cols - columns(look.t("netrunner.barred.bare", name="")))
    return look.t("netrunner.barred.bare", name=name if columns(name) <= room else clip(quoted[1:-1], room))


def met_sub_words(ice: Card, at: int, snapshot: Shown, look: Look) -> str:
    """Return what the n-th subroutine of the ice at hand does."""
    return sub_words(ice.code, printed_index(table_of(snapshot), ice, at), look)


def breaking_words(part: str, snapshot: Shown, look: Look) -> str:
    """Return what it takes a breaker to break all, and which of it is not from the credit pool."""
    t, card = table_of(snapshot), named(snapshot, tokens(part)[1])
    way = breaking.way_of(t, card) if card is not None else None
    if card is None or way is None:
        return reference(snapshot, tokens(part)[1], look)
    split = paying.taken(t, RUNNER, purpose_of(card), way.cost)
    key = "netrunner.row.break-all.matched" if way.pumps else "netrunner.row.break-all"
    name = card_name(card, look)
    name = look.t("netrunner.row.then-trashed", card=name) if breaking.is_lost(t, card) else name
    said = look.t(key, card=name, cost=credits(way.cost, look))
    others = {source: n for source, n in split.items() if source != POOL}
    return look.t("netrunner.row.paid-from", said=said, what=split_words(others, snapshot, look)) if others else said


def item_words(verb: str, item: str, snapshot: Shown, look: Look) -> str:
    """Return what an item of several says: a subroutine, a card of the hand."""
    ice = ice_met(table_of(snapshot))
    if verb == "break" and ice is not None and item.isdigit():
        return look.t("netrunner.row.sub", number=int(item) + 1, does=met_sub_words(ice, int(item), snapshot, look))
    return reference(snapshot, item, look)


def further_words(row: ChoiceRow, snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Return what a row of a further list says: where, with what trashed, in which order."""
    if not row.part:
        return look.t("netrunner.row.trash-nothing")
    if chosen.mode == selection.TRASH:
        return reference(snapshot, row.part, look)
    words = tokens(row.part)
    if words[0] == "trash":
        cards = look.t("list.comma").join(reference(snapshot, word, look) for word in words[1:])
        return look.t("netrunner.row.trashing", cards=cards)
    name = reference(snapshot, words[0], look)
    first = tokens(chosen.path[0])
    if row.part.endswith(TRASHING) and not row.is_whole:
        return look.t("netrunner.row.trashing-first", name=name)
    if first[0] == "install" and is_ice(first[1]):
        gone = tokens(row.texts[0])[4:] if row.is_whole else []
        ice = len(table_of(snapshot).ice(words[0])) - len(gone)
        name = look.t("netrunner.row.priced", name=name, cost=credits(ice, look)) if ice else name
    rest = tokens(row.texts[0])[3:]
    if first[0] == "install" and row.is_whole and rest:
        cards = look.t("list.comma").join(reference(snapshot, word, look) for word in rest[1:])
        name = look.t("netrunner.row.place-trashing", name=name, cards=cards)
    return over_words(name, row.texts[0], snapshot, look) if row.is_whole else name


def outdone(text: str, snapshot: Shown) -> list[Card]:
    """Return the own cards that an install or a rez trashes by itself: the other region, console or copy."""
    verb, *rest = tokens(text)
    t, seat = table_of(snapshot), own_seat(snapshot)
    if verb == "rez":
        card = named(snapshot, rest[0])
        return older(t, card.code, CORP, card.iid) if card is not None and is_known(card) else []
    code = CODES.get(plain_title(rest[0][1:-1]), "") if rest else ""
    if verb != "install" or code not in FACTS or seat is None:
        return []
    if seat == CORP:
        gone = rest[3:] if rest[2:3] == ["trash"] else []
        over = replaced(t, code, rest[1]) if len(rest) > 1 else []
        return [t.cards[iid] for iid in over if ref(t, t.cards[iid], seat) not in gone]
    return older(t, code, RUNNER)


def older(t: Table, code: str, side: int, but: int = 0) -> list[Card]:
    """Return the active cards of which there may be one only that another one would be."""
    facts = FACTS[code]
    found = [card for card in t.active() if card.side == side and card.iid != but and card.place != "identity"]
    is_console = "console" in facts.subtypes
    return [
        card
        for card in found
        if (facts.unique and card.code == code) or (is_console and "console" in FACTS[card.code].subtypes)
    ]


def over_words(said: str, text: str, snapshot: Shown, look: Look) -> str:
    """Return what a row says, with the own cards that go at once."""
    cards = outdone(text, snapshot)
    if not cards:
        return said
    told = look.t("list.comma").join(located(card, look, table_of(snapshot)) for card in cards)
    return look.t("netrunner.row.place-trashing", name=said, cards=told)


def is_ice(title: str) -> bool:
    """Tell whether a quoted title is a piece of ice."""
    code = CODES.get(plain_title(title.strip('"')))
    return code is not None and FACTS[code].type == "ice"


def action_words(text: str, snapshot: Shown, look: Look, whole: bool = True) -> str:
    """Return an action in words."""
    verb, *rest = tokens(text)
    if verb == "no" and snapshot.pending is not None and snapshot.pending.prompt in ("choose", "beta-test"):
        return look.t("netrunner.row.no.card")
    if verb in ANSWERS and (said := answer_words(verb, snapshot, look)):
        return said
    if verb in BARE:
        return bare_words(verb, snapshot, look)
    match verb:
        case "pass":
            return look.t("netrunner.row.pass")
        case "install" | "play":
            return hand_words(verb, rest, snapshot, look)
        case "run":
            return look.t("netrunner.row.run", server=server_name(rest[0], look))
        case "use":
            return use_words(rest, snapshot, look)
        case "rez":
            return rez_words(rest[0], snapshot, look)
        case "access":
            return access_words(rest[0], snapshot, look)
        case "pay":
            return pay_words(rest, snapshot, look)
        case "choose":
            return reference(snapshot, rest[0], look)
        case "break":
            return item_words(verb, rest[0], snapshot, look)
    cards = look.t("list.comma").join(reference(snapshot, word, look) for word in rest)
    said = look.t(f"netrunner.row.{verb}", card=cards) if whole else look.t(f"netrunner.row.{verb}.which")
    return with_price(verb, said, look)


def with_price(verb: str, said: str, look: Look) -> str:
    """Return a basic action with the credits that it costs."""
    cost = PRICES.get(verb)
    return look.t("netrunner.row.priced", name=said, cost=credits(cost.credits, look)) if cost is not None else said


def answer_words(verb: str, snapshot: Shown, look: Look) -> str:
    """Return what yes or no brings; empty where it is no more than that, or takes too long to say."""
    pending = snapshot.pending
    if pending is None:
        return ""
    asked = dict(pending.params)
    card, place, n = asked.get("card"), asked.get("effect"), asked.get("credits")
    if pending.prompt == "may" and isinstance(card, str) and isinstance(place, str) and isinstance(n, int):
        code = CODES[plain_title(card)]
        said = may_words(code, place, n, target_words(snapshot, look), look)[ANSWERS.index(verb)]
        return said if columns(said) <= STATUS_COLS else ""
    key = f"netrunner.row.{pending.prompt}.{verb}"
    return look.t(key, cost=credits(n, look)) if look.has(key) else ""


def target_words(snapshot: Shown, look: Look) -> str:
    """Return the card on the table that the effect which asks is about; empty where there is none."""
    frames = (dict(frame.data) for frame in reversed(scene_of(snapshot).frames) if frame.op == "do")
    t, iid = table_of(snapshot), next(frames, {}).get("target")
    return located(t.cards[iid], look, t) if isinstance(iid, int) and iid in t.cards else ""


def bare_words(verb: str, snapshot: Shown, look: Look) -> str:
    """Return an action of one word; what it costs where it costs something."""
    here = accessed(snapshot)
    if verb == "trash" and here is not None and here.code in FACTS:
        run = table_of(snapshot).run
        free = run is not None and "demolition" in run.mods
        price = credits(0 if free else FACTS[here.code].trash or 0, look)
        return look.t("netrunner.row.trash", card=title_of(here.code, look), cost=price)
    if verb == "steal" and here is not None and here.code in FACTS:
        own = entry(here.code).steal
        cost = replace(own, credits=own.credits + steal_cost(table_of(snapshot), here.place.rpartition(":")[2]))
        if cost == Cost():
            return look.t("netrunner.row.steal", card=title_of(here.code, look))
        said = credits(cost.credits, look) if cost == Cost(credits=cost.credits) else cost_words(cost, look)
        return look.t("netrunner.row.steal-for", card=title_of(here.code, look), cost=said)
    return with_price(verb, look.t(f"netrunner.row.{verb}"), look)


def hand_words(verb: str, rest: list[str], snapshot: Shown, look: Look) -> str:
    """Return 'Play TITLE' or 'Install TITLE', with the cost where it is fixed."""
    code = CODES.get(plain_title(rest[0][1:-1]), "")
    name, seat = rest[0][1:-1], own_seat(snapshot)
    if code not in FACTS:
        return name
    facts = FACTS[code]
    if seat == RUNNER and verb == "install":
        cost = install_cost(table_of(snapshot), code)
    elif verb == "play":
        cost = facts.cost
    else:
        cost = 0
    word = look.t(f"netrunner.row.{verb}", card=name)
    if rest[1:] == ["trash"]:
        word = look.t("netrunner.row.trashing-first", name=word)
    elif len(rest) > 2 and rest[1] == "trash":
        cards = look.t("list.comma").join(reference(snapshot, one, look) for one in rest[2:])
        word = look.t("netrunner.row.place-trashing", name=word, cards=cards)
    elif len(rest) > 1:
        word = look.t("netrunner.row.install-at", card=word, place=server_name(rest[1], look))
        if rest[2:]:
            cards = look.t("list.comma").join(reference(snapshot, one, look) for one in rest[3:])
            word = look.t("netrunner.row.place-trashing", name=word, cards=cards)
    word = look.t("netrunner.row.priced", name=word, cost=credits(cost, look)) if cost else word
    return over_words(word, " ".join((verb, *rest)), snapshot, look)


def use_words(rest: list[str], snapshot: Shown, look: Look) -> str:
    """Return what a paid ability says; a bioroid's is a click for a subroutine."""
    card, index = named(snapshot, rest[0]), int(rest[1])
    if card is None:
        return look.t("netrunner.row.use", card=reference(snapshot, rest[0], look))
    name = title_of(card.code, look)
    if card.side != own_seat(snapshot):
        return look.t("netrunner.row.click-through", sub=met_sub_words(card, index, snapshot, look), card=name)
    does = ability_words(card.code, index, look)
    key = "netrunner.row.use-for" if does else "netrunner.row.use"
    return look.t(key, card=name, does=does)


def rez_words(text: str, snapshot: Shown, look: Look) -> str:
    """Return 'Rez CARD' with what it costs."""
    card = named(snapshot, text)
    if card is None:
        return reference(snapshot, text, look)
    cost = credits(rez_cost(table_of(snapshot), card), look)
    said = look.t("netrunner.row.rez", card=located(card, look, table_of(snapshot)), cost=cost)
    return over_words(said, f"rez {text}", snapshot, look)


def access_words(text: str, snapshot: Shown, look: Look) -> str:
    """Return what is accessed next."""
    if text != "next":
        return look.t("netrunner.row.access", card=reference(snapshot, text, look))
    run = scene_of(snapshot).run
    return look.t(f"netrunner.row.access.{'hq' if run is not None and run.server == 'hq' else 'rd'}")


def pay_words(rest: list[str], snapshot: Shown, look: Look) -> str:
    """Return from where how many credits come."""
    return split_words(dict(zip(rest[::2], rest[1::2], strict=False)), snapshot, look)


def split_words(split: Mapping[str, object], snapshot: Shown, look: Look) -> str:
    """Return how many credits come from each source."""
    told = []
    for source, n in split.items():
        if source in ("pool", "bad-publicity"):
            name = look.t(f"netrunner.word.{source}")
        else:
            name = reference(snapshot, source, look)
        told.append(look.t("netrunner.row.pay", cost=credits(n, look), source=name))
    return look.t("list.comma").join(told)
