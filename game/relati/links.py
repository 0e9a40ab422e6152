"""Linking (§1.4): the cells that a set of pieces reaches, and the pieces linked to a source."""

from __future__ import annotations


def neighbourhood(nodes: int, blank: int, stride: int) -> int:
    """Return every cell linked to one of `nodes`, crossing only `blank`; not cut down to the board.

    RN is one king step, RRN two equal king steps over a blank, RRS three orthogonal steps, two in one direction and one
    across in any order, over two blanks. `blank` must lie on the board. Some cells of `nodes` may be in the answer.

    Source: Relati §1.4, in the form of its equivalent statement.
    """
    up, down = nodes >> stride, nodes << stride
    left, right = nodes >> 1, nodes << 1
    up_left, up_right = up >> 1, up << 1
    down_left, down_right = down >> 1, down << 1
    found = up | down | left | right | up_left | up_right | down_left | down_right
    up &= blank
    down &= blank
    left &= blank
    right &= blank
    # Two steps straight on. Where the first is over a blank this is RRN; where both are, one step across ends RRS.
    up_two, down_two, left_two, right_two = up >> stride, down << stride, left >> 1, right << 1
    found |= up_two | down_two | left_two | right_two
    found |= (up_left & blank) >> (stride + 1) | (up_right & blank) >> (stride - 1)
    found |= (down_left & blank) << (stride - 1) | (down_right & blank) << (stride + 1)
    upright = (up_two | down_two) & blank
    level = (left_two | right_two) & blank
    # Two steps round a corner, both over blanks: a third step either way ends RRS (or falls back on RN, linked anyway).
    sideways, lengthwise = up | down, left | right
    corner = (sideways << 1 | sideways >> 1 | lengthwise << stride | lengthwise >> stride) & blank
    across = upright | corner
    along = level | corner
    return found | across << 1 | across >> 1 | along << stride | along >> stride


def beside(valid: int, normal: int, blank: int, stride: int) -> int:
    """Return the part of `normal` that is linked to one of `valid` itself, not by way of others (§1.6, A7)."""
    return neighbourhood(valid, blank, stride) & normal


def flood(source: int, normal: int, blank: int, stride: int) -> int:
    """Return the part of `normal` that is linked to `source`, directly or through others (§1.6, forbid)."""
    reached, frontier, rest = 0, source, normal
    while frontier and rest:
        frontier = neighbourhood(frontier, blank, stride) & rest
        reached |= frontier
        rest ^= frontier
    return reached
