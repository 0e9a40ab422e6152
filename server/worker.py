"""One of several server processes: `python -m server.worker PARENT NUMBER PORT`, its settings on standard input."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module

from structlog.contextvars import bind_contextvars

from server.admission.tally import Tally
from server.config import Limits, Settings
from server.gctuning import loading
from server.log import configure
from server.supervisor import CANNOT_START, TALLY, die_with_parent


def main(argv: list[str]) -> int:
    """Serve until told to stop, or until the parent is gone."""
    parent, number, port = (int(word) for word in argv)
    die_with_parent(parent)
    given = json.loads(sys.stdin.readline())
    limits = Limits(**given.pop("limits"))
    if given["metrics_port"]:
        given["metrics_port"] += number  # one port each
    settings = Settings(limits=limits, **{**given, "port": port})
    configure(
        settings.log,
        settings.log_level,
        settings.data_dir / "logs" / f"patchbay-{number}.log",
        processes=settings.workers,
    )
    bind_contextvars(worker=number)  # on each line of the log: stderr holds those of all workers
    with loading():
        app = import_module("server.app")
    try:
        code: int = asyncio.run(app.run(settings, reuse_port=True, tally=Tally(settings.data_dir / TALLY, number)))
    except app.START_ERRORS as error:
        app.cannot_start(error)
        return CANNOT_START
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
