"""Writing complete positions as JSON (Netrunner §5); `reading` reads them."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Final

from game.contract import Json
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import CORP, RUNNER, SIDES, title
from game.netrunner.state import Card, Hands, Run, State, Value

COUNTERS: Final = ("virus", "power", "agenda", "credit", "recurring")
SERVERS: Final = ("hq", "rd", "archives")


def write(state: State) -> dict[str, Json]:
    """Return a position with every field, without the version; `reading.read` reads it."""
    rows: dict[str, list[Card]] = {}
    for card in state.cards:
        rows.setdefault(card.place, []).append(card)
    ids = {card.side: card for card in rows.get("identity", ())}

    def listed(place: str, side: int | None = None) -> list[Json]:
        return [write_card(card, state) for card in rows.get(place, ()) if side is None or card.side == side]

    servers = sorted({place.split(":")[1] for place in rows if place.startswith(("ice:", "root:"))} - set(SERVERS))
    corp: dict[str, Json] = {
        "identity": title(state.identities[CORP]),
        "recurring": ids[CORP].recurring,
        "credits": state.credits[CORP],
        "clicks": state.clicks[CORP],
        "hq": names(state.hq),
        "rd": names(state.rd),
        "deck": counted(state.decks[CORP]),
        "archives": [{"card": title(code), "faceup": up} for code, up in state.archives],
        "score": listed("score:corp"),
        "bad_publicity": state.bad_publicity,
        "play": listed("play", CORP),
        **({"current": listed("current")} if rows.get("current") else {}),
        "servers": {
            name: {"ice": listed(f"ice:{name}"), "root": listed(f"root:{name}")} for name in (*SERVERS, *servers)
        },
    }
    runner: dict[str, Json] = {
        "identity": title(state.identities[RUNNER]),
        "recurring": ids[RUNNER].recurring,
        "credits": state.credits[RUNNER],
        "clicks": state.clicks[RUNNER],
        "grip": names(state.grip),
        "stack": names(state.stack),
        "deck": counted(state.decks[RUNNER]),
        "heap": names(state.heap),
        "rig": listed("rig"),
        "score": listed("score:runner"),
        "tags": state.tags,
        "brain": state.brain,
        "play": listed("play", RUNNER),
    }
    return {"corp": corp, "runner": runner, **write_rest(state)}


def write_rest(state: State) -> dict[str, Json]:
    """Return what belongs to neither side."""
    return {
        "turn": SIDES[state.turn],
        "step": state.run.step if state.run is not None else state.step,
        "run": write_run(state),
        "this_turn": [*state.this_turn],
        "last_turn": [*state.last_turn],
        "seed": state.rng.seed.hex(),
        "used": state.rng.used,
        "lasting": [{**asdict(last)} for last in state.lasting],
        "removed": names(state.removed),
        "auto": [dict(settings) for settings in state.auto],
        "next_id": state.next_iid,
        "known": {zone: [*marks] for zone, marks in state.known},
        "hands": [write_hands(hands) for hands in state.hands] if state.hands is not None else None,
        "outcome": [*state.outcome] if state.outcome else None,
        "stack": [{"op": frame.op, **{k: plain(v) for k, v in frame.data}} for frame in state.frames],
    }


def write_hands(hands: Hands) -> Json:
    """Return what watchers of open hands see."""
    written: dict[str, Json] = {"hq": names(hands.hq), "grip": names(hands.grip)}
    return {**written, "unrezzed": [[iid, title(code)] for iid, code in hands.unrezzed]}


def counted(codes: tuple[str, ...]) -> Json:
    """Return how often each title is in a deck list."""
    return {title(code): n for code, n in Counter(codes).items()}


def names(codes: tuple[str, ...]) -> list[Json]:
    """Return the titles of cards, in the same order."""
    return [title(code) for code in codes]


def plain(value: Value) -> Json:
    """Return a frame's value as JSON."""
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def write_card(card: Card, state: State) -> Json:
    """Return a card on the table, with what it hosts."""
    guests = [one for one in state.cards if one.place == "hosted" and one.host == card.iid]
    written: dict[str, Json] = {"card": title(card.code), "id": card.iid}
    if card.place.startswith(("ice:", "root:")):
        written |= {"rezzed": card.rezzed, "advancement": card.advancement}
    written |= {name: True for name in ("seen", "shown") if getattr(card, name)}
    written |= {"since": card.since} if card.since else {}
    written |= {"worth": card.worth} if card.worth else {}
    written |= {"facedown": True} if card.place in ("rig", "hosted") and not card.rezzed else {}
    counters: dict[str, Json] = {name: getattr(card, name) for name in COUNTERS if getattr(card, name)}
    written |= {"counters": counters} if counters or (card.code in ENTRIES and ENTRIES[card.code].recurring) else {}
    if card.note:
        written["note"] = write_note(card.note[0], state)
    if guests:
        written["hosted"] = [write_card(one, state) for one in guests]
    return written


def write_note(iid: int, state: State) -> Json:
    """Return what a card remembers: the ice or resource it chose, by its reference; by its id once it is gone."""
    name = accessed_name(state, iid)
    if name.startswith("gone:"):
        return {"gone": iid}
    return {"ice" if name.startswith("ice:") else "card": name}


def accessed_name(state: State, one: int | str) -> str:
    """Return the reference of a card by its id, or 'gone:ID' where it has left the table; a place ('rd:0') as it is."""
    if isinstance(one, str):
        return one
    card = next((card for card in state.cards if card.iid == one), None)
    row = [other.iid for other in state.cards if card is not None and other.place == card.place]
    return f"{card.place}:{row.index(one)}" if card is not None else f"gone:{one}"


def write_run(state: State) -> Json:
    """Return the run, or None. `ice` and `passed` are indices among the server's ice, `ids` the ids of both.

    `gone` are the ids of those that have left the table; their indices are left out.
    """
    run = state.run
    if run is None:
        return None
    column = [card.iid for card in state.cards if card.place == f"ice:{run.server}"]
    written: dict[str, Json] = {name: plain(getattr(run, name)) for name in Run.__dataclass_fields__ if name != "step"}
    written["ice"] = column.index(run.ice) if run.ice in column else None
    written["passed"] = [column.index(iid) for iid in run.passed if iid in column]
    written["gone"] = [iid for iid in (run.ice, *run.passed) if iid and iid not in column]
    written["ids"] = [run.ice, *run.passed]
    written["turn_step"] = state.step
    written["accessed"] = [accessed_name(state, one) for one in run.accessed]
    return written
