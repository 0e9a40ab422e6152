"""A RaiNet player with one idea: its hidden viruses walk up to the opponent's cards, one after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from game.contract import Action, OneOf, Pending
from game.rainet.board import CARD, FACE_UP, NEIGHBOURS, SQUARES, VIRUS, owner
from game.rainet.bots.levels import LEVELS, RaiNetBot
from game.rainet.view import View
from game.rng import Rng

TRUSTING = RaiNetBot(replace(LEVELS["normal"], infers=False, schemes=False))
CENTRE_VIRUSES = ("VLVLLVLV", "LVVLLVVL", "LVLVVLVL", "VLLVVLLV")


@dataclass(frozen=True, slots=True)
class Offers:
    """Takes what is free and enters as the level `normal` does; with nothing urgent to do it offers a virus."""

    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        """Choose an action for the seat to move."""
        assert isinstance(pending.choice, OneOf)
        usual = TRUSTING.decide(view, pending, rng)
        if view.is_setup:
            return Action(f"setup {rng.choose(CENTRE_VIRUSES)[0]}")
        if _is_urgent(view, int(pending.seat), usual.text):
            return usual
        seat = int(pending.seat)
        walks = [
            (distance, action)
            for action in pending.choice.actions
            if (distance := _offer(view, seat, action.text)) is not None
        ]
        if not walks or any(_is_offered(view.board, seat, square) for square in _viruses(view, seat)):
            return usual
        least = min(distance for distance, _ in walks)
        return rng.choose([action for distance, action in walks if distance == least])[0]


def _is_urgent(view: View, seat: int, text: str) -> bool:
    """Tell whether an action enters or captures."""
    if text[0] not in "abcdefgh":
        return False
    return ">" in text or bool(view.board[SQUARES[text[-2:]]] & CARD)


def _viruses(view: View, seat: int) -> list[int]:
    return [
        s for s, card in enumerate(view.board) if card and owner(card) == seat and card & VIRUS and not card & FACE_UP
    ]


def _enemies(board: bytes, seat: int) -> list[int]:
    return [square for square, card in enumerate(board) if card and owner(card) != seat]


def _is_offered(board: bytes, seat: int, square: int) -> bool:
    return any(board[n] and owner(board[n]) != seat for n in NEIGHBOURS[square])


def _offer(view: View, seat: int, text: str) -> int | None:
    """Return how far from the nearest enemy a move leaves a hidden virus; None: it moves something else."""
    if text[0] not in "abcdefgh" or ">" in text:
        return None
    start, target = SQUARES[text[:2]], SQUARES[text[-2:]]
    card = view.board[start]
    if not card & VIRUS or card & FACE_UP or view.board[target] & CARD:
        return None
    return min(abs(target % 8 - e % 8) + abs(target // 8 - e // 8) for e in _enemies(view.board, seat))
