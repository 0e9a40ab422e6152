"""What the store raises."""

from __future__ import annotations

from server.errors import Refused


class StoreUnavailable(Refused):
    """The database does not answer: locked, gone, disk full. Nothing is lost; the same call may work in a moment."""

    def __init__(self, why: str = "", key: str = "store.unavailable") -> None:
        super().__init__(key)
        self.why = why  # for the log, never for players


class NotSaved(StoreUnavailable):
    """A write was refused or could not be confirmed; nothing was acknowledged."""

    def __init__(self, why: str = "") -> None:
        super().__init__(why, "store.not-saved")


class NotTaken(Exception):
    """The database takes a statement or one of its values for wrong; nothing of it is stored."""


class SeqTaken(Refused):
    """Another entry came first: the log ends at `last_seq` now. Fold the tail and draft again."""

    def __init__(self, match_id: str, last_seq: int) -> None:
        super().__init__("match.seq-taken", match=match_id, last_seq=last_seq)
        self.match_id = match_id
        self.last_seq = last_seq


class AccountGone(Refused):
    """Somebody whose account is deleted can begin nothing."""

    def __init__(self) -> None:
        super().__init__("account.gone")


class NoSuchRow(Refused):
    """The row does not exist."""

    def __init__(self, what: str, which: str | int) -> None:
        super().__init__("store.not-found", what=what, which=which)


class SchemaError(Exception):
    """The database's schema does not fit this code; the message is one line for the admin."""


def newer_than_this_code(revision: str | None) -> SchemaError:
    """Return the error for a revision that this code does not know."""
    return SchemaError(f"the database's schema {revision} is newer than this program; use a newer release")
