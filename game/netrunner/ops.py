"""The frame interpreter: runs the top frame until somebody owes a decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Unpack

from game.contract import Action, Choice, OneOf
from game.netrunner.frames import QuestionData, Vars
from game.netrunner.table import Table

Operation = Callable[[Table, Vars], None]
Answer = Callable[[Table, Vars, list[str]], None]
OPS: Final[dict[str, Operation]] = {}
CHOICES: Final[dict[str, Callable[[Table, Vars], Choice]]] = {}
ANSWERS: Final[dict[str, Answer]] = {}
CHECKS: Final[list[Callable[[Table], None]]] = []  # called before each frame: `triggers.checkpoint`


def op(name: str) -> Callable[[Operation], Operation]:
    """Register a function as the operation of frames with this name."""

    def register(function: Operation) -> Operation:
        OPS[name] = function
        return function

    return register


def choice(kind: str) -> Callable[[Callable[[Table, Vars], Choice]], Callable[[Table, Vars], Choice]]:
    """Register the function that returns what a kind of question offers."""

    def register(function: Callable[[Table, Vars], Choice]) -> Callable[[Table, Vars], Choice]:
        CHOICES[kind] = function
        return function

    return register


def answer(kind: str) -> Callable[[Answer], Answer]:
    """Register what an answer to a kind of question does; without that it goes to the frame below as 'answer'."""

    def register(function: Answer) -> Answer:
        ANSWERS[kind] = function
        return function

    return register


def ask(t: Table, kind: str, seat: int, prompt: str, **data: Unpack[QuestionData]) -> None:
    """Push a question to a seat; `data` is what its choice and its prompt's parameters need."""
    t.push("ask", kind=kind, seat=seat, prompt=prompt, **data)


def one_of(texts: list[str]) -> OneOf:
    """Return a choice of these texts, each once."""
    return OneOf(tuple(Action(text) for text in dict.fromkeys(texts)))


def settle(t: Table) -> None:
    """Continue until somebody owes a decision or the match is over."""
    while not t.is_over():
        for check in CHECKS:
            check(t)
        if t.is_over():
            return
        top = t.frames[-1]
        if top["op"] == "ask":
            return
        OPS[top["op"]](t, top)


def reply(t: Table, words: list[str], seat: int | None = None) -> None:
    """Carry out an answer to the question on top; `seat` matters where several are asked."""
    top = t.frames[-1]
    if seat is not None:
        top["seat"] = seat
    handler = ANSWERS.get(top["kind"])
    if handler is not None:
        return handler(t, top, words)
    t.pop()
    t.frames[-1]["answer"] = tuple(words)
