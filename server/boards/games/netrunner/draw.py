"""The Netrunner board as lines: both sides, the servers, the step and who has priority, the rows to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from game.netrunner.facts import CODES, CORP, FACTS, HIDDEN, RUNNER, plain_title
from game.netrunner.queries import printed_index
from server.boards.games.netrunner import columns, details, selection, settings, tiles
from server.boards.games.netrunner.cardtext import credits, sub_words, title_of
from server.boards.games.netrunner.choicelist import ChoiceList, choice_list, folded_list, told_list, with_whole_words
from server.boards.games.netrunner.columns import Subject
from server.boards.games.netrunner.digits import PAGE
from server.boards.games.netrunner.labels import MARKS, label, place_words, server_name, subject
from server.boards.games.netrunner.rowtext import row_words
from server.boards.games.netrunner.scene import (
    Shown,
    accessed,
    counted,
    hand_of,
    ice_met,
    scene_of,
    subs_of,
    table_of,
    told_hands,
)
from server.boards.games.netrunner.selection import Selection, page_of, rows
from server.boards.games.netrunner.sides import hand_lines, packed_texts, rig_lines, score_lines, side_line, step_line
from server.boards.seats import own_seat
from server.terminal.lines import Line, block, fit, inset, plain, width_cols, wrapped
from server.terminal.lines import columns as cols_of
from server.terminal.look import Look

NARROW_COLS = 34  # of a row that are certain to be seen where two stand side by side
LEAST_CHOICES = 3  # lines of choices that always have room
BESIDE_SERVERS = 14  # rows for all else before the servers take a second band: whatever is asked, it stays
TILES_COLS, TILES_ROWS = 80, 24  # from which the table is laid out as tiles
MOST_TEXT_COLS = 60  # that a card's text takes beside the choices
RESERVED, RESERVED_FROM = 8, 35  # rows for choices that the table leaves free, so that it does not jump about
# How tall the servers' tiles are, whether the rig and the hands are tiles, whether rows are reserved: tried in turn.
VARIANTS = (
    (tiles.WORDY, True, True),
    (tiles.WORDY, False, True),
    (tiles.TALL, True, True),
    (tiles.WHOLE, True, True),
    (tiles.WHOLE, False, True),
    (tiles.LOW, False, True),
    (tiles.LOW, False, False),
)
GAPS, MOST_GAP = 6, 2  # places where the parts of the table stand apart, and by how many rows at most
MULLIGAN = "mulligan"  # the prompt at which one keeps one's first cards or draws anew
LEAST_TEXT = 4  # rows that a card's text needs to be worth showing, with the lines above it


@dataclass(frozen=True, slots=True)
class Plan:
    """How the rows are shared out; `first` is the row of the first choice, `second` where the right column begins.

    `by_line`: for each line of choices which one stands left and which one right, -1 for none.
    """

    lines: list[Line]
    first: int
    second: int
    by_line: list[tuple[int, int]]


def draw(snapshot: Shown, chosen: Selection, look: Look, cols: int, height: int) -> list[Line]:
    """Draw the board: exactly `height` lines of `cols` columns."""
    match chosen.mode:
        case selection.LOOK:
            return block(details.draw_cards(snapshot, chosen.cursor, look, cols, height), cols, height)
        case selection.AUTO:
            return settings.draw(snapshot, chosen.cursor, look, cols, height)
    return block(plan(snapshot, chosen, look, cols, height).lines, cols, height)


def plan(snapshot: Shown, chosen: Selection, look: Look, cols: int, height: int) -> Plan:
    """Share the rows out: as tiles where there is room for them, else in as few lines as it takes."""
    found = spread_plan(snapshot, chosen, look, cols, height) if cols >= TILES_COLS and height >= TILES_ROWS else None
    return found or compact_plan(snapshot, chosen, look, cols, height)


def compact_plan(snapshot: Shown, chosen: Selection, look: Look, cols: int, height: int) -> Plan:
    """Keep the table in sight: what there is to choose from scrolls where it does not fit, never the servers."""
    aim = aim_of(snapshot, chosen)
    listed = choice_list(snapshot, chosen, look, cols)
    run = run_lines(snapshot, look, cols)
    rig = rig_lines(snapshot, look, cols)
    hands = hand_lines(snapshot, look, cols) if not selection.is_discard(snapshot) else []  # they are the choices
    left = max(0, height - 4 - len(run))
    least = min(len(listed.lines), LEAST_CHOICES)
    wanted = columns.wanted_rows(table_of(snapshot), look, cols, height - BESIDE_SERVERS)
    server_rows = min(wanted, max(1, left - least))
    left -= server_rows
    room = max(least, left - min(1, len(rig)))
    spare = left - len(rig) - len(hands) - 1  # but for the rule above them
    shown = with_whole_words(listed, snapshot, chosen, look, cols, room, spare).scrolled(room, chosen, look, cols)
    left = max(0, left - len(shown.lines))
    kept = 0 if run else min(1, len(hands), max(0, left - 1))  # in a run the rig matters more than a hand
    rig = shorter(rig, left - kept, look)
    hands = hands[: max(0, left - len(rig))]
    waits = snapshot.pending is None and own_seat(snapshot) is not None  # then the room is for what happened meanwhile
    scores = [] if waits else score_lines(snapshot, look, cols)[: max(0, left - len(rig) - len(hands) - 1)]
    lines = [
        side_line(snapshot, CORP, look, cols),
        *columns.draw(snapshot, aim, look, cols, server_rows),
        step_line(snapshot, look, cols, not selection.goes_by(snapshot, chosen)),
        *run,
        side_line(snapshot, RUNNER, look, cols),
        *rig,
        *hands,
        *scores,
    ]
    spare = height - len(lines) - len(shown.lines)
    if spare > 0:
        lines.append(plain(look.glyphs.rule * cols, "rule"))
    first = len(lines)
    text = text_lines(snapshot, chosen, look, cols, spare - (2 if shown.lines else 1)) if spare >= LEAST_TEXT else []
    if text and not shown.lines:
        text = text[1:]  # there is a rule above it already
    return Plan([*lines, *shown.lines, *text], first, listed.second, shown.by_line)


def spread_plan(snapshot: Shown, chosen: Selection, look: Look, cols: int, height: int) -> Plan | None:
    """Lay the table out as tiles, with a card's text beside the choices where it fits; None: there is no room."""
    aim, run = aim_of(snapshot, chosen), run_lines(snapshot, look, cols)
    may_be_asked = own_seat(snapshot) is not None and not snapshot.is_past and snapshot.result is None
    opening = opening_lines(snapshot, look, cols)
    for made in _ways(snapshot, bool(opening), height):
        below = made(snapshot, chosen, look, cols)
        for tall, is_tiled, is_reserved in VARIANTS:
            kept = (RESERVED if height >= RESERVED_FROM else PAGE) if is_reserved and may_be_asked else 0
            room = height - len(run) - 4 - max(below.height(cols), kept)
            servers = tiles.server_lines(snapshot, aim, look, cols, tall)
            rig = tiles.rig_tiles(snapshot, aim, look, cols) if is_tiled else rig_lines(snapshot, look, cols)
            hands = spread_hands(snapshot, look, cols) if is_tiled else hand_lines(snapshot, look, cols)
            hands = [()] * len(hands) if made is _faces else hands  # its rows stay, so that nothing moves
            spare = room - len(servers) - len(rig) - len(hands)
            if spare >= 0:
                scores = score_lines(snapshot, look, cols)[:spare]
                spare -= len(scores)
                is_written = is_tiled and made is not _faces and (not opening or made is _no_text)
                high = tiles.TALL_HAND_ROWS if height >= tiles.TALL_HANDS_FROM else tiles.HAND_ROWS
                high = tiles.OPENING_HAND_ROWS if made is _no_text else high
                if cards := written_hands(snapshot, look, cols, len(hands) + spare, high) if is_written else []:
                    spare -= len(cards) - len(hands)
                    hands = cards
                elif made is _no_text:
                    break
                gaps = _gaps(spare if is_reserved and below.cols < cols else 0)
                lines = [
                    side_line(snapshot, CORP, look, cols),
                    *gaps[0],
                    *servers,
                    *gaps[2],
                    step_line(snapshot, look, cols, not selection.goes_by(snapshot, chosen)),
                    *run,
                    *gaps[1],
                    side_line(snapshot, RUNNER, look, cols),
                    *gaps[3],
                    *rig,
                    *gaps[4],
                    *hands,
                    *scores,
                    *gaps[5],
                ]
                listed = below.listed
                if may_be_asked or below.height(cols):
                    lines.append(plain(look.glyphs.rule * cols, "rule"))
                return Plan([*lines, *below.lines(look, cols, spare)], len(lines), listed.second, listed.by_line)
    return None


def _ways(
    snapshot: Shown, is_opening: bool, height: int
) -> Sequence[Callable[[Shown, Selection, Look, int], ChoiceLines]]:
    """Return how the choices may be set, to be tried in turn."""
    if selection.is_discard(snapshot) and height < tiles.TALL_HANDS_FROM:
        return (_faces,)
    return (*((_no_text,) if is_opening and height >= tiles.TALL_HANDS_FROM else ()), _text_beside, _text_below)


def _gaps(spare: int) -> list[list[Line]]:
    """Share rows out that are left over: to the places where the parts of the table stand apart, in this order."""
    return [[()] * min(MOST_GAP, (spare + GAPS - 1 - at) // GAPS) for at in range(GAPS)]


@dataclass(frozen=True, slots=True)
class ChoiceLines:
    """The choices with a card's text beside them, or below where they take all `cols`."""

    listed: ChoiceList
    text: list[Line]
    cols: int

    def height(self, cols: int) -> int:
        """Return the rows that it needs; a text below takes what is left over."""
        return max(len(self.listed.lines), len(self.text)) if self.cols < cols else len(self.listed.lines)

    def lines(self, look: Look, cols: int, spare: int) -> list[Line]:
        """Return the lines; `spare` are those that are left over."""
        if self.cols == cols:
            text = inset(self.text[: max(0, spare - 1)])
            return [*self.listed.lines, *([plain(look.glyphs.rule * cols, "rule"), *text] if text else [])]
        bar: Line = (("rule", f" {look.glyphs.vertical} "),) if self.text else ()
        pairs = zip_longest(self.listed.lines, self.text, fillvalue=())
        return [(*fit(left, self.cols), *bar, *right) for left, right in pairs]


def _faces(snapshot: Shown, chosen: Selection, look: Look, cols: int) -> ChoiceLines:
    """Set the cards of which some are to go below each other, each with what it does."""
    return ChoiceLines(replace(told_list(snapshot, chosen, look, cols - 1), second=cols), [], cols - 1)


def _no_text(snapshot: Shown, chosen: Selection, look: Look, cols: int) -> ChoiceLines:
    """Set the choices alone: the hand that one may keep is written out above them."""
    return ChoiceLines(replace(folded_list(snapshot, chosen, look, cols - 1), second=cols), [], cols - 1)


def _text_beside(snapshot: Shown, chosen: Selection, look: Look, cols: int) -> ChoiceLines:
    """Set the choices in one column, those that are too long in several lines, and the text beside them."""
    left = max(cols // 2, cols - MOST_TEXT_COLS)
    text = spoken_lines(snapshot, chosen, look, cols - left - 3)
    left = left if text else cols - 1
    return ChoiceLines(replace(folded_list(snapshot, chosen, look, left), second=cols), text, left)


def _text_below(snapshot: Shown, chosen: Selection, look: Look, cols: int) -> ChoiceLines:
    """Set the choices in as few lines as they take, and the text below them."""
    return ChoiceLines(choice_list(snapshot, chosen, look, cols), spoken_lines(snapshot, chosen, look, cols - 2), cols)


def spread_hands(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Draw the hands that the viewer sees as tiles; those of a turn ago in words."""
    if told_hands(snapshot.view) is not None:
        return hand_lines(snapshot, look, cols)
    return [line for side in (CORP, RUNNER) for line in tiles.hand_tiles(snapshot, side, look, cols)]


def written_hands(snapshot: Shown, look: Look, cols: int, most: int, high: int) -> list[Line]:
    """Draw the hands that the viewer sees as cards `high` rows high with what they do; nothing where they don't fit.

    Of two hands the one whose cards would be too narrow stays a row of tiles.
    """
    if told_hands(snapshot.view) is not None:
        return []
    written = {side: tiles.hand_cards(snapshot, side, look, cols, high) for side in (CORP, RUNNER)}
    if not any(written.values()):
        return []
    hands = [cards or tiles.hand_tiles(snapshot, side, look, cols) for side, cards in written.items()]
    for apart in ([()], []):
        lines = [*hands[0], *(apart if all(hands) else []), *hands[1]]
        if len(lines) <= most:
            return lines
    return []


def shorter(lines: list[Line], most: int, look: Look, room: int = 0) -> list[Line]:
    """Cut lines; the last one says that some are missing, for which it leaves `room` columns, if that is given."""
    if len(lines) <= most or most <= 0:
        return lines[: max(0, most)]
    last = lines[most - 1]
    last = fit(last, room) if room and width_cols(last) > room else last
    return [*lines[: most - 1], (*last, ("dim", f"  {look.t('netrunner.more-lines')}"))]


def row_at(snapshot: Shown, chosen: Selection, look: Look, cols: int, height: int, col: int, row: int) -> int | None:
    """Return the choice drawn at a place of the board, if there is one."""
    made = plan(snapshot, chosen, look, cols, height)
    down = row - made.first
    if not 0 <= down < len(made.by_line):
        return None
    at = made.by_line[down][col >= made.second]
    return page_of(chosen) + at if at >= 0 else None


def aim_of(snapshot: Shown, chosen: Selection) -> Subject:
    """Return what the chosen row is about, to be marked on the table."""
    found = rows(snapshot, chosen)
    if chosen.mode not in (
        selection.FREE,
        selection.LIST,
        selection.TRASH,
        selection.MORE,
    ) or not 0 <= chosen.cursor < len(found):
        return Subject()
    row = found[chosen.cursor]
    if len({subject(snapshot, text)[0] for text in row.texts}) > 1 and not chosen.path:
        return Subject()
    card = subject(snapshot, row.part)[1] if chosen.path == () else subject(snapshot, f"x {row.part}")[1]
    server = row.part.removeprefix("run ")
    return Subject(card.iid if card is not None else 0, server if server in table_of(snapshot).servers() else "")


def run_lines(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Draw the run: its path, then the subroutines of the ice one has met, or the card one accesses."""
    t = table_of(snapshot)
    if t.run is None:
        return []
    lines = [columns.run_line(snapshot, look, cols)]
    ice, here = ice_met(t), accessed(snapshot)
    if t.run.encountering and ice is not None and ice.rezzed:
        lines += subroutine_lines(snapshot, look, cols)
    elif here is not None:
        key = "netrunner.accessing" if here.code != HIDDEN else "netrunner.accessing.hidden"
        said = look.t(key, card=title_of(here.code, look), place=place_words(here.place, look))
        lines.append(plain(f"   {said}", "warn"))
    return lines


def subroutine_lines(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Draw the subroutines of the ice that is encountered: broken or not."""
    t = table_of(snapshot)
    ice = ice_met(t)
    if ice is None or t.run is None:
        return []
    told = []
    for at in range(subs_of(t, ice)):
        is_broken = at in t.run.broken
        mark = look.t("netrunner.broken") if is_broken else look.t("netrunner.unbroken")
        told.append(f"{at + 1} [{mark}] {sub_words(ice.code, printed_index(t, ice, at), look)}")
    return [(("", "   "), *line) for text in packed_texts(told, cols - 4) for line in wrapped(text, cols - 4, "", 4)]


def pointed_at(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Write out the server under the cursor: on the table names may be cut; empty: it is none."""
    server, t = aim_of(snapshot, chosen).server, table_of(snapshot)
    if not server:
        return ""
    cards = look.t("list.comma").join(label(t, card, look) for card in (*t.root(server), *reversed(t.ice(server))))
    return look.t("netrunner.do.run-here", server=server_name(server, look), cards=cards or look.glyphs.dash)


def clipped(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Return what the row under the cursor says, where two columns may have cut it; else empty."""
    found = rows(snapshot, chosen)
    on_row = chosen.mode in (selection.FREE, selection.LIST) and 0 <= chosen.cursor < len(found)
    if not on_row or not selection.half(min(PAGE, len(found) - page_of(chosen))):
        return ""
    text = row_words(found[chosen.cursor], snapshot, chosen, look)
    return text if cols_of(text) > NARROW_COLS else ""


def spoken_lines(snapshot: Shown, chosen: Selection, look: Look, cols: int) -> list[Line]:
    """Write out the card that the chosen row is about, else the one a run has come to; first, one's opening hand."""
    code = spoken_of(snapshot, chosen)
    return details.card_lines(code, look, cols) if code in FACTS else opening_lines(snapshot, look, cols)


def opening_lines(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Say what each card of the opening hand does, while its player decides whether to keep it."""
    own = own_seat(snapshot)
    if own is None or snapshot.pending is None or snapshot.pending.prompt != MULLIGAN:
        return []
    cards = counted(hand_of(scene_of(snapshot), own))
    return [line for code, _ in cards for line in details.brief_lines(code, look, cols)]


def text_lines(snapshot: Shown, chosen: Selection, look: Look, cols: int, most: int) -> list[Line]:
    """Write out the card that the chosen row is about, else the one a run has come to: in at most so many lines.

    Where there is little room, what the card does comes first, behind its name.
    """
    told = spoken_lines(snapshot, chosen, look, cols - 2)
    if not told:
        return []
    if len(told) > most:
        code = spoken_of(snapshot, chosen)
        room = cols - 2 - cols_of(look.t("netrunner.more-lines")) - 2
        told = shorter(details.brief_lines(code, look, cols - 2) if code in FACTS else told, most, look, room)
    return [plain(look.glyphs.rule * cols, "rule"), *inset(told)]


def spoken_of(snapshot: Shown, chosen: Selection) -> str:
    """Return the code of the card that matters now, "" for none."""
    found = rows(snapshot, chosen)
    if 0 <= chosen.cursor < len(found):
        for text in (found[chosen.cursor].part, f"x {found[chosen.cursor].part}", *found[chosen.cursor].texts[:1]):
            if code := subject(snapshot, text)[0]:
                return code
    if pending := snapshot.pending:
        asked = dict(pending.params).get("card")
        if isinstance(asked, str) and plain_title(asked) in CODES:
            return CODES[plain_title(asked)]
    here, ice = accessed(snapshot), ice_met(table_of(snapshot))
    return here.code if here is not None else ice.code if ice is not None else ""


def marks(look: Look) -> tuple[tuple[str, str], ...]:
    """Return each mark of the board with what it means, as help lists them: those of cards first."""
    glyphs = look.glyphs
    shown = {
        "hidden": glyphs.hidden,
        "ice": columns.ice_mark(look),
        "turn": glyphs.turn,
        "passed": glyphs.yes,
        "number": "2",
        "sub": tiles.sub_mark(look),
        "advanced": "+2 2/4",
        "credits": credits(2, look),
        "counters": " ".join(f"{mark}2" for mark in MARKS.values()),
        "hosted": "( )",
        "clicks": glyphs.meter(2, 3),
        "hand": "4/5",
        "archives": f"1+2{glyphs.hidden}",
        "further": glyphs.pointer,
    }
    return tuple((mark, look.t(f"netrunner.legend.{name}")) for name, mark in shown.items())
