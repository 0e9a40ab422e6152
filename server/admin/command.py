"""The admin commands as text: one row an act; over SSH by role."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import Enum
from functools import partial
from itertools import starmap

from game.cli.commandline import JSON, Command, CommandLine, CommandOption, CommandTable, HelpAsked, Syntax
from game.cli.exits import Exit
from game.errors import BadNotation
from game.printable import escaped, printable
from server.accounts.identity import ADMIN, MODERATOR, ROLES
from server.accounts.moderation import InForce, Report
from server.admin.acts import Admin
from server.boards.wire import limit_json, message, with_lists
from server.clock import rfc3339
from server.errors import RateLimited, Refused
from server.exits import exit_of
from server.i18n.catalogues import FALLBACK, catalogue
from server.i18n.refusals import sentence, with_detail
from server.sanitize import clean
from server.store.accounts import FoundAccount
from server.store.columns import to_json
from server.store.conduct import BAN, MUTE, AuditLine
from server.store.errors import StoreUnavailable
from server.store.listing import Listed
from server.store.processes import StoredSession

ROLE_SAID = {  # by whether somebody has a role from now on, and whether that is a change
    (True, True): "is now",
    (True, False): "is already",
    (False, True): "is no longer",
    (False, False): "is not",
}
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}  # seconds of each unit of a duration
Print = Callable[[str], None]
Row = dict[str, object]


class Who(Enum):
    """Who may do an act; the value is its heading in the help."""

    MODERATORS = "moderators and admins:"
    ADMINS = "admins:"
    BESIDE = "only beside the database (patchbay admin …):"  # these make admins: not over the network

    def may(self, roles: frozenset[str] | None) -> bool:
        """Tell whether somebody with these roles may; None: beside the database, where everything may be done."""
        if roles is None or self is Who.BESIDE:
            return roles is None
        return ADMIN in roles or (self is Who.MODERATORS and MODERATOR in roles)


@dataclass(frozen=True, slots=True)
class Console:
    """Where an admin's command reads and writes: data to `out`, messages to `err`, a key from `read`.

    Listings have a header where a person reads them, and none where a program does.
    """

    out: Print
    err: Print
    read: Callable[[], Awaitable[str]]
    is_terminal: bool = False
    headed: set[str] = field(default_factory=set)  # kinds of rows whose header was printed


@dataclass(frozen=True, slots=True)
class Act(Command[Callable[[CommandLine, Admin, Console], Awaitable[None]]]):
    """One row: a command, and who may run it."""

    who: Who

    @property
    def heading(self) -> str:
        """Say who may run it."""
        return self.who.value


def check_help(arguments: Sequence[str]) -> None:
    """Raise HelpAsked for a line that asks for help: that needs neither a database nor a role."""
    try:
        ACTS.read(arguments)
    except HelpAsked:
        raise
    except BadNotation:
        return  # `run` says what is wrong


async def run(arguments: Sequence[str], admin: Admin, console: Console, roles: frozenset[str] | None = None) -> int:
    """Do one admin command and return its exit code. `roles`: of who asks over SSH; None: beside the database."""
    tell, say = console.out, console.err
    console = replace(console, out=lambda text: tell(printable(text)), err=lambda text: say(_printable(text)))
    try:
        act, line = ACTS.read(arguments)
        if not act.who.may(roles):
            raise Refused("role.beside-only" if act.who is Who.BESIDE else "role.admins-only", act=act.name)
        await act.run(line, admin, console)
    except HelpAsked as asked:
        for text in asked.lines:
            console.out(text)
    except BadNotation as error:
        usage = ACTS.usage(arguments) or "`admin help` lists the acts"
        console.err(f"{sentence(error, catalogue(FALLBACK))}\n{usage}")
        return exit_of(error)
    except RateLimited as error:
        console.err(to_json(limit_json(error)))
        return exit_of(error)
    except Refused as error:
        detail = error.why if isinstance(error, StoreUnavailable) else ""
        console.err(with_detail(sentence(error, catalogue(FALLBACK)), detail))
        return exit_of(error)
    return Exit.OK


def _printable(text: str) -> str:
    """Return a message fit for a terminal: it may quote what was typed."""
    return "\n".join(clean(line, 400) for line in text.splitlines())


async def _role(held: bool, line: CommandLine, admin: Admin, console: Console) -> None:
    handle, role = line.words[0], line.choice("role", sorted(ROLES))
    changed = await admin.set_role(handle, role, held=held)
    console.err(f"{handle} {ROLE_SAID[held, changed]} {role}")


async def _key(line: CommandLine, admin: Admin, console: Console) -> None:
    console.out(await admin.add_key(line.words[0], await console.read()))


def parse_duration(text: str) -> timedelta:
    """Read `90s`, `30m`, `12h`, `3d`, `2w`, or several of them. Raises BadNotation.

    >>> parse_duration("1d12h")
    datetime.timedelta(days=1, seconds=43200)
    """
    parts = re.findall(r"(\d{1,6})([smhdw])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise BadNotation("usage.duration", text[:40])
    found = timedelta(seconds=sum(int(number) * UNITS[unit] for number, unit in parts))
    if not timedelta(0) < found <= timedelta(days=3650):
        raise BadNotation("usage.duration", text[:40])
    return found


async def _sanction(act: str, line: CommandLine, admin: Admin, console: Console) -> None:
    lasts = line.one("for")
    impose = admin.moderation.ban if act == BAN else admin.moderation.mute
    until = None if lasts is None else parse_duration(lasts)
    found = await impose(line.words[0], line.one("why") or "", until, wide="yes" in line.flags)
    whom = found.value if found.kind == "network" else found.shown
    console.err(f"{act}: {found.kind} {whom}, {'for good' if lasts is None else f'for {lasts}'}")


async def _lift(act: str, line: CommandLine, admin: Admin, console: Console) -> None:
    target = line.words[0]
    if not await admin.moderation.lift(act, target):
        raise Refused("sanction.none", act=act, target=clean(target, 80))
    console.err(f"{act} lifted: {target}")


async def _note(line: CommandLine, admin: Admin, console: Console) -> None:
    await admin.moderation.remark(line.words[0], " ".join(line.words[1:]))
    console.err(f"noted about {line.words[0]}")


async def _invite(line: CommandLine, admin: Admin, console: Console) -> None:
    lasts = parse_duration(line.one("for") or "7d")
    console.out(await admin.invite(line.number("uses", 1, low=1, high=1000), lasts))


async def _announce(line: CommandLine, admin: Admin, console: Console) -> None:
    console.err(f"told to everybody who is connected: {await admin.announce(' '.join(line.words))}")


async def _accounts(line: CommandLine, admin: Admin, console: Console) -> None:
    _print(line, console, map(_account, await admin.find_accounts(line.word(0) or "")), "no such account")


async def _rename(line: CommandLine, admin: Admin, console: Console) -> None:
    handle, new = line.words
    console.err(f"{handle} is {await admin.rename(handle, new, line.one('why') or '')} now")


async def _export(line: CommandLine, admin: Admin, console: Console) -> None:
    portions = with_lists(message("export"), await admin.export(line.words[0]))
    console.out("".join([piece async for pieces in portions for piece in pieces]))


async def _delete(line: CommandLine, admin: Admin, console: Console) -> None:
    console.err(f"{line.words[0]} is {await admin.delete(line.words[0], line.one('why') or '')} now")


async def _end(line: CommandLine, admin: Admin, console: Console) -> None:
    seq = await admin.end(line.words[0], line.one("why") or "")
    console.err(f"end: {line.words[0]}, entry {seq}")


async def _restart(line: CommandLine, admin: Admin, console: Console) -> None:
    await admin.restart(lambda process: console.err(f"{process} has restarted"))


async def _void(line: CommandLine, admin: Admin, console: Console) -> None:
    seq = await admin.void(line.words[0], line.one("why") or "")
    console.err(f"void: {line.words[0]}, entry {seq}")


async def _drain(on: bool, line: CommandLine, admin: Admin, console: Console) -> None:
    await admin.drain(on=on)
    console.err("nobody is let in any more; `admin undrain` opens again" if on else "open again")


async def _sessions(line: CommandLine, admin: Admin, console: Console) -> None:
    _print(line, console, starmap(_session, await admin.moderation.sessions()), "nobody is connected")


async def _matches(line: CommandLine, admin: Admin, console: Console) -> None:
    _print(line, console, map(_match, await admin.running()), "no match is running")


async def _sanctions(line: CommandLine, admin: Admin, console: Console) -> None:
    _print(line, console, map(_held, await admin.moderation.in_force()), "no ban or mute is in force")


async def _audit(line: CommandLine, admin: Admin, console: Console) -> None:
    _print(line, console, map(_audited, await admin.audit(line.number("limit", 100, low=1))), "nothing was done yet")


async def _reports(line: CommandLine, admin: Admin, console: Console) -> None:
    if "closed" in line.flags:
        _print(line, console, map(_report, await admin.moderation.closed_reports()), "no report is closed")
        return
    if line.one("handled") is None:
        _print(line, console, map(_report, await admin.moderation.reports()), "no report is open")
        return
    report_id = line.number("handled", None, low=1)
    if not await admin.moderation.close_report(report_id):
        raise Refused("report.none-open", id=report_id)
    console.err(f"report {report_id} is closed")


def _session(session: StoredSession, process: str) -> Row:
    return {
        "type": "session",
        "id": session.id,
        "player": session.name,
        "guest": session.account_id is None,
        "source": session.source,
        "key": session.fingerprint,
        "since": rfc3339(session.since),
        "process": process,
    }


def _account(found: FoundAccount) -> Row:
    account = found.account
    return {
        "type": "account",
        "player": account.handle,
        "since": rfc3339(account.created_at),
        "seen": None if found.seen_at is None else rfc3339(found.seen_at),
        "keys": found.n_keys,
        "roles": sorted(account.roles),
    }


def _match(found: Listed) -> Row:
    match, is_closed = found.match, not found.arrangement.get("watchable", True)
    return {
        "type": "match",
        "match": match.id,
        "game": match.game,
        "state": match.status,
        "players": [seat.name for seat in match.seats],
        "seq": 0 if is_closed else match.last_seq,
        "rated": match.rated,
        "private": match.private,
        "started": rfc3339(match.started_at),
        "watchable": not is_closed,
    }


def _report(report: Report) -> Row:
    ended = (
        {} if report.handled_at is None else {"handled": rfc3339(report.handled_at), "handled_by": report.handled_by}
    )
    return {
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
        **ended,
    }


def _held(held: InForce) -> Row:
    kept = held.sanction
    return {
        "type": "sanction",
        "act": kept.act,
        "kind": kept.kind,
        "target": held.shown,
        "until": None if kept.until is None else rfc3339(kept.until),
        "by": kept.by_name,
        "at": rfc3339(kept.at),
        "why": kept.why,
    }


def _audited(line: AuditLine) -> Row:
    return {
        "type": "audit",
        "at": rfc3339(line.at),
        "actor": line.actor,
        "act": line.act,
        "target": line.target,
        "why": line.why,
        "data": dict(line.data or {}),
    }


def _print(line: CommandLine, console: Console, rows: Iterable[Row], without: str) -> None:
    """Print rows; to a person `without` where there is none."""
    is_empty = True
    for row in rows:
        is_empty = False
        _print_row(row, console, "json" in line.flags)
    if is_empty and console.is_terminal:
        console.err(without)


def _print_row(fields: Mapping[str, object], console: Console, as_json: bool) -> None:
    """Print one row: JSON, or its values with tabs between, lists as further lines."""
    if as_json:
        console.out(escaped(to_json({"v": 1, **fields})))
        return
    plain = {name: value for name, value in fields.items() if name not in ("type", "lines")}
    kind = str(fields["type"])
    if console.is_terminal and kind not in console.headed:
        console.headed.add(kind)
        console.out("\t".join(name.upper() for name in plain))
    console.out("\t".join(_plain(value) for value in plain.values()))
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


WHOM = "HANDLE|GUEST|KEY|NETWORK"
MUTED = "HANDLE|GUEST|NETWORK"
FOR = CommandOption("for", "3d")
YES = CommandOption("yes")
WHY = CommandOption("why", "TEXT", is_required=True, is_phrase=True)
ROLE = CommandOption("role", "admin|moderator", is_required=True)
_MOD, _ADM, _BESIDE = Who
ACTS = CommandTable(
    (
        Act(
            "ban",
            Syntax((WHOM,), (FOR, YES, WHY)),
            "keep somebody out, at once; a guest by their address; --yes (admins): a network wider than /16, IPv6 /32",
            partial(_sanction, BAN),
            _MOD,
        ),
        Act("unban", Syntax((WHOM,)), "lift a ban", partial(_lift, BAN), _MOD),
        Act(
            "mute",
            Syntax((MUTED,), (FOR, YES, replace(WHY, is_required=False))),
            "stop somebody from writing; guests by their address; --yes as for ban",
            partial(_sanction, MUTE),
            _MOD,
        ),
        Act("unmute", Syntax((MUTED,)), "lift a mute", partial(_lift, MUTE), _MOD),
        Act("sanctions", Syntax((), (JSON,)), "the bans and mutes in force", _sanctions, _MOD),
        Act(
            "reports",
            Syntax((), (CommandOption("closed"), CommandOption("handled", "ID"), JSON)),
            "the open reports, with the chat attached; --handled closes one, --closed lists those that are",
            _reports,
            _MOD,
        ),
        Act("note", Syntax(("HANDLE|GUEST", "text…")), "keep a note about somebody for other moderators", _note, _MOD),
        Act(
            "sessions",
            Syntax((), (JSON,)),
            "who is connected, with address, key and the process: MACHINE:PID",
            _sessions,
            _MOD,
        ),
        Act(
            "matches",
            Syntax((), (JSON,)),
            "the running matches; for admins private ones too, which is audited",
            _matches,
            _MOD,
        ),
        Act(
            "audit",
            Syntax((), (CommandOption("limit", "N"), JSON)),
            "what admins and moderators did, newest first",
            _audit,
            _MOD,
        ),
        Act("announce", Syntax(("text…",)), "tell everybody who is connected", _announce, _ADM),
        Act(
            "accounts",
            Syntax(("text?",), (JSON,)),
            "the accounts whose handle holds a text, or that a key (SHA256:…) opens",
            _accounts,
            _ADM,
        ),
        Act("rename", Syntax(("handle", "new"), (WHY,)), "give somebody another handle", _rename, _ADM),
        Act("end", Syntax(("match",), (WHY,)), "end a running match without a result", _end, _ADM),
        Act("void", Syntax(("match",), (WHY,)), "end a match without a result, or void a finished one", _void, _ADM),
        Act(
            "invite",
            Syntax((), (replace(FOR, value="7d"), CommandOption("uses", "N"))),
            "make a code with which somebody may register (PATCHBAY_ACCOUNTS=invite)",
            _invite,
            _ADM,
        ),
        Act("drain", Syntax(), "let nobody in any more; matches are kept", partial(_drain, True), _ADM),
        Act("undrain", Syntax(), "open again", partial(_drain, False), _ADM),
        Act("grant", Syntax(("handle",), (ROLE,)), "give a role", partial(_role, True), _BESIDE),
        Act("revoke", Syntax(("handle",), (ROLE,)), "take a role", partial(_role, False), _BESIDE),
        Act("export", Syntax(("handle",)), "everything stored about somebody, as JSON", _export, _BESIDE),
        Act("delete", Syntax(("handle",), (WHY,)), "delete somebody's account for good", _delete, _BESIDE),
        Act("restart", Syntax(), "restart the server's processes, one after the other", _restart, _BESIDE),
        Act(
            "key add",
            Syntax(("handle",)),
            "let another key open an account whose keys are lost; reads KEY.pub from standard input",
            _key,
            _BESIDE,
        ),
    ),
    "admin",
    "ACT",
)
