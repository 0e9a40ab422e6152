"""How a session shares its frame with those who see the same: it joins and leaves groups."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from server.session.groups import GROUPS, Group
from server.session.page import Page
from server.session.part import Part
from server.terminal import toosmall
from server.terminal.lines import columns

if TYPE_CHECKING:
    from server.session.session import Session


class Sharing(Part):
    """The group of a session, while it shares its frame."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.is_stale = False  # the frame is to be drawn again
        self._group: Group | None = None
        self._page: Page | None = None  # whose frame is shared

    def changed(self, may_differ: bool = False) -> None:
        """Draw what everybody who shares this page's frames sees alike: one drawing serves all of them.

        `may_differ`: the change may also be one that makes this person see something else than the others.
        """
        if self._group is not None and not (may_differ and self._group.key != self._share_key()):
            self._group.wake()
        else:
            self.session.dirty()

    def draw_shared(self) -> bool:
        """Have the group draw, where the page's frame is shared, and return whether it is.

        Joins and leaves groups as the page's share key changes.
        """
        key, session = self._share_key(), self.session
        if self._group is not None and self._group.key != key:
            self.leave()
        if key is None:
            return False
        session.outdated()
        session.screen.set_badge(self._badge())
        if self._group is None:
            self._group, self.is_stale = GROUPS.join(key, session), True
        if self._page is not session.pages.top:  # or another page that looks the same
            self._page = session.pages.top
            if self._page is not None:
                self._page.on_shared(self._group.lead is session)
        if self.is_stale:
            self.is_stale = False
            if not self._group.shows(session):
                self._group.wake()
        return True

    def _share_key(self) -> Hashable | None:
        session = self.session
        page = session.pages.top
        if page is None or session.is_closing or not session.prompts.is_quiet or session.asking.is_owed:
            return None
        own = page.share_key()
        if own is None or toosmall.is_shut(*session.size):
            return None
        return (own, session.screen.client, session.size, session.look)

    def _badge(self) -> tuple[str, str, int] | None:
        """Return this person's own words in the title line of a frame that is shared."""
        page = self.session.pages.top
        own = page.badge() if page is not None else ""
        if not own:
            return None
        [(style, text)] = self.session.frames.shown((("dim", f" {own}"),))
        return (style, text, columns(text))

    def leave(self) -> None:
        """Draw one's own frame from now on."""
        if self._group is not None:
            group, page, self._group, self._page = self._group, self._open_page(), None, None
            group.leave(self.session)
            if page is not None:
                page.on_unshared()

    def leave_if_unlike(self, for_any: bool) -> bool:
        """Leave the group where this session sees something of its own by now; return whether it does.

        `for_any`: also where it would share another group's frame. Else it goes on with all of this one: a match's end.
        """
        key = self._share_key()
        if self._group is None or key == self._group.key or (key is not None and not for_any):
            return False
        self.leave()
        self.session.dirty()
        return True

    def take_lead(self) -> None:
        """Hear of changes for all members from now on: who did has left."""
        if (page := self._open_page()) is not None:
            page.on_shared(leads=True)

    def tell_rest(self) -> None:
        """Tell the other members what each of them must look at for itself."""
        if self._group is not None and self._group.lead is self.session:
            self._group.tell()

    def hear(self) -> None:
        """Hear from the lead that something has changed which each member must look at."""
        if (page := self._open_page()) is not None:
            page.changed()

    def _open_page(self) -> Page | None:
        """Return the page whose frame is shared, unless it has been left since the last drawing."""
        page, session = self._page, self.session
        return None if page is None or session.is_closing or page not in session.pages else page
