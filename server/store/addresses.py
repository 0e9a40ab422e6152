"""Deletion of stored network addresses after their time."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, or_, select, update

from server.store.conduct import WHENCE
from server.store.personal_data import STRIKES
from server.store.tables import audit, processes, reports, sanctions, strikes

INSTEAD = "an address"  # replaces a network in the audit log


def forget_before(connection: Connection, before: datetime) -> int:
    """Delete the addresses stored before a moment; return the number of rows.

    These are counted events, sessions of dead processes, expired bans and mutes of networks with the acts about them,
    and addresses of guests in open reports. Bans and mutes in force stay.
    """
    gone = connection.execute(delete(strikes).where(strikes.c.at < before, strikes.c.kind.not_in(STRIKES))).rowcount
    gone += connection.execute(delete(processes).where(processes.c.alive_at < before)).rowcount  # with their sessions
    is_over = or_(sanctions.c.lifted_at < before, sanctions.c.until < before)
    gone += connection.execute(delete(sanctions).where(sanctions.c.kind == "network", is_over)).rowcount
    return gone + _forget_acts(connection, before) + _forget_reports(connection, before)


def _forget_acts(connection: Connection, before: datetime) -> int:
    """Remove networks from the acts about expired bans and mutes."""
    held = select(sanctions.c.target).where(sanctions.c.kind == "network")
    may_name_one = or_(audit.c.target.contains("/"), audit.c.data.is_not(None))
    found = connection.execute(select(audit).where(audit.c.at < before, may_name_one)).all()
    networks, count = frozenset(connection.scalars(held)), 0
    for act in found:
        data = dict(act.data or {})
        target = INSTEAD if _is_network(act.target) and act.target not in networks else act.target
        if data.get("network") not in (None, *networks):
            del data["network"]
        if (target, data) != (act.target, act.data or {}):
            values = {"target": target, "data": data or None}
            connection.execute(update(audit).where(audit.c.id == act.id).values(**values))
            count += 1
    return count


def _is_network(target: str) -> bool:
    """Tell whether an act is about a network; a key's fingerprint may hold a slash, too."""
    return "/" in target and not target.startswith("SHA256:")


def _forget_reports(connection: Connection, before: datetime) -> int:
    count = 0
    open_ones = select(reports).where(reports.c.at < before, reports.c.handled_at.is_(None))
    for report in connection.execute(open_ones).all():
        kept = [line for line in report.lines if WHENCE not in line]
        if kept != report.lines:
            connection.execute(update(reports).where(reports.c.id == report.id).values(lines=kept))
            count += 1
    return count
