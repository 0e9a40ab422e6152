"""`make load SESSIONS=1000 MINUTES=5`: fill the server, and print how it bears it; `--only mixed` runs one scenario."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.bench.report import Figure, show
from tests.load import gallery, loaded, logins, mixed
from tests.load.people import LEAST_ADDRESSES, Somebody, make_accounts

SCENARIOS = ("mixed", "gallery", "rush", "leaks")
LOGIN_S, WATCHED_S = 20.0, 60.0


def arguments(words: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description="Load a server with real SSH clients.")
    parser.add_argument("--sessions", type=int, default=1000, help="sessions at once in the full server")
    parser.add_argument("--watchers", type=int, help="watchers of one match (half the sessions)")
    parser.add_argument("--logins", type=float, default=100, help="logins a second in the rush")
    parser.add_argument("--minutes", type=float, default=5, help="how long the full server and the leak count go on")
    parser.add_argument("--seed", type=int, default=1, help="what the clients' whims are drawn from")
    parser.add_argument("--only", choices=SCENARIOS, action="append", help="run this scenario only (repeatable)")
    return parser.parse_args(words)


async def scenario(name: str, given: argparse.Namespace, folder: Path) -> AsyncIterator[Figure]:
    """Run one scenario on a server of its own."""
    wanted = max(given.sessions, 40, int(given.logins * LOGIN_S) if name == "rush" else 0)
    people: list[Somebody] = await make_accounts(folder, 2 if name == "gallery" else wanted)
    async with loaded.serving(folder) as served:
        match name:
            case "mixed":
                figures = mixed.full_server(served, people[: given.sessions], given.minutes, given.seed)
            case "gallery":
                watchers = given.watchers or given.sessions // 2
                figures = gallery.watched_match(served, people, watchers, WATCHED_S, given.seed)
            case "rush":
                figures = logins.rush(served, people, given.logins, LOGIN_S)
            case _:
                figures = logins.comings_and_goings(served, people, given.minutes, given.seed)
        async for figure in figures:
            yield figure


async def main(words: list[str]) -> int:
    """Run the scenarios one after the other; 1 when somebody was dropped, refused or forgotten, or a goal missed."""
    given = arguments(words)
    loaded.take_other_cores()
    print(f"# servers on processor {loaded.server_core()}, clients on {sorted(os.sched_getaffinity(0))}")
    print(f"# from {LEAST_ADDRESSES} addresses or more, under the ordinary limits")
    missed: list[Figure] = []
    for name in given.only or SCENARIOS:
        load = os.getloadavg()[0]
        print(f"# {name} (load average {load:.1f})", flush=True)
        with tempfile.TemporaryDirectory(prefix="patchbay-load-") as folder:
            async for figure in scenario(name, given, Path(folder)):
                show(figure)
                if figure.is_missed:
                    missed.append(figure)
    print(f"# missed: {len(missed)} (load average {os.getloadavg()[0]:.1f})")
    for figure in missed:
        show(figure)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
