"""The lobby: my running matches, Play now, open seats, live matches, chat."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar

from server.boards import keymap
from server.boards.library import library_games
from server.bus.bus import Subscription
from server.lobby.model import LobbyView
from server.lobby.seeking import SeekTicket
from server.lobby.stored_rooms import read_code
from server.matches.guestlimits import SEAT_KEPT
from server.matches.speeds import UNHURRIED
from server.screens import following
from server.screens.chooser import Chooser
from server.screens.firstmatch import begin_first_match
from server.screens.lists import Lists
from server.screens.lobbydrawing import CHAT_CHANNEL, PREVIEW, LobbyDrawing
from server.screens.lobbyrows import LobbyRow
from server.screens.lobbyspeech import LobbySpeech
from server.screens.news import of_match, since_last_time
from server.screens.playersearch import PlayerSearch
from server.screens.playnow import PlayChoices, looking_words, other_speeds, usual_wait
from server.screens.preview import Preview, PreviewedMatches
from server.screens.runningclock import RunningClock
from server.screens.sessionpage import SessionPage
from server.session import places
from server.session.asking import asked_words
from server.session.heldkeys import Hold
from server.session.page import Body, Speech, Written
from server.session.session import Session
from server.terminal import frame
from server.terminal.hint import Hint
from server.terminal.items import Banner, Item
from server.terminal.lines import Line, joined, plain
from server.terminal.stage import SPREAD

LAPSED_S = 1.0  # after which what was open is surely read as lapsed
NAMED_FROM = 60  # columns from which on the title has the server's name


class LobbyPage(SessionPage):
    """Where everybody meets."""

    measure = SPREAD
    context: ClassVar[str] = "lobby"
    lists_own_turns: ClassVar[bool] = True

    def __init__(self, session: Session, previewed: PreviewedMatches) -> None:
        """`previewed`: what the lobbies of the process preview."""
        super().__init__(session)
        self._waiting = 0  # reports that this moderator was told of
        self.lists = Lists(session)
        self.chooser = Chooser()
        self.choices = PlayChoices(session)
        self.search = PlayerSearch(session, self.choices)
        self.preview = Preview(session, previewed, self._show_preview)
        self._drawing = LobbyDrawing(session, self.lists, self.choices, self.preview)
        self._clock = RunningClock(session, self.lists)
        self._expect_no_lapse: Callable[[], None] = lambda: None  # of a challenge
        self._row_left: LobbyRow | None = None  # the chosen one, when the list changed under another page
        self._listening: Subscription | None = None  # to the chat
        self._is_beginning = False  # the first match
        self._is_resting = False  # another session hears of changes and draws for this one too
        self._moved_under = Hold(session.services.clock, session.display)  # another row came under the cursor by itself
        self._has_opened = False  # a row, and is back from it next
        self._has_chosen = False  # until somebody moves, the first row is the chosen one

    # Life

    def start(self) -> None:
        """Hear of changes in the lobby and its chat."""
        self.subscriptions.append(self.session.services.lobby.subscribe(self.changed))
        self._listen(True)
        self._look_for_preview()
        self._catch_up()

    def _listen(self, listens: bool) -> None:
        """Hear of new lines of the chat, or no longer."""
        if listens and self._listening is None:
            self._listening = self.session.services.chat.subscribe(CHAT_CHANNEL, self._show)
        elif not listens and self._listening is not None:
            self._listening.close()
            self._listening = None

    def stop(self) -> None:
        """Stop looking for players, stop listening."""
        super().stop()
        self._listen(False)
        self._clock.stop()
        self._expect_no_lapse()
        self.preview.close()
        self.search.stop()

    async def show_news(self) -> None:
        """Tell, once, what ended while this person was away."""
        chosen = self._was_chosen()
        self.lists.news = await since_last_time(self.session)
        if self.lists.news:
            self._keep(chosen)
            self._show()

    def on_match_ended(self, match_id: str) -> None:
        self.session.spawn(self.show_end(match_id))

    async def show_end(self, match_id: str) -> None:
        """Tell, once, that a match of this person's has ended: on top of the lists, and above the keys elsewhere."""
        person = self.session.person
        if person.has_seen_end(match_id):
            return
        told = await of_match(self.session, match_id)
        if told is None or person.has_seen_end(match_id):  # it is played on without them, or was told meanwhile
            return
        person.saw_end(match_id)
        chosen = self._was_chosen()
        self.lists.end(told)
        self._keep(chosen)
        if self.session.pages.top is self:
            self._show()
        else:
            game, words = self.session.look.game(told.game), told.said(self.session.look)
            self.session.prompts.notice("news.elsewhere", words.style, game=game, others=words.others, text=words.text)

    def resume(self) -> None:
        """Load one's own matches and challenges again; one that waits is the chosen row, but for who reads the list."""
        self.session.spawn(self._load_and_choose() if not self._has_opened else self.load())
        self._has_opened = False

    async def _load_and_choose(self) -> None:
        await self.load()
        me = self.session.identity.player
        waiting = [f"mine:{one.id}" for one in self.lists.mine if one.waits_for(me)]
        waiting += [f"challenge:{one.code}" for one in self.lists.challenges]
        if waiting:
            self._point_at(waiting[0])

    def _point_at(self, key: str) -> None:
        """Choose the row of this key, where there is one."""
        if (index := self.lists.index_of(key)) is not None:
            self.chooser = self.chooser.at(index, len(self.rows()))
            self._show()

    def changed(self) -> None:
        """Hear that the lobby has changed, or that somebody was challenged."""
        if any(one.tell is not None for one in self.session.person.followed.values()):
            self.session.spawn(following.take_alerts(self.session))
        self._catch_up()

    def _catch_up(self) -> None:
        """Ask the store where a hint came, and take a new list."""
        if self.lists.has_hint:
            self.session.spawn(self.load())
        now = self.session.services.lobby.snapshot()
        if now is self.lists.view:
            return
        if self.session.pages.top is not self:
            self._let_go(now)
        elif not self._take_while_resting(now):
            self.refresh()
            self._show()

    def _let_go(self, now: LobbyView) -> None:
        """Hold no earlier list and no match under another page; the chosen row is found again by its key."""
        self._row_left = self._was_chosen()
        self.lists.replace(now)
        self.preview.close()

    def _was_chosen(self) -> LobbyRow | None:
        return self._row_left or self.chosen()

    def _take_while_resting(self, now: LobbyView) -> bool:
        """Take what has changed where another session draws it; False: it may concern this person."""
        if not self._is_resting:
            return False
        chosen = self.chosen() if self._has_chosen else None
        if not self.lists.refresh_if_unconcerned(now):
            return False
        if chosen is not None:
            self._keep(chosen)
        self._look_for_preview()
        return self.preview.looks_alike

    def on_shared(self, leads: bool) -> None:
        """Leave it to the group's lead to hear of what everybody sees alike."""
        self._rest(not leads and self.preview.looks_alike)

    def on_unshared(self) -> None:
        """Hear of everything oneself."""
        self._rest(False)

    def _rest(self, rests: bool) -> None:
        was_resting, self._is_resting = self._is_resting, rests
        if self.session.pages.top is self:
            self.preview.rest(rests)
        else:
            self.preview.close()
        self._listen(not rests)
        if was_resting and not rests:
            self._look_for_preview()
            self._show()

    def _show_preview(self) -> None:
        """Draw what the preview shows now; under another page close it until this one resumes."""
        if self.session.pages.top is not self:
            self.preview.close()
        self._show()

    def _show(self) -> None:
        """Draw what has changed for everybody, if one is looking."""
        if self.session.pages.top is self:
            self.session.sharing.changed(may_differ=True)

    def refresh(self) -> None:
        """Take the lobby as it is now; the chosen row stays chosen where it is still there."""
        chosen, has_moved_on = self._was_chosen(), self._row_left is not None
        if self.lists.refresh() or has_moved_on:
            self._keep(chosen)
            self._look_for_preview()
            if self.lists.needs_load():
                self.session.spawn(self.load())
        elif self._is_resting:
            self._look_for_preview()
        self._clock.tick()

    async def load(self) -> None:
        """Ask for what is mine."""
        chosen, before = self._was_chosen(), {one.id for one in self.lists.mine}
        codes_waited, known = self.lists.codes_wait, {one.code for one in self.lists.challenges}
        await self.lists.load()
        await self.search.read_pause()
        self._expect_lapse()
        self._keep(chosen)
        if new := [one.code for one in self.lists.challenges if one.code not in known and not self._has_chosen]:
            self._point_at(f"challenge:{new[0]}")
        is_new = self.lists.codes_wait and not codes_waited  # after the first match; in lines a row says it
        if is_new and self.session.screen.draws and self.session.pages.top is self:
            self.session.pages.push(self.session.routes.page(self.session, places.NamedPlace.CODES), by_itself=True)
        self._look_for_preview()
        for match_id in before - {one.id for one in self.lists.mine}:  # another process may know more than this one
            self.session.hear_end(match_id)
        if self.session.person.is_moderator:
            await self.count_reports()

    def _expect_lapse(self) -> None:
        """Load again once a challenge has lapsed: nothing changes by that, and no hint tells of it."""
        self._expect_no_lapse()
        if self.subscriptions and (left := self.lists.lapses_in()) is not None:
            self._expect_no_lapse = self.session.display.later(
                left + LAPSED_S, lambda: self.session.spawn(self.load()), is_coalesced=True
            )

    def _look_for_preview(self) -> None:
        """Show the most interesting match that others play and this person may see."""
        if self.subscriptions and self.session.pages.top is self:
            self.preview.want(self.lists.most_interesting(), self.lists.has_no_live_match)

    def _keep(self, chosen: LobbyRow | None) -> None:
        self._row_left = None
        count = len(self.rows())
        if self._has_chosen and chosen is not None and (index := self.lists.index_of(chosen.key)) is not None:
            self.chooser = self.chooser.at(index, count)
        self.chooser = self.chooser.clamp(count)
        now = self.chosen()
        if chosen is not None and (now is None or now.key != chosen.key):
            self._moved_under.begin()

    # What it shows

    def kept_s(self) -> float:
        me = self.session.identity
        seats = [seat for one in self.lists.mine if me.is_guest and one.status == "live" for seat in one.seats]
        return SEAT_KEPT.total_seconds() if any(seat.player.is_same_person(me.player) for seat in seats) else 0.0

    @property
    def is_awaited(self) -> bool:
        """Tell whether a match of one's own runs in which somebody is expected to stay at the board."""
        return any(one.status == "live" and one.agreement.speed not in UNHURRIED for one in self.lists.mine)

    def title(self) -> str:
        """Return the title: Lobby, and the server's name on a screen that has room for it beside anybody's."""
        title = self.session.t("lobby.title")
        return f"{title} · {self.session.server_name}" if self.size[0] >= NAMED_FROM else title

    def chat(self) -> Sequence[Written]:
        """Return what was said to everybody."""
        return self.session.services.chat.recent(CHAT_CHANNEL, self.session.person.blocked)

    def speech(self) -> Speech:
        return LobbySpeech(self, self.session, self.search)

    def who(self) -> str:
        """Say who one is, how many are here, and the language."""
        here = self.session.t("lobby.here", n=self.lists.here_count())
        return " · ".join((self.badge(), here, self.session.look.language.partition("_")[0]))

    def banner(self) -> Banner | None:
        """Say whose clock runs in a match of one's own that one has left for the lobby."""
        return self._clock.banner()

    def badge(self) -> str:
        """Say who one is; everything else in a lobby at rest is the same for many."""
        return self.session.person.shown_name()

    def share_key(self) -> Hashable | None:
        """Share the frame with all who have the same choices and the same row chosen, and no rows of their own."""
        cols, _ = self.size
        if self.search.is_on or not self.lists.is_everybodys or not frame.has_room(self.title(), self.who(), cols):
            return None
        chosen = self.chosen() if self._has_chosen else None
        key = chosen.key if chosen is not None else ""
        return (
            "lobby",
            key,
            self.chooser.top,
            self.choices.key(),
            self.session.person.blocked,
            self.session.person.is_moderator,
            tuple((one.name, one.playing) for one in self.lists.followed_here()),
            self.lists.followed_told(),
            self.session.person.is_newcomer,
            self.lists.is_listed,
            self.session.identity.is_guest,
            self.preview.share_key(),
        )

    def share_state(self) -> object:
        """Return what a lobby at rest is drawn from: the lists, the chat, the match beside them."""
        said = self.session.services.chat.recent(CHAT_CHANNEL, self.session.person.blocked)
        return (self.title(), self.lists.view, said, self.preview.state(), self.lists.has_preview)

    def rows(self) -> Sequence[LobbyRow]:
        """Return every row that can be chosen."""
        return self.lists.rows()

    def chosen(self) -> LobbyRow | None:
        """Return the chosen row."""
        rows = self.rows()
        return rows[self.chooser.clamp(len(rows)).index] if rows else None

    def body(self, cols: int, rows: int) -> Body:
        return Body(self._drawing.draw(self.rows(), self.chooser, self.search.is_on, cols, rows))

    def items(self) -> list[Item]:
        """Tell the sections, all rows of the lists among them."""
        return self._drawing.told(self.rows(), self.chooser, self.search.is_on)

    def choose(self, number: int) -> bool:
        count = len(self.rows())
        if not 1 <= number <= count:
            return False
        self.chooser, self._has_chosen = self.chooser.at(number - 1, count), True
        return True

    @property
    def ticket(self) -> SeekTicket | None:
        return self.search.ticket

    def message(self) -> Line:
        """Ask whether fewer will do, or say what becomes of a search that finds nobody."""
        look = self.session.look
        if (asked := self.search.asked) is not None:
            return plain(f" {asked_words(asked, look)}", "warn")
        if (until := self.search.paused_until) is not None:
            return plain(f" {look.t('lobby.search-paused', at=f'{until:%H:%M}')}", "warn")
        view = self.lists.view
        said = looking_words(view, self.session.identity.player, look)
        if self.search.is_on:
            patience, wait = self.choices.patience(look), usual_wait(view, self.choices, look)
            elsewhere = other_speeds(view, self.choices, look)
            said = joined((elsewhere, patience, wait) if elsewhere else (patience, wait, said))
        return plain(f" {said}", "dim") if said else ()

    def message_stays(self) -> bool:
        """Keep asking whether fewer will do."""
        return self.search.asked is not None

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys; the way to stop looking only while one looks."""
        is_newcomer = self.session.person.is_newcomer
        names = [
            *(("first", "tutorial") if is_newcomer else ()),
            "play",
            "bot",
            "watch",
            "me",
            "new",
            "chat",
            "join",
            "people",
            "ladders",
            "games",
            "filter",
            *(() if is_newcomer else ("tutorial",)),
            "library",
        ]
        if self.search.is_on:
            names[names.index("play")] = "cancel"
            names = [*(("agree", "decline") if self.session.asking.is_owed else ()), *names]
        is_live = any(row.kind == "live" and not row.is_closed for row in self.rows())
        if not is_live and not self.preview.has_exhibition:
            names.remove("watch")
        staff = keymap.hints("staff") if self.session.person.is_moderator else ()
        return (*self._row_hints(), *staff, *keymap.hints("lobby", names), *keymap.hints("lobby", ("quit",)))

    def _row_hints(self) -> tuple[Hint, ...]:
        """Return the key that opens the chosen row, and that which declines, withdraws or puts away a challenge.

        The latter answers the pairing first, if asked.
        """
        opens, row = keymap.hints("lobby", ("open",)), self._challenge()
        if row is None:
            away = keymap.hints("lobby", ("decline",)) if self._told_end() is not None else ()
            return (*opens, *(hint.named("keys.lobby.put-away") for hint in away)) if self.rows() else ()
        if row.kind == "challenge":
            opens = tuple(hint.named("keys.lobby.accept-challenge") for hint in opens)
        if self.session.asking.is_owed:
            return opens
        label = "keys.lobby.withdraw" if row.kind == "asked" else "keys.lobby.decline-challenge"
        label = "keys.lobby.put-away" if self.lists.is_declined(row.target) else label
        return (*opens, *(hint.named(label) for hint in keymap.hints("lobby", ("decline",))))

    def _challenge(self) -> LobbyRow | None:
        row = self.chosen()
        return row if row is not None and row.kind in ("challenge", "asked") else None

    def _told_end(self) -> LobbyRow | None:
        """Return the chosen row where it tells how a match has ended meanwhile."""
        row = self.chosen()
        return row if row is not None and row.kind == "news" else None

    def contexts(self) -> tuple[str, ...]:
        """Return the lobby's keys, and for moderators the way to the reports."""
        return ("lobby", "staff") if self.session.person.is_moderator else ("lobby",)

    def window_title(self) -> str:
        """Return the server's name."""
        return self.title()

    # Keys

    def press(self, key: str) -> bool:
        """Choose in the list, or do a command."""
        moved = None
        if len(key) > 1:
            found = self.rows()
            shown = self._drawing.shares(found, self.size[0], self.session.display.body_rows(self.size[1])).lists
            moved = self.chooser.press(key, len(found), max(1, shown))
        if moved is not None and key != "enter":
            self.chooser, self._has_chosen = moved, True
            return True
        return super().press(key)

    def click(self, col: int, row: int) -> bool:
        """Choose a row; the chosen one opens. On the preview, open its match."""
        cols, rows = self.size
        found = self.rows()
        at = self._drawing.row_at(found, self.chooser, cols, self.session.display.body_rows(rows), col, row)
        if at == PREVIEW:
            return self._watch_preview()
        return at is not None and self._click_row(at)

    def _click_row(self, index: int) -> bool:
        if index == self.chooser.index:
            self.do_open()
        self.chooser, self._has_chosen = self.chooser.at(index, len(self.rows())), True
        return True

    def _watch_preview(self) -> bool:
        if self.preview.has_exhibition:
            self.session.go(places.NamedPlace.EXHIBITION)
        elif self.preview.opens:
            self.session.go(places.MatchPlace(self.preview.opens))
        return self.preview.has_exhibition or bool(self.preview.opens)

    def back(self) -> bool:
        """Put the news away, else clear the filter, else stop looking for players."""
        if self.lists.news:
            self.lists.news = ()
            return True
        if self.lists.filter:
            self._set_filter("")
            return True
        self.search.stop()
        return True

    def do_play(self) -> None:
        """Look for players in every ticked game."""
        self.search.begin((), "")

    async def _join(self, code: str) -> None:
        self.lists.answered.add(read_code(code))  # a challenge is accepted by its room's code, too
        await self.session.reach(places.RoomPlace(code))

    def do_agree(self) -> None:
        """Begin with those who are there."""
        self.session.asking.answer(agrees=True)

    def do_decline(self) -> None:
        """Wait on for more, where that is asked; else decline the chosen challenge, withdraw it, or put news away."""
        if self.session.asking.is_owed:
            self.session.asking.answer(agrees=False)
        elif (row := self._challenge()) is not None:
            self.session.spawn(self._withdraw(row.target) if row.kind == "asked" else self._decline(row.target))
        elif (told := self._told_end()) is not None:
            self._put_away(told.target)

    def _put_away(self, match_id: str) -> None:
        """Tell no more of a match that has ended."""
        self.lists.news = tuple(one for one in self.lists.news if one.match != match_id)
        self._keep(self.chosen())

    async def _decline(self, code: str) -> None:
        self.lists.answered.add(code)
        await self.session.services.lobby.challenges.decline(self.session.identity.player, code)
        await self.load()
        self.session.prompts.notice("lobby.declined")

    async def _withdraw(self, code: str) -> None:
        said = "lobby.put-away" if self.lists.is_declined(code) else "lobby.withdrawn"
        await self.session.services.lobby.challenges.withdraw(self.session.identity.player, code)
        await self.load()
        self.session.prompts.notice(said)

    def do_cancel(self) -> None:
        """Stop looking."""
        self.search.stop()

    def on_match_found(self) -> bool:
        """Search no more."""
        return self.search.was_found()

    def do_open(self) -> None:
        """Open the chosen row."""
        row = self.chosen()
        if self._moved_under.catches(self.key):
            self.session.held.say()
        elif row is not None:
            self.session.spawn(self._open(row))
        else:
            self._watch_preview()

    async def _open(self, row: LobbyRow) -> None:
        self._has_opened = True
        match row.kind:
            case "codes":
                self.session.go(places.NamedPlace.CODES)
            case "news":
                self._put_away(row.target)
                await self.session.reach(places.ReplayPlace(row.target))
            case "mine" | "live" | "rematch":
                await self.session.reach(places.MatchPlace(row.target))
            case "room" | "challenge" | "asked":
                if row.kind == "challenge":
                    self.lists.answered.add(row.target)
                await self.session.reach(places.RoomPlace(row.target))
            case "ended":
                await self.session.reach(places.ReplayPlace(row.target))
            case "seek":
                await self.search.answer(row.seeks)

    def do_watch(self) -> None:
        """Watch the chosen live match, or that of somebody one follows, or the first one, or the exhibition."""
        row = self.chosen() if self._has_chosen else self._followed_row() or self.chosen()
        if row is None or row.kind != "live":
            row = next((one for one in self.rows() if one.kind == "live" and not one.is_closed), None)
        if row is not None:
            self.session.spawn(self._open(row))
        elif not self._watch_preview():
            self.session.prompts.notice("lobby.nothing-live")

    def _followed_row(self) -> LobbyRow | None:
        """Return the live match of somebody whom this person follows."""
        playing = {one.playing for one in self.lists.followed_here() if one.playing is not None}
        live = (row for row in self.rows() if row.kind == "live" and not row.is_closed)
        return next((row for row in live if row.target in playing), None) if playing else None

    def do_filter(self) -> None:
        """Filter while typing."""
        self.session.prompts.type("lobby.ask-filter", self._set_filter, self.lists.filter, self._set_filter, limit=40)

    def _set_filter(self, text: str) -> None:
        self.lists.filter = text
        self.chooser = Chooser().clamp(len(self.rows()))
        self.session.dirty()

    def do_chat(self) -> None:
        """Say something to everybody."""
        self.session.have_said("lobby.say", self._say, past=lambda: len(self.chat()))

    async def _say(self, text: str) -> None:
        await self.session.services.chat.say(CHAT_CHANNEL, self.session.identity.player, text)

    def do_quit(self) -> None:
        """Quit."""
        self.session.quit()

    # Commands that lead elsewhere

    def do_bot(self) -> None:
        """Choose a bot."""
        self.session.go(places.BotsPlace())

    def do_first(self) -> None:
        """Begin a newcomer's first match, with the cards placed for them."""
        if self.session.person.is_newcomer and not self._is_beginning:
            self._is_beginning = True
            self.session.spawn(self._begin_first())

    async def _begin_first(self) -> None:
        try:
            match_id = await begin_first_match(self.session)
        finally:
            self._is_beginning = False
        await self.session.reach(places.OwnMatchPlace(match_id, by_key=True))
        self.session.prompts.notice("first.placed")

    def do_games(self) -> None:
        """Tick games."""
        self.session.go(places.GamesPlace(self))

    def do_new(self) -> None:
        """Open a room."""
        self.session.go(places.NamedPlace.NEW_ROOM)

    def do_join(self) -> None:
        """Ask for an invite code."""
        asked = "lobby.ask-code-casual" if self.session.identity.is_guest else "lobby.ask-code"
        self.session.have_typed(asked, self._join, limit=12)

    def do_people(self) -> None:
        """See who is here."""
        self.session.go(places.PeoplePlace())

    def do_ladders(self) -> None:
        """See the ladders."""
        self.session.go(places.NamedPlace.LADDERS)

    def do_library(self) -> None:
        """Look up the cards of a game that has such."""
        self.session.go(places.CardsPlace(library_games()[0]))

    def do_me(self) -> None:
        """See one's own settings."""
        self.session.go(places.NamedPlace.ME)

    def do_tutorial(self) -> None:
        """Learn a game."""
        self.session.go(places.TutorialsPlace())

    def do_reports(self) -> None:
        """See the reports that wait, as a moderator."""
        self.session.go(places.NamedPlace.REPORTS)

    def on_offers(self) -> None:
        self.session.spawn(self.load())

    def on_report(self) -> None:
        self.session.spawn(self.count_reports())

    async def count_reports(self) -> None:
        """Tell a moderator that reports wait, when there are more than before."""
        known, moderation = self._waiting, self.session.services.moderate(self.session.identity)
        self._waiting = await moderation.count_reports()
        if self._waiting > known and self.session.pages.top in (self, None):
            self.session.prompts.notice("reports.waiting", n=self._waiting)
