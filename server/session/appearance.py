"""How a session's look is chosen for its terminal, and kept for terminals of that kind."""

from __future__ import annotations

from typing import Any

from server.accounts.preferences import look_on, with_look
from server.session import places
from server.session.part import Part
from server.terminal import theme


class Appearance(Part):
    """Chooses palette and glyphs by what the person prefers and what the terminal has said of itself."""

    def can_show(self, what: str) -> bool:
        """Tell whether the terminal shows more than one `palette`, one set of `glyphs`, one `language`."""
        return bool(
            self.session.screen.client.colors > 1 if what == "palette" else self.session.screen.client.is_unicode
        )

    def prefer_look(self, *names: str, **changes: Any) -> None:
        """Store what is shown now of `palette`, `glyphs` and `language`, but not what only this terminal requires.

        `changes` are other settings to be kept with them.
        """
        look, client = self.session.look, self.session.screen.client
        shown = {"palette": look.palette, "glyphs": look.glyph_set, "language": look.language}
        kept: dict[str, Any] = {name: shown[name] for name in names if self.can_show(name)}
        if kept.keys() & {"palette", "glyphs"} and self.is_known_ground:
            kept["terminals"] = with_look(
                self.session.person.preferences.terminals, client.kind, look.palette, look.glyph_set
            )
            kept.pop("glyphs", None)
            if look.palette in theme.GROUNDS and look.palette != "colour-blind":
                kept.pop("palette", None)  # it is this terminal's, not the person's
        self.session.person.prefer(**changes, **kept)

    @property
    def is_known_ground(self) -> bool:
        """Tell whether the terminal has said what it is."""
        return self.session.screen.client.ground in ("dark", "light")

    def _suited(self) -> tuple[str, str]:
        """Return palette and glyphs for this terminal: what was chosen on its kind, else what suits it."""
        client, wished = self.session.screen.client, self.session.person.preferences
        if (kept := look_on(wished.terminals, client.kind)) is not None:
            return kept
        palette = wished.palette or self.session.look.palette
        palette = {("light", "default"): "light", ("dark", "light"): "default"}.get((client.ground, palette), palette)
        return palette, "ascii" if client.is_wide else wished.glyphs or self.session.look.glyph_set

    def hear_terminal(self) -> None:
        """Take what the terminal said of itself: the colours and glyphs that suit it."""
        self.suit()
        if self.has_another_terminal and self.session.pages.top is self.session.pages.first:
            calibration = self.session.routes.page(self.session, places.CalibrationPlace())
            self.session.pages.push(calibration, by_itself=True)

    @property
    def has_another_terminal(self) -> bool:
        """Tell whether this terminal is of a kind that the person has not seen, and looks otherwise than they chose."""
        wished, kind = self.session.person.preferences, self.session.screen.client.kind
        if not (wished.calibrated and self.is_known_ground) or look_on(wished.terminals, kind) is not None:
            return False
        return self._suited() != (wished.palette or "default", wished.glyphs or "unicode")

    def suit(self) -> None:
        """Use the palette and glyphs that suit this terminal."""
        palette, glyphs = self._suited()
        self.session.use(palette=palette, glyph_set=glyphs)
