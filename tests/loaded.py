"""What a process has loaded and prepared before it forks servers (`tests.forkserver`)."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import threading
from importlib import import_module
from pathlib import Path

from server.gctuning import loading
from server.hostkeys.files import load_or_make_all
from server.i18n import catalogues
from server.store.migrate import upgrade

with loading():
    for name in ("server.commands", "server.app", "server.store.revisions"):
        import_module(name)
    catalogues.load_all()


def furnish(data_dir: Path) -> None:
    """Make a data directory as a first start leaves it, unless it is there: the schema, host keys."""
    if not data_dir.exists():
        shutil.copytree(FURNISHED.name, data_dir)


def _furnished() -> tempfile.TemporaryDirectory[str]:
    """Return a data directory to copy."""
    before = os.umask(0o077)
    made = tempfile.TemporaryDirectory(prefix="patchbay-furnished-")
    load_or_make_all(Path(made.name) / "host_key")
    asyncio.run(upgrade(f"sqlite:///{made.name}/patchbay.db"))
    os.umask(before)
    return made


FURNISHED = _furnished()
assert threading.active_count() == 1, "a process with threads can't be forked"
