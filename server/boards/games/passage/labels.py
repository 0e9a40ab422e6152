"""What the Passage board says in words: cards, places, the status line, the players, the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from game.contract import Subset
from game.passage.cards import ATTACKS, Card
from server.boards.board import Players, Weight
from server.boards.games.passage import selection
from server.boards.games.passage.known import certain
from server.boards.games.passage.selection import ChoiceRow, Selection, Shown, rows
from server.boards.seats import free_ms, is_ahead, own_seat, player_card, short_name_at, waiting_words
from server.i18n.durations import clock_words
from server.matches.model import SeenEvent
from server.terminal.items import PlayerCard
from server.terminal.lines import Line, clip, joined, plain, wrapped
from server.terminal.look import Look
from server.terminal.playercard import HOLDS_COLS

WEIGHTS = {
    **dict.fromkeys(("passed", "decided", "auto", "unmoved"), Weight.BOOKKEEPING),
    **dict.fromkeys(("played", "transferred", "sealed", "blinded", "gave", "reversed"), Weight.MATTERS),
    **dict.fromkeys(("owes-bottom", "put-back", "vetoed", "drew-blank", "revealed"), Weight.MATTERS),
    **dict.fromkeys(("out", "drew-passage", "saved", "judged", "returned", "won"), Weight.DRAMATIC),
}
HELD_LINES = 2  # of what is known of a player's hand
NAMES = {"seat": "name", "to": "to", "target": "target", "actor": "actor", "by": "by"}


def card_name(key: object, look: Look) -> str:
    """Return a card's name."""
    return look.t(f"passage.card.{key}")


def card_names(keys: Iterable[object], look: Look) -> str:
    """Return a list of cards, equal ones counted."""
    counted: dict[object, int] = {}
    for key in keys:
        counted[key] = counted.get(key, 0) + 1
    names = [card_name(key, look) + (f" {look.t('passage.times', n=n)}" if n > 1 else "") for key, n in counted.items()]
    return look.t("list.comma").join(names) or look.glyphs.dash


def seat_name(snapshot: Shown, seat: int, look: Look) -> str:
    """Return a player's name."""
    return short_name_at(snapshot, seat, look) if 0 <= seat < len(snapshot.seats) else "?"


def place_words(at: int, size: int | None, look: Look) -> str:
    """Return a place in a pile of so many cards; None: it isn't known how many there were."""
    if at == 0:
        return look.t("passage.place.top")
    is_last = size is not None and at >= size - 1
    return look.t("passage.place.bottom") if is_last else look.t("passage.place.nth", n=at + 1)


def marks(look: Look) -> tuple[tuple[str, str], ...]:
    """Return the marks on the table with what each means, for help."""
    glyphs = look.glyphs
    shown = {
        "hidden": glyphs.hidden,
        "drawn": f">{glyphs.hidden}",
        "ticked": glyphs.on,
        "open": glyphs.off,
        "closed": glyphs.dead[0],
        "turn": glyphs.turn,
    }
    return tuple([(mark, look.t(f"passage.legend.{name}")) for name, mark in shown.items()])


# The status line.


def status(snapshot: Shown, chosen: Selection, look: Look) -> Line:
    """Say what to do now; what the card under the cursor does stands behind its name."""
    return plain(f" {prompt(snapshot, chosen, look)}", "warn")


def prompt(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say what to do now."""
    pending = snapshot.pending
    if pending is None:
        return waiting_words(snapshot, (seat for seat, _ in snapshot.deciding), look)
    asked = look.t("passage.do.ahead") if is_ahead(snapshot) else asked_words(snapshot, look)
    if chosen.mode == selection.TARGET:
        row = rows(snapshot)[chosen.row]
        return look.t("passage.do.target", card=card_name(row.head.split()[1], look))
    if chosen.mode == selection.NUMBER:
        said = number_words(snapshot, chosen, look)
        return joined((asked, said)) if pick_is_put(snapshot, chosen) else said
    if chosen.mode == selection.SEVERAL and isinstance(pending.choice, Subset):
        return look.t("passage.do.several", prompt=asked, n=len(chosen.ticked), count=pending.choice.min)
    if chosen.mode == selection.WINDOW:
        return joined((asked, look.t("passage.prompt.veto") if selection.judging(snapshot) is not None else ""))
    return joined((asked, doomed_words(snapshot, look))) if pending.prompt == "play" else asked


def doomed_words(snapshot: Shown, look: Look) -> str:
    """Warn who knows that the draws they owe hold a Passage, and has no Warden; '' for everybody else."""
    view, seat = snapshot.view, own_seat(snapshot)
    if seat is None or view.turn != seat or any(view.switches.acts_as(one) is Card.WARDEN for one in view.hands[seat]):
        return ""
    low = min(view.draws, bottom_draws(view.draws, view.bottom + view.owed[seat], view.switches.bottom_rule))
    last = len(view.pile) - 1
    drawn = {*range(view.draws - low), *(last - at for at in range(low))}
    is_doomed = any(at in drawn and card is Card.PASSAGE for at, card in certain(view))
    return look.t("passage.do.doomed") if is_doomed else ""


def bottom_draws(draws: int, bottom: int, rule: str) -> int:
    """Return how many of the draws come from the bottom."""
    return min(draws, draws if bottom and rule == "whole_phase" else bottom)


def pick_is_put(snapshot: Shown, chosen: Selection) -> bool:
    """Tell whether a place for a card is being chosen, rather than one to look at."""
    return rows(snapshot)[chosen.row].head == "put"


def number_words(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say which place is chosen, in words and as a number from the top."""
    row = rows(snapshot)[chosen.row]
    where = look.t("passage.place.none") if chosen.at < 0 else place_words(chosen.at, len(row.texts), look)
    if row.head == "put":
        return look.t("passage.do.put", place=where, all=len(row.texts))
    return look.t("passage.do.number", card=card_name(row.head.split()[1], look), place=where, all=len(row.texts))


def asked_words(snapshot: Shown, look: Look) -> str:
    """Return the decision's own prompt."""
    pending = snapshot.pending
    assert pending is not None
    params = spoken(dict(pending.params), snapshot, look, len(snapshot.view.pile))
    if isinstance(to := dict(pending.params).get("to"), int):
        params["name"] = seat_name(snapshot, to, look)
    if pending.prompt == "veto":
        return at_stake(snapshot, look)
    return look.t(f"passage.prompt.{pending.prompt}", **params)


def at_stake(snapshot: Shown, look: Look) -> str:
    """Say which card was played by whom, and what it would do: to the reader, where it does something to them."""
    assert snapshot.pending is not None
    raw, own = dict(snapshot.pending.params), own_seat(snapshot)
    said = spoken(raw, snapshot, look, len(snapshot.view.pile))
    you = "-you" if raw["target"] is not None and raw["target"] == own else ""
    if raw["card"] in ATTACKS or raw["card"] == Card.REVERSAL:
        key, numbers = f"attack{you}", {"after": raw["draws_after"]}
    elif raw["draws"] != raw["draws_after"]:
        key, numbers = "draws", {"before": raw["draws"], "after": raw["draws_after"]}
    elif raw["bottom"] != raw["bottom_after"]:
        key, numbers = "bottom", {"before": raw["bottom"], "after": raw["bottom_after"]}
    elif raw["position"] is not None:
        key, numbers = "moves", {}
    else:
        key, numbers = ("plain" if raw["target"] is None else f"aimed{you}"), {}
    text = look.t(f"passage.window.{key}", **said | numbers)
    if key in ("aimed", "aimed-you", "plain"):
        you = "-you" if raw["target"] is None and raw["seat"] != own else you  # it is aimed at everybody else
        text = joined((text, look.t(f"passage.stake.{raw['card']}{you}", **said)))
    if raw["judges"]:
        text = joined((text, look.t("passage.window.judged", by=said["by"], judges=raw["judges"])))
    return text


def row_words(row: ChoiceRow, snapshot: Shown, look: Look) -> str:
    """Return what a row of a decision says."""
    words = row.head.split()
    if words[0] == "take":
        return look.t("passage.row.take", name=seat_name(snapshot, int(words[1]), look))
    if words[-1].isdigit():
        return look.t("passage.row.face-down", n=int(words[-1]) + 1)
    if len(words) == 1 and words[0] in (*selection.PASSING, "judge") and not is_several(snapshot):
        is_own = not is_ahead(snapshot)  # else the draws are another's, who puts a Passage back perhaps
        is_free = words[0] == "end" and is_own and (snapshot.view.draws == 0 or not snapshot.view.pile)
        is_only = words[0] == "pass" and _has_no_veto(snapshot)
        said = "end-free" if is_free else "pass-only" if is_only else words[0]
        return look.t(f"passage.row.{said}")
    return card_name(words[-1], look)


def _has_no_veto(snapshot: Shown) -> bool:
    """Tell whether the reader knows that they can veto nothing; who plays blind can't know."""
    is_window = snapshot.pending is not None and snapshot.pending.window is not None
    return is_window and selection.judging(snapshot) is None and own_seat(snapshot) not in snapshot.view.blind


def is_several(snapshot: Shown) -> bool:
    """Tell whether several cards are being chosen (a row is then a card, whatever its name)."""
    return snapshot.pending is not None and isinstance(snapshot.pending.choice, Subset)


# The players.


def players(snapshot: Shown, look: Look, cols: int, now: datetime) -> Players:
    """Return the players with clocks and what is known of their hands; to who looks on, how long a window is free."""
    cards: list[PlayerCard] = []
    for seat in range(snapshot.view.n_seats):
        is_told = snapshot.seats[seat].out and seat not in snapshot.view.forfeited  # the line above says so
        text = "" if is_told else look.t("list.comma").join(side_words(snapshot, seat, look))
        said = (clip(text, HELD_LINES * (cols - HOLDS_COLS)),) if text else ()  # whole: a clock takes some room
        cards.append(player_card(snapshot, seat, str(seat + 1), look, now, aside=said))
    below: list[Line] = []
    if own_seat(snapshot) is None and (free := free_ms(snapshot, now)):
        below.append(plain(" " + look.t("match.free-time", time=clock_words(free, look)), "warn"))
    if snapshot.view.auto != "off":
        below += wrapped(" " + look.t(f"passage.auto.{snapshot.view.auto}"), cols, "dim", 1)
    return Players(tuple(cards), tuple(below))


def side_words(snapshot: Shown, seat: int, look: Look, tells_held: bool = True) -> list[str]:
    """Say what may be known of a player's side of the table; `tells_held`: what the hand is known to hold, too."""
    view = snapshot.view
    if seat in view.eliminated:
        return [look.t("passage.seat.left" if seat in view.forfeited else "passage.seat.out")]
    said = [look.t("passage.seat.cards", count=len(view.hands[seat]))]
    if view.sealed[seat]:
        said.append(look.t("passage.seat.sealed", count=len(view.sealed[seat])))
    if seat in view.blind:
        said.append(look.t("passage.seat.blind"))
    if view.owed[seat]:
        said.append(look.t("passage.seat.owes", count=view.owed[seat]))
    if tells_held and view.held[seat] and seat != own_seat(snapshot):
        said.append(look.t("passage.seat.holds", cards=card_names(view.held[seat], look)))
    return said


# The log.


def say(snapshot: Shown, look: Look, event: SeenEvent) -> str:
    """Return an event as a line of the log."""
    params = event.params
    if is_told_elsewhere(event):
        return ""
    key = event.kind + variant(event, None if snapshot.is_borrowed else own_seat(snapshot))
    said = spoken(dict(params), snapshot, look, None)  # the pile of today is not the one that the event speaks of
    if isinstance(at := params.get("to"), int) and event.kind == "moved":
        said["place"] = place_words(at, None, look)
    if event.kind == "owes-bottom":
        said["n"] = params["bottom"]
    return look.t(f"passage.event.{key}", **said)


def is_told_elsewhere(event: SeenEvent) -> bool:
    """Tell whether an event needs no line: nothing is drawn, or hidden cards come to others.

    How many these are was said already, or stands by their names. Who leaves: the server has said how.
    """
    params = event.params
    return (
        event.kind == "left"
        or (event.kind == "drew" and "card" not in params and params["end"] == "top")
        or (event.kind == "dealt" and "cards" not in params)
        or (event.kind == "drawing" and params["draws"] == 0)
    )


def variant(event: SeenEvent, seat: int | None) -> str:
    """Return which sentence an event takes: what is seen of it, and what it concerns."""
    seen = event.params
    match event.kind:
        case "drew":
            return ".open" if "card" in seen else f".{seen['end']}"
        case "looked" if "card" in seen:
            return ".own"
        case "moved" if "to" in seen:
            return ".open"
        case "sealed" if "cards" in seen and seen.get("seat") == seat:
            return ".own"
        case "dealt":
            return ".open"
        case "gave" if "cards" in seen:
            return ".own"
        case "turn" | "counts" if seen.get("bottom"):
            return ".bottom"
        case "played" if seen.get("target") is not None:
            return ".at"
        case "played" if seen.get("position") is not None:
            return ".place"
        case "put-back" if seen.get("position") is not None:
            return ".place"
        case "out" if seen.get("cards"):
            return ".cards"
        case "alms" if not seen["refused"]:
            return ".all"
        case "alms" if not seen["gave"]:
            return ".none"
    return ""


def spoken(params: Mapping[str, object], snapshot: Shown, look: Look, pile: int | None) -> dict[str, object]:
    """Return parameters as words: seats as names, cards and places by name; `pile`: how many cards it has, if known."""
    out: dict[str, object] = {}
    for key, value in params.items():
        if key in NAMES and isinstance(value, int):
            out[NAMES[key]] = seat_name(snapshot, value, look)
        elif key == "card":
            out[key] = card_name(value, look)
        elif key == "cards" and isinstance(value, list):
            out[key] = card_names(value, look)
        elif key in ("gave", "refused") and isinstance(value, list):
            out[key] = look.t("list.comma").join(seat_name(snapshot, one, look) for one in value) or look.glyphs.dash
        elif key == "position" and isinstance(value, int):
            out["place"] = place_words(value, pile, look)
        elif value is None or isinstance(value, str | int):
            out[key] = value
    return out


def known_words(places: Sequence[tuple[int, Card]], size: int, look: Look) -> str:
    """Return known places in the pile: where each card is."""
    found: dict[Card, list[int]] = {}
    for at, what in places:
        found.setdefault(what, []).append(at)
    told = [
        look.t("passage.place.is", place=_places_words(where, size, look), card=card_name(what, look))
        for what, where in found.items()
    ]
    return look.t("list.then").join(told)


def _places_words(places: Sequence[int], size: int, look: Look) -> str:
    """Return several places in a pile: those between its ends as numbers."""
    comma, between = look.t("list.comma"), [at for at in places if 0 < at < size - 1]
    numbers = comma.join(str(at + 1) for at in between)
    ends = {at: place_words(at, size, look) for at in places if at not in between}
    said = [ends.get(0, ""), look.t("passage.place.nth", n=numbers) if between else ""]
    said += [words for at, words in ends.items() if at]
    return comma.join(filter(None, said))


def led_to(snapshot: Shown, look: Look, events: Sequence[SeenEvent], seq: int) -> str:
    """Say which card handed those draws on of which entry `seq` brought a Passage; '' where it was the own turn's."""
    until = [event for event in events if event.seq <= seq]
    out = next((event.params["seat"] for event in reversed(until) if event.kind == "out"), None)
    began = next((at for at in _backwards(until) if until[at].kind == "turn" and until[at].params["seat"] == out), 0)
    handed = next((at for at in _backwards(until[:began]) if until[at].kind in ("transferred", "turn")), None)
    if handed is None or until[handed].kind == "turn" or until[handed].params["to"] != out:
        return ""
    by = until[handed].params["seat"]
    played = next((one for one in reversed(until[:handed]) if one.kind == "played" and one.params["seat"] == by), None)
    return say(snapshot, look, played) if played is not None else ""


def _backwards(events: Sequence[SeenEvent]) -> range:
    return range(len(events) - 1, -1, -1)
