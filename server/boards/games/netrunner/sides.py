"""Both sides of the table as lines: what each has, the step between them, the rig and the hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from game.netrunner.facts import CORP, HIDDEN, RUNNER
from game.netrunner.queries import hand_size, link, memory_limit, memory_used, points
from game.netrunner.timing import CLICKS
from server.boards.games.netrunner.cardtext import counted_title, credits, title_of
from server.boards.games.netrunner.labels import archives_count, card_name, label, marks, seat_name, side_name
from server.boards.games.netrunner.scene import (
    Shown,
    counted,
    hand_of,
    holder,
    rig_rows,
    scene_of,
    step_of,
    table_of,
    told_hands,
)
from server.boards.seats import is_you, own_seat
from server.terminal.lines import Line, Span, ends, fit, packed_lines, pad, plain, width_cols
from server.terminal.lines import columns as cols_of
from server.terminal.look import Look

MOST_SPARE = 7  # of a side's line: what is left out first
KINDS = ("programs", "hardware", "resources")


def side_line(snapshot: Shown, side: int, look: Look, cols: int) -> Line:
    """Draw what a side has: credits, clicks, cards, and what counts against it."""
    scene, t = scene_of(snapshot), table_of(snapshot)
    clicks = look.glyphs.meter(scene.clicks[side], max(CLICKS[side], scene.clicks[side])) if scene.turn == side else ""
    told = [
        Segment(f"seat{look.hue(side)}", side_name(side, look)),
        *identity_parts(snapshot, side, look),
        Segment(f"tile{look.hue(side)}", f" {credits(scene.credits[side], look)} "),
        Segment("", clicks),
        *(corp_parts(snapshot, look) if side == CORP else runner_parts(snapshot, look)),
        Segment("title", look.t("netrunner.points", n=points(t, side))),
        *counted_agendas(snapshot, side, look),
    ]
    return segment_line(told, cols)


def identity_parts(snapshot: Shown, side: int, look: Look) -> list[Segment]:
    """Return an identity's name, which stays where credits or counters stand on it."""
    scene, t = scene_of(snapshot), table_of(snapshot)
    name = first_name(title_of(scene.identities[side], look))
    held = " ".join(marks(card, look) for card in t.at("identity") if card.side == side)
    return [Segment("accent", f"{name} ({held})") if held else Segment("dim", name, 6)]


def counted_agendas(snapshot: Shown, side: int, look: Look) -> list[Segment]:
    """Return the agendas of a score area on which counters stand: they can be used, wherever the list of them ends."""
    t = table_of(snapshot)
    cards = [card for card in t.at(("score:corp", "score:runner")[side]) if marks(card, look)]
    return [Segment("accent", look.t("list.comma").join(label(t, card, look) for card in cards), 6)] if cards else []


def first_name(title: str) -> str:
    """Return the first word of an identity's name, with the next one where it is an article.

    >>> first_name("Weyland Consortium"), first_name("The Outfit")
    ('Weyland', 'The Outfit')
    """
    words = title.split()
    return " ".join(words[: 2 if words[0] == "The" else 1])


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a side's line. `spare`: the higher, the sooner it is left out where there is no room; 0: never."""

    style: str
    text: str
    spare: int = 0


def corp_parts(snapshot: Shown, look: Look) -> list[Segment]:
    """Return what is told of the Corp's cards."""
    scene, t = scene_of(snapshot), table_of(snapshot)
    return [
        Segment("", look.t("netrunner.has.hq", count=len(scene.hq), most=hand_size(t, CORP))),
        Segment("", look.t("netrunner.has.rd", count=len(scene.rd)), 1),
        Segment("", look.t("netrunner.has.archives", count=archives_count(scene, look)), 2),
        Segment(
            "bad" if scene.bad_publicity else "dim",
            look.t("netrunner.has.bad-publicity", count=scene.bad_publicity),
            0 if scene.bad_publicity else 7,
        ),
        *(
            Segment("accent", look.t("netrunner.has.current", card=card_name(card, look)), 2)
            for card in t.at("current")
        ),
    ]


def runner_parts(snapshot: Shown, look: Look) -> list[Segment]:
    """Return what is told of the Runner's cards and troubles; tags and damage that there are always stay."""
    scene, t = scene_of(snapshot), table_of(snapshot)
    return [
        Segment("", look.t("netrunner.has.grip", count=len(scene.grip), most=hand_size(t, RUNNER)), 1),
        Segment("", look.t("netrunner.has.stack", count=len(scene.stack)), 4),
        Segment("", look.t("netrunner.has.heap", count=len(scene.heap)), 5),
        Segment("", look.t("netrunner.has.memory", used=memory_used(t), most=memory_limit(t)), 3),
        Segment("", look.t("netrunner.has.link", count=link(t)), 2 if link(t) else 7),
        *(
            Segment("bad" if n else "dim", look.t(f"netrunner.has.{name}", count=n), 0 if n else 7)
            for name, n in (("tags", scene.tags), ("brain", scene.brain))
        ),
    ]


def segment_line(parts: Sequence[Segment], cols: int) -> Line:
    """Set parts in one line, two columns apart, then one; then what may be left out goes, part by part."""
    for gap, spare in ((2, MOST_SPARE), *((1, spare) for spare in range(MOST_SPARE, -1, -1))):
        line: list[Span] = [("", " ")]
        for part in parts:
            if part.text and part.spare <= spare:
                apart = " " if gap == 1 and part.style == "title" else ""  # else two numbers stand side by side
                line += [(part.style, apart + part.text), ("", " " * gap)]
        if width_cols(tuple(line)) - gap <= cols:
            break
    return fit(tuple(line), cols)


# The step.


def step_line(snapshot: Shown, look: Look, cols: int, is_asked: bool = True) -> Line:
    """Draw the line between the sides: whose turn, which timing step, who has priority.

    `is_asked`: not in a window of the viewer's that goes by itself; nothing is asked there.
    """
    scene, seat = scene_of(snapshot), holder(snapshot)
    rule, step = look.glyphs.rule, step_of(scene)
    turn = look.t(f"netrunner.turn.{'corp' if scene.turn == CORP else 'runner'}")
    if scene.run is not None:
        turn = look.t("netrunner.step.of-run")
    turn = "" if step.startswith("setup") else turn + look.t("netrunner.dot")
    left: tuple[Span, ...] = (("rule", rule * 2), ("accent", f" {turn}"), ("title", f"{step_name(step, look)} "))
    if seat is None or snapshot.result is not None or (seat == own_seat(snapshot) and not is_asked):
        return fit((*left, ("rule", rule * max(0, cols - width_cols(left)))), cols)
    own = is_you(snapshot, seat)
    who = look.t("netrunner.priority.you") if own else seat_name(snapshot, seat, look)
    for said in (look.t("netrunner.priority", name=who, side=side_name(seat, look)), who):
        right: tuple[Span, ...] = (("clock.run" if own else "", f" {look.glyphs.turn} {said} "), ("rule", rule * 2))
        if (gap := cols - width_cols(left) - width_cols(right)) >= 0:
            break
    return ends((*left, ("rule", rule * max(0, gap))), right, cols)


def step_name(step: str, look: Look) -> str:
    """Return the name of a timing step: 'Actions', 'Encounter: break'."""
    return look.t(f"netrunner.step.{step}")


# The Runner's cards and the hands.


def rig_lines(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Draw what the Runner has installed, a line a kind."""
    t = table_of(snapshot)
    lines: list[Line] = []
    for kind, cards in zip(KINDS, rig_rows(t), strict=True):
        if cards:
            names = [label(t, card, look) for card in cards]
            lines += tiled(look.t(f"netrunner.rig.{kind}"), names, cols, f"tile{look.hue(RUNNER)}")
    return lines or [plain(f" {look.t('netrunner.rig.empty')}", "dim")]


def score_lines(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Draw both score areas, a side's agendas behind its name; nothing where both are empty.

    Where one line does not hold both, each side has its own.
    """
    t, head, told = table_of(snapshot), look.t("netrunner.score-areas"), list[list[str]]()
    for side in (CORP, RUNNER):
        if names := [label(t, card, look) for card in t.at(("score:corp", "score:runner")[side])]:
            told.append([look.t("list.pair", what=side_name(side, look), value=names[0]), *names[1:]])
    together = listed(head, list(chain(*told)), cols)
    if len(together) < 2:
        return together if told else []
    width = cols_of(head)
    return [line for at, names in enumerate(told) for line in listed(" " * width if at else head, names, cols)]


def listed(name: str, texts: Sequence[str], cols: int, style: str = "") -> list[Line]:
    """Draw a name and, behind it, texts; further lines are indented."""
    told = packed_texts(texts, cols - _named_cols(name) - 1)
    return _named(name, [plain(text, style) for text in told or [""]])


def tiled(name: str, texts: Sequence[str], cols: int, style: str) -> list[Line]:
    """Draw a name and, behind it, texts on grounds of their own; further lines are indented."""
    return _named(name, packed_lines([plain(text, style) for text in texts], cols - _named_cols(name) - 1))


def held(name: str, texts: Sequence[str], cols: int, look: Look) -> list[Line]:
    """Draw a name and, behind it, cards edge to edge: they have one ground, in fewer bytes than one for each."""
    room = cols - _named_cols(name) - 1
    return _named(name, [plain(line, "card") for line in packed_texts(texts, room, look.glyphs.vertical)])


def _named_cols(name: str) -> int:
    return max(11, cols_of(name) + 2)


def _named(name: str, lines: Sequence[Line]) -> list[Line]:
    """Set lines behind a name."""
    width = _named_cols(name)
    return [(("", " " * width) if at else ("dim", f" {pad(name, width - 1)}"), *line) for at, line in enumerate(lines)]


def hand_lines(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Draw the hands that the viewer sees."""
    scene, lines = scene_of(snapshot), list[Line]()
    if (hands := told_hands(snapshot.view)) is not None:
        for name, hand in (("hq", hands.hq), ("grip", hands.grip)):
            told = [counted_title(code, n, look) for code, n in counted(hand)]
            lines += listed(look.t("netrunner.a-turn-ago", place=look.t(f"netrunner.place.{name}")), told, cols)
        return lines
    for side, name in ((CORP, "hq"), (RUNNER, "grip")):
        hand = hand_of(scene, side)
        told = [counted_title(code, n, look) for code, n in counted(hand)]
        if told:
            unknown = hand.count(HIDDEN)  # of the other side's hand one may know what one has seen
            more = [f"+{unknown}{look.glyphs.hidden}"] if unknown else []
            lines += held(look.t(f"netrunner.pile.{name}"), [*told, *more], cols, look)
        elif side == own_seat(snapshot) and not hand:
            lines += listed(look.t(f"netrunner.pile.{name}"), [look.t("netrunner.hand.empty")], cols, "dim")
    return lines


def packed_texts(parts: Sequence[str], cols: int, gap: str = "  ") -> list[str]:
    """Set texts into as few lines as they take, with a gap between them."""
    lines: list[str] = []
    for part in parts:
        if lines and cols_of(lines[-1]) + cols_of(gap) + cols_of(part) <= cols:
            lines[-1] += gap + part
        else:
            lines.append(part)
    return lines
