"""Writes docs/keys.md from the key table: `python -m server.boards.keydocs > docs/keys.md`."""

from __future__ import annotations

import sys
from itertools import groupby

from server.boards import keymap
from server.terminal.look import Look

HEAD = """# Keys

Every screen shows the keys that work right now in its last lines, and `?` lists them all. This page is generated from
the key table (`server/boards/keymap.py`) with `python -m server.boards.keydocs > docs/keys.md`; a test keeps it fresh.
"""


def written(key: str) -> str:
    """Return a key as Markdown code; the bar would end a table's cell."""
    return {" ": "`space`", "|": "`bar`"}.get(key, f"`{key}`")


def page() -> str:
    """Return docs/keys.md, in English."""
    look = Look()
    parts = [HEAD]
    for context, bindings in groupby(keymap.BINDINGS, key=lambda binding: binding.context):
        parts.append(f"\n## {look.t(f'context.{context}')}\n\n| key | label | does |\n|---|---|---|\n")
        for binding in bindings:
            keys = " ".join(written(key) for key in binding.keys)
            parts.append(f"| {keys} | {look.t(binding.label)} | {look.t(binding.help)} |\n")
    return "".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
