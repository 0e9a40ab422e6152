"""How a command ends: one table of exit codes for every command line."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of `python -m game`, of `patchbay` and of the commands over SSH."""

    OK = 0
    REFUSED = 1  # not allowed now, or it differs
    USAGE = 2  # the command line can't be read
    NOT_FOUND = 3
    NOT_ALLOWED = 4
    RATE_LIMITED = 5
    DRAINING = 75
    INTERRUPTED = 130
    CLOSED_PIPE = 141  # as a program that SIGPIPE ends
