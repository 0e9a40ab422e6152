"""Stored bans and mutes, blocks, reports, and the audit log of admin acts."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, delete, insert, or_, select, update

from server.log import get_logger
from server.sanitize import skeletons
from server.store.columns import Json
from server.store.tables import accounts, audit, blocks, handle_skeletons, keys, reports, sanctions
from server.store.upsert import put

log = get_logger("acts")
BAN, MUTE = "ban", "mute"
NOTE = "note"  # an act: a note about somebody
HANDLED = "report handled"  # an act: a report was closed


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

    def lasts_longer_than(self, other: Sanction) -> bool:
        """Tell whether this one ends later."""
        return other.until is not None and (self.until is None or self.until > other.until)


@dataclass(frozen=True, slots=True)
class Report:
    """A report with a copy of the chat."""

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
        """Tell whether it is about a guest, of whom only the name, the address and the key are known."""
        return self.about_account_id is None and self.about_name.startswith("guest-")


MOST_REPORTS = 100
WHENCE = "whence"  # marks a guest's address and key, stored after the lines of the chat
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


@dataclass(frozen=True, slots=True)
class ReportReader:
    """A moderator who reads reports; those about themselves are left out."""

    account_id: int
    handle: str
    names: frozenset[str]  # skeletons of every handle they have had
    keys: frozenset[str]

    def is_subject(self, report: Report) -> bool:
        """Tell whether a report is about them: their account, or a guest who came with a key of theirs."""
        if report.about_account_id is not None:
            return report.about_account_id == self.account_id
        return report.fingerprint in self.keys

    def may_read(self, line: AuditLine, handled: Container[str]) -> bool:
        """Tell whether they may read of an act: not of others' notes about them, nor of reports about them (`handled`).

        What was done to them they know: a role, a ban, a mute.
        """
        if line.actor == self.handle:
            return True
        if line.act == HANDLED:
            return line.target not in handled
        if line.act != NOTE:
            return True
        return line.target not in self.keys and not self.names & {*skeletons(line.target.lower())}


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
    """Store a ban or mute, replacing an earlier one of the same target."""
    lift(connection, act, kind, target, now)
    row = {"act": act, "kind": kind, "target": target, "why": why, "by_name": by_name, "at": now, "until": until}
    connection.execute(insert(sanctions).values(**row))


def lift(connection: Connection, act: str, kind: str, target: str, now: datetime) -> bool:
    """Lift a sanction; return whether there was one in force."""
    same = (sanctions.c.act == act, sanctions.c.kind == kind, sanctions.c.target == target)
    return connection.execute(update(sanctions).where(*same, _in_force(now)).values(lifted_at=now)).rowcount > 0


def _in_force(now: datetime) -> ColumnElement[bool]:
    return sanctions.c.lifted_at.is_(None) & or_(sanctions.c.until.is_(None), sanctions.c.until > now)


def in_force(
    connection: Connection, now: datetime, act: str | None = None, account_id: int | None = None
) -> list[Sanction]:
    """Return all bans and mutes in force, oldest first; with `account_id` only those of that account."""
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
    """Return the accounts that a person has blocked."""
    return frozenset(connection.scalars(select(blocks.c.blocked_id).where(blocks.c.account_id == account_id)))


def blockers_of(connection: Connection, account_id: int) -> frozenset[int]:
    """Return the accounts that have blocked somebody."""
    return frozenset(connection.scalars(select(blocks.c.account_id).where(blocks.c.blocked_id == account_id)))


def blocked_people(connection: Connection, account_id: int) -> dict[int, str]:
    """Return the accounts that a person has blocked, with their current handles."""
    return {row.id: row.handle for row in connection.execute(_BLOCKED, {"account": account_id})}


_BLOCKED = (  # built once: every login asks
    select(accounts.c.id, accounts.c.handle)
    .join(blocks, blocks.c.blocked_id == accounts.c.id)
    .where(blocks.c.account_id == bindparam("account"))
)


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


def open_reports(connection: Connection, reader: ReportReader | None = None) -> list[Report]:
    """Return the open reports, oldest first, without those about the reader."""
    waiting = _with_handles().where(reports.c.handled_at.is_(None)).order_by(reports.c.id)
    return _readable(connection, waiting, reader)


def closed_reports(connection: Connection, reader: ReportReader | None = None) -> list[Report]:
    """Return the closed reports, the latest first, without those about the reader."""
    closed = _with_handles().where(reports.c.handled_at.is_not(None)).order_by(reports.c.handled_at.desc())
    return _readable(connection, closed, reader)


def _readable(connection: Connection, chosen: Select[Any], reader: ReportReader | None) -> list[Report]:
    found = (_report(row._asdict()) for row in connection.execute(chosen))
    return list(islice((one for one in found if reader is None or not reader.is_subject(one)), MOST_REPORTS))


def _with_handles() -> Select[Any]:
    """Select the reports, with the handles that people have now."""
    by, about = accounts.alias("by"), accounts.alias("about")
    known = (by.c.id == reports.c.by_account_id) & by.c.deleted_at.is_(None)
    there = (about.c.id == reports.c.about_account_id) & about.c.deleted_at.is_(None)
    whole = select(reports, by.c.handle.label("by_handle"), about.c.handle.label("about_handle"))
    return whole.select_from(reports.outerjoin(by, known).outerjoin(about, there))


def _report(row: Mapping[str, Any]) -> Report:
    lines = [line for line in row["lines"] if WHENCE not in line]
    source, key = next((line[WHENCE] for line in row["lines"] if WHENCE in line), (None, None))
    return Report(**{**row, "lines": lines, "source": source, "fingerprint": key})


def count_open(connection: Connection, reader: ReportReader | None) -> int:
    """Count the open reports, without those about the reader."""
    waiting = connection.execute(select(reports).where(reports.c.handled_at.is_(None)))
    found = (_report(row._asdict()) for row in waiting)
    return sum(reader is None or not reader.is_subject(one) for one in found)


def reported(connection: Connection, report_id: int) -> Report | None:
    """Return a report, without the handles people have now; None: there is no such one."""
    row = connection.execute(select(reports).where(reports.c.id == report_id)).first()
    return None if row is None else _report(row._asdict())


def close_report(connection: Connection, report_id: int, by_name: str, now: datetime) -> bool:
    """Close a report; return whether it was open. A guest's address is forgotten with it."""
    is_open = (reports.c.id == report_id, reports.c.handled_at.is_(None))
    lines = connection.scalar(select(reports.c.lines).where(*is_open))
    if lines is None:
        return False
    kept = [line for line in lines if WHENCE not in line]
    closed = update(reports).where(*is_open).values(handled_at=now, handled_by=by_name, lines=kept)
    return connection.execute(closed).rowcount > 0


def record_act(
    connection: Connection,
    actor: str,
    act: str,
    target: str,
    why: str,
    now: datetime,
    data: Mapping[str, Json] | None = None,
) -> None:
    """Write an admin act to the audit log. Once that is stored, `log_act` writes it to the server's log, too."""
    kept = None if data is None else dict(data)
    connection.execute(insert(audit).values(actor=actor, act=act, target=target[:80], why=why, at=now, data=kept))


def log_act(actor: str, act: str, target: str) -> None:
    """Write an admin act that is stored to the server's log."""
    log.info("act", act=act, by=actor, target=target[:80])


def forget_before(connection: Connection, before: datetime) -> int:
    """Delete what was over before a moment: closed reports, acts, bans and mutes; return how many rows."""
    is_over = or_(sanctions.c.lifted_at < before, sanctions.c.until < before)
    old = (delete(reports).where(reports.c.handled_at < before), delete(audit).where(audit.c.at < before))
    return sum(connection.execute(each).rowcount for each in (*old, delete(sanctions).where(is_over)))


def audit_lines(
    connection: Connection,
    limit: int = 100,
    about: str | None = None,
    reader: ReportReader | None = None,
    may_read: Callable[[AuditLine], bool] | None = None,
) -> list[AuditLine]:
    """Return the latest admin acts, newest first; without what others did about the reader, and what `may_read` denies.

    `limit` counts those that are returned, so that it tells nothing of the others.
    """
    chosen = select(audit).order_by(audit.c.id.desc())
    if about is not None:
        chosen = chosen.where(audit.c.target == about)
    hidden = frozenset[str]() if reader is None else _handled_about(connection, reader)
    lines = (
        AuditLine(row.id, row.at, row.actor, row.act, row.target, row.why, row.data)
        for row in connection.execute(chosen if reader is not None or may_read is not None else chosen.limit(limit))
    )
    shown = (one for one in lines if reader is None or reader.may_read(one, hidden))
    return list(islice((one for one in shown if may_read is None or may_read(one)), limit))


def _handled_about(connection: Connection, reader: ReportReader) -> frozenset[str]:
    """Return the numbers of the handled reports that are about a reader."""
    handled = connection.execute(
        select(reports.c.id).where(reports.c.about_account_id == reader.account_id, reports.c.handled_at.is_not(None))
    )
    return frozenset(str(row.id) for row in handled)


def reader_of(connection: Connection, account_id: int, handle: str) -> ReportReader:
    """Return what is known of a moderator who reads: all names and keys of the account."""
    called = select(handle_skeletons.c.skeleton).where(handle_skeletons.c.account_id == account_id)
    held = select(keys.c.fingerprint).where(keys.c.account_id == account_id)
    return ReportReader(account_id, handle, frozenset(connection.scalars(called)), frozenset(connection.scalars(held)))
