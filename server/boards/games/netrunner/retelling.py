"""The events of a match as its log tells them: prices with what they buy, a break as one, subroutines by results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from game.contract import Json
from game.netrunner.facts import FACTS, RUNNER
from server.matches.model import SeenEvent

FULL = {facts.title: code for code, facts in FACTS.items()}
NOT_TOLD = ("auto", "passed-ice")
BUYS_AHEAD = ("used", "played")  # told before they are paid for
BASIC = ("counters", "tags", "trashed")  # what the basic actions do that cost credits


def retold(events: Sequence[SeenEvent]) -> list[SeenEvent]:
    """Return the events that a log tells.

    What is paid for has `cost`, `from` and `by`: how many credits, how many of each source, and who pays. One that
    tells a whole break has `subs`, the subroutines that it broke, and `clicks` where these were the price. The first
    result of a subroutine that is known with it has `sub`, its index, and stands in its place. Identities are short.
    """
    kept = [_short(event) for event in events if event.kind not in NOT_TOLD and not is_plain_end(event)]
    return list(_resulting(list(_broken_once(list(_priced(list(_taken_once(kept))))))))


def is_plain_end(event: SeenEvent) -> bool:
    """Tell whether an event is the end of a successful run: what was accessed has been told, and nothing more comes."""
    return event.kind == "run-over" and event.params.get("successful") is True


def _short(event: SeenEvent) -> SeenEvent:
    """Return an event that names the identity whose effect it is by the first part of its title, as the board does."""
    name = event.params.get("source")
    is_identity = isinstance(name, str) and name in FULL and FACTS[FULL[name]].type == "identity"
    return _with(event, source=str(name).partition(":")[0]) if is_identity else event


def _with(event: SeenEvent, **params: Json) -> SeenEvent:
    return replace(event, params={**event.params, **params})


def _taken_once(events: Sequence[SeenEvent]) -> Iterator[SeenEvent]:
    """Yield the events but credits that leave a card for the pool: that they come there is told with the card."""
    for event, after in pairwise([*events, None]):
        assert event is not None
        seen = event.params
        is_taken = event.kind == "counters" and seen.get("kind") == "credit" and after is not None
        if not (is_taken and after is not None and _is_gained(seen, after, event.seq)):
            yield event


def _is_gained(counters: Mapping[str, Json], event: SeenEvent, seq: int) -> bool:
    """Tell whether credits that a card has lost are what its side gains."""
    gained, source = event.params.get("credits"), event.params.get("source")
    is_same = source in (None, counters.get("card")) and event.seq == seq
    return event.kind == "gained" and is_same and gained == -_number(counters.get("count"))


# What is paid for.


def _priced(events: Sequence[SeenEvent]) -> Iterator[SeenEvent]:
    """Yield the events, those that are paid for with their price."""
    before: SeenEvent | None = None  # not yielded yet
    bill: SeenEvent | None = None  # what is paid, and not yet said for what
    for event in events:
        if bill is not None and event.kind != "forfeited":
            if not _is_bought(event, bill, before):
                yield from (one for one in (before, bill) if one)
                before, bill = event, None
                continue
            event, bill = _with(event, **_price(bill, event.params)), None
        if event.kind == "paid" and event.params.get("credits"):
            if before is not None and _bought_ahead(before, event):
                before = _with(before, **_price(event, before.params))
            else:
                bill = event
            continue
        if before is not None:
            yield before
        before = event
    yield from (one for one in (before, bill) if one)


def _bought_ahead(event: SeenEvent, paid: SeenEvent) -> bool:
    return event.kind in BUYS_AHEAD and "cost" not in event.params and event.params["side"] == paid.params["side"]


def _is_bought(event: SeenEvent, paid: SeenEvent, before: SeenEvent | None) -> bool:
    """Tell whether an event is what was paid for just before it, in the same entry."""
    if event.seq != paid.seq:
        return False
    is_basic = before is not None and before.kind == "action" and event.kind in BASIC
    return event.kind in ("installed", "rezzed") or "cost" in event.params or is_basic


def _price(paid: SeenEvent, of: Mapping[str, Json]) -> dict[str, Json]:
    """Return the price as parameters of what it is paid for; rules versions 1 and 2 did not say from where."""
    price: dict[str, Json] = {"by": paid.params["side"], "cost": of.get("cost") or paid.params["credits"]}
    return {**price, "from": paid.params["from"]} if "from" in paid.params else price


# Breaking.


def _broken_once(events: Sequence[SeenEvent]) -> Iterator[SeenEvent]:
    """Yield the events, those of one break as one: strengthening the breaker, breaking, and breaking more."""
    chain: list[SeenEvent] = []  # what may be a part of the next break
    broken: frozenset[int] = frozenset()  # in this encounter
    for event in events:
        if event.kind == "encounter":
            broken = frozenset()
        if event.kind != "broke":
            if not _goes_on(chain, event):
                yield from chain
                chain = []
            if chain or _may_begin(event):
                chain.append(event)
            else:
                yield event
            continue
        tool, now = event.params.get("with"), frozenset(_numbers(event.params.get("broken")))
        if chain and _tool(chain[0]) != tool:
            yield from chain
            chain = []
        chain = [_one_break([*chain, event], sorted(now - broken))]
        broken = now
    yield from chain


def _tool(event: SeenEvent) -> Json:
    return event.params.get("with") if event.kind == "broke" else event.params.get("card")


def _may_begin(event: SeenEvent) -> bool:
    return event.kind == "used" and event.params.get("side") == RUNNER


def _goes_on(chain: Sequence[SeenEvent], event: SeenEvent) -> bool:
    """Tell whether an event may be a part of what began: the same breaker is used, stronger, or spends counters."""
    if not chain or event.params.get("card") != _tool(chain[0]):
        return False
    counts = event.params.get("count")
    return (
        event.kind == "used"
        or (event.kind == "changed" and event.params.get("kind") == "strength")
        or (event.kind == "counters" and isinstance(counts, int) and counts < 0)
    )


def _one_break(parts: Sequence[SeenEvent], subs: Sequence[int]) -> SeenEvent:
    """Return the parts of a break as one event, the last of them."""
    sources: dict[str, Json] = {}
    for part in parts:
        came = part.params.get("from")
        for source, n in came.items() if isinstance(came, dict) else ():
            sources[source] = _number(sources.get(source)) + _number(n)
    last = parts[-1]
    before = [n for part in parts for n in _numbers(part.params.get("subs"))]
    clicks = sum(part.kind == "broke" and not part.params.get("with") for part in parts[-1:])
    clicks += sum(_number(part.params.get("clicks")) for part in parts)
    cost = sum(_number(part.params.get("cost")) for part in parts)
    told: dict[str, Json] = {"subs": [*before, *subs]}
    told |= {"clicks": clicks} if clicks else {}
    told |= {"cost": cost} if cost else {}
    return _with(last, **told, **({"from": sources} if sources else {}))


def _numbers(value: Json) -> list[int]:
    return [n for n in value if isinstance(n, int)] if isinstance(value, list) else []


def _number(value: Json) -> int:
    return value if isinstance(value, int) else 0


# Subroutines.


def _resulting(events: Sequence[SeenEvent]) -> Iterator[SeenEvent]:
    """Yield the events; of a subroutine whose result comes with it, the result."""
    sub: SeenEvent | None = None
    for event, after in pairwise([*events, None]):
        assert event is not None
        if sub is not None:
            event, sub = _with(event, sub=sub.params["index"]), None
        if event.kind == "subroutine" and after is not None and _is_result(event, after):
            sub = event
        else:
            yield event


def _is_result(sub: SeenEvent, event: SeenEvent) -> bool:
    return event.seq == sub.seq and event.params.get("source") == sub.params.get("card") and event.kind != "paid"
