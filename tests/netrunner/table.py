"""Playing positions in tests: set one up, play actions, read what came of them."""

from __future__ import annotations

from typing import Any

from game.choices import contains, expand
from game.contract import Action, Event
from game.netrunner.rules import GAME
from game.netrunner.state import State

SEATS = {"corp": 0, "runner": 1}


class Play:
    """A position that is played on, and its events; actions are written as a seat types them."""

    def __init__(self, corp: dict[str, Any] | None = None, runner: dict[str, Any] | None = None, **more: Any) -> None:
        corp = {"rd": ["Hedge Fund"] * 8, **(corp or {})}
        runner = {"stack": ["Sure Gamble"] * 8, **(runner or {})}
        self.state: State = GAME.read_position({"corp": corp, "runner": runner, **more}, {})
        self.events: list[Event] = []

    def do(self, *texts: str) -> Play:
        """Play actions for whoever is asked; windows are passed until each is offered."""
        for text in texts:
            self.until(text)
            step = GAME.apply(self.state, GAME.pending(self.state)[0].seat, Action(text))
            self.state = step.state
            self.events += step.events
        return self

    def until(self, text: str) -> None:
        """Pass windows until this action can be taken."""
        for _ in range(40):
            if self.offers(text):
                return
            owed = GAME.pending(self.state)
            assert owed, f"over before {text}: {self.state.outcome}"
            assert self.can_pass(), f"{text} is not offered, but {self.offered()} ({owed[0].prompt})"
            self.quiet()
        raise AssertionError(f"{text} never comes")

    def quiet(self) -> None:
        """Pass once, or go on."""
        text = next(t for t in ("pass", "continue") if t in self.offered())
        step = GAME.apply(self.state, GAME.pending(self.state)[0].seat, Action(text))
        self.state = step.state
        self.events += step.events

    def can_pass(self) -> bool:
        """Tell whether the one who is asked may pass or go on."""
        return bool({"pass", "continue"} & set(self.offered()))

    def settle(self) -> Play:
        """Pass and go on until somebody has to choose something else, or the match is over."""
        while GAME.pending(self.state) and self.can_pass():
            self.quiet()
        return self

    def offers(self, text: str) -> bool:
        """Tell whether an action is offered now, in any spelling."""
        owed = GAME.pending(self.state)
        if not owed:
            return False
        try:
            GAME.apply(self.state, owed[0].seat, Action(text))
        except ValueError:
            return False
        return True

    def offered(self) -> list[str]:
        """Return what is offered."""
        owed = GAME.pending(self.state)
        assert all(contains(p.choice, action) for p in owed for action in list(expand(p.choice))[:3])
        return [action.text for p in owed for action in expand(p.choice)]

    @property
    def asked(self) -> tuple[int, str]:
        """Return who is asked, and what."""
        owed = GAME.pending(self.state)[0]
        return int(owed.seat), owed.prompt

    @property
    def corp(self) -> Any:
        """Return the Corp's half of the position."""
        return self.position["corp"]

    @property
    def runner(self) -> Any:
        """Return the Runner's half of the position."""
        return self.position["runner"]

    @property
    def position(self) -> Any:
        """Return the position."""
        return GAME.write_position(self.state)


def titles(cards: list[Any]) -> list[str]:
    """Return the titles of cards of a position."""
    return [card if isinstance(card, str) else card["card"] for card in cards]
