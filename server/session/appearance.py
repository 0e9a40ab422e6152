"""How a session shows itself as its person likes it: look, bell and title, on this terminal and its kind."""

from __future__ import annotations

from typing import Any

from server.accounts.preferences import look_on, with_look
from server.session.display import Display
from server.session.person import Person
from server.terminal import theme


class Appearance:
    """Chooses palette and glyphs by what the person prefers and what the terminal has said of itself."""

    def __init__(self, display: Display, person: Person) -> None:
        self._display, self._person = display, person

    def can_show(self, what: str) -> bool:
        """Tell whether the terminal shows more than one `palette`, one set of `glyphs`, one `language`."""
        return bool(
            self._display.screen.client.colors > 1 if what == "palette" else self._display.screen.client.is_unicode
        )

    def prefer_look(self, *names: str, **changes: Any) -> None:
        """Store what is shown now of `palette`, `glyphs` and `language`, but not what only this terminal requires.

        `changes` are other settings to be kept with them.
        """
        look, client = self._display.look, self._display.screen.client
        shown = {"palette": look.palette, "glyphs": look.glyph_set, "language": look.language}
        kept: dict[str, Any] = {name: shown[name] for name in names if self.can_show(name)}
        if kept.keys() & {"palette", "glyphs"} and self.is_known_ground:
            kept["terminals"] = with_look(self._person.preferences.terminals, client.kind, look.palette, look.glyph_set)
            kept.pop("glyphs", None)
            if look.palette in ("default", "light"):
                kept.pop("palette", None)  # it is this terminal's, not the person's
        self._person.prefer(**changes, **kept)

    @property
    def is_known_ground(self) -> bool:
        """Tell whether the terminal has said what it is."""
        return self._display.screen.client.ground in ("dark", "light")

    def _suited(self) -> tuple[str, str]:
        """Return palette and glyphs for this terminal: what was chosen on its kind, else what suits it."""
        client, wished = self._display.screen.client, self._person.preferences
        if (kept := look_on(wished.terminals, client.kind)) is not None:
            return kept
        palette = theme.suited(wished.palette or self._display.look.palette, client.ground)
        return palette, "ascii" if client.is_wide else wished.glyphs or self._display.look.glyph_set

    @property
    def has_another_terminal(self) -> bool:
        """Tell whether this terminal is of a kind that the person has not seen, and looks otherwise than they chose."""
        wished, kind = self._person.preferences, self._display.screen.client.kind
        if (
            self._display.screen.means
            or not (wished.calibrated and self.is_known_ground)
            or look_on(wished.terminals, kind) is not None
        ):
            return False
        return self._suited() != (wished.palette or "default", wished.glyphs or "unicode")

    def suit(self) -> None:
        """Use the palette and glyphs that suit this terminal."""
        palette, glyphs = self._suited()
        self._display.use(palette=palette, glyph_set=glyphs)

    def apply(self) -> None:
        """Use what the person has set: colours, glyphs, language and mouse."""
        self.suit()
        wished = self._person.preferences
        self._display.use(language=wished.language or self._display.look.language)
        if not wished.mouse:
            self._display.screen.set_mouse_tracking(False)

    def call(self, text: str) -> None:
        """Call somebody whose terminal is in the background: bell and window title, as they like it."""
        if self._person.preferences.bell:
            self._display.screen.ring()
        self.retitle(text)

    def retitle(self, text: str) -> None:
        """Say in the window's title what it is about, in characters that the terminal can show, if that is liked."""
        if self._person.preferences.title:
            [(_, shown)] = self._display.shown((("", text),))
            self._display.screen.set_title(shown)
