"""A look at the glyphs and colours before the first match: enter accepts what looks right."""

from __future__ import annotations

from typing import ClassVar

from server.boards import keymap
from server.i18n.catalogues import following
from server.screens.form import way_to_account
from server.screens.gametable import with_emblems
from server.screens.sessionpage import SessionPage
from server.session import places
from server.session.page import Body
from server.terminal import theme
from server.terminal.hint import Hint
from server.terminal.itemlines import said_lines
from server.terminal.items import Said
from server.terminal.lines import Line, inset, packed_lines, pad, plain, wrapped
from server.terminal.stage import CARD

RULER_COLS, RULER_INDENT = 24, 4
CHANGES = ("glyphs", "palette", "language")


class CalibratePage(SessionPage):
    """Sample cards, a ruler that shows wrong widths, and all palettes."""

    measure = CARD
    context: ClassVar[str] = "calibrate"

    def title(self) -> str:
        return self.session.t("calibrate.title")

    def body(self, cols: int, rows: int) -> Body:
        """Draw samples of everything that terminals get wrong; a guest's way to an account where there is room."""
        guest = self._guest()
        drawn = [self._drawn(said, cols) for said in (guest, guest[:1], [])]
        lines = next((lines for lines in drawn if len(lines) <= rows), drawn[-1])
        return Body(with_emblems(lines, self.session.look, cols, rows))

    def _drawn(self, guest: list[Said], cols: int) -> list[Line]:
        above: list[Line] = [(), *said_lines(guest, cols), ()] if guest else [()]
        text = inset(wrapped(self.session.t(self._text()), cols - 4), 2)
        return [*above, *text, (), *self._ruler(), (), *self._colours(cols), (), *said_lines(self._chosen(), cols)]

    def items(self) -> list[Said]:
        """Tell a guest how to have an account, and what is chosen; samples are for the eye."""
        return [*self._guest(), *self._chosen()]

    def _guest(self) -> list[Said]:
        if not self.session.identity.is_guest:
            return []
        said = Said(self.session.t("calibrate.guest", name=self.session.identity.name))
        return [said, *way_to_account(self.session)]

    def _chosen(self) -> list[Said]:
        t, look = self.session.t, self.session.look
        glyphs = t("calibrate.glyphs", name=t(f"glyphs.{self.session.display.look.glyph_set}"))
        return [Said(glyphs), Said(t("calibrate.palette", name=t(f"palette.{look.palette}")))]

    def _text(self) -> str:
        """Return what to say: about what this terminal can show otherwise."""
        if not self.session.appearance.can_show("glyphs"):
            return "calibrate.text.plain"
        return "calibrate.text" if self.session.appearance.can_show("palette") else "calibrate.text.mono"

    def _ruler(self) -> list[Line]:
        """Draw rows that end at one edge where every glyph is as wide as we think."""
        glyphs = self.session.look.glyphs
        samples = [
            "".join((glyphs.ours, "L", glyphs.boosted, glyphs.theirs, glyphs.hidden, glyphs.face_up, glyphs.exit))
        ]
        samples.append(glyphs.rule * 4 + glyphs.here + glyphs.gone + glyphs.turn + glyphs.yes)
        if self.session.display.look.glyph_set == "unicode":
            samples.append("雷网 中文 Relati")
        return [
            (("", " " * RULER_INDENT), ("title", pad(sample, RULER_COLS)), ("grid", glyphs.vertical))
            for sample in samples
        ]

    def _colours(self, cols: int) -> list[Line]:
        t = self.session.t
        names = (
            ("seat0", "you"),
            ("seat1", "them"),
            ("target", "target"),
            ("warn", "warn"),
            ("good", "good"),
            ("row", "row"),
        )
        samples = [plain(t(f"calibrate.sample.{name}"), style) for style, name in names]
        return packed_lines(samples, cols - RULER_INDENT, RULER_INDENT)

    def hints(self) -> tuple[Hint, ...]:
        names = tuple(name for name in CHANGES if self.session.appearance.can_show(name))
        return keymap.hints("calibrate", ("accept", *names))

    def back(self) -> bool:
        """Stay; on a second terminal the look may be left as it is."""
        return self.session.pages.first is self

    def do_accept(self) -> None:
        """Keep it and enter the lobby."""
        self.session.spawn(self._enter())

    async def _enter(self) -> None:
        self.session.appearance.prefer_look(*CHANGES, calibrated=True)
        if self.session.pages.first is self:
            await self.session.reach(places.LobbyPlace())
        else:
            self.session.pages.pop()

    def do_glyphs(self) -> None:
        """Change between Unicode and ASCII."""
        self.session.display.use(glyph_set="ascii" if self.session.display.look.glyph_set == "unicode" else "unicode")

    def do_palette(self) -> None:
        """Try the next palette."""
        names = theme.PALETTES
        self.session.display.use(palette=names[(names.index(self.session.look.palette) + 1) % len(names)])

    def do_language(self) -> None:
        """Change the language."""
        self.session.display.use(language=following(self.session.look.language))
