"""The admin commands as text: read arguments, do the act, print; over SSH by role."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NoReturn

from server.accounts.identity import ADMIN, MODERATOR, ROLES
from server.admin.acts import Admin
from server.admin.durations import parse_duration
from server.clock import rfc3339
from server.errors import RateLimited, Refused
from server.store.columns import to_json
from server.store.errors import NoSuchRow, StoreUnavailable
from server.tui import i18n
from server.tui.look import Look
from server.tui.seats import reasons
from server.words import clean

OK, REFUSED, USAGE, NOT_FOUND, NOT_ALLOWED, LIMITED = 0, 1, 2, 3, 4, 5
NOT_FOUND_KEYS = frozenset(("handle.unknown", "store.not-found", "key.unknown"))
MODERATORS = frozenset(
    ("ban", "unban", "mute", "unmute", "note", "reports", "sanctions", "sessions", "matches", "audit")
)
BESIDE_ONLY = frozenset(("grant", "revoke", "key"))  # these make admins: not over the wire
WHOM = "HANDLE|GUEST|KEY|NETWORK"
SYNOPSES: Mapping[str, tuple[str, str]] = {  # by act: how it is written, and what it does
    "ban": (f"{WHOM} [--for 3d] --why TEXT", "keep somebody out, at once; a guest by their address"),
    "unban": (WHOM, "take a ban back"),
    "mute": ("HANDLE|GUEST|NETWORK [--for 3d] [--why TEXT]", "let somebody no longer speak; guests by their address"),
    "unmute": ("HANDLE|NETWORK", "take a mute back"),
    "sanctions": ("[--json]", "the bans and mutes that hold now"),
    "reports": ("[--handled ID] [--json]", "the reports that wait, with the log attached; close one"),
    "note": ("HANDLE|GUEST TEXT", "keep a sentence about somebody for whoever moderates next"),
    "sessions": ("[--json]", "who is connected, with address and key"),
    "matches": ("[--json]", "the running matches, private ones too"),
    "audit": ("[--limit N] [--json]", "what admins and moderators did, newest first"),
    "announce": ("TEXT", "tell everybody who is here"),
    "void": ("MATCH --why TEXT", "end a match without a result, or take a finished one back"),
    "drain": ("", "let nobody in any more; matches stay safe"),
    "undrain": ("", "open again"),
    "grant": ("HANDLE --role admin|moderator", "give a role"),
    "revoke": ("HANDLE --role admin|moderator", "take a role"),
    "key": ("add HANDLE < KEY.pub", "let another key open an account whose keys are lost"),
}
Print = Callable[[str], None]


class Usage(Exception):
    """The arguments can't be read; the message says how they should be."""


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of leaving the process."""

    def error(self, message: str) -> NoReturn:
        raise Usage(f"{message}\n{self.format_usage().strip()}")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise Usage(message or self.format_help())


@dataclass(frozen=True, slots=True)
class Console:
    """Where an admin's command reads and writes: data to `out`, messages to `err`, a key from `read`."""

    out: Print
    err: Print
    read: Callable[[], Awaitable[str]]


def overview() -> list[str]:
    """Return the acts as `help admin` lists them, by who may do them."""
    lines = []
    for who, acts in (
        ("moderators and admins:", MODERATORS),
        ("admins:", SYNOPSES.keys() - MODERATORS - BESIDE_ONLY),
        ("only beside the database (patchbay admin …):", BESIDE_ONLY),
    ):
        lines.append(who)
        for act, (synopsis, about) in SYNOPSES.items():
            if act in acts:
                lines += [f"  {act} {synopsis}".rstrip(), f"      {about}"]
    return lines


def number(text: str) -> int:
    """Read a number that any column holds, from 1 on. Raises ValueError."""
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text)):
        raise ValueError(text[:40])
    return int(text)


def _duration(text: str) -> timedelta:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parser() -> Parser:
    """Return the parser of everything behind `admin`."""
    top = Parser(prog="admin", add_help=False)
    acts = top.add_subparsers(dest="act", required=True, metavar="ACT", parser_class=Parser)
    for act in ("grant", "revoke"):
        role = _add(acts, act)
        role.add_argument("handle")
        role.add_argument("--role", required=True, choices=sorted(ROLES))
    key = _add(acts, "key")
    key.add_argument("what", choices=["add"])
    key.add_argument("handle")
    for act in ("ban", "mute"):
        sanction = _add(acts, act)
        sanction.add_argument("target", nargs="?")
        sanction.add_argument("--for", dest="lasts", type=_duration, metavar="3d")
        sanction.add_argument("--why", required=act == "ban", default="", metavar="TEXT", nargs="+")
        _add(acts, f"un{act}").add_argument("target")
    note = _add(acts, "note")
    note.add_argument("handle")
    note.add_argument("text", nargs="+")
    announce = _add(acts, "announce")
    announce.add_argument("text", nargs="+")
    void = _add(acts, "void")
    void.add_argument("match")
    void.add_argument("--why", required=True, metavar="TEXT", nargs="+")
    for act in ("sessions", "matches", "audit", "reports", "sanctions"):
        listing = _add(acts, act)
        listing.add_argument("--json", action="store_true")
        if act == "audit":
            listing.add_argument("--limit", type=number, default=100)
        if act == "reports":
            listing.add_argument("--handled", type=number, metavar="ID")
    for act in ("drain", "undrain"):
        _add(acts, act)
    return top


def _add(acts: Any, act: str) -> Parser:
    made: Parser = acts.add_parser(act, add_help=False, usage=f"admin {act} {SYNOPSES[act][0]}".rstrip())
    return made


async def run(arguments: Sequence[str], admin: Admin, console: Console, roles: frozenset[str] | None = None) -> int:
    """Do one admin command and return its exit code. `roles`: of who asks over SSH; None: beside the database."""
    say = console.err
    console = Console(console.out, lambda text: say(_printable(text)), console.read)
    try:
        given = parser().parse_args(list(arguments))
        if roles is not None and not _may(given.act, roles):
            beside = " beside the database (patchbay admin …)" if given.act in BESIDE_ONLY else ""
            console.err(f"not allowed: {given.act} is for admins{beside}")
            return NOT_ALLOWED
        return await _ACTS[given.act](given, admin, console)
    except (Usage, argparse.ArgumentError) as error:
        console.err(str(error))
        return USAGE
    except RateLimited as error:
        console.err(to_json({"error": "rate_limited", "limit": error.limit, "retry_after_ms": error.retry_after_ms}))
        return LIMITED
    except StoreUnavailable as error:
        console.err(f"{error.key}: {error.why}")
        return REFUSED
    except Refused as error:
        console.err(_sentence(error))
        return NOT_FOUND if error.key in NOT_FOUND_KEYS or isinstance(error, NoSuchRow) else REFUSED


def _may(act: str, roles: frozenset[str]) -> bool:
    if act in BESIDE_ONLY:
        return False
    return ADMIN in roles or (MODERATOR in roles and act in MODERATORS)


def _sentence(error: Refused) -> str:
    """Say it in English; the key follows, for who looks it up or writes a script."""
    said = i18n.words(i18n.FALLBACK).t(error.key, **reasons(error, Look()))
    return error.key if said == error.key else f"{said} ({error.key})"


def _printable(text: str) -> str:
    """Return a message fit for a terminal: it may quote what was typed."""
    return "\n".join(clean(line, 400) for line in text.splitlines())


def _text(words: str | Iterable[str]) -> str:
    return words if isinstance(words, str) else " ".join(words)


async def _role(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    changed = await admin.set_role(given.handle, given.role, held=given.act == "grant")
    had = "is" if given.act == "grant" else "is not"
    console.err(f"{given.handle} {'now' if changed else 'already'} {had} {given.role}")
    return OK


async def _key(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    console.out(await admin.add_key(given.handle, await console.read()))
    return OK


async def _sanction(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    why = [given.why] if isinstance(given.why, str) else list(given.why)
    if given.target is None and len(why) > 1:
        given.target = why.pop()  # --why came first, and took all that followed
    if given.target is None:
        raise Usage(f"{given.act}: whom?")
    do = admin.ban if given.act == "ban" else admin.mute
    found = await do(given.target, _text(why), given.lasts)
    console.err(f"{given.act}: {found.kind} {found.value if found.kind == 'network' else found.shown}")
    return OK


async def _lift(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    act = given.act.removeprefix("un")
    if await admin.lift(act, given.target):
        console.err(f"no longer under {act}: {given.target}")
        return OK
    console.err(f"not under {act}: {given.target}")
    return NOT_FOUND


async def _note(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    await admin.remark(given.handle, _text(given.text))
    return OK


async def _announce(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    await admin.announce(_text(given.text))
    return OK


async def _void(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    seq = await admin.void(given.match, _text(given.why))
    console.err(f"void: {given.match}, entry {seq}")
    return OK


async def _drain(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    await admin.drain(on=given.act == "drain")
    return OK


async def _sessions(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    for session in await admin.sessions():
        _line(
            console,
            given.json,
            {
                "type": "session",
                "id": session.id,
                "player": session.name,
                "guest": session.account_id is None,
                "source": session.source,
                "key": session.fingerprint,
                "since": rfc3339(session.since),
                "process": session.process_id,
            },
        )
    return OK


async def _matches(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    for match in await admin.running():
        _line(
            console,
            given.json,
            {
                "type": "match",
                "match": match.id,
                "game": match.game,
                "state": match.status,
                "players": [seat.name for seat in match.seats],
                "seq": match.last_seq,
                "rated": match.rated,
                "private": match.private,
                "started": rfc3339(match.started_at),
            },
        )
    return OK


async def _reports(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    if given.handled is not None:
        if await admin.handle_report(given.handled):
            return OK
        console.err(f"no report {given.handled} waits")
        return NOT_FOUND
    for report in await admin.reports():
        _line(
            console,
            given.json,
            {
                "type": "report",
                "id": str(report.id),
                "at": rfc3339(report.at),
                "by": report.by_handle,
                "about": report.about_name,
                "match": report.match_id,
                "why": report.why,
                "source": report.source,
                "key": report.fingerprint,
                "lines": [f"{line.get('name')}: {line.get('text')}" for line in report.lines],
            },
        )
    return OK


async def _sanctions(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    for held in await admin.in_force():
        kept = held.sanction
        _line(
            console,
            given.json,
            {
                "type": "sanction",
                "act": kept.act,
                "kind": kept.kind,
                "target": held.shown,
                "until": None if kept.until is None else rfc3339(kept.until),
                "by": kept.by_name,
                "at": rfc3339(kept.at),
                "why": kept.why,
            },
        )
    return OK


async def _audit(given: argparse.Namespace, admin: Admin, console: Console) -> int:
    for line in await admin.audit(given.limit):
        _line(
            console,
            given.json,
            {
                "type": "audit",
                "at": rfc3339(line.at),
                "actor": line.actor,
                "act": line.act,
                "target": line.target,
                "why": line.why,
                "data": dict(line.data or {}),
            },
        )
    return OK


def _line(console: Console, as_json: bool, fields: Mapping[str, object]) -> None:
    """Print one row: JSON, or its values with tabs between, lists as further lines."""
    if as_json:
        console.out(to_json({"v": 1, **fields}))
        return
    plain = [value for name, value in fields.items() if name not in ("type", "lines")]
    console.out("\t".join(_plain(value) for value in plain))
    lines = fields.get("lines")
    for line in lines if isinstance(lines, list) else ():
        console.out(f"    {line}")


def _plain(value: object) -> str:
    match value:
        case None | "":
            return "-"
        case bool():
            return "yes" if value else "no"
        case list():
            return " – ".join(map(str, value))
        case dict():
            return " ".join(f"{name}={item}" for name, item in value.items() if item is not None) or "-"
        case _:
            return str(value)


_ACTS: Mapping[str, Callable[[argparse.Namespace, Admin, Console], Awaitable[int]]] = {
    "grant": _role,
    "revoke": _role,
    "key": _key,
    "ban": _sanction,
    "unban": _lift,
    "mute": _sanction,
    "unmute": _lift,
    "note": _note,
    "announce": _announce,
    "void": _void,
    "drain": _drain,
    "undrain": _drain,
    "sessions": _sessions,
    "matches": _matches,
    "reports": _reports,
    "sanctions": _sanctions,
    "audit": _audit,
}
