"""`make bench`: measure and print, section by section; `python -m tests.bench rules` runs one of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module

from tests.bench.report import Figure, show

SECTIONS = ("rules", "store", "sessions", "lines", "web", "restart", "workers")


def sections(words: Sequence[str]) -> Sequence[str]:
    """Read the command line: the sections asked for, all of them without arguments."""
    named = ", ".join(SECTIONS)
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure and print, section by section.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"one of {named}; all where none is named")
    wanted: Sequence[str] = parser.parse_args(words).sections
    for name in wanted:
        if name not in SECTIONS:
            parser.error(f"no section {name!r}: choose from {named}")
    return wanted or SECTIONS


def main(words: Sequence[str]) -> int:
    """Run the sections asked for; figures that miss their goal are named again."""
    missed: list[Figure] = []
    for name in sections(words):
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
