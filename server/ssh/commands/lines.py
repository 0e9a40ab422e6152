"""The command `lines`: everything the screens do, as a dialogue. The session itself is begun in `all.py`."""

from __future__ import annotations

from typing import Final

from game.cli.commandline import Syntax
from game.errors import BadNotation
from server.ssh.commands.table import ExecCommand, Request

NAME: Final = "lines"


async def refuse(request: Request) -> int:
    """Refuse what is not the bare word, which begins a session and never comes here."""
    raise BadNotation("usage.command", NAME)


COMMANDS = (
    ExecCommand(
        NAME,
        Syntax(),
        "everything here as a dialogue, without a cursor",
        refuse,
        details=(
            "With a terminal (`ssh -t`) what you type is echoed and edited; without one it is read as lines.",
            "A prompt ends with `> ` and no line end. `help` there says every word.",
        ),
    ),
)
