"""The root of what services raise: an error that carries a message key, never prose; and what the system refuses."""

from __future__ import annotations


class Refused(Exception):
    """Something a person or program asked for is not done; nothing has changed.

    `key` is a message key (the catalogue has its sentence in every language), `params` what the sentence names.
    """

    def __init__(self, key: str, **params: str | int) -> None:
        super().__init__(f"{key} {params}" if params else key)
        self.key = key
        self.params = params


class RateLimited(Refused):
    """Too much in too short a time: `limit` names the setting, `retry_after_ms` says when to come back.

    `most`: how often it may be done; 0 where the sentence says nothing of that.
    """

    def __init__(self, limit: str, retry_after_ms: int, most: int = 0) -> None:
        super().__init__("limit.reached", limit=limit, retry_after_ms=retry_after_ms, most=most)
        self.limit = limit
        self.retry_after_ms = retry_after_ms


def reason_of(error: OSError) -> str:
    """Say what the system refused, and of which file, without its number."""
    said = error.strerror or str(error)
    return said if error.filename is None else f"{error.filename}: {said}"
