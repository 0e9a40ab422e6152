"""The bots' search board, made for speed: cards with odds instead of types, make and unmake in place.

One side is the searcher's (0, playing up the board), the other the opponent's (1). A card is a number: 1-8 the
searcher's, 9-16 the opponent's; each is worth its odds when it is captured or enters. All values are the searcher's.
"""

from __future__ import annotations

from game.bots.budget import OutOfBudget
from game.rainet.board import ALL_EXITS, EXITS, NEIGHBOURS
from game.rainet.bots.evaluation import WIN, link_table, stack_worth, survived, virus_table

STEP, ENTER, ATTACH, DETACH, WALL, UNWALL = range(6)
GONE = -1
IN_HAND = -2
FULL = 3.95  # a stack that surely holds four
RISKY = 2.9  # with so many viruses in its stack, a side loses by the next one

Move = tuple[int, int, int, int]  # kind, card, target square, square in between (or GONE)
# What a move overwrites: the card taken (of a Firewall: where it lay), the square left, the searcher's boosted card,
# the positional value, the worth of the stacks, the mover's links, the opponent's boosted card, the mover's viruses.
Undo = tuple[int, int, int, float, float, float, int, float]


def _paths(own_exit: bool) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """Return for both sides the squares each square leads to, own EXITs left out."""
    barred = (frozenset(), frozenset()) if own_exit else EXITS
    south, north = (tuple(tuple(n for n in NEIGHBOURS[s] if n not in barred[i]) for s in range(64)) for i in (0, 1))
    return south, north


PATHS = {own_exit: _paths(own_exit) for own_exit in (False, True)}


class SearchPosition:
    """A position under search. `cards` holds each side's card numbers; `place[number]` is a square or GONE."""

    __slots__ = (
        "at",
        "bluffs",
        "boost",
        "boosted_tables",
        "budget",
        "cards",
        "covers",
        "enter_link",
        "enter_virus",
        "exits_open",
        "link_odds",
        "links",
        "nodes",
        "paths",
        "place",
        "positional",
        "stacks",
        "tables",
        "viruses",
        "walls",
        "worth",
    )

    def __init__(self, own_exit: bool, boost_into_server: bool, bluff: float, covers: bool) -> None:
        self.paths = PATHS[own_exit]
        self.covers = covers  # a Firewall may lie under an enemy card
        self.exits_open = boost_into_server  # a boosted step onto an EXIT may be followed by entering
        self.at = [0] * 64
        self.place = [GONE] * 17
        self.cards: tuple[list[int], list[int]] = ([], [])
        self.link_odds = [0.0] * 17  # that a captor gets a link
        self.enter_link = [0.0] * 17  # links its owner gets when it enters
        self.enter_virus = [0.0] * 17
        self.boost = [GONE, GONE]  # the boosted card, 0: in hand, GONE: there is none
        self.walls = [GONE, GONE]  # a square, IN_HAND, or GONE: there is none
        self.links = [0.0, 0.0]
        self.viruses = [0.0, 0.0]
        self.tables: list[list[float]] = [[]] * 17
        self.boosted_tables: list[list[float]] = [[]] * 17
        self.bluffs = (bluff, 0.8)
        self.positional = 0.0
        self.worth = 0.0
        self.nodes = 0
        self.budget = 1 << 60

    def put(self, side: int, square: int, virus: float, seen_virus: float, boosted: bool) -> None:
        """Place a card: `virus` the odds that it is one, `seen_virus` those that a captor reckons with."""
        number = side * 8 + len(self.cards[side]) + 1
        self.cards[side].append(number)
        self.at[square], self.place[number] = number, square
        self.link_odds[number] = 1.0 - seen_virus
        self.enter_link[number] = 1.0 - virus
        self.enter_virus[number] = virus if side == 0 else 0.0  # an opponent does not enter a virus
        if boosted:
            self.boost[side] = number

    def settle(self) -> None:
        """Work out tables and worth once all cards and stacks are there."""
        for side in (0, 1):
            links, viruses = self.links[side], self.viruses[side]
            step = stack_worth(min(links + 1.0, 4.0), viruses) - stack_worth(links, viruses)
            plain, fast, hidden = link_table(step, False), link_table(step, True), virus_table(self.bluffs[side])
            for number in self.cards[side]:
                link = self.enter_link[number]
                order = range(64) if side == 0 else [square ^ 56 for square in range(64)]
                self.tables[number] = [link * plain[s] + (1.0 - link) * hidden[s] for s in order]
                self.boosted_tables[number] = [link * fast[s] + (1.0 - link) * hidden[s] for s in order]
        self._weigh_stacks()
        self.positional = sum(self._standing(0, n) for n in self.cards[0]) - sum(
            self._standing(1, n) for n in self.cards[1]
        )

    def _standing(self, side: int, number: int) -> float:
        square = self.place[number]
        if square == GONE:
            return 0.0
        return (self.boosted_tables if self.boost[side] == number else self.tables)[number][square]

    def _weigh_stacks(self) -> None:
        links, viruses = self.links, self.viruses
        self.worth = stack_worth(links[0], viruses[0]) - stack_worth(links[1], viruses[1])

    def value(self) -> float:
        """Return what the position is worth to the searcher, nobody moving."""
        return self.worth + self.positional

    def moves(self, side: int, terminals: bool) -> list[Move]:
        """List what a side may do, the most promising first; of the terminal cards only the likely uses."""
        at, place, path = self.at, self.place, self.paths[side]
        low, high = (1, 9) if side == 0 else (9, 17)
        exits, wall = EXITS[1 - side], self.walls[1 - side]
        boosted, odds = self.boost[side], self.link_odds
        found: list[tuple[float, Move]] = []
        for number in self.cards[side]:
            start = place[number]
            if start == GONE:
                continue
            table = self.boosted_tables[number] if number == boosted else self.tables[number]
            here = table[start]
            if start in exits:
                found.append((30.0 * self.enter_link[number] - 10.0, (ENTER, number, start, GONE)))
            for target in path[start]:
                other = at[target]
                if target == wall or low <= other < high:
                    continue
                if other:
                    found.append((10.0 + 10.0 * odds[other], (STEP, number, target, GONE)))
                    continue
                found.append((table[target] - here, (STEP, number, target, GONE)))
                if number == boosted:
                    self._second_steps(side, number, target, here, found)
        if terminals:
            self._terminals(side, found)
        found.sort(reverse=True)
        return [move for _, move in found]

    def _second_steps(self, side: int, number: int, between: int, here: float, found: list[tuple[float, Move]]) -> None:
        at, table, wall = self.at, self.boosted_tables[number], self.walls[1 - side]
        low, high = (1, 9) if side == 0 else (9, 17)
        for target in self.paths[side][between]:
            other = at[target]
            if target == wall or low <= other < high:
                continue
            order = 10.0 + 10.0 * self.link_odds[other] if other else table[target] - here
            found.append((order, (STEP, number, target, between)))
        if self.exits_open and between in EXITS[1 - side]:
            found.append((30.0 * self.enter_link[number] - 10.0, (ENTER, number, between, between)))

    def _terminals(self, side: int, found: list[tuple[float, Move]]) -> None:
        boost = self.boost[side]
        if boost == 0:
            gains = [
                (self.boosted_tables[n][self.place[n]] - self.tables[n][self.place[n]], n) for n in self._alive(side)
            ]
            found.extend((gain, (ATTACH, number, self.place[number], GONE)) for gain, number in gains if gain > 0.3)
        elif boost > 0:
            found.append((-3.0, (DETACH, boost, self.place[boost], GONE)))
        if self.walls[side] == IN_HAND:
            found.extend((0.0, (WALL, 0, square, GONE)) for square in self._wall_squares(side))
        elif self.walls[side] >= 0:
            found.append((-1.0, (UNWALL, 0, self.walls[side], GONE)))

    def _alive(self, side: int) -> list[int]:
        return [number for number in self.cards[side] if self.place[number] != GONE]

    def _wall_squares(self, side: int) -> list[int]:
        """Return where a Firewall does something now: before an enemy near the EXITs, under a card in danger."""
        at, low = self.at, 1 if side == 0 else 9
        squares: set[int] = set()
        for number in self._alive(1 - side):
            square = self.place[number]
            rank = square >> 3 if side == 0 else 7 - (square >> 3)
            near = rank <= 3 or number == self.boost[1 - side]
            for target in self.paths[1 - side][square]:
                mine = low <= at[target] < low + 8
                if mine or (near and not at[target]):
                    squares.add(target)
                if number == self.boost[1 - side] and not at[target]:
                    squares.update(far for far in self.paths[1 - side][target] if low <= at[far] < low + 8)
                if self.covers and near and at[target] and not mine:  # no other enemy can follow onto that square
                    squares.add(target)
        if self.covers:
            squares.update(self._guarded(side))
        return [square for square in squares if square not in ALL_EXITS and square != self.walls[1 - side]]

    def _guarded(self, side: int) -> list[int]:
        """Return the squares of the enemy's cards that this side attacks: a Firewall there prevents recapture."""
        enemies = 9 if side == 0 else 1
        attacked = (target for number in self._alive(side) for target in self.paths[side][self.place[number]])
        return [target for target in attacked if enemies <= self.at[target] < enemies + 8]

    def make(self, side: int, move: Move) -> Undo:
        """Do a move and return what `unmake` needs."""
        kind, number, target, _ = move
        links, viruses, boost = self.links, self.viruses, self.boost
        sign = 1.0 if side == 0 else -1.0
        undo = (0, GONE, boost[0], self.positional, self.worth, 0.0, boost[1], 0.0)
        if kind == STEP:
            start, taken = self.place[number], self.at[target]
            table = self.boosted_tables[number] if boost[side] == number else self.tables[number]
            undo = (taken, start, boost[0], self.positional, self.worth, links[side], boost[1], viruses[side])
            self.positional += sign * (table[target] - table[start])
            if taken:
                self.positional += sign * self._standing(1 - side, taken)
                self.place[taken] = GONE
                odds = self.link_odds[taken] if viruses[side] < RISKY else 1.0  # `risk` has the other case
                links[side] += odds
                viruses[side] += 1.0 - odds
                if boost[1 - side] == taken:
                    boost[1 - side] = 0
                self._weigh_stacks()
            self.at[start], self.at[target], self.place[number] = 0, number, target
        elif kind == ENTER:
            start = self.place[number]
            undo = (0, start, boost[0], self.positional, self.worth, links[side], boost[1], viruses[side])
            self.positional -= sign * self._standing(side, number)
            self.at[start], self.place[number] = 0, GONE
            links[side] += self.enter_link[number]
            viruses[side] += self.enter_virus[number]
            if boost[side] == number:
                boost[side] = 0
            self._weigh_stacks()
        elif kind in (ATTACH, DETACH):
            change = self.boosted_tables[number][target] - self.tables[number][target]
            self.positional += sign * change if kind == ATTACH else -sign * change
            boost[side] = number if kind == ATTACH else 0
        else:
            undo = (self.walls[side], GONE, boost[0], self.positional, self.worth, 0.0, boost[1], 0.0)
            self.walls[side] = target if kind == WALL else IN_HAND
        return undo

    def unmake(self, side: int, move: Move, undo: Undo) -> None:
        """Take a move back."""
        kind, number, target, _ = move
        taken, start, self.boost[0], self.positional, self.worth, links, self.boost[1], viruses = undo
        if kind == STEP:
            self.at[start], self.at[target], self.place[number] = number, taken, start
            if taken:
                self.place[taken] = target
                self.links[side], self.viruses[side] = links, viruses
        elif kind == ENTER:
            self.at[start], self.place[number] = number, start
            self.links[side], self.viruses[side] = links, viruses
        elif kind in (WALL, UNWALL):
            self.walls[side] = taken

    def outcome(self, side: int, depth: int) -> float | None:
        """Return the value for `side`, which just moved, if its stack is surely full; sooner is better."""
        if self.links[side] >= FULL:
            return WIN * 2 + depth
        if self.viruses[side] >= FULL:
            return -WIN * 2 - depth
        return None

    def search(self, side: int, depth: int, alpha: float, beta: float, wide: int) -> float:
        """Return the value for the side to move, looking `depth` plies ahead and then at captures only.

        Terminal cards are tried in the first `wide` plies. Raises OutOfBudget.
        """
        if depth <= 0:
            return self.quiet(side, alpha, beta, 2)
        best = -1e9
        for move in self.moves(side, wide > 0):
            value = self.after(side, move, depth, alpha, beta, wide)
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
        return best if best > -1e9 else self._static(side)

    def after(self, side: int, move: Move, depth: int, alpha: float, beta: float, wide: int) -> float:
        """Return the value for `side` of making this move; raises OutOfBudget with the move still made."""
        self.nodes += 1
        if self.nodes > self.budget:
            raise OutOfBudget
        risk = self.risk(side, move)
        if risk:
            alpha, beta = -1e9, 1e9
        undo = self.make(side, move)
        value = self.outcome(side, depth) if move[0] <= ENTER else None
        if value is None:
            value = -self.search(1 - side, depth - 1, -beta, -alpha, wide - 1)
        self.unmake(side, move, undo)
        return survived(value, risk) if risk else value

    def risk(self, side: int, move: Move) -> float:
        """Return the odds that a move captures the virus that loses; `make` assumes that it does not."""
        if self.viruses[side] < RISKY or move[0] != STEP:
            return 0.0
        taken = self.at[move[2]]
        return 1.0 - self.link_odds[taken] if taken else 0.0

    def _static(self, side: int) -> float:
        return self.worth + self.positional if side == 0 else -self.worth - self.positional

    def quiet(self, side: int, alpha: float, beta: float, depth: int) -> float:
        """Return the value for the side to move when only captures and entries are looked at."""
        best = self._static(side)
        if best >= beta or depth == 0:
            return best
        alpha = max(alpha, best)
        for move in self._captures(side):
            self.nodes += 1
            risk = self.risk(side, move)
            undo = self.make(side, move)
            value = self.outcome(side, 0)
            if value is None:
                value = -(
                    self.quiet(1 - side, -1e9, 1e9, depth - 1)
                    if risk
                    else self.quiet(1 - side, -beta, -alpha, depth - 1)
                )
            self.unmake(side, move, undo)
            if risk:
                value = survived(value, risk)
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
        return best

    def _captures(self, side: int) -> list[Move]:
        at, place, path = self.at, self.place, self.paths[side]
        low, high = (9, 17) if side == 0 else (1, 9)
        exits, wall, boosted = EXITS[1 - side], self.walls[1 - side], self.boost[side]
        found: list[Move] = []
        for number in self.cards[side]:
            start = place[number]
            if start == GONE:
                continue
            if start in exits and self.enter_link[number] > 0.3:
                found.append((ENTER, number, start, GONE))
            for target in path[start]:
                if target == wall:
                    continue
                other = at[target]
                if low <= other < high:
                    if self.link_odds[other] > 0.2:
                        found.append((STEP, number, target, GONE))
                elif not other and number == boosted:
                    found.extend(self._far_captures(side, number, target))
        return found

    def _far_captures(self, side: int, number: int, between: int) -> list[Move]:
        at, wall = self.at, self.walls[1 - side]
        low, high = (9, 17) if side == 0 else (1, 9)
        targets = [n for n in self.paths[side][between] if low <= at[n] < high and n != wall]
        return [(STEP, number, target, between) for target in targets]
