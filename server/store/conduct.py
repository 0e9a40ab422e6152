"""Stored conduct: bans and mutes, blocks between people, reports, and the audit log of every admin act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from server.store.columns import Json
from server.store.tables import accounts, audit, blocks, reports, sanctions
from server.store.upsert import put

BAN, MUTE = "ban", "mute"


@dataclass(frozen=True, slots=True)
class Sanction:
    """A ban (of an account, a key or a network) or a mute (of an account). `until` None: for good."""

    id: int
    act: str
    kind: str  # account, key, network
    target: str  # account id, SHA256:… or network
    why: str
    by_name: str
    at: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What somebody reported, with the chat as it stood then."""

    id: int
    at: datetime
    by_account_id: int | None
    about_account_id: int | None
    about_name: str
    match_id: str | None
    why: str
    lines: Sequence[Mapping[str, Json]]
    handled_at: datetime | None = None
    handled_by: str | None = None
    by_handle: str | None = None  # who reported, by the handle they have now; None: the account is deleted
    about_handle: str | None = None  # likewise whom it is about
    source: str | None = None  # of a guest: the address they came from, and their key
    fingerprint: str | None = None

    @property
    def is_of_guest(self) -> bool:
        """Tell whether it is about a guest: all that is known of one is the name, the address and the key."""
        return self.about_account_id is None and self.about_name.startswith("guest-")


WHENCE = "whence"  # marks what is kept behind the lines of a report about a guest
GIVEN = ("at", "by_account_id", "about_account_id", "about_name", "match_id", "why", "lines")  # of a new report


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One act of an admin or moderator."""

    id: int
    at: datetime
    actor: str
    act: str
    target: str
    why: str
    data: Mapping[str, Json] | None = None


def impose(
    connection: Connection,
    act: str,
    kind: str,
    target: str,
    why: str,
    by_name: str,
    now: datetime,
    until: datetime | None,
) -> None:
    """Ban or mute; an earlier one of the same target is replaced."""
    lift(connection, act, kind, target, now)
    row = {"act": act, "kind": kind, "target": target, "why": why, "by_name": by_name, "at": now, "until": until}
    connection.execute(insert(sanctions).values(**row))


def lift(connection: Connection, act: str, kind: str, target: str, now: datetime) -> bool:
    """Take a sanction back; return whether there was one in force."""
    same = (sanctions.c.act == act, sanctions.c.kind == kind, sanctions.c.target == target)
    return connection.execute(update(sanctions).where(*same, _in_force(now)).values(lifted_at=now)).rowcount > 0


def _in_force(now: datetime) -> ColumnElement[bool]:
    return sanctions.c.lifted_at.is_(None) & or_(sanctions.c.until.is_(None), sanctions.c.until > now)


def in_force(
    connection: Connection, now: datetime, act: str | None = None, account_id: int | None = None
) -> list[Sanction]:
    """Return all bans and mutes that hold now, oldest first; with `account_id` those of that account alone."""
    chosen = select(sanctions).where(_in_force(now)).order_by(sanctions.c.id)
    if act is not None:
        chosen = chosen.where(sanctions.c.act == act)
    if account_id is not None:
        chosen = chosen.where(sanctions.c.kind == "account", sanctions.c.target == str(account_id))
    return [
        Sanction(row.id, row.act, row.kind, row.target, row.why, row.by_name, row.at, row.until)
        for row in connection.execute(chosen)
    ]


def block(connection: Connection, account_id: int, blocked_id: int, now: datetime) -> None:
    put(connection, blocks, [{"account_id": account_id, "blocked_id": blocked_id, "at": now}])


def unblock(connection: Connection, account_id: int, blocked_id: int) -> bool:
    gone = delete(blocks).where(blocks.c.account_id == account_id, blocks.c.blocked_id == blocked_id)
    return connection.execute(gone).rowcount > 0


def blocked_by(connection: Connection, account_id: int) -> frozenset[int]:
    """Return whom this person does not want to see."""
    return frozenset(connection.scalars(select(blocks.c.blocked_id).where(blocks.c.account_id == account_id)))


def blocked_people(connection: Connection, account_id: int) -> dict[int, str]:
    """Return whom this person does not want to see, with the handles they have now."""
    chosen = select(accounts.c.id, accounts.c.handle).join(blocks, blocks.c.blocked_id == accounts.c.id)
    return {row.id: row.handle for row in connection.execute(chosen.where(blocks.c.account_id == account_id))}


def blocks_among(connection: Connection, ids: Sequence[int]) -> frozenset[tuple[int, int]]:
    """Return the pairs (who, whom) among these people: neither way may they be paired."""
    chosen = select(blocks.c.account_id, blocks.c.blocked_id)
    chosen = chosen.where(blocks.c.account_id.in_(ids), blocks.c.blocked_id.in_(ids))
    return frozenset((row.account_id, row.blocked_id) for row in connection.execute(chosen))


def add_report(connection: Connection, report: Report) -> int:
    """Store a report (its id is given here)."""
    row = {name: getattr(report, name) for name in GIVEN}
    row["lines"] = [dict(line) for line in report.lines]
    if report.source is not None:
        row["lines"].append({WHENCE: [report.source, report.fingerprint]})
    return int(connection.execute(insert(reports).values(**row).returning(reports.c.id)).scalar_one())


def open_reports(connection: Connection, limit: int = 100) -> list[Report]:
    """Return what nobody has handled yet, oldest first."""
    by, about = accounts.alias("by"), accounts.alias("about")
    known = (by.c.id == reports.c.by_account_id) & by.c.deleted_at.is_(None)
    there = (about.c.id == reports.c.about_account_id) & about.c.deleted_at.is_(None)
    whole = select(reports, by.c.handle.label("by_handle"), about.c.handle.label("about_handle"))
    chosen = whole.select_from(reports.outerjoin(by, known).outerjoin(about, there))
    waiting = chosen.where(reports.c.handled_at.is_(None)).order_by(reports.c.id).limit(limit)
    return [_report(row._asdict()) for row in connection.execute(waiting)]


def _report(row: Mapping[str, Any]) -> Report:
    lines = [line for line in row["lines"] if WHENCE not in line]
    source, key = next((line[WHENCE] for line in row["lines"] if WHENCE in line), (None, None))
    return Report(**{**row, "lines": lines, "source": source, "fingerprint": key})


def count_open(connection: Connection) -> int:
    """Return how many reports nobody has handled yet."""
    waiting = select(func.count()).select_from(reports).where(reports.c.handled_at.is_(None))
    return int(connection.execute(waiting).scalar_one())


def reported(connection: Connection, report_id: int) -> int | None:
    """Return which account a report is about; None: a guest, or there is no such report."""
    found: int | None = connection.scalar(select(reports.c.about_account_id).where(reports.c.id == report_id))
    return found


def handle_report(connection: Connection, report_id: int, by_name: str, now: datetime) -> bool:
    """Close a report; return whether it was open. A guest's address is forgotten with it."""
    is_open = (reports.c.id == report_id, reports.c.handled_at.is_(None))
    lines = connection.scalar(select(reports.c.lines).where(*is_open))
    if lines is None:
        return False
    kept = [line for line in lines if WHENCE not in line]
    closed = update(reports).where(*is_open).values(handled_at=now, handled_by=by_name, lines=kept)
    return connection.execute(closed).rowcount > 0


def note(
    connection: Connection,
    actor: str,
    act: str,
    target: str,
    why: str,
    now: datetime,
    data: Mapping[str, Json] | None = None,
) -> None:
    """Keep an admin act for ever."""
    kept = None if data is None else dict(data)
    connection.execute(insert(audit).values(actor=actor, act=act, target=target[:80], why=why, at=now, data=kept))


def audit_lines(connection: Connection, limit: int = 100, about: str | None = None) -> list[AuditLine]:
    """Return the latest admin acts, newest first."""
    chosen = select(audit).order_by(audit.c.id.desc()).limit(limit)
    if about is not None:
        chosen = chosen.where(audit.c.target == about)
    return [
        AuditLine(row.id, row.at, row.actor, row.act, row.target, row.why, row.data)
        for row in connection.execute(chosen)
    ]
