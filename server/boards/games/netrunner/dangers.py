"""What is asked first, as it may flatline oneself or spends a whole turn; what only Enter does, as it is for good."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass

from game.choices import tokens
from game.contract import Action
from game.netrunner.facts import CODES, FACTS, RUNNER, plain_title
from game.netrunner.measures import AdvancementCounters
from game.netrunner.queries import printed_index
from game.netrunner.state import Card
from game.netrunner.table import Table, entry
from game.netrunner.timing import ENCOUNTER
from game.netrunner.vocabulary import Damage, Effect
from server.boards.games.netrunner.rows import PASSING
from server.boards.games.netrunner.scene import (
    ACTION,
    Shown,
    accessed,
    hand_of,
    ice_met,
    is_known,
    named,
    scene_of,
    step_of,
    subs_of,
    table_of,
)
from server.boards.seats import own_seat

WHOLE_TURN_CLICKS = 3
LAST_JACK_OUT = "run.5.2"
TURN, FLATLINE = "turn", "flatline"
AT_ONCE = (*PASSING, "access", "jack-out", "keep", "mulligan", "steal")  # by a digit, whatever it stood for before


def danger(snapshot: Shown, text: str) -> str:
    """Return why an action is asked first, `TURN` or `FLATLINE`; empty: it is not."""
    if clicks_of(snapshot, text) >= WHOLE_TURN_CLICKS:
        return TURN
    if own_seat(snapshot) == RUNNER and damage_of(snapshot, text) > grip_after(snapshot, text):
        return FLATLINE
    return ""


def clicks_of(snapshot: Shown, text: str) -> int:
    """Return the clicks that an action of one's turn spends."""
    pending, (verb, *rest) = snapshot.pending, tokens(text)
    if pending is None or pending.prompt != ACTION:
        return 0
    match verb:
        case "purge":
            return WHOLE_TURN_CLICKS
        case "play":
            return 1 + entry(CODES[plain_title(rest[0][1:-1])]).play_cost.clicks
        case "use":
            card = named(snapshot, rest[0])
            return entry(card.code).abilities[int(rest[1])].cost.clicks if card is not None else 0
    return 1


def grip_after(snapshot: Shown, text: str) -> int:
    """Return how many cards the Runner's grip has once an action is begun."""
    return len(hand_of(scene_of(snapshot), RUNNER)) - text.startswith("play ")


def damage_of(snapshot: Shown, text: str) -> int:
    """Return the damage that an action may bring at once, of what the Runner may know: the most that there is."""
    t, (verb, *rest) = table_of(snapshot), tokens(text)
    pending = snapshot.pending
    match verb:
        case "steal":
            here = accessed(snapshot)
            own = entry(here.code).steal.net if here is not None and here.code in FACTS else 0
            told = (one for card in t.active() for one in entry(card.code).on if one.event == "steal")
            return own + sum(damage(one.do) for one in told)
        case "play":
            return damage(entry(CODES[plain_title(rest[0][1:-1])]).play)
        case "use":
            card = named(snapshot, rest[0])
            mine = card is not None and card.side == RUNNER
            return entry(card.code).abilities[int(rest[1])].cost.net if card is not None and mine else 0
        case "run":
            ice = t.ice(rest[0])
            return root_damage(t, rest[0]) if not ice else 0
        case "continue" if step_of(scene_of(snapshot)) == LAST_JACK_OUT and t.run is not None:
            return root_damage(t, t.run.server)
        case "pass" if pending is not None and t.run is not None and t.run.step == "run.3.1":
            return unbroken_damage(t)
    return 0


def unbroken_damage(t: Table) -> int:
    """Return the damage of the unbroken subroutines of the ice that is encountered."""
    ice = ice_met(t)
    if ice is None or t.run is None or not is_known(ice) or not ice.rezzed:
        return 0
    subs, found = entry(ice.code).subs, 0
    for at in range(subs_of(t, ice)):
        index = printed_index(t, ice, at)
        found += damage(subs[index]) if at not in t.run.broken and index < len(subs) else 0
    return found


def root_damage(t: Table, server: str) -> int:
    """Return the damage of what lies in a server's root, as far as the Runner knows it, when it is accessed."""
    known = [card for card in t.root(server) if is_known(card)]
    return sum(damage(entry(card.code).access, card) for card in known)


def damage(effects: Iterable[Effect], card: Card | None = None) -> int:
    """Return the most damage that effects do, with what is in them; X and the like count nothing."""
    found = 0
    for effect in effects:
        if isinstance(effect, Damage):
            n = effect.n
            if isinstance(n, int):
                found += n
            elif isinstance(n, AdvancementCounters) and card is not None:
                found += n.times * card.advancement
        elif is_dataclass(effect):
            for field in fields(effect):
                inner = getattr(effect, field.name)
                if isinstance(inner, tuple) and all(isinstance(one, Effect) for one in inner):
                    found += damage(inner, card)
    return found


def needs_enter(snapshot: Shown, act: Action, before: Shown) -> bool:
    """Tell whether an act is done by Enter only; `before`: what was shown when its key meant something else.

    An action of one's turn is, where the same list stood there before with another row; who comes back to that list
    from a window finds it as it was. In an encounter one breaks, and pumps, at once.
    """
    pending, (verb, *rest) = snapshot.pending, tokens(act.text)
    if pending is None or verb in AT_ONCE:
        return False
    if pending.prompt == ACTION:
        return before.pending is not None and before.pending.prompt == ACTION
    if verb == "use" and step_of(scene_of(snapshot)) in ENCOUNTER:
        return gives_up(snapshot, rest)
    return True


def gives_up(snapshot: Shown, used: list[str]) -> bool:
    """Tell whether using an own card costs a card, damage or tags, not only credits, clicks and counters."""
    card = named(snapshot, used[0])
    if card is None or card.side != own_seat(snapshot):
        return False
    cost = entry(card.code).abilities[int(used[1])].cost
    return bool(cost.trash_self or cost.trash or cost.forfeit or cost.net or cost.shuffle or cost.tags)
