"""One report: what was said, what is known of the person, and what a moderator can do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.accounts.conduct import WHY_CHARS
from server.accounts.moderation import AuditLine, Dossier, InForce, Report
from server.boards import keymap
from server.clock import moment_words
from server.screens.reportlog import chat_of, said_in
from server.screens.reports import leave_unless_allowed, moderation
from server.screens.sanctionform import ACTS, Act, SanctionForm
from server.screens.sessionpage import SessionPage
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import heading_line, offer_lines, with_position
from server.terminal.items import Heading, Item, Said
from server.terminal.lines import Line, at_end, block, pad, shortened, wrapped
from server.terminal.stage import READING

NAME_COLS = 8
WHY_ROWS, ACTS_ROWS, KNOWN_ROWS = 4, 3, 2
AIRY = 28  # rows from which on a blank one stands below a head


@dataclass(frozen=True, slots=True)
class ReportFact:
    """What is known, under a message key ('': that of the fact before it); `rows`: that it takes at most."""

    key: str
    text: str
    style: str = ""
    rows: int = 1


class ReportPage(SessionPage):
    """A report with the log attached to it."""

    measure = READING
    context: ClassVar[str] = "report"

    def __init__(self, session: Session, report: Report) -> None:
        super().__init__(session)
        self.report = report
        self.dossier: Dossier | None = None
        self.top: int | None = None  # the first row of the log that shows; None: the end of it
        self._log_rows = 1
        self._last_top = 0

    @property
    def handle(self) -> str | None:
        """Return whom it is about, None for somebody who has deleted the account."""
        return self.report.about_name if self.report.is_of_guest else self.report.about_handle

    def start(self) -> None:
        """Fetch what is known of the person."""
        self.session.spawn(self.load())

    def resume(self) -> None:
        """Fetch it again: something may have been done."""
        self.session.spawn(self.load())

    async def load(self) -> None:
        """Fetch what holds for the person now, and earlier acts and notes."""
        if not await leave_unless_allowed(self.session) and self.handle is not None:
            self.dossier = await moderation(self.session).dossier(self.handle, self.report.source)

    def title(self) -> str:
        return self.session.t("report.title", name=self.handle or self.report.about_name)

    # What it shows

    def lines_needed(self) -> int:
        cols = self.most_cols
        return len(self._top(cols)) + 1 + len(self._log(cols)) + 1 + len(self._offers(cols))

    def _top(self, cols: int) -> list[Line]:
        """Draw what stands above the log."""
        head = heading_line(Heading(self._log_title), 1)
        return [*(line for one in self._facts() for line in self._drawn(one, cols)), (), head]

    def _log(self, cols: int) -> list[Line]:
        return chat_of(self.report, (self.report.about_name, self.handle), cols)

    def body(self, cols: int, rows: int) -> Body:
        """Draw who, whom, when and why, what is known, and as much of the log as fits."""
        top, log = [*self._top(cols), *([()] if rows >= AIRY else [])], self._log(cols)
        self._log_rows = max(1, rows - len(top))
        self._last_top = max(0, len(log) - self._log_rows)
        first = self._last_top if self.top is None else min(self.top, self._last_top)
        shown = range(first, min(len(log), first + self._log_rows))
        drawn = with_position([log[y] for y in shown], shown, len(log), self.session.look, cols - 1)
        return Body(block(at_end([*top, *drawn], self._offers(cols), cols, rows), cols, rows))

    def _offers(self, cols: int) -> list[Line]:
        return offer_lines(self.offers(self._acts()), cols)

    @property
    def _log_title(self) -> str:
        return self.session.t("report.log", n=len(self.report.lines))

    def items(self) -> list[Item]:
        """Tell who, whom, when and why, what is known, and the log."""
        t = self.session.t
        facts = [
            Said(t("list.pair", what=t(one.key), value=one.text) if one.key else one.text) for one in self._facts()
        ]
        log = [Said(t("list.pair", what=f"{when} {name}", value=text)) for when, name, text in said_in(self.report)]
        return [*facts, Heading(self._log_title), *log, *self.offers(self._acts())]

    def _drawn(self, fact: ReportFact, cols: int) -> list[Line]:
        name = pad(self.session.t(fact.key) if fact.key else "", NAME_COLS)
        room = max(10, cols - NAME_COLS - 4)
        lines = shortened(wrapped(fact.text, room, fact.style), fact.rows, room)
        return [(("dim", f" {name if i == 0 else ' ' * NAME_COLS}  "), *line) for i, line in enumerate(lines)]

    def _facts(self) -> list[ReportFact]:
        """Say who, whom, when and why, and what is known of the person."""
        t, report = self.session.t, self.report
        renamed = self.handle is not None and self.handle != report.about_name
        about = t("report.renamed", name=self.handle, before=report.about_name) if renamed else report.about_name
        if self.report.is_of_guest:
            whence = self.report.source or t("report.whence-unknown")
            about = t("report.guest", name=report.about_name, source=whence)
        elif self.handle is None:
            about = t("list.noted", what=report.about_name, note=t("reports.deleted"))
        told = t("list.clause").join((report.by_handle or t("reports.deleted"), moment_words(report.at)))
        why = ReportFact("reports.why", report.why or "-", rows=WHY_ROWS)
        return [ReportFact("reports.about", about), ReportFact("reports.by", told), why, *self._known()]

    def _known(self) -> list[ReportFact]:
        """Say what holds for the person now, and what was done and noted before, newest first."""
        if self.dossier is None:
            return []
        facts = [
            ReportFact("report.now", self._sanction_words(one), "warn", rows=KNOWN_ROWS)
            for one in self.dossier.sanctions
        ]
        for i, act in enumerate(self.dossier.acts[:ACTS_ROWS]):
            facts.append(ReportFact("" if i else "report.before", self._act_words(act), "dim", rows=KNOWN_ROWS))
        return facts or [ReportFact("report.before", self.session.t("report.nothing"), "dim")]

    def _sanction_words(self, one: InForce) -> str:
        kept = one.sanction
        key = f"report.{kept.act}" if kept.until is None else f"report.{kept.act}-until"
        said = self.session.t(key, until=moment_words(kept.until) if kept.until else "", why=kept.why)
        if kept.kind == "account":
            return said
        return self.session.t("list.pair", what=self.session.t(f"sanction.{kept.kind}", value=one.shown), value=said)

    def _act_words(self, line: AuditLine) -> str:
        key = f"report.act.{line.act}"
        act = self.session.t(key) if self.session.look.has(key) else line.act
        said = self.session.t("list.clause").join((f"{moment_words(line.at)} {act}", line.actor))
        return self.session.t("list.pair", what=said, value=line.why) if line.why else said

    # Keys

    def hints(self) -> tuple[Hint, ...]:
        log = keymap.hints("report", ("log",)) if self._last_top else ()
        return (*self._acts(), *log, *keymap.hints("everywhere", ("back",)))

    def _acts(self) -> tuple[Hint, ...]:
        """Return what can be done; a person who is gone can't be banned any more."""
        names: list[str] = [name for name in ACTS if self.targets(name)]
        names += ["note"] if self.handle is not None else []
        names.append("dismiss")
        if self.dossier is not None and self.dossier.sanctions:
            names.append("lift")
        if self.report.match_id:
            names.append("match")
        return keymap.hints("report", names)

    def do_log(self) -> None:
        """Go through the log: a line, a page, to an end."""
        page, end = self._log_rows, self._last_top
        steps = {"up": -1, "down": 1, "page up": -page, "page down": page, "home": -end, "end": end}
        now = end if self.top is None else min(self.top, end)
        self.top = max(0, min(now + steps[self.key], end))

    def targets(self, act: Act) -> list[tuple[str, str]]:
        """Return what can be muted or banned: the account; the key and the address of a guest, or of who is here."""
        found = [("account", self.handle)] if self.handle is not None and not self.report.is_of_guest else []
        if act == "mute" and found:
            return found
        whence = [(one.fingerprint, one.source) for one in self.dossier.sessions] if self.dossier is not None else []
        for key, source in [(self.report.fingerprint, self.report.source), *whence]:
            found += [("key", key)] if key is not None and act == "ban" else []
            found += [("network" if act == "ban" else "guests", source)] if source is not None else []
        return list(dict.fromkeys(found))

    def do_mute(self) -> None:
        """Choose how long the person may not speak."""
        if self.targets("mute"):
            self._impose("mute")

    def do_ban(self) -> None:
        """Choose how long, and how, the person is kept out."""
        if self.targets("ban"):
            self._impose("ban")

    def _impose(self, act: Act) -> None:
        self.session.pages.push(
            SanctionForm(self.session, act, self.report, self.handle or "", self.targets(act), self.close)
        )

    def do_note(self) -> None:
        """Write something down about the person."""
        if self.handle is not None:
            self.session.have_typed("report.ask-note", self._note, limit=WHY_CHARS)

    async def _note(self, text: str) -> None:
        if self.handle is not None and not await leave_unless_allowed(self.session):
            await moderation(self.session).remark(self.handle, text)
            self.session.prompts.notice("report.noted", "good", name=self.handle)
            await self.load()

    def do_dismiss(self) -> None:
        """Close the report."""
        self.session.have_confirmed("report.ask-dismiss", self._dismiss)

    async def _dismiss(self) -> None:
        if not await leave_unless_allowed(self.session):
            await self.close()

    async def close(self) -> None:
        """Close the report, and go back to the others."""
        done = await moderation(self.session).close_report(self.report.id)
        if self.session.pages.top is self:
            self.session.pages.pop()
        self.session.prompts.notice("report.closed" if done else "report.closed-already", "good" if done else "warn")

    def do_lift(self) -> None:
        """Take back what holds for the person."""
        if self.handle is not None and self.dossier is not None and self.dossier.sanctions:
            self.session.have_confirmed("report.ask-lift", self._lift, name=self.handle)

    async def _lift(self) -> None:
        if self.dossier is None or self.handle is None or await leave_unless_allowed(self.session):
            return
        for held in self.dossier.sanctions:
            await moderation(self.session).lift_held(held)
        self.session.prompts.notice("report.lifted", "good", name=self.handle)
        await self.load()

    def do_match(self) -> None:
        """Look at the match they played."""
        if self.report.match_id:
            self.session.spawn(self._open(self.report.match_id))

    async def _open(self, match_id: str) -> None:
        match = await self.session.services.matches.find(match_id, self.session.identity, case=match_id)
        if match.is_over:
            await self.session.reach(places.ReplayPlace(match_id, case=match_id))
        else:
            await self.session.reach(places.MatchPlace(match_id, case=match_id))
