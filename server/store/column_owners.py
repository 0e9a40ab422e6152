"""Whose each stored column is: what an export of a person's data may hold.

Every column of every table stands here; a test fails when one does not. An export has a person's own rows
(`server/store/personal_data.py` says which those are), and of them the columns marked OWN and SHARED.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from sqlalchemy import ColumnElement, Table


class Whose(Enum):
    """Whose a column is, in the rows that are a person's."""

    OWN = "own"  # said, made or brought by the person, or kept about them alone
    SHARED = "shared"  # of several people: told as far as the screens show it to the person now
    OTHERS = "about others"  # never told: it is about somebody else, or what others did about the person
    KEPT = "kept"  # never told: the server's own, or a secret that would open or tell something


OWN, SHARED, OTHERS, KEPT = Whose


def _columns(**by_whose: str) -> dict[str, Whose]:
    """Return whose each column is, from the columns' names by whose they are."""
    return {name: Whose[whose.upper()] for whose, names in by_whose.items() for name in names.split()}


WHOSE: Final[Mapping[str, Mapping[str, Whose]]] = {
    "accounts": _columns(own="id handle created_at seen_at deleted_at invisible machine_since"),
    "handle_skeletons": _columns(own="skeleton account_id"),
    "former_handles": _columns(own="account_id handle left_at"),
    "departed_handles": _columns(kept="hash until"),
    "keys": _columns(own="fingerprint account_id public_key added_at used_at label how added_by used_day"),
    "departed_keys": _columns(own="hash account_id"),
    "host_keys": _columns(kept="fingerprint kind since retired_at"),
    "invitations": _columns(kept="code_hash made_by made_at expires_at uses_left"),
    "server_secrets": _columns(kept="name secret made_at"),
    "proposals": _columns(own="fingerprint account_id label made_by made_at expires_at", kept="code_hash"),
    "codes": _columns(own="account_id kind made_at expires_at made_by", kept="code_hash"),
    "browser_codes": _columns(own="account_id fingerprint made_at expires_at", kept="code_hash"),
    "browsers": _columns(own="account_id fingerprint made_at expires_at used_day", kept="id cookie_hash"),
    "feeds": _columns(own="account_id made_at", kept="secret_hash"),
    "roles": _columns(own="account_id role"),
    "preferences": _columns(own="account_id data"),
    "strikes": _columns(own="id kind who at"),
    "decks": _columns(own="id account_id game seat name list changed_at"),
    "events": _columns(own="account_id no kind match_id at", others="who_id"),
    "event_marks": _columns(kept="account_id match_id seq is_told is_over"),
    "event_readers": _columns(kept="account_id last_no"),
    "notice_topics": _columns(own="account_id url kinds sent", kept="code_hash tries sent_no"),
    "vacations": _columns(own="account_id began_at until"),
    "sessions": _columns(own="id account_id name source fingerprint since data", kept="process_id"),
    "chat_lines": _columns(own="id channel at account_id name text"),
    "blocks": _columns(own="account_id blocked_id at"),
    "follows": _columns(own="account_id followed_id at tell read_id"),
    # Of a message its writer never learns whether it was shown.
    "messages": _columns(shared="id at from_id to_id text", kept="shown"),
    "notes": _columns(own="account_id about_id text"),
    # What moderators did about the person is told as the screens tell it: what holds, why and until when.
    "sanctions": _columns(own="id act kind target why at until lifted_at", others="by_name"),
    # A report is its writer's words; the chat that goes along is others', and with a guest's address and key.
    "reports": _columns(
        own="id at by_account_id about_name match_id why", others="about_account_id lines handled_at handled_by"
    ),
    "audit": _columns(own="id at actor act why", others="target data"),
    # A match as its player reads it in a list; how it went is told by `show` and `record`.
    "matches": _columns(
        shared="id game status started_at ended_at result",
        kept="rules_version options n_seats seed commitment speed rated private room last_seq deadline state_hash "
        "log_hash finish_no rated_places rated_by shared",
    ),
    "seats": _columns(own="seat options", kept="match_id kind name account_id guest_id"),
    "ratings": _columns(shared="account_id ladder mu sigma matches"),
    "rating_events": _columns(
        shared="match_id account_id ladder seat mu_before sigma_before mu_after sigma_after why",
        kept="finish_no loose thin",
    ),
    # A number of an entry can tell how many others have answered: nothing of a log is told before its time.
    "entries": _columns(kept="match_id seq kind seat action at data"),
    "offers": _columns(kept="match_id what seat seq at"),
    "conditional_moves": _columns(own="match_id seat lines", kept="seq is_due"),
    "rematches": _columns(kept="match_id next_id"),
    "arrangements": _columns(kept="match_id data"),
    "standings": _columns(kept="match_id seq rules data digest"),
    "origins": _columns(kept="match_id hash"),
    # Rooms and seeks are many people's, and gone with them.
    "rooms": _columns(others="code version listed since touched_at data"),
    "seeks": _columns(others="id ticket person process_id since data"),
    "bookings": _columns(kept="ticket match_id at"),
    "orders": _columns(others="id at kind data"),
    "processes": _columns(kept="id pid machine started_at alive_at stopped_at log_version"),
    "counters": _columns(kept="name value"),
    "outages": _columns(kept="id began ended"),
}


def exported_columns(table: Table) -> list[ColumnElement[object]]:
    """Return the columns of a table that an export has of a person's rows."""
    return [column for column in table.c if WHOSE[table.name][column.name] in (OWN, SHARED)]
