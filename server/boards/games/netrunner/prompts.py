"""What a player is asked, or waits for, in one sentence; and what the screen did by itself before."""

from __future__ import annotations

from collections.abc import Mapping

from game.choices import tokens
from game.contract import Action, Json, Number, OneOf, Subset
from game.netrunner.facts import CODES, CORP, FACTS, HIDDEN, RUNNER, plain_title
from game.netrunner.queries import rez_cost
from game.netrunner.stops import LAST_REZ
from server.boards.games.netrunner import dangers, errands, selection
from server.boards.games.netrunner.cardtext import bid_words, credits, effect_sentence, effect_words, title_of
from server.boards.games.netrunner.labels import card_name, place_words, reference, server_name
from server.boards.games.netrunner.rows import TRASHING
from server.boards.games.netrunner.rowtext import STATUS_COLS, pay_words
from server.boards.games.netrunner.scene import Shown, accessed, holder, ice_met, scene_of, step_of, table_of
from server.boards.games.netrunner.selection import Selection
from server.boards.seats import own_seat, waiting_words
from server.terminal.lines import columns, joined
from server.terminal.look import Look

NAMELESS = ("bid", "trace", "link", "x", "take", "more-access", "draw-up-to", "place-up-to", "arrange", "choose")
WHOLE = ("may", "either")  # prompts that ask whether, or which way, a card does what it does

NUMBER_COLS = 5  # of a number and its bounds, which stand behind a question


def told(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say what the screen did by itself since the last key; empty where it did nothing worth saying."""
    said = []
    for text in chosen.errands.told:
        verb, *rest = tokens(text)
        if verb == "pay":
            said.append(look.t("netrunner.did.pay", what=pay_words(rest, snapshot, look)))
        elif verb in errands.ACCESS and rest:
            said.append(look.t(f"netrunner.did.{verb}", card=title_of(rest[0], look)))
    t = table_of(snapshot)
    for key, iids in (("wanted", chosen.errands.wanted), ("wanted-at-end", chosen.errands.at_end)):
        if names := [card_name(t.cards[iid], look) for iid in iids if iid in t.cards]:
            said.append(look.t(f"netrunner.{key}", cards=look.t("list.comma").join(names)))
    return joined(said)


def prompt(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say what to do now, or on whom one waits."""
    pending = snapshot.pending
    if chosen.mode == selection.MORE:
        return look.t("netrunner.do.more")
    if chosen.mode == selection.LOOK:
        return look.t("netrunner.do.look")
    if chosen.mode == selection.LOG:
        return look.t("netrunner.do.log")
    if chosen.mode == selection.AUTO:
        return look.t("netrunner.do.auto")
    if pending is None:
        return waiting(snapshot, look)
    if chosen.mode == selection.SURE:
        return sure_words(snapshot, chosen.path[0], look)
    if chosen.mode == selection.TRASH:
        where = [one.removesuffix(TRASHING) for one in chosen.path]
        name = reference(snapshot, tokens(where[0])[1], look)
        if len(where) > 1:
            place = server_name(where[1], look)
            return look.t("netrunner.do.trash-at", card=name, place=place, chosen=len(chosen.ticked))
        return look.t("netrunner.do.trash", card=name, chosen=len(chosen.ticked))
    if chosen.path and chosen.path[0] != "order":
        return step_words(chosen.path[0], look)
    if len(chosen.path) > 1:
        cards = look.t("list.comma").join(reference(snapshot, item, look) for item in chosen.path[1:])
        said = look.t("netrunner.do.order", cards=cards)
    else:
        said = prompt_words(snapshot, chosen, look)
    if isinstance(pending.choice, Number):
        choice = pending.choice
        return look.t("netrunner.do.number", prompt=said, number=chosen.number, low=choice.low, high=choice.high)
    if isinstance(pending.choice, Subset) and not selection.is_single(snapshot):
        return look.t("netrunner.do.several", prompt=said, chosen=len(chosen.ticked), most=pending.choice.max)
    return said


def sure_words(snapshot: Shown, text: str, look: Look) -> str:
    """Say why an action is asked first."""
    if dangers.danger(snapshot, text) == dangers.TURN:
        return look.t("netrunner.sure.turn", count=dangers.clicks_of(snapshot, text))
    harm, cards = dangers.damage_of(snapshot, text), dangers.grip_after(snapshot, text)
    return look.t("netrunner.sure.flatline", harm=harm, cards=cards)


def waiting(snapshot: Shown, look: Look) -> str:
    """Say who thinks; a window tells no more than that it is open."""
    seat = holder(snapshot)
    return waiting_words(snapshot, () if seat is None else (seat,), look)


def step_words(part: str, look: Look) -> str:
    """Say what a further list asks."""
    verb, *rest = tokens(part)
    card = rest[0].strip('"') if rest else ""
    return look.t(f"netrunner.do.{verb}", card=card)


def prompt_words(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Return the decision's own prompt."""
    pending = snapshot.pending
    assert pending is not None
    raw = dict(pending.params)
    said: dict[str, object] = {key: value for key, value in raw.items() if isinstance(value, str | int)}
    if isinstance(server := raw.get("server"), str):
        said["server"] = server_name(server, look)
    if isinstance(what := raw.get("what"), str):
        said["what"] = what_words(pending.prompt, what, look)
    if selection.goes_by(snapshot, chosen):
        return look.t("netrunner.prompt.window.by-itself")
    if pending.prompt == "window":
        return window_words(snapshot, chosen, look)
    if pending.prompt == "accessed":
        here = accessed(snapshot)
        name = title_of(here.code, look) if here is not None else ""
        place = place_words(here.place, look) if here is not None else ""
        said |= {"card": name, "place": place}
    if effect := asked_words(raw, look, is_whole=pending.prompt in WHOLE):
        return effect
    if pending.prompt == "choose":
        said["nth"] = nth_words(raw, look)
    if "credits" in said:
        said["cost"] = credits(said["credits"], look)
    key = f"netrunner.prompt.{pending.prompt}"
    if key.endswith((".choose", ".beta-test")) and pending.choice == OneOf((Action("no"),)):
        key += ".none"
    if (cards := looked_at(snapshot, look)) and look.has(seen := key.replace(".prompt.", ".seen.")):
        return look.t(seen, cards=cards)
    free = raw.get("credits") == 0 and look.has(f"{key}.free")
    return of_card(look.t(f"{key}.free" if free else key, **said), snapshot, look)


def looked_at(snapshot: Shown, look: Look) -> str:
    """Name the cards of the own deck that the viewer looks at for a question, the top one first; '' where none are."""
    pending, scene = snapshot.pending, scene_of(snapshot)
    asked = "" if pending is None else pending.prompt
    n = dict(pending.params).get("looked") if pending is not None else None
    codes = scene.stack[:1] if asked == "bottom" else scene.rd[:n] if isinstance(n, int) else ()
    return "" if HIDDEN in codes else look.t("list.comma").join(title_of(code, look) for code in codes)


def of_card(said: str, snapshot: Shown, look: Look) -> str:
    """Return a question with the card that asks it, and with what a bid brings; as much of it as there is room for."""
    pending, found = snapshot.pending, asking(snapshot)
    if pending is None or pending.prompt not in NAMELESS or found is None:
        return said
    code, place = found
    if said.startswith(title_of(code, look)):
        return said
    texts = [look.t("netrunner.prompt.of-card", card=title_of(code, look), text=said)]
    for key, brings in zip(("differ", "alike"), bid_words(code, place, look), strict=True):
        if brings and pending.prompt == "bid":
            high = dict(pending.params).get("high")
            told = look.t(f"netrunner.prompt.bid.{key}", high=high, text=brings)
            texts.insert(0, look.t("netrunner.prompt.of-card", card=title_of(code, look), text=told))
    room = STATUS_COLS - NUMBER_COLS if isinstance(pending.choice, Number) else STATUS_COLS
    return next((text for text in texts if columns(text) <= room), said)


def asking(snapshot: Shown) -> tuple[str, str] | None:
    """Return the card whose effect is being carried out, and the effect's place; None: not known."""
    for frame in reversed(scene_of(snapshot).frames):
        data = dict(frame.data)
        code, path = data.get("code"), data.get("path")
        if frame.op == "do" and isinstance(code, str) and code in FACTS and isinstance(path, tuple):
            return code, ".".join(str(part) for part in (*path, data.get("pc", 0)))
    return None


def asked_words(params: Mapping[str, Json], look: Look, is_whole: bool = False) -> str:
    """Return what the effect does that a card asks about; empty for another question, or where it takes too long.

    Where there is no room for the card's title beside it, the title is left out. `is_whole`: it takes as many lines as
    it needs: one can't say yes or no to what one does not know.
    """
    card, place = params.get("card"), params.get("effect")
    if not isinstance(card, str) or not isinstance(place, str):
        return ""
    code = CODES[plain_title(card)]
    text, alone = effect_words(code, place, look), effect_sentence(code, place, look)
    said = look.t("netrunner.prompt.effect", card=title_of(code, look), text=f"{text}{nth_words(params, look)}")
    if columns(said) > STATUS_COLS and not is_whole:
        said = look.t("netrunner.prompt.effect.alone", text=f"{alone}{nth_words(params, look)}")
    return said if is_whole or columns(said) <= STATUS_COLS else ""


def nth_words(params: Mapping[str, Json], look: Look) -> str:
    """Return which of several picks this is; empty where there is one, or any number."""
    nth, most = params.get("nth"), params.get("most")
    return look.t("netrunner.prompt.nth", nth=nth, most=most) if nth is not None else ""


def what_words(asked: str, what: str, look: Look) -> str:
    """Return a filter's pool in words, or what is to be prevented."""
    if asked == "prevent":
        return look.t(f"netrunner.harm.{what}")
    pool = what.partition(" ")[0].partition(":")[0]
    return look.t(f"netrunner.pool.{pool}")


def window_words(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say what a window is for: rez, break, use something, or pass."""
    name, params = window_asked(snapshot, chosen, look)
    return look.t(f"netrunner.prompt.{name}", **params)


def window_asked(snapshot: Shown, chosen: Selection, look: Look) -> tuple[str, Mapping[str, object]]:
    """Return what a window is for by the name of its prompt, with the parameters of that."""
    t, seat = table_of(snapshot), own_seat(snapshot)
    ice, choice = ice_met(t), snapshot.pending.choice if snapshot.pending is not None else None
    texts = [action.text for action in choice.actions] if isinstance(choice, OneOf) else []
    texts = [text for text in texts if text not in selection.vain_rezzes(snapshot)]
    if seat == CORP and ice is not None and any(text.startswith("rez ice:") for text in texts):
        return "window.rez", {"card": title_of(ice.code, look)}
    if seat == CORP and ice is not None and not ice.rezzed and step_of(scene_of(snapshot)) == "run.2.3":
        cost, have = credits(rez_cost(t, ice), look), credits(t.credits[CORP], look)
        return "window.rez.not", {"card": title_of(ice.code, look), "cost": cost, "have": have}
    if seat == RUNNER and ice is not None and t.run is not None and t.run.step == "run.3.1":
        return "window.break", {"card": title_of(ice.code, look)}
    if seat == CORP and t.run is not None and t.run.step == LAST_REZ:
        return "window.access", {"server": server_name(t.run.server, look)}
    if any(text.startswith("score ") for text in texts):
        return "window.score", {}
    if len(texts) > 1:
        return "window", {}
    is_alike = bool(errands.urgent_now(snapshot, chosen.errands)) and not chosen.errands.is_explained
    return "window.idle.alike" if is_alike else "window.idle", {}
