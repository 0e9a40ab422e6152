"""A second Relati, slow and plain: the tables and sentences of the rules over a dict of cells.

A board is a dict (x, y) -> [mark, status], status one of: source normal forbid shield broken weapon bomber.
Nothing is shared with game/.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import product

Cell = tuple[int, int]

MARKS = "OXDUAH"
DEAD = ("broken", "weapon", "bomber")
LETTERS = {"": "normal", "f": "forbid", "s": "source", "d": "shield", "x": "broken", "w": "weapon", "b": "bomber"}
ORTH = ((0, -1), (0, 1), (-1, 0), (1, 0))
DIAG = ((1, 1), (1, -1), (-1, 1), (-1, -1))
ALL8 = ORTH + DIAG
DEFAULTS: dict[str, bool | str] = {
    "attack_dead": False,
    "far_runs": False,
    "escape_anywhere": False,
    "contact_line": "own-or-dead",
    "attack_shields": False,
    "spend_source": True,
    "defend_source": False,
    "bomb": "literal",
    "pincer_first": True,
    "rim_is_safe": True,
    "capture_shields": False,
    "forbid": "source",
}


def knight_paths() -> dict[Cell, tuple[tuple[Cell, Cell], ...]]:
    """The table of §1.4: offset from the chosen cell to the source -> three pairs of cells, as offsets."""
    table: dict[Cell, tuple[tuple[Cell, Cell], ...]] = {}
    for sx, sy in product((-1, 1), repeat=2):
        corner = ((sx, sy), (sx, 0)), ((sx, sy), (0, sy))
        table[sx, 2 * sy] = (*corner, ((0, 2 * sy), (0, sy)))
        table[2 * sx, sy] = (*corner, ((2 * sx, 0), (sx, 0)))
    return table


KNIGHT_PATHS = knight_paths()


class Naive:
    def __init__(self, size: int, players: str, turn: int = 0, out: Iterable[str] = (), **options: bool | str) -> None:
        self.size, self.players, self.turn, self.out = size, players, turn, list(out)
        self.cells: dict[Cell, list[str]] = {}
        self.options: dict[str, bool | str] = {**DEFAULTS, **options}

    @classmethod
    def read(cls, text: str, **options: bool | str) -> Naive:
        rows, turn, players = text.split()
        size = len(rows.split("/"))
        out = [m.upper() for m in players if m.islower()]
        game = cls(size, players.upper(), players.upper().index(turn), out, **options)
        for y, row in enumerate(rows.split("/")):
            x, i = 0, 0
            while i < len(row):
                if row[i].isdigit():
                    digits = row[i : i + 2] if row[i : i + 2].isdigit() else row[i]
                    x, i = x + int(digits), i + len(digits)
                    continue
                status = row[i + 1] if row[i + 1 : i + 2].islower() else ""
                game.cells[x, y] = [row[i], LETTERS[status]]
                x, i = x + 1, i + 1 + len(status)
        if game.options["forbid"] == "source":
            game.forbid()
        return game

    def write(self) -> str:
        letters = {status: letter for letter, status in LETTERS.items()}
        rows = []
        for y in range(self.size):
            row = ""
            for x in range(self.size):
                mark, status = self.cells.get((x, y), [".", "normal"])
                row += mark + letters[status]
            for gap in range(self.size, 0, -1):
                row = row.replace("." * gap, str(gap))
            rows.append(row)
        players = "".join(m.lower() if m in self.out else m for m in self.players)
        return f"{'/'.join(rows)} {self.players[self.turn]} {players}"

    # §1.3
    def on(self, c: Cell) -> bool:
        return 0 <= c[0] < self.size and 0 <= c[1] < self.size

    def mark(self, c: Cell) -> str | None:
        return self.cells[c][0] if c in self.cells else None

    def status(self, c: Cell) -> str | None:
        return self.cells[c][1] if c in self.cells else None

    def real_blank(self, c: Cell) -> bool:
        return self.on(c) and c not in self.cells

    def blank(self, p: str, c: Cell) -> bool:
        if not self.on(c):
            return False
        return c not in self.cells or self.status(c) in DEAD or self.cells[c] == [p, "shield"]

    def valid(self, p: str, c: Cell) -> bool:
        return c in self.cells and self.status(c) != "forbid" and not self.blank(p, c)

    def own_valid(self, p: str, c: Cell) -> bool:
        return self.mark(c) == p and self.valid(p, c)

    # §1.4
    def linked(self, p: str, c: Cell, s: Cell) -> bool:
        dx, dy = s[0] - c[0], s[1] - c[1]
        if (dx, dy) in ALL8:
            return True
        if (dx / 2, dy / 2) in ALL8:
            return self.blank(p, (c[0] + dx // 2, c[1] + dy // 2))
        paths = KNIGHT_PATHS.get((dx, dy), ())
        return any(all(self.blank(p, (c[0] + x, c[1] + y)) for x, y in path) for path in paths)

    def connectable(self, p: str, c: Cell) -> bool:
        around = [(c[0] + x, c[1] + y) for x in range(-2, 3) for y in range(-2, 3)]
        return self.real_blank(c) and any(self.own_valid(p, s) and self.linked(p, c, s) for s in around)

    # §1.7
    def safe(self, p: str, c: Cell) -> bool:
        shields = [k for k, cell in self.cells.items() if cell == [p, "shield"]]
        edge = 0 if self.options["rim_is_safe"] else 1
        boxes = [
            (x1, y1, x2, y2)
            for (x1, y1), (x2, y2) in product(shields, repeat=2)
            if x1 < x2 and y1 < y2 and (x1, y2) in shields and (x2, y1) in shields
        ]
        return any(x1 + edge <= c[0] <= x2 - edge and y1 + edge <= c[1] <= y2 - edge for x1, y1, x2, y2 in boxes)

    # §1.5
    def every_cell(self) -> list[Cell]:
        return [(x, y) for y in range(self.size) for x in range(self.size)]

    def escapable(self, p: str, c: Cell) -> bool:
        if not self.real_blank(c) or (self.connectable(p, c) and not self.options["escape_anywhere"]):
            return False
        for dx, dy in ALL8:
            k = 1
            while self.blank(p, (c[0] + k * dx, c[1] + k * dy)):
                k += 1
            if (k > 1 or not self.options["far_runs"]) and self.own_valid(p, (c[0] + k * dx, c[1] + k * dy)):
                return True
        return False

    def contact_passes(self, p: str, c: Cell) -> bool:
        other_dead = c in self.cells and self.mark(c) != p and self.status(c) in DEAD
        if self.options["contact_line"] == "own-or-dead":
            return self.mark(c) == p or other_dead
        if self.options["contact_line"] == "live-too":
            return not self.blank(p, c) or other_dead
        return not self.blank(p, c)

    def shot_passes(self, p: str, c: Cell) -> bool:
        return self.blank(p, c) or self.mark(c) == p

    def attacks(self, p: str, kind: str) -> Iterator[tuple[Cell, Cell, list[Cell]]]:
        passes = self.contact_passes if kind == "N" else self.shot_passes
        for c in self.cells:
            owner, status = self.cells[c]
            if owner == p or (status in DEAD and not self.options["attack_dead"]) or self.safe(owner, c):
                continue
            if status == "shield" and not self.options["attack_shields"]:
                continue
            for dx, dy in ALL8:
                k = 1
                while True:
                    m, u = (c[0] + k * dx, c[1] + k * dy), (c[0] + (k + 1) * dx, c[1] + (k + 1) * dy)
                    if not self.on(m):
                        break
                    exposed = any(self.safe(q, u) for q in self.players if q != p)
                    is_far = k > 1 or not self.options["far_runs"]
                    if is_far and self.own_valid(p, m) and self.own_valid(p, u) and not exposed:
                        spent = [u] if kind == "N" else [m, u]
                        if self.options["spend_source"] or all(self.status(s) != "source" for s in spent):
                            yield c, m, spent
                    if not passes(p, m):
                        break
                    k += 1

    def legal(self) -> set[str]:
        p = self.players[self.turn]
        found = set()
        has_mark = any(mark == p for mark, _ in self.cells.values())
        for c in self.every_cell():
            if self.real_blank(c) and not has_mark:
                found.add("L" + name(c))
            if self.connectable(p, c):
                found.add("R" + name(c))
            if self.escapable(p, c):
                found.add("E" + name(c))
            if self.cells.get(c) == [p, "shield"]:
                found.add("B" + name(c))
            if self.cells.get(c) == [p, "normal"] or (
                self.cells.get(c) == [p, "source"] and self.options["defend_source"]
            ):
                found.add("D" + name(c))
        for kind in "NF":
            found |= {kind + name(c) + name(m) for c, m, _ in self.attacks(p, kind)}
        return found

    def apply(self, text: str) -> Naive:
        p = self.players[self.turn]
        game = deepcopy(self)
        game.act(p, text)
        game.passives()
        game.advance()
        return game

    def act(self, p: str, text: str) -> None:
        verb, c = text[0], cell(text[1:])
        if verb in "LR":
            self.cells[c] = [p, "source" if verb == "L" else "normal"]
        elif verb == "E":
            for piece in self.cells.values():
                if piece[0] == p and piece[1] != "shield":
                    piece[1] = "broken"
            self.cells[c] = [p, "source"]
        elif verb == "D":
            self.cells[c][1] = "shield"
        elif verb == "B":
            self.bomb(p, c)
        else:
            said = {
                verb + name(target) + name(medium): (target, spent) for target, medium, spent in self.attacks(p, verb)
            }
            target, spent = said[text]
            self.cells[target][1] = "broken"
            for u in spent:
                self.cells[u][1] = "weapon"

    def bomb(self, p: str, c: Cell) -> None:
        around = [(c[0] + dx, c[1] + dy) for dx, dy in ALL8]
        everything = self.options["bomb"] == "everything"
        hit = [n for n in around if self.valid(p, n) or (everything and n in self.cells and self.status(n) not in DEAD)]
        burnt = [n for n in around if self.real_blank(n)]
        for n in hit:
            self.cells[n][1] = "broken"
        for n in burnt:
            self.cells[n] = [p, "broken"]
        self.cells[c][1] = "bomber"

    # §1.6
    def pincer(self) -> bool:
        taken = set()
        for c, (owner, status) in self.cells.items():
            if status in DEAD or status == "forbid" or (status == "shield" and not self.options["capture_shields"]):
                continue
            for p, ring in product(self.players, (ORTH, DIAG)):
                if p != owner and all(self.own_valid(p, (c[0] + dx, c[1] + dy)) for dx, dy in ring):
                    taken.add(c)
        for c in taken:
            self.cells[c][1] = "broken"
        return bool(taken)

    def forbid(self) -> bool:
        before = deepcopy(self.cells)
        for p in self.players:
            normal = {c for c, (mark, status) in self.cells.items() if mark == p and status in ("normal", "forbid")}
            todo = [c for c, piece in self.cells.items() if piece == [p, "source"]]
            reached: set[Cell] = set()
            while todo:
                s = todo.pop()
                new = {c for c in normal - reached if self.linked(p, c, s)}
                reached |= new
                todo += new
            for c in normal:
                self.cells[c][1] = "normal" if c in reached else "forbid"
        return self.cells != before

    def forbid_locally(self) -> None:
        """Forbid by the printed list, neighbour by neighbour, from the statuses that stood before."""
        links = {}
        for c, (mark, status) in self.cells.items():
            if status in ("normal", "forbid"):
                links[c] = any(self.own_valid(mark, s) and self.linked(mark, c, s) for s in self.cells if s != c)
        for c, is_linked in links.items():
            self.cells[c][1] = "normal" if is_linked else "forbid"

    def passives(self) -> None:
        if self.options["forbid"] == "local":
            steps = [self.pincer, self.forbid_locally]
            for step in steps if self.options["pincer_first"] else reversed(steps):
                step()
            return
        if not self.options["pincer_first"]:
            self.forbid()
        while True:
            captured = self.pincer()
            if not self.forbid() and not captured:
                return

    # §1.8
    def advance(self) -> None:
        self.turn = self.following(self.turn)
        while len(self.out) < len(self.players) - 1 and not self.legal():
            self.out.append(self.players[self.turn])
            self.turn = self.following(self.turn)

    def following(self, turn: int) -> int:
        while True:
            turn = (turn + 1) % len(self.players)
            if self.players[turn] not in self.out:
                return turn

    @property
    def over(self) -> bool:
        return len(self.out) == len(self.players) - 1

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        if self.over:
            return 0
        return sum(self.apply(action).perft(depth - 1) for action in sorted(self.legal()))


def name(c: Cell) -> str:
    return "abcdefghijklmnopqrstuvw"[c[0]] + str(c[1] + 1)


def cell(text: str) -> Cell:
    """Read the first cell of a text."""
    digits = text[1:3] if text[1:3].isdigit() else text[1]
    return "abcdefghijklmnopqrstuvw".index(text[0]), int(digits) - 1
