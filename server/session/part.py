"""What the parts of a session have in common: they know their session."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ref

if TYPE_CHECKING:
    from server.session.session import Session


class Part:
    """A part of a session. The session owns it; it knows the session weakly, so there is no reference cycle."""

    def __init__(self, session: Session) -> None:
        self._session = ref(session)

    @property
    def session(self) -> Session:
        """Return the session. Raises ReferenceError once the session is gone."""
        found = self._session()
        if found is None:
            raise ReferenceError("the session is gone")
        return found
