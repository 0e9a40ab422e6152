"""The table of limits in docs/operations.md: `python -m server.admin.limits`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from server.accounts.rate_limits import WRONG_CODES_PER_HOUR
from server.accounts.sources import IPV4_LEVELS, IPV6_LEVELS
from server.chat.guests import GUESTS
from server.config import Limits
from server.lobby.permissions import MOST_ROOMS, MOST_TICKETS
from server.matches.match_quota import MOST_MATCHES

DATABASE, MACHINE, BUS, PROCESS = "all processes", "the processes of a machine", "all processes", "each process"


@dataclass(frozen=True, slots=True)
class LimitRow:
    """One limit. `account`: the budget of an account that is a day old, None: it has none; `own`: that of a source."""

    what: str
    setting: str  # without PATCHBAY_LIMIT_; empty: it can't be set
    account: int | None
    own: int
    counted: str


def limits(settings: Limits) -> Iterator[LimitRow]:
    """List every limit that counts people or sources."""
    inside, actions, begun = settings.connections_per_source, settings.actions_per_min, settings.beginnings_per_min
    codes, lines, reading = settings.wrong_codes_per_min, settings.chat_per_min, settings.reading_ms_per_min
    knocking = settings.unauthenticated_per_source
    yield LimitRow("connections before the login", "unauthenticated_per_source", None, knocking, MACHINE)
    yield LimitRow("connections after it", "connections_per_source", inside, inside, MACHINE)
    yield LimitRow("accounts made in an hour", "accounts_per_hour", None, settings.accounts_per_hour, DATABASE)
    yield LimitRow("wrong codes for keys in an hour", "", WRONG_CODES_PER_HOUR, WRONG_CODES_PER_HOUR, DATABASE)
    yield LimitRow("wrong codes of rooms in a minute", "wrong_codes_per_min", codes, codes, BUS)
    yield LimitRow("actions in a minute", "actions_per_min", actions, actions, PROCESS)
    yield LimitRow("matches and rooms begun in a minute", "beginnings_per_min", begun, begun, PROCESS)
    daily = settings.beginnings_per_day
    yield LimitRow("matches and rooms begun in a day", "beginnings_per_day", daily, daily, PROCESS)
    yield LimitRow("milliseconds of reading in a minute", "reading_ms_per_min", reading, reading, PROCESS)
    yield LimitRow("chat lines in a minute", "chat_per_min", lines, GUESTS * lines, PROCESS)
    yield LimitRow("searches at a time", "", MOST_TICKETS, MOST_TICKETS, PROCESS)
    yield LimitRow("rooms at a time", "", MOST_ROOMS, MOST_ROOMS, PROCESS)
    yield LimitRow("running matches, to begin one more against bots", "", MOST_MATCHES, MOST_MATCHES, DATABASE)


def table(settings: Limits) -> str:
    """Return the table as Markdown."""
    levels: Mapping[str, int] = {
        "address (IPv6: /64)": 1,
        **{f"IPv6 /{prefix}": share for prefix, share in IPV6_LEVELS.items()},
        **{f"IPv4 /{prefix}": share for prefix, share in IPV4_LEVELS.items()},
    }
    head = ["what", "setting `PATCHBAY_LIMIT_…`", "account a day old", *levels, "counted by"]
    lines = [head, ["---"] * len(head)]
    for row in limits(settings):
        setting = f"`{row.setting.upper()}`" if row.setting else "-"
        account = "-" if row.account is None else str(row.account)
        lines.append([row.what, setting, account, *(str(row.own * share) for share in levels.values()), row.counted])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table(Limits()))
