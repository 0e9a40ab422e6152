"""`make bench`: measure and print, section by section; `python -m tests.bench rules` runs one of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib import import_module

from tests.bench.report import Figure, show

SECTIONS = ("rules", "store", "sessions", "lines", "web", "restart", "workers")


def main(wanted: list[str]) -> int:
    """Run the sections asked for (all of them without arguments); figures that miss their goal are named again."""
    missed: list[Figure] = []
    for name in wanted or SECTIONS:
        figures: Callable[[], Iterable[Figure]] = import_module(f"tests.bench.{name}").figures
        print(f"# {name}", flush=True)
        for figure in figures():
            show(figure)
            if figure.is_missed:
                missed.append(figure)
    print(f"# missed: {len(missed)}")
    for figure in missed:
        show(figure)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
