"""A process that thinks for built-in players: framed pickles in on stdin, out on stdout.

The first one out says that it is ready. It knows `game` only. It ends as soon as its input closes, even in the middle
of a thought, so it never outlives the server that started it. Arguments are modules to import first (tests bring their
own games).
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import struct
import sys
import threading
import traceback
from dataclasses import dataclass
from importlib import import_module
from typing import Any, BinaryIO

from game import registry
from game.contract import Pending
from game.rng import Rng

LENGTH = struct.Struct(">I")
NICENESS = 10  # the server's loop goes first
READY = (True, "ready")


@dataclass(frozen=True, slots=True)
class BotQuestion:
    """One decision to make: what a bot may know, and the seed of its own chance."""

    game: str
    level: str
    view: Any
    pending: Pending
    seed: bytes


def pack(thing: object) -> bytes:
    """Return a frame: the length, then the pickle."""
    body = pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(body)) + body


def unpack(body: bytes) -> Any:
    """Read a frame's body. Only ever given what the other end of our own pipe wrote."""
    return pickle.loads(body)  # noqa: S301


def think(question: BotQuestion) -> str:
    """Return the answer's text."""
    bot = registry.bots(question.game)[question.level]
    return bot.decide(question.view, question.pending, Rng(question.seed)).text


def answer(question: BotQuestion) -> tuple[bool, str]:
    """Return (True, action), or (False, a traceback): a bot that fails must not end its process."""
    try:
        return True, think(question)
    except Exception:  # the guard of one question; the server's process logs it  # noqa: BLE001
        return False, traceback.format_exc()


def read_forever(source: BinaryIO, questions: queue.SimpleQueue[BotQuestion]) -> None:
    """Pass on what comes in; at its end, end the process."""
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        questions.put(unpack(source.read(LENGTH.unpack(head)[0])))
    os._exit(0)


def main(modules: list[str]) -> None:
    """Answer questions until the input closes."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints must not end up between frames
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    for module in modules:
        import_module(module)
    _send(out, READY)
    questions: queue.SimpleQueue[BotQuestion] = queue.SimpleQueue()
    threading.Thread(target=read_forever, args=(sys.stdin.buffer, questions), daemon=True).start()
    while True:
        _send(out, answer(questions.get()))


def _send(out: BinaryIO, thing: object) -> None:
    out.write(pack(thing))
    out.flush()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        main(sys.argv[1:])
