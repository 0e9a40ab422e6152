"""An independent reading of the rules, slow and plain: cards in a dict by (file, rank), every action tried in turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

FILES = "abcdefgh"
COMPASS = ((0, 1), (0, -1), (1, 0), (-1, 0))
HOME = {"S": {"d1", "e1"}, "N": {"d8", "e8"}}
OTHER = {"S": "N", "N": "S"}


@dataclass
class Piece:
    letter: str
    shown: bool = False
    boosted: bool = False

    @property
    def side(self) -> str:
        return "S" if self.letter.isupper() else "N"


@dataclass
class Table:
    pieces: dict[str, Piece]
    side: str
    hand: dict[str, set[str]]
    wall: dict[str, str | None]
    pile: dict[str, list[str]]
    options: set[str] = field(default_factory=set)

    def mine(self) -> list[str]:
        return sorted(name for name, piece in self.pieces.items() if piece.side == self.side)

    def over(self) -> bool:
        for pile in self.pile.values():
            letters = [card[0].lower() for card in pile]
            if letters.count("l") >= 4 or letters.count("v") >= 4:
                return True
        return False


def read(text: str, *options: str) -> Table:
    board, side, hands, walls, piles, _clock = text.split()
    pieces: dict[str, Piece] = {}
    for rank, row in zip("87654321", board.split("/"), strict=True):
        file = 0
        for char in row:
            if char.isdigit():
                file += int(char)
            elif char == "+":
                pieces[FILES[file - 1] + rank].shown = True
            elif char == "*":
                pieces[FILES[file - 1] + rank].boosted = True
            else:
                pieces[FILES[file] + rank] = Piece(char)
                file += 1
    south_hand, north_hand = hands.upper().split("/")
    south_wall, north_wall = (None if wall == "-" else wall for wall in walls.split("/"))
    south_pile, north_pile = ([] if pile == "-" else pile.split(",") for pile in piles.split("/"))
    return Table(
        pieces,
        side,
        {"S": set(south_hand) - {"-"}, "N": set(north_hand) - {"-"}},
        {"S": south_wall, "N": north_wall},
        {"S": south_pile, "N": north_pile},
        set(options),
    )


def copy(table: Table) -> Table:
    return Table(
        {name: Piece(p.letter, p.shown, p.boosted) for name, p in table.pieces.items()},
        table.side,
        {side: set(hand) for side, hand in table.hand.items()},
        dict(table.wall),
        {side: list(pile) for side, pile in table.pile.items()},
        table.options,
    )


def beside(name: str) -> list[str]:
    file, rank = FILES.index(name[0]), int(name[1])
    places = [(file + dx, rank + dy) for dx, dy in COMPASS]
    return [f"{FILES[f]}{r}" for f, r in places if f in range(8) and r in range(1, 9)]


def may_stand(table: Table, name: str) -> bool:
    """Tell whether the side to move may end a step on a square (RaiNet §1.5)."""
    if name in HOME[table.side] and "own_exit" not in table.options:
        return False
    piece = table.pieces.get(name)
    return table.wall[OTHER[table.side]] != name and (piece is None or piece.side != table.side)


def walks(table: Table, name: str) -> list[str]:
    found = []
    piece = table.pieces[name]
    ends = [""] if piece.shown else ["+", "l", "v"]
    for first in beside(name):
        if not may_stand(table, first):
            continue
        found.append(name + first)
        if piece.boosted and first not in table.pieces:
            found += [name + first + second for second in beside(first) if second != name and may_stand(table, second)]
            if first in HOME[OTHER[table.side]] and "boost_into_server" in table.options:
                found += [name + first + ">" + end for end in ends]
    if name in HOME[OTHER[table.side]]:
        found += [name + ">" + end for end in ends]
    return found


def actions(table: Table) -> list[str]:
    if table.over():
        return []
    hand, mine = table.hand[table.side], table.mine()
    theirs = {name: piece for name, piece in table.pieces.items() if piece.side != table.side}
    found = [text for name in mine for text in walks(table, name)]
    if "B" in hand:
        found += ["+" + name for name in mine]
    found += ["-" + name for name in mine if table.pieces[name].boosted]
    if "C" in hand:
        found += ["?" + name for name, piece in theirs.items() if not piece.shown]
    for file, rank in product(FILES, "12345678"):
        name = file + rank
        free = name not in HOME["S"] | HOME["N"]
        if "firewall_anywhere" not in table.options:
            free = free and name not in theirs and table.wall[OTHER[table.side]] != name
        if "F" in hand and free:
            found.append("#" + name)
        if table.wall[table.side] == name:
            found.append("~" + name)
    if "4" in hand:
        found += [f"@{a}{b}{end}" for a in mine for b in mine if a < b for end in "=x"]
    return found


def act(table: Table, text: str) -> Table:
    new = copy(table)
    side, sign = table.side, text[0]
    new.side = OTHER[side]
    if sign == "+":
        new.hand[side].discard("B")
        new.pieces[text[1:]].boosted = True
    elif sign == "-":
        new.hand[side].add("B")
        new.pieces[text[1:]].boosted = False
    elif sign == "?":
        new.hand[side].discard("C")
        new.pieces[text[1:]].shown = True
    elif sign == "#":
        new.hand[side].discard("F")
        new.wall[side] = text[1:]
    elif sign == "~":
        new.hand[side].add("F")
        new.wall[side] = None
    elif sign == "@":
        new.hand[side].discard("4")
        one, other = new.pieces[text[1:3]], new.pieces[text[3:5]]
        one.shown = other.shown = False
        if text[5] == "x":
            one.letter, other.letter = other.letter, one.letter
    else:
        travel(new, side, text)
    return new


def travel(table: Table, side: str, text: str) -> None:
    piece = table.pieces.pop(text[:2])
    if ">" in text:
        if piece.boosted:
            table.hand[side].add("B")
        end = text.split(">")[1]
        table.pile[side].append(piece.letter + ("?" + end if end in ("l", "v") else "+"))
        return
    target = text[-2:]
    taken = table.pieces.get(target)
    if taken:
        table.pile[side].append(taken.letter + "+")
        if taken.boosted:
            table.hand[taken.side].add("B")
    table.pieces[target] = piece


def perft(table: Table, depth: int, moves_only: bool = False) -> int:
    texts = [text for text in actions(table) if not moves_only or text[0] in FILES]
    if depth == 1:
        return len(texts)
    return sum(perft(act(table, text), depth - 1, moves_only) for text in texts)
