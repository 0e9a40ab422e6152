"""The `patchbay` command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from server.gctuning import loading


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (docs/operations.md)."""
    with loading():
        commands = import_module("server.commands")
    code: int = commands.main(arguments)
    return code


if __name__ == "__main__":
    sys.exit(main())
