"""The screens that pictures are made of: each is real, with positions that built-in players have played."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from typing import Any, Final, cast

from game import registry
from game.contract import Result, Seat, Watcher
from game.duel import bot_named
from game.rng import Rng
from server.accounts.identity import MODERATOR, Identity, Player
from server.accounts.preferences import Preferences
from server.boards.decks import deckbook
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.matches.exhibition import Exhibition
from server.matches.model import ChatLine, SeenEvent
from server.ratings.bradley_terry import Rating
from server.session.places import Landing, LandingPlace, MessagesPlace, NamedPlace, ProfilePlace
from server.store import conduct
from server.store.conduct import Report
from server.store.decks import StoredDeck
from server.store.decks import save as save_deck
from server.store.ratings import RatingChange
from server.terminal.term import ClientTerm
from tests.boards.positions import NAMES, NOON, person
from tests.session.evening import busy
from tests.session.fakeserver import CODE, FakeServer, Seated, account, guest, new_key
from tests.session.stage import StagedMatch

PLIES: Final[Mapping[str, int]] = {"rainet": 41, "relati": 61, "passage": 50, "netrunner": 150}
SEATS: Final[Mapping[str, int]] = {"relati": 3, "passage": 5}
ASKED = 68  # decisions after which mira is to move in Passage
POSITIONS = 40  # that a player looks at before each decision: quick, and a game one can believe
WRITTEN = (
    "hello tarn, a match tonight?",
    "gladly, at nine",
    "RaiNet, or Relati with four if lio and zoe come? I can open a room and keep your seats",
    "RaiNet then",
)
CHAT = (("tarn", "hello, good luck!"), ("mira", "you too"), ("tarn", "careful now…"))


@dataclass(frozen=True, slots=True)
class At:
    """Who looks at a screen, on what terminal."""

    cols: int
    rows: int
    term: ClientTerm
    palette: str
    glyphs: str
    answers: bytes  # to what a terminal is asked

    async def seated(
        self, server: FakeServer, *keys: str, who: Identity | None = None, place: LandingPlace = "lobby"
    ) -> Seated:
        """Come in, as mira where nobody is named, and press keys."""
        who = who or account("mira")
        if who.account_id is not None:
            kept = Preferences("", self.palette, self.glyphs, calibrated=True, bot_game="rainet", bot_level="normal")
            server.prefer(who.name, kept)
        landing = Landing(place, "m1" if place != "lobby" else "")
        found = await server.connect(who, self.cols, self.rows, landing, self.term)
        found.screen.feed(self.answers)
        await found.settle()
        if who.account_id is None:
            found.session.display.use(palette=self.palette, glyph_set=self.glyphs)
        await found.type(*keys)
        return found


@cache
def played(game: str, plies: int) -> tuple[tuple[int, str], ...]:
    """Return the first decisions of a match of built-in players: each with its seat."""
    rules, n, stream = registry.get(game), SEATS.get(game, 2), Rng(bytes([7]) * 32)
    bot = bot_named(game, "normal" if game in ("rainet", "relati") else "easy", POSITIONS)
    state = StagedMatch(game, tuple(person(name) for name in NAMES[:n])).state
    found: list[tuple[int, str]] = []
    while len(found) < plies and rules.result(state) is None:
        pending, stream = stream.choose(rules.pending(state))
        mine, stream = stream.split()
        action = bot.decide(rules.view(state, pending.seat), pending, mine)
        found.append((int(pending.seat), action.text))
        state = rules.apply(state, pending.seat, action).state
    return tuple(found)


def match(
    server: FakeServer, game: str, plies: int | None = None, match_id: str = "m1", names: tuple[str, ...] = ()
) -> StagedMatch:
    """Add a match that was played so far."""
    names = names or NAMES[: SEATS.get(game, 2)]
    made = server.matches.add(StagedMatch(game, tuple(map(person, names)), match_id))
    for seat, text in played(game, PLIES[game] if plies is None else plies):
        made.play(seat, text)
    said = [(name, text) for name, text in CHAT if name in names]
    made.changes["chat"] = tuple(ChatLine(NOON, name, text, Seat(names.index(name))) for name, text in said)
    return made


def ended(server: FakeServer, game: str, winner: int = 0) -> StagedMatch:
    """Add a match that is over, with what it did to the ratings."""
    return over(match(server, game), winner)


def over(made: StagedMatch, winner: int = 0) -> StagedMatch:
    """Let a match be over, with what it did to the ratings."""
    others = tuple(seat for seat in range(len(made.players)) if seat != winner)
    result = registry.get(made.game).result(made.state) or Result(
        ((Seat(winner),), *((Seat(seat),) for seat in others)), "resign"
    )
    changes = {
        Seat(seat): (1512.0 - 24 * seat, 1512.0 - 24 * seat + (9 if seat == winner else -9))
        for seat in (winner, *others)
    }
    end = {"status": "finished", "result": result, "ended_at": NOON + timedelta(minutes=14)}
    made.changes |= {**end, "rating_changes": changes, "pending": None, "deciding": (), "seed": "cd" * 32}
    made.is_over = True
    return made


async def lobby(server: FakeServer, at: At) -> Seated:
    """Look around on a busy evening."""
    await busy(server)
    watched = match(server, "rainet", match_id="m3", names=("omid", "akio"))
    watched.changes["chat"] = ()
    server.matches.add(StagedMatch("netrunner", (person("akio"), person("zoe")), "m4").end())
    for name in ("lio", "zoe", "omid", "akio"):
        server.come(name)
    server.come("tarn", "m1", 1)
    for name, text in (
        ("tarn", "good game, thanks"),
        ("lio", "anyone for Relati? one seat left"),
        ("zoe", "in a minute"),
    ):
        server.said("lobby", name, text)
    return await at.seated(server, "esc")


async def alone(server: FakeServer, at: At) -> Seated:
    """Come into an empty house."""
    server.exhibition = cast(Exhibition, Standing())
    return await at.seated(server)


class Standing:
    """A match of built-in players that stands still."""

    id, is_running = "x1", True

    def __init__(self) -> None:
        self._match = StagedMatch("rainet", tuple(map(person, NAMES[:2])), "x1")
        for seat, text in played("rainet", 30):
            self._match.play(seat, text)

    def subscribe(self, changed: Callable[[], None]) -> Any:
        return self._match.subscribe(Watcher.PUBLIC, changed)

    def snapshot(self) -> Any:
        return self._match.snapshot(Watcher.PUBLIC)

    def events(self) -> list[SeenEvent]:
        return self._match.events(Watcher.PUBLIC)


def board(
    game: str, *keys: str, plies: int | None = None, seat: int = 0
) -> Callable[[FakeServer, At], Awaitable[Seated]]:
    """Sit at a match that has been played for a while, mira on a seat."""

    async def scene(server: FakeServer, at: At) -> Seated:
        others = NAMES[1 : SEATS.get(game, 2)]
        match(server, game, plies, names=(*others[:seat], "mira", *others[seat:]))
        return await at.seated(server, *keys)

    return scene


def end(game: str) -> Callable[[FakeServer, At], Awaitable[Seated]]:
    """Sit at a match that has just ended."""

    async def scene(server: FakeServer, at: At) -> Seated:
        made = match(server, game)
        found = await at.seated(server)
        over(made).tell()
        await found.settle()
        server.clock.typed_s += 5.0  # keys do something again
        found.session.dirty()
        await found.settle()
        return found

    return scene


def watching(game: str) -> Callable[[FakeServer, At], Awaitable[Seated]]:
    """Look on."""

    async def scene(server: FakeServer, at: At) -> Seated:
        match(server, game, names=NAMES[1 : 1 + SEATS.get(game, 2)])
        return await at.seated(server, place="watch")

    return scene


def replay(game: str) -> Callable[[FakeServer, At], Awaitable[Seated]]:
    """Go through a match that is over."""

    async def scene(server: FakeServer, at: At) -> Seated:
        ended(server, game)
        return await at.seated(server, "end", *["left"] * 8, place="replay")

    return scene


async def exhibition(server: FakeServer, at: At) -> Seated:
    """Look on while built-in players play."""
    found = await alone(server, at)
    await found.type("w")
    return found


async def tried_line(server: FakeServer, at: At) -> Seated:
    """Try what would come of a move against a bot."""
    made = match(server, "rainet", PLIES["rainet"] + 1)
    made.players = (person("mira"), Player("bot", "bot:normal"))
    made.agree(rated=False)
    return await at.seated(server, "L")


async def conditions(server: FakeServer, at: At) -> Seated:
    """Have said what is to be played if the other plays so."""
    made = match(server, "rainet")
    made.agree(speed="daily")
    return await at.seated(server, "enter", "C", "a", *"b4b5 c3c4", "enter")


def pressed(*keys: str) -> Callable[[FakeServer, At], Awaitable[Seated]]:
    """Go somewhere from the lobby by keys."""

    async def scene(server: FakeServer, at: At) -> Seated:
        return await at.seated(server, *keys)

    return scene


async def welcome(server: FakeServer, at: At) -> Seated:
    """Come for the first time."""
    return await at.seated(server, who=new_key("mira"))


async def calibration(server: FakeServer, at: At) -> Seated:
    """See what the terminal can show."""
    return await at.seated(server, "enter", who=new_key("mira"))


def rate_all(server: FakeServer) -> None:
    """Put everybody on the ladders, mira with a history."""
    for i, name in enumerate(NAMES):
        ratings = {
            ladder: Rating(27.0 - 0.9 * i - 0.3 * j, 1.2, 40 - 3 * i) for j, ladder in enumerate(("rainet", "relati"))
        }
        server.rate(name, ratings)
    mu = 25.0
    for n in range(40):
        after = mu + _step(n)
        for ladder in ("rainet", "relati"):
            server.rated(RatingChange(f"h{n}", 1, ladder, 0, n + 1, mu, 1.2, after, 1.2))
        mu = after


def _step(n: int) -> float:
    """Return what the nth match did to the rating."""
    return 0.35 * math.sin(n / 3) + 0.05


def history(server: FakeServer) -> None:
    """Let mira have played."""
    for n in range(24):
        game = ("rainet", "relati", "rainet", "netrunner")[n % 4]
        made = StagedMatch(game, (person("mira"), person(NAMES[1 + n % 5])), f"h{n}")
        winner = 0 if _step(n) > 0 else 1
        made.end((winner,), (1 - winner,), at=NOON - timedelta(days=n, minutes=37 * n))
        server.matches.add(made)


async def profile(server: FakeServer, at: At) -> Seated:
    """See one's own matches and ratings."""
    history(server)  # first: ratings of a match that is not known are stored with one without players
    rate_all(server)
    return await at.seated(server, "m", "p")


async def ladders(server: FakeServer, at: At) -> Seated:
    """See who is strongest."""
    rate_all(server)
    return await at.seated(server, "l")


async def people(server: FakeServer, at: At) -> Seated:
    """See who is here."""
    rate_all(server)
    await busy(server)
    for name in (*NAMES[1:], "guest-k3p9"):
        server.come(name, "m2" if name in ("lio", "zoe") else "")
    return await at.seated(server, "esc", "o", "down")


async def room(server: FakeServer, at: At) -> Seated:
    """Wait in a room for a match."""
    settings = RoomSettings(Agreement("relati", 4, speed="slow", rated=True), title="friday evening")
    made = await server.room("omid", settings)
    server.add("lio")
    await made.sit(person("lio"))
    await made.ready(person("lio"))
    for name, text in (("omid", "one more and we begin"), ("lio", "ready")):
        server.said(f"room:{CODE}", name, text)
    return await at.seated(server, "c", *CODE, "enter")


def with_decks(server: FakeServer) -> None:
    """Give mira decks: the game's own ones, one of them not finished."""
    book = deckbook("netrunner")
    assert book is not None
    server.add("mira")
    for seat, name in ((0, "friday"), (1, "run fast")):
        server.run(save_deck, 1, StoredDeck(0, "netrunner", seat, name, book.starter("", seat), NOON))
    short = book.starter("", 1).splitlines()[:-3]
    server.run(save_deck, 1, StoredDeck(0, "netrunner", 1, "an idea", "\n".join(short), NOON))


async def starters(server: FakeServer, at: At) -> Seated:
    """Choose a deck of the game's own to begin with."""
    found = await decks(server, at)
    await found.type("n")
    return found


async def deck_text(server: FakeServer, at: At) -> Seated:
    """See a deck as text."""
    found = await decks(server, at)
    await found.type("e")
    return found


async def deck_choice(server: FakeServer, at: At) -> Seated:
    """Choose the deck for one's seat of a room."""
    with_decks(server)
    await server.room("mira", RoomSettings(Agreement("netrunner", 2, speed="slow"), title="friday evening"))
    return await at.seated(server, "c", *CODE, "enter", "d")


async def decks(server: FakeServer, at: At) -> Seated:
    """See one's own decks."""
    with_decks(server)
    return await at.seated(server, "m", "d")


async def deck(server: FakeServer, at: At) -> Seated:
    """Change a deck that is not legal yet."""
    with_decks(server)
    return await at.seated(server, "m", "d", "end", "enter", "down", "down", "down")


REPORTED = (
    ("mira", "tarn", "insults in chat, after each move that he does not like, and again when I asked him to stop"),
    ("lio", "zoe", "plays on after being told to stop"),
    ("zoe", "akio", "leaves every match that he is about to lose"),
)
SAID = ("good luck", "you are slow", "you are all terrible", "this game is luck, nothing else", "go home")


def reports(*keys: str) -> Callable[[FakeServer, At], Awaitable[Seated]]:
    """See, as a moderator, what was reported."""

    async def scene(server: FakeServer, at: At) -> Seated:
        for number, (by, about, why) in enumerate(REPORTED):
            at_s = (NOON + timedelta(minutes=n) for n in range(len(SAID)))
            speakers = (by, about, about, about, about)
            said = [
                {"at": when.isoformat(), "name": name, "text": text}
                for when, name, text in zip(at_s, speakers, SAID, strict=True)
            ]
            ids = NAMES.index(by) + 1, NAMES.index(about) + 1
            made = Report(number, NOON, *ids, about, "m1", why, said, by_handle=by, about_handle=about)
            server.report(made)
        sanction(server, "mute", "tarn", "too loud", timedelta(hours=1))
        sanction(server, "mute", "akio", "asked twice not to name others", timedelta(days=3))
        sanction(server, "ban", "zoe", "a second account to win against oneself", None)
        who = replace(account("omid"), roles=frozenset((MODERATOR,)))
        return await at.seated(server, "r", *keys, who=who)

    return scene


async def no_reports(server: FakeServer, at: At) -> Seated:
    """See, as a moderator, that nothing was reported."""
    return await at.seated(server, "r", who=replace(account("omid"), roles=frozenset((MODERATOR,))))


def sanction(server: FakeServer, act: str, name: str, why: str, lasts: timedelta | None) -> None:
    """Mute or ban somebody."""
    number = str(server.add(name))
    server.run(conduct.record_act, "omid", act, name, why, NOON)
    server.run(conduct.impose, act, "account", number, why, "omid", NOON, None if lasts is None else NOON + lasts)


async def challenge(server: FakeServer, at: At) -> Seated:
    """Say to what one challenges somebody."""
    found = await people(server, at)
    await found.type("c")
    return found


async def messages(server: FakeServer, at: At) -> Seated:
    """Read what somebody has written."""
    mira, tarn = (Player("account", name, account_id=server.add(name)) for name in ("mira", "tarn"))
    for one, other in ((mira, tarn), (tarn, mira)):
        await server.following.follow(one.account_id or 0, other.name)
    for sender, receiver, text in ((mira, tarn, WRITTEN[0]), *((tarn, mira, text) for text in WRITTEN[1:])):
        await server.messages.send(sender, receiver.name, text)
    server.come("tarn")
    found = await at.seated(server)
    found.session.go(MessagesPlace("tarn"))
    await found.settle()
    return found


async def no_messages(server: FakeServer, at: At) -> Seated:
    """See that nothing was written yet."""
    server.add("tarn")
    server.come("tarn")
    return await at.seated(server, "esc", "o", "end", "m")


async def keys(server: FakeServer, at: At) -> Seated:
    """See one's own keys."""
    server.add("mira")
    for days, label in ((400, "laptop"), (90, "desk at work"), (3, "phone")):
        server.add_key("mira", label, NOON - timedelta(days=days))
    return await at.seated(server, "m", "a", "down")


async def codes(server: FakeServer, at: At) -> Seated:
    """See the recovery codes of a new account."""
    server.add("mira")
    found = await at.seated(server)
    found.session.go(NamedPlace.CODES)
    await found.settle()
    await found.type("enter")
    return found


async def own_room(server: FakeServer, at: At) -> Seated:
    """Have opened a room."""
    return await at.seated(server, "n", "enter", "up")


def of_guest(*keys: str) -> Callable[[FakeServer, At], Awaitable[Seated]]:
    """Go somewhere from the lobby as a guest."""

    async def scene(server: FakeServer, at: At) -> Seated:
        found = await at.seated(server, "enter", who=guest())
        found.session.display.use(language="en")
        await found.type(*keys)
        return found

    return scene


async def challenged(server: FakeServer, at: At) -> Seated:
    """Be challenged while one is in the lobby."""
    for name in ("mira", "tarn"):
        server.add(name)
    found = await lobby(server, at)
    settings = RoomSettings(Agreement("netrunner", 2, speed="slow", rated=True, private=True))
    await server.lobby.challenges.make(person("tarn"), "mira", settings)
    await server.look()
    await found.settle()
    return found


async def acceptance(server: FakeServer, at: At) -> Seated:
    """Choose with which decks one accepts a challenge."""
    with_decks(server)
    found = await challenged(server, at)
    await found.type("enter")
    return found


async def chatting(server: FakeServer, at: At) -> Seated:
    """Go back in the chat while one writes."""
    found = await lobby(server, at)
    await found.type("tab", "up", *"gladly")
    return found


async def looking(server: FakeServer, at: At) -> Seated:
    """Look for players."""
    found = await lobby(server, at)
    await found.type("p")
    return found


async def stranger(server: FakeServer, at: At) -> Seated:
    """See who has never played a rated match."""
    server.add("tarn")
    found = await at.seated(server)
    found.session.go(ProfilePlace("tarn"))
    await found.settle()
    return found


SCENES: Final[Mapping[str, Callable[[FakeServer, At], Awaitable[Seated]]]] = {
    "welcome": welcome,
    "calibration": calibration,
    "lobby": lobby,
    "alone": alone,
    "lobby-of-a-guest": of_guest(),
    "looking": looking,
    "challenged": challenged,
    "acceptance": acceptance,
    "chatting": chatting,
    "exhibition": exhibition,
    "placing": board("rainet", plies=0),
    "rainet": board("rainet"),
    "resigning": board("rainet", "r"),
    "relati": board("relati"),
    "reach": board("relati", "a", plies=63),
    "passage": board("passage"),
    "passage-asked": board("passage", plies=ASKED),
    "passage-veto": board("passage", plies=9),
    "passage-discard": board("passage", plies=37),
    "passage-return": board("passage", plies=4, seat=1),
    "mulligan": board("netrunner", plies=0),
    "netrunner": board("netrunner"),
    "netrunner-card": board("netrunner", "v"),
    "netrunner-log": board("netrunner", "g"),
    "netrunner-stops": board("netrunner", "a"),
    "run": board("netrunner", plies=333, seat=1),
    "breaking": board("netrunner", plies=336, seat=1),
    "access": board("netrunner", plies=175, seat=1),
    "netrunner-discard": board("netrunner", plies=145, seat=1),
    "tried-line": tried_line,
    "conditions": conditions,
    "watching": watching("rainet"),
    "watching-cards": watching("netrunner"),
    "end": end("rainet"),
    "end-of-many": end("passage"),
    "end-of-cards": end("netrunner"),
    "replay": replay("rainet"),
    "replay-of-links": replay("relati"),
    "replay-of-vetoes": replay("passage"),
    "replay-of-cards": replay("netrunner"),
    "tutorials": pressed("u"),
    "tutorial": pressed("u", "enter"),
    "tutorial-steps": pressed("u", "enter", "S"),
    "tutorial-of-cards": pressed("u", "end", "enter"),
    "bots": pressed("b"),
    "games": pressed("g"),
    "new-room": pressed("n"),
    "new-room-options": pressed("n", *["right"] * 2, *["down"] * 12),
    "room": room,
    "own-room": own_room,
    "room-options": pressed("n", "enter", "e"),
    "deck-choice": deck_choice,
    "challenge": challenge,
    "messages": messages,
    "no-messages": no_messages,
    "people": people,
    "ladders": ladders,
    "no-ladder": pressed("l"),
    "no-ladder-of-a-guest": of_guest("l"),
    "me": pressed("m"),
    "me-of-a-guest": of_guest("m"),
    "keys": keys,
    "codes": codes,
    "profile": profile,
    "stranger": stranger,
    "help": pressed("?"),
    "help-at-a-board": board("relati", "?"),
    "rules": pressed("?", "r"),
    "reports": reports(),
    "no-reports": no_reports,
    "report": reports("enter"),
    "sanction": reports("enter", "b"),
    "sanctions": reports("s"),
    "cards": pressed("v"),
    "decks": decks,
    "no-decks": pressed("m", "d"),
    "starters": starters,
    "deck": deck,
    "deck-text": deck_text,
}
