"""`patchbay hostkeys`: which keys the server is known by, and their rotation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from game.cli.commandline import CommandLine
from game.errors import BadNotation
from server.admin.acts import Admin
from server.clock import Clock, rfc3339
from server.hostkeys import files, inforce
from server.store import hostkeys as stored
from server.store.columns import to_json
from server.store.database import Database

BEGUN = (
    "the new keys are announced from now on, beside the present ones, which stay in use: OpenSSH clients that come in "
    "learn them. When most players have been here, in some weeks: patchbay hostkeys rotate --finish"
)
FINISHED = (
    "the new keys are in use from now on. Who was not here during the rotation is warned: publish the fingerprints"
)
COLUMNS = ("KEY", "KIND", "SINCE", "FILE")
Print = Callable[[str], None]


async def run(
    line: CommandLine,
    database: Database,
    clock: Clock,
    admin: Admin,
    host_key: Path,
    out: Print,
    err: Print,
    lists: Callable[[], None],
) -> None:
    """Do what the first word says: list, rotate, accept. Raises BadNotation, HostKeyError, StoreUnavailable.

    `lists`: prints the head of the list.
    """
    match line.words[0], "finish" in line.flags:
        case "list", False:
            lists()
            await _list(database, host_key, out, "json" in line.flags)
            return
        case "rotate", False:
            await inforce.begin_rotation(database, clock, host_key)
            await admin.note("hostkeys rotate", "")
            err(BEGUN)
        case "rotate", True:
            retired = await inforce.finish_rotation(database, clock, host_key)
            await admin.note("hostkeys rotate --finish", "", {"retired": list(retired)})
            err(FINISHED)
        case "accept", False:
            await inforce.accept(database, clock, host_key)
            await admin.note("hostkeys accept", "")
        case word, _:
            raise BadNotation("usage.choice", f"{word[:40]} (list, rotate, accept)")
    lists()
    await _list(database, host_key, out, as_json=False)


async def _list(database: Database, host_key: Path, out: Print, as_json: bool) -> None:
    """Print the keys in force; as JSON the retired ones too."""
    names = {key.get_fingerprint(): file.name for file, key in files.present(host_key)}
    for one in await database.read(stored.all_of):
        if as_json:
            retired = None if one.retired_at is None else rfc3339(one.retired_at)
            row = {"v": 1, "type": "host_key", "key": one.fingerprint, "kind": one.kind, "since": rfc3339(one.since)}
            out(to_json({**row, "retired": retired, "file": names.get(one.fingerprint)}))
        elif one.retired_at is None:
            out("\t".join((one.fingerprint, one.kind, rfc3339(one.since), names.get(one.fingerprint, "-"))))
