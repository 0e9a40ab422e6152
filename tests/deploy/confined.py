"""A command under the system call filters of the unit: `python -m tests.deploy.confined WORDS…`.

Runs `patchbay WORDS…` with exactly what systemd would load for `SystemCallFilter=`, `SystemCallErrorNumber=`,
`RestrictAddressFamilies=` and `MemoryDenyWriteExecute=` of deploy/patchbay.service (or of the file that `CONFINED_UNIT`
names). With `CONFINED_DEADLY=1` a call that is denied kills its process, so that nothing is denied unnoticed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

UNIT = Path(__file__).parents[2] / "deploy" / "patchbay.service"
LIBRARY = "libseccomp.so.2"
KILL, ALLOW, ERRNO = 0x80000000, 0x7FFF0000, 0x00050000  # seccomp.h: actions; an error's number is added
EQUAL = 4  # seccomp.h: SCMP_CMP_EQ
PR_SET_MDWE, REFUSE_EXEC_GAIN = 65, 1  # prctl.h
FAMILIES = 64  # more than the kernel knows


class Comparison(ctypes.Structure):
    """`struct scmp_arg_cmp`: an argument of a system call, compared with a value."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("value", ctypes.c_uint64),
        ("more", ctypes.c_uint64),
    )


def missing() -> str:
    """Return what this machine lacks; empty: nothing."""
    if shutil.which("systemd-analyze") is None:
        return "systemd-analyze"
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        return LIBRARY
    return ""


def settings(unit: Path, name: str) -> list[str]:
    """Return the values of a setting of the unit, in order."""
    lines = unit.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(f"{name}=") for line in lines if line.startswith(f"{name}=")]


@cache
def _group(name: str) -> frozenset[str]:
    """Return the system calls of one of systemd's groups, those of the groups in it too."""
    said = subprocess.run(("systemd-analyze", "syscall-filter", name), capture_output=True, text=True, check=True)
    words = [line.strip() for line in said.stdout.splitlines()[1:]]
    return frozenset(_calls(word for word in words if word and not word.startswith("#")))


def _calls(words: Iterator[str]) -> Iterator[str]:
    for word in words:
        yield from _group(word) if word.startswith("@") else (word,)


def allowed(unit: Path) -> frozenset[str]:
    """Return the system calls that the unit's filter lets through; it begins with a list of what is allowed."""
    found = set(_group("@default"))
    for line in settings(unit, "SystemCallFilter"):
        named = set(_calls(iter(line.removeprefix("~").split())))
        found = found - named if line.startswith("~") else found | named
    return frozenset(found)


def load(unit: Path, deadly: bool) -> None:
    """Put this process, and all that it starts, under the unit's filters. Raises OSError."""
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p
    numbers = settings(unit, "SystemCallErrorNumber")
    denied = KILL if deadly or not numbers else ERRNO | getattr(errno, numbers[-1])
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(denied)))

    def rule(action: int, call: int, *compared: Comparison) -> None:
        array = (Comparison * len(compared))(*compared)
        done = library.seccomp_rule_add_array(context, ctypes.c_uint32(action), call, len(compared), array)
        if done not in (0, -errno.EDOM, -errno.EACCES):  # not on this machine; what is denied anyway
            raise OSError(-done, f"seccomp_rule_add_array: {call}")

    families = {int(getattr(socket, name)) for name in settings(unit, "RestrictAddressFamilies")[-1].split()}
    as_root = {"fchown"} if os.geteuid() == 0 else set[str]()  # SQLite's, which it leaves as the unit's user
    for name in sorted(allowed(unit) | as_root):
        call = library.seccomp_syscall_resolve_name(name.encode())
        if call == -1:
            continue  # newer than the library
        if name == "socket":
            for family in range(FAMILIES):
                action = ALLOW if family in families else ERRNO | errno.EAFNOSUPPORT
                rule(action, call, Comparison(0, EQUAL, family, 0))
        else:
            rule(ALLOW, call)
    if settings(unit, "MemoryDenyWriteExecute") == ["yes"]:
        ctypes.CDLL(None).prctl(PR_SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0)  # Linux 6.3; systemd takes a filter before
    done = library.seccomp_load(context)
    if done:
        raise OSError(-done, "seccomp_load")


def main(words: list[str]) -> None:
    """Become `patchbay WORDS…` under the filters."""
    load(Path(os.environ.get("CONFINED_UNIT", UNIT)), os.environ.get("CONFINED_DEADLY") == "1")
    os.execv(sys.executable, [sys.executable, "-m", "server", *words])


if __name__ == "__main__":
    main(sys.argv[1:])
