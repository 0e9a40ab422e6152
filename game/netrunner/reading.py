"""Reading positions from JSON, partial where people write them: what is left out has its default (Netrunner §5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from game.contract import Json
from game.netrunner.action_text import SERVER
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import CORP, FACTS, RUNNER, SIDES
from game.netrunner.fields import array, bad, code, flag, ints, mapping, number, words
from game.netrunner.notation import COUNTERS
from game.netrunner.reading_runs import with_run
from game.netrunner.stacks import with_stack
from game.netrunner.state import Card, Hands, Lasting, State
from game.netrunner.timing import ACTION_STEP, CLICKS, TABLE
from game.options import plain
from game.rng import Rng

IDENTITIES: Final = ("01054", "01033")  # where none is given: Engineering the Future, Kate "Mac" McCaffrey
HIDDEN_ZONES: Final = ("hq", "rd", "archives", "grip", "stack")
BOTH_KEYS: Final = {"identity", "credits", "clicks", "score", "play", "recurring", "deck"}
CORP_KEYS: Final = {*BOTH_KEYS, "current", "hq", "rd", "archives", "bad_publicity", "servers"}
RUNNER_KEYS: Final = {*BOTH_KEYS, "grip", "stack", "heap", "rig", "tags", "brain"}
KEYS: Final = {
    *("corp", "runner", "turn", "step", "run", "this_turn", "last_turn", "seed", "used"),
    *("pending", "stack", "lasting", "removed", "auto", "next_id", "outcome", "known", "hands", "seal"),
}
CARD_KEYS: Final = {
    *("card", "id", "rezzed", "facedown", "seen", "shown", "since"),
    *("advancement", "counters", "hosted", "worth", "note"),
}


class Reader:
    """Reads the cards of one position and gives an id to each that has none. Methods raise BadNotation."""

    def __init__(self, data: dict[str, Json]) -> None:
        self.data = data
        self.cards: list[Card] = []
        self.next_iid = max(number(data, "next_id", 3), *(iid + 1 for iid in (2, *given_ids(data))))
        self.taken: set[int] = set()
        self.notes: dict[int, dict[str, Json]] = {}

    def row(self, value: Json, place: str, side: int, host: int = 0) -> None:
        """Read the cards of a place, in order."""
        for item in array(value, place):
            self.card(item, place, side, host)

    def card(self, item: Json, place: str, side: int, host: int) -> None:
        """Read one card and what it hosts."""
        data = mapping({"card": item} if isinstance(item, str) else item, "card", CARD_KEYS)
        card_code = code(data.get("card"), side if place != "hosted" else None)
        hidden = place.startswith(("ice:", "root:"))
        is_facedown = flag(data, "facedown", False) and place in ("rig", "hosted") and FACTS[card_code].side == RUNNER
        if not data.get("worth") and not is_facedown:
            check_place(card_code, place)
        counters = mapping(data.get("counters", {}), "counters", set(COUNTERS) | {"advancement"})
        recurring = ENTRIES[card_code].recurring if "counters" not in data else 0
        card = Card(
            iid=self.iid(data),
            code=card_code,
            side=FACTS[card_code].side,
            place=place,
            host=host,
            rezzed=flag(data, "rezzed", not hidden and not is_facedown),
            seen=flag(data, "seen", False),
            shown=flag(data, "shown", False),
            since=number(data, "since", 0),
            worth=number(data, "worth", 0, -9, 9),
            advancement=number(data, "advancement", number(counters, "advancement", 0)),
            note=(0,) if data.get("note") else (),
            **dict[str, Any]({name: number(counters, name, recurring * (name == "recurring")) for name in COUNTERS}),
        )
        self.cards.append(card)
        if data.get("note"):
            self.notes[card.iid] = mapping(data["note"], "note", {"ice", "card", "gone"})
        lies_down = not card.rezzed if hidden else is_facedown
        if flag(data, "facedown", lies_down) is not lies_down:
            bad(f"{FACTS[card_code].title} can't lie {'face down' if data['facedown'] else 'face up'} in {place}")
        self.row(data.get("hosted", []), "hosted", RUNNER, card.iid)

    def noted(self) -> list[Card]:
        """Return all cards, with the ids that they remember. Call it when every card has been read."""
        return [replace(card, note=(self.note(card),)) if card.note else card for card in self.cards]

    def note(self, card: Card) -> int:
        """Return the id of the ice or resource that a card chose."""
        note = self.notes[card.iid]
        if "gone" in note:
            return number(note, "gone", 0)
        said = str(note.get("card", note.get("ice")))
        place, _, index = said.rpartition(":")
        row = [one for one in self.cards if one.place == place and place.startswith(("ice:", "rig"))]
        if '"' in said:
            found = [one.iid for one in row if f'rig:"{FACTS[one.code].title}"' == said]
            return found[0] if len(found) == 1 else bad(f"note {said}")
        if not index.isdecimal() or int(index[:4]) >= len(row):
            bad(f"note {said}")
        return row[int(index)].iid

    def iid(self, data: dict[str, Json]) -> int:
        """Return the card's own id, or a new one."""
        found = number(data, "id", 0)
        if not found:
            found, self.next_iid = self.next_iid, self.next_iid + 1
        if found in self.taken:
            bad(f"id {found} twice")
        self.taken.add(found)
        self.next_iid = max(self.next_iid, found + 1)
        return found


def given_ids(value: Json) -> Iterator[int]:
    """Yield every id that a position gives."""
    if isinstance(value, dict):
        if "card" in value and isinstance(iid := value.get("id"), int):
            yield iid
        for part in value.values():
            yield from given_ids(part)
    elif isinstance(value, list):
        for item in value:
            yield from given_ids(item)


def check_place(card_code: str, place: str) -> None:
    """Refuse a card at a place where its type can't be. Raises BadNotation."""
    kind = FACTS[card_code].type
    kinds = {
        "ice": ("ice",),
        "root": ("agenda", "asset", "upgrade") if "remote" in place else ("upgrade",),
        "rig": ("program", "hardware", "resource"),
        "score": ("agenda",),
    }.get(place.split(":")[0])
    if kinds is not None and kind not in kinds:
        bad(f"{FACTS[card_code].title} can't be in {place}")


def read(data: dict[str, Json], seed: bytes | None, version: int) -> State:
    """Read a position under a version of the rules; what is left out has its default. Raises BadNotation."""
    mapping(data, "position", KEYS)
    reader = Reader(data)
    corp = mapping(data.get("corp", {}), "corp", CORP_KEYS)
    runner = mapping(data.get("runner", {}), "runner", RUNNER_KEYS)
    identities = read_identities(reader, corp, runner)
    read_table(reader, corp, runner)
    turn, step = read_step(data)
    state = State(
        version=version,
        rng=Rng(read_seed(data.get("seed"), seed), number(data, "used", 0)),
        identities=identities,
        turn=turn,
        step=step,
        credits=(number(corp, "credits", 5), number(runner, "credits", 5)),
        clicks=(
            number(corp, "clicks", CLICKS[0] if turn == CORP else 0),
            number(runner, "clicks", CLICKS[1] if turn == RUNNER else 0),
        ),
        tags=number(runner, "tags", 0),
        brain=number(runner, "brain", 0),
        bad_publicity=number(corp, "bad_publicity", 0),
        hq=read_codes(corp, "hq", CORP),
        rd=read_codes(corp, "rd", CORP),
        archives=tuple(read_archived(item) for item in array(corp.get("archives", []), "archives")),
        grip=read_codes(runner, "grip", RUNNER),
        stack=read_codes(runner, "stack", RUNNER),
        heap=read_codes(runner, "heap", RUNNER),
        removed=tuple(code(name) for name in array(data.get("removed", []), "removed")),
        cards=tuple(sorted(reader.noted(), key=lambda card: (card.place, card.host))),
        run=None,
        this_turn=words(data, "this_turn"),
        last_turn=words(data, "last_turn"),
        lasting=tuple(read_lasting(item) for item in array(data.get("lasting", []), "lasting")),
        frames=(),
        next_iid=reader.next_iid,
        auto=read_auto(data.get("auto", [{}, {}])),
        outcome=read_outcome(data.get("outcome")),
        known=read_known(data.get("known", {})),
        decks=(read_deck(corp.get("deck", {}), CORP), read_deck(runner.get("deck", {}), RUNNER)),
        hands=read_hands(data.get("hands")),
    )
    return with_stack(with_run(state, data), data)


def read_step(data: dict[str, Json]) -> tuple[int, str]:
    """Read whose turn it is and where it stands; each follows from the other, and from a run, where it is left out."""
    has_run = data.get("run") is not None
    said = data.get("turn")
    if said is not None and said not in SIDES:
        bad("turn")
    usual = RUNNER if has_run else CORP
    step = data.get("step")
    if step is None:
        step = "run.1" if has_run else ACTION_STEP[usual if said is None else SIDES.index(str(said))]
    if not isinstance(step, str) or step not in TABLE:
        bad(f"step {plain(step)[:60]}")
    turn = {"setup": CORP, "corp": CORP, "runner": RUNNER, "run": RUNNER}[step.partition(".")[0]]
    if said is not None and SIDES.index(str(said)) != turn:
        bad(f"{step} is no step of the {said}'s turn")
    return turn, step


def read_identities(reader: Reader, corp: dict[str, Json], runner: dict[str, Json]) -> tuple[str, str]:
    """Read both identities; their cards have the first two ids."""
    found = []
    for side, data in ((CORP, corp), (RUNNER, runner)):
        identity = code(data.get("identity", FACTS[IDENTITIES[side]].title), side)
        if FACTS[identity].type != "identity":
            bad("identity")
        recurring = number(data, "recurring", ENTRIES[identity].recurring)
        reader.cards.append(Card(side + 1, identity, side, "identity", rezzed=True, recurring=recurring))
        reader.taken.add(side + 1)
        found.append(identity)
    return found[0], found[1]


def read_table(reader: Reader, corp: dict[str, Json], runner: dict[str, Json]) -> None:
    """Read everything that lies on the table."""
    for name, server in mapping(corp.get("servers", {}), "servers").items():
        if not re.fullmatch(SERVER, name):
            bad(f"server {name}")
        parts = mapping(server, name, {"ice", "root"})
        reader.row(parts.get("ice", []), f"ice:{name}", CORP)
        reader.row(parts.get("root", []), f"root:{name}", CORP)
    reader.row(corp.get("score", []), "score:corp", CORP)
    reader.row(runner.get("score", []), "score:runner", CORP)
    reader.row(runner.get("rig", []), "rig", RUNNER)
    reader.row(corp.get("play", []), "play", CORP)
    reader.row(corp.get("current", []), "current", CORP)
    reader.row(runner.get("play", []), "play", RUNNER)


def read_seed(value: Json, given: bytes | None) -> bytes:
    """Read the seed: 64 hex digits."""
    if value is None:
        return given or bytes(32)
    try:
        found = bytes.fromhex(str(value))
    except ValueError:
        bad("seed")
    if len(found) != 32:
        bad("seed")
    return found


def read_codes(data: dict[str, Json], name: str, side: int) -> tuple[str, ...]:
    """Read a list of titles."""
    return tuple(code(item, side) for item in array(data.get(name, []), name))


def read_archived(item: Json) -> tuple[str, bool]:
    """Read a card in Archives."""
    if isinstance(item, str):
        return code(item, CORP), True
    data = mapping(item, "archives", {"card", "faceup"})
    return code(data.get("card"), CORP), flag(data, "faceup", True)


def read_lasting(item: Json) -> Lasting:
    """Read something that lasts."""
    data = mapping(item, "lasting", set(Lasting.__dataclass_fields__))
    if data.get("until") not in ("encounter", "run", "turn", "corp-turn"):
        bad("lasting")
    return Lasting(str(data.get("kind")), number(data, "target", 0), number(data, "n", 0, -1000), str(data["until"]))


def read_auto(value: Json) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Read both seats' settings."""
    found = [mapping(item, "auto") for item in array(value, "auto")]
    if len(found) != 2 or any(step not in TABLE for settings in found for step in settings):
        bad("auto")
    return tuple(tuple(sorted((step, str(mode)) for step, mode in settings.items())) for settings in found)


def read_outcome(value: Json) -> tuple[int, str] | None:
    """Read how it ended."""
    if value is None:
        return None
    match value:
        case [int(winner), str(reason)] if winner in (0, 1):
            return winner, reason
    bad("outcome")


def read_known(value: Json) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Read who knows which cards of hidden zones."""
    data = mapping(value, "known", set(HIDDEN_ZONES))
    if not all(isinstance(mark, int) and 0 <= mark < 8 for marks in data.values() for mark in array(marks, "known")):
        bad("known")
    return tuple((zone, ints(data, zone)) for zone in sorted(data) if data[zone])


def read_deck(value: Json, side: int) -> tuple[str, ...]:
    """Read a deck list, how many of each title; empty: not known."""
    data = mapping(value, "deck")
    return tuple(sorted(code(name, side) for name in data for _ in range(number(data, name, 0, most=99))))


def read_hands(value: Json) -> tuple[Hands, Hands] | None:
    """Read what watchers of open hands see, now and next."""
    if value is None:
        return None
    found = [mapping(item, "hands", {"hq", "grip", "unrezzed"}) for item in array(value, "hands")]
    if len(found) != 2:
        bad("hands")
    return read_hand(found[0]), read_hand(found[1])


def read_hand(data: dict[str, Json]) -> Hands:
    """Read what was hidden at the end of a turn."""
    pairs = [array(pair, "unrezzed") for pair in array(data.get("unrezzed", []), "unrezzed")]
    unrezzed = []
    for pair in pairs:
        match pair:
            case [int(iid), str(name)]:
                unrezzed.append((iid, code(name, CORP)))
            case _:
                bad("unrezzed")
    return Hands(read_codes(data, "hq", CORP), read_codes(data, "grip", RUNNER), tuple(unrezzed))
