"""The log of a match in words: one sentence an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.netrunner.facts import CODES, RUNNER, plain_title
from server.boards.board import Weight
from server.boards.games.netrunner.cardtext import credits, sub_words
from server.boards.games.netrunner.labels import place_words, seat_name, server_name
from server.boards.games.netrunner.scene import Shown
from server.matches.model import SeenEvent
from server.terminal.look import Look

WEIGHTS = {
    **dict.fromkeys(("approach", "auto", "passed-ice"), Weight.BOOKKEEPING),
    **dict.fromkeys(("run", "successful", "accessed", "trashed", "rezzed", "played", "tags"), Weight.MATTERS),
    **dict.fromkeys(("bad-publicity", "installed", "exposed", "derezzed", "purged", "milled"), Weight.MATTERS),
    **dict.fromkeys(("scored", "stolen", "damage", "forfeited", "added-to-score"), Weight.DRAMATIC),
    **dict.fromkeys(("became-agenda", "won"), Weight.DRAMATIC),
}
SILENT = ("auto", "passed-ice")  # not told
RUNNERS = ("accessed", "approach", "bypassed", "encounter", "jacked-out", "run")  # always done by the Runner
PRICED = ("rezzed", "trashed")  # their sentences say what they cost
POOL = "pool"
COUNTED = {  # the number that chooses between a sentence's singular and its plural
    **dict.fromkeys(("added-to-score", "became-agenda", "scored", "stolen"), "points"),
    **{"tags": "tags", "turn": "clicks"},
}
NOT_TOLD = ("advance", "credit", "draw", "purge", "remove-tag", "trash-resource")  # told by the events of their effect


def say(snapshot: Shown, look: Look, event: SeenEvent) -> str:
    """Return an event as a line of the log; empty: nothing worth a line."""
    params = event.params
    if event.kind in SILENT or (event.kind == "action" and params.get("action") in NOT_TOLD):
        return ""
    key = event.kind + variant(event)
    said = spoken(params, snapshot, look)
    if event.kind == "changed":
        said["count"] = f"{_number(params.get('count')):+d}"
    if (side := actor(event)) is not None:
        said["name"] = seat_name(snapshot, side, look)
    if event.kind == "subroutine":
        said["does"] = sub_words(CODES[plain_title(str(params.get("card")))], _number(params.get("index")), look)
    if (number := COUNTED.get(event.kind)) is not None:
        said["n"] = said.get(number, 0)
    if event.kind == "broke":
        said["n"] = len(broken_now(params))
        said["broken"] = look.t("list.comma").join(str(n + 1) for n in broken_now(params))
    text = look.t(f"netrunner.event.{key}", **said)
    if "cost" in params and event.kind not in PRICED:
        text = look.t("netrunner.event.for", what=text, cost=said["cost"])
    source = params.get("source")
    if source and "sub" in params:
        return look.t("netrunner.event.by.sub", source=source, number=_number(params["sub"]) + 1, what=text)
    return look.t("netrunner.event.by", source=source, what=text) if source else text


def broken_now(params: Mapping[str, object]) -> list[int]:
    """Return the subroutines that an event breaks: those of a whole break (`retelling`), else all that are broken."""
    found = params.get("subs", params.get("broken"))
    return [n for n in found if isinstance(n, int)] if isinstance(found, list) else []


def is_runners(event: SeenEvent) -> bool:
    """Tell whether an event is the Runner's doing, whatever side it names."""
    return event.kind in RUNNERS or (is_bought_trash(event) and event.params.get("by", RUNNER) == RUNNER)


def is_bought_trash(event: SeenEvent) -> bool:
    """Tell whether a card is trashed by who pays for it: the Runner at an access, the Corp a resource."""
    return event.kind == "trashed" and "cost" in event.params


def actor(event: SeenEvent) -> int | None:
    """Return the side that does what an event tells, None where nobody is named."""
    side = RUNNER if is_runners(event) else event.params.get("by" if is_bought_trash(event) else "side")
    return side if isinstance(side, int) else None


def variant(event: SeenEvent) -> str:
    """Return which sentence an event takes: whether the card is known, which action, which way."""
    seen = event.params
    match event.kind:
        case "action":
            return f".{seen.get('action')}"
        case "drew" if seen.get("count") == 0:
            return ".none"
        case "drew" | "discarded":
            return ".cards" if seen.get("cards") else ""
        case "installed":
            face = ".hidden" if not seen.get("card") else ""
            return face if seen.get("place") not in ("rig", "hosted") else ".rig"
        case "accessed" | "trashed" | "milled" | "counters":
            return _card_variant(event.kind, seen)
        case "gained" | "lost":
            return ".now" if "source" in seen and "total" in seen else ""  # several credits for clicks are alike
        case "broke":
            return "" if seen.get("with") else ".click"
        case "traced" | "run-over":
            return ".yes" if seen.get("successful") else ".no"
        case "damage" | "archives-turned-up":
            return "" if seen.get("cards") else ".none"
        case "clicks":
            return ".lost" if _number(seen.get("clicks")) < 0 else ""
        case "rezzed" | "bypassed":
            return "" if seen.get("place") else ".here"
        case "won":
            return f".{seen.get('reason')}"
        case "looked" | "taken":
            return "" if seen.get("card") else ".hidden"
        case "changed":
            return f".{seen.get('kind')}{'' if seen.get('card') else '.hidden'}"
        case "tags":
            return "" if _number(seen.get("count")) >= 0 else ".removed" if "cost" in seen else ".fewer"
    return ""


def _card_variant(kind: str, seen: Mapping[str, object]) -> str:
    known = "" if seen.get("card") else ".hidden"
    if kind == "trashed" and "cost" in seen:
        return ".paid"
    if kind == "counters":
        if seen.get("kind") == "advancement" and _number(seen.get("count")) > 0:
            is_placed = "source" in seen or seen.get("count") != 1  # by an effect, which is no advancing
            return f".{'placed' if is_placed else 'advanced'}{known}"
        fewer = ".fewer" if _number(seen.get("count")) < 0 else ""
        return f"{known}{fewer}" if not (known and not seen.get("place")) else fewer
    return known


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def spoken(params: Mapping[str, object], snapshot: Shown, look: Look) -> dict[str, object]:
    """Return parameters as words: seats as names, places and servers by name, numbers with their kind."""
    out: dict[str, object] = {}
    for key, value in params.items():
        match key:
            case "side":
                out["name"] = seat_name(snapshot, value, look)
            case "place" | "other" if isinstance(value, str):
                out[key] = place_words(value, look)
            case "server" if isinstance(value, str):
                out[key] = server_name(value, look)
            case "cards" if isinstance(value, list):
                out[key] = titles(value, look)
            case "type" if isinstance(value, str):
                out[key] = look.t(f"netrunner.card.type.{value}")
            case "index" if isinstance(value, int):
                out["number"] = value + 1
            case "cost" | "credits":
                out[key] = price_words(value, params.get("from"), look)
            case "total":
                out[key] = credits(value, look)
            case "kind" | "what" if isinstance(value, str):
                out[key] = look.t(f"netrunner.{'harm' if key == 'what' else 'kind'}.{value}")
            case "count" | "clicks" if isinstance(value, int):
                out[key] = abs(value)
            case "with":
                out["tool"] = value or ""
            case _ if value is None or isinstance(value, str | int):
                out[key] = value
    return out


def price_words(paid: object, sources: object, look: Look) -> str:
    """Return how many credits are paid, and where they do not all come from the pool, from where."""
    found = sources if isinstance(sources, Mapping) else {}
    parts = [
        look.t("netrunner.paid.from", cost=credits(n, look), source=source_words(source, look))
        for source, n in found.items()
        if source != POOL
    ]
    if len(found) == len(parts) == 1:
        return parts[0]
    cost = credits(paid, look)
    return look.t("netrunner.paid.partly", cost=cost, parts=look.t("list.comma").join(parts)) if parts else cost


def source_words(source: object, look: Look) -> str:
    """Return the name of a source of credits: a card's title, or what is no card."""
    return look.t("netrunner.word.bad-publicity") if source == "bad-publicity" else str(source)


def titles(cards: Sequence[object], look: Look) -> str:
    """Return a list of titles, equal ones counted."""
    counted: dict[object, int] = {}
    for card in cards:
        counted[card] = counted.get(card, 0) + 1
    told = [look.t("netrunner.times", card=card, count=n) if n > 1 else str(card) for card, n in counted.items()]
    return look.t("list.comma").join(told)
