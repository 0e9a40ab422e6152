"""Who is here: look at somebody, watch them, challenge them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from server.lobby.model import PersonHere, RoomSettings
from server.tui import keymap
from server.tui.keymap import Hint
from server.tui.lines import Line, Span, block, pad
from server.tui.screens import complaints
from server.tui.screens.chooser import Chooser
from server.tui.screens.newroom import RoomForm
from server.tui.screens.page import Body, Page
from server.tui.screens.wishes import Wishes, playable, seat_range

if TYPE_CHECKING:
    from server.tui.app import Session

NAME_COLS = 20


class PeoplePage(Page):
    """The list of everybody connected."""

    context: ClassVar[str] = "people"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.people: tuple[PersonHere, ...] = self._listed()
        self.chooser = Chooser()
        self._subscription: Any = None

    def start(self) -> None:
        """Hear who comes and goes."""
        self._subscription = self.session.services.lobby.subscribe(self.changed)

    def stop(self) -> None:
        """Stop listening."""
        if self._subscription is not None:
            self._subscription.close()
            self._subscription = None  # it knows this page: without this both would wait for the collector

    def changed(self) -> None:
        """Take the list as it is now."""
        chosen = self.chosen()
        self.people = self._listed()
        names = [person.name for person in self.people]
        if chosen is not None and chosen.name in names:
            self.chooser = self.chooser.at(names.index(chosen.name), len(names))
        self.chooser = self.chooser.clamp(len(names))
        self.session.dirty()

    def _listed(self) -> tuple[PersonHere, ...]:
        """Return who is here; whom one has blocked stands at the end, here or not, to be unblocked."""
        view, hidden = self.session.services.lobby.snapshot(), self.session.hidden_names
        shown = tuple(person for person in view.here if person.name not in hidden)
        return (*shown, *(PersonHere(name, False, None, view.at) for name in sorted(hidden)))

    def chosen(self) -> PersonHere | None:
        """Return the chosen person."""
        return self.people[self.chooser.index] if self.chooser.index < len(self.people) else None

    def title(self) -> str:
        """Say how many are here."""
        return self.session.t("people.title", n=len(self.people) - len(self.session.hidden_names))

    def body(self, cols: int, rows: int) -> Body:
        """List them."""
        window = self.chooser.window(len(self.people), rows - 1)
        return Body(block([(), *(self._line(i) for i in window)], cols, rows))

    def _line(self, index: int) -> Line:
        person, t = self.people[index], self.session.t
        chosen = index == self.chooser.index
        pointer = f" {self.session.look.glyphs.pointer} " if chosen else "   "
        name = t("who.guest", name=person.name) if person.guest else person.name
        spans: list[Span] = [("row" if chosen else "", pointer + pad(name, NAME_COLS)), ("", "  ")]
        if person.name in self.session.hidden_names:
            return (*spans, ("warn", t("people.is-blocked")))
        spans.append(("good", t("people.playing")) if person.playing else ("dim", t("people.free")))
        return tuple(spans)

    def hints(self) -> tuple[Hint, ...]:
        """Return what can be done with the chosen person."""
        person = self.chosen()
        names = []
        if person is not None and person.name in self.session.hidden_names:
            return (*keymap.hints("people", ("block",)), *keymap.hints("everywhere", ("back",)))
        if person is not None and person.name != self.session.identity.name:
            names = ["challenge"]
        if person is not None and not person.guest:
            names.insert(0, "profile")
        if person is not None and person.playing:
            names.append("watch")
        if person is not None and complaints.may_complain(self.session, person.name):
            names += ["block", "report"]
        return (*keymap.hints("people", names), *keymap.hints("everywhere", ("back",)))

    def press(self, key: str) -> bool:
        """Choose, or do a command."""
        moved = self.chooser.press(key, len(self.people)) if key not in ("enter",) else None
        if moved is not None:
            self.chooser = moved
            return True
        return super().press(key)

    def click(self, col: int, row: int) -> bool:
        """Choose a person."""
        _, rows = self.session.size
        window = self.chooser.window(len(self.people), self.session.body_rows(rows) - 1)
        if not 1 <= row <= len(window):
            return False
        self.chooser = self.chooser.at(window[row - 1], len(self.people))
        return True

    def do_block(self) -> None:
        """Never be paired with the person again, and read no more of them; or take that back."""
        person = self.chosen()
        if person is not None and complaints.may_complain(self.session, person.name):
            self.session.spawn(self._block(person.name))

    async def _block(self, name: str) -> None:
        await complaints.block_or_not(self.session, name)
        self.changed()

    def do_report(self) -> None:
        """Tell the moderators of somebody."""
        person = self.chosen()
        if person is not None and complaints.may_complain(self.session, person.name):
            complaints.ask_report(self.session, person.name)

    def do_profile(self) -> None:
        """See who it is."""
        from server.tui.screens import doors

        person = self.chosen()
        if person is not None and not person.guest:
            doors.go_to_profile(self.session, person.name)

    def do_challenge(self) -> None:
        """Challenge the person."""
        person = self.chosen()
        if person is not None and person.name != self.session.identity.name:
            self.session.push(ChallengePage(self.session, person.name))

    def do_watch(self) -> None:
        """Watch the person's match."""
        from server.tui.screens.doors import go_to_match

        person = self.chosen()
        if person is not None and person.playing:
            self.session.spawn(go_to_match(self.session, person.playing))


class ChallengePage(RoomForm):
    """What to challenge somebody to."""

    context: ClassVar[str] = "challenge"

    def __init__(self, session: Session, name: str) -> None:
        game, wishes = playable()[0], Wishes(session)
        settings = RoomSettings(game, seat_range(game).start, speed=wishes.speed, rated=wishes.rated, private=True)
        super().__init__(session, settings)
        self.name = name

    def title(self) -> str:
        """Say whom."""
        return self.session.t("challenge.title", name=self.name)

    def do_accept(self) -> None:
        """Send the challenge."""
        self.session.spawn(self._send())

    async def _send(self) -> None:
        lobby, session = self.session.services.lobby, self.session
        self.enter(await lobby.challenge(session.identity.player, self.name, self.settings, session.id))
