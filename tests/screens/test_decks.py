"""Decks on screen: pasting, building, saving, and bringing them to a match."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from game.contract import Json
from game.netrunner.decklist import read_list
from game.netrunner.facts import CODES
from server.accounts.decks import StoredDeck
from server.accounts.preferences import Preferences
from server.boards.decks import PastedDeck
from server.boards.games.netrunner.decks import BOOK, understood
from server.lobby.model import RoomSettings
from server.lobby.room import Room
from server.matches.agreement import Agreement
from server.screens.challenging import ChallengePage
from server.screens.deckdrawing import MOST_COST
from server.screens.deckedit import LIST_COLS, SHAPE_COLS, DeckEditPage
from server.screens.decks import DecksPage, other_formats
from server.session import places
from server.store.errors import StoreUnavailable
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards import golden
from tests.boards.positions import NOON
from tests.session.fakeserver import CODE, FakeServer, Seated, account, guest
from tests.session.hearing import hear
from tests.texts import en

KATE = 'Kate "Mac" McCaffrey: Digital Tinker'
LIST = """My list
Kate "Mac" McCaffrey: Digital Tinker (Core Set)
Event (8)
3x Diesel (Core Set)
3x Sure Gamble (Core Set)
2x Account Siphon (Core Set) ••••••••
15 influence spent (max 15)"""


def read(text: str) -> str:
    """Return a pasted text as a list."""
    return pasted(text).list


def pasted(text: str) -> PastedDeck:
    """Read a pasted text as `DecksPage` does in steps."""
    steps = BOOK.reading(text)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: PastedDeck = end.value
            return found


def fault(kind: str, line: int, text: str, near: str = "") -> str:
    """Return what is said of a line that was not read."""
    said = en(f"netrunner.deck.fault.{kind}", line=line, text=text)
    return f"{said}. {en('netrunner.deck.near', card=near)}" if near else said


@pytest.fixture(autouse=True)
def two_games(monkeypatch: pytest.MonkeyPatch, one_game: None) -> None:
    """Let the screens offer RaiNet and Netrunner."""
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in ("rainet", "netrunner"))


async def at_decks(server: FakeServer) -> Seated:
    mira = await server.connect(account("mira"))
    await mira.type("m", "d")
    return mira


def page(seated: Seated) -> Any:
    """Return the page that shows."""
    return seated.session.pages.top


def beside_list(seated: Seated, cols: int = LIST_COLS) -> str:
    """Return what stands in the editor behind so many columns, in one line."""
    return " ".join(" ".join(row[cols:] for row in seated.rows).split())


async def paste(seated: Seated, text: str) -> None:
    seated.screen.feed(b"\x1b[200~" + text.encode().replace(b"\n", b"\r") + b"\x1b[201~")
    await seated.settle()


async def go_to(seated: Seated, name: str) -> None:
    """Go down to the line of a form with this name."""
    for _ in range(20):
        if any(row.startswith(f" › {name}") for row in seated.rows):
            return
        await seated.type("down")
    raise AssertionError(f"no line {name}:\n{seated.text}")


# Lists.


@pytest.mark.parametrize("text", [LIST, LIST.replace("\n", " ")])
def test_a_list_is_read_whatever_surrounds_it(text: str) -> None:
    assert read(text).splitlines() == [
        'Kate "Mac" McCaffrey: Digital Tinker',
        "2 Account Siphon",
        "3 Diesel",
        "3 Sure Gamble",
    ]


def test_a_list_of_blanks_and_brackets_is_read_at_once() -> None:
    """Thousands of blanks after a number took minutes, in which nobody else was served."""
    assert read("3" + " " * 3_900 + "Sure Gamble") == "3 Sure Gamble"
    assert read("3" + "\n" * 3_900 + "q") == ""
    assert read("2 Diesel " + "(" * 3_900).startswith("?1 card 2 Diesel ((((")


def test_lists_that_were_read_are_not_kept_for_ever() -> None:
    assert understood.cache_info().maxsize is not None


def test_a_starter_written_and_read_is_the_same_and_legal() -> None:
    for seat, value in ((0, "jinteki"), (0, "nbn"), (1, "shaper"), (1, "criminal")):
        text = BOOK.starter(value, seat)
        assert read(text.replace("\n", " ")) == text
        assert BOOK.problems(text, seat, Look()) == []
        assert BOOK.seat_of(text) == seat


def test_what_is_wrong_is_said_in_words() -> None:
    problems = BOOK.problems(read(LIST), 1, Look())
    assert problems == [en("netrunner.deck.problem.size", have=8, wanted=45)]
    assert BOOK.problems("9 Diesel", 1, Look()) == [en("netrunner.deck.problem.no-identity")]
    strange = BOOK.problems('Kate "Mac" McCaffrey\n1x Levy AR Lab Access (Creation and Control)', 1, Look())
    assert strange[0] == fault("card", 2, "1x Levy AR Lab Access (Creation and Control)")
    siphons = 'Kate "Mac" McCaffrey\n4 Account Siphon\n3 Snare!'
    assert BOOK.problems(siphons, 1, Look()) == [
        en("netrunner.deck.problem.size", have=7, wanted=45),
        en("netrunner.deck.problem.side", card="Snare!"),
        en("netrunner.deck.problem.copies", card="Account Siphon 4"),
        en("netrunner.deck.problem.influence", have=22, wanted=15),
    ]
    assert BOOK.problems(BOOK.starter("jinteki", 0), 1, Look()) == [
        en("netrunner.deck.problem.identity", card="Jinteki: Personal Evolution")
    ]


def test_a_faction_in_a_heading_is_not_the_identity() -> None:
    assert understood("Jinteki cards\nNBN: Making News\n3 Snare!").identity == "01080"


# Screens.


async def test_a_pasted_list_is_built_on_saved_and_listed(server: FakeServer) -> None:
    mira = await at_decks(server)
    assert mira.says("decks.empty")
    await mira.type("p")
    await paste(mira, LIST)
    await mira.type("enter")
    assert mira.says("netrunner.deck.problem.size", have=8, wanted=45)
    assert "Account Siphon" in mira.text
    await mira.type("right")
    assert mira.says("netrunner.deck.problem.size", have=9, wanted=45)
    await mira.type("down")
    golden.check("deck-edit-80", mira.text)
    await mira.type("s")
    assert mira.says("deckedit.saved", name="My list")
    await mira.type("esc")
    golden.check("decks-80", mira.text)
    assert [deck.name for deck in await server.decks.of(1)] == ["My list"]


async def test_a_fourth_copy_was_refused_without_a_word(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("p")
    await paste(mira, LIST)
    await mira.type("enter")
    page = mira.session.pages.top
    assert isinstance(page, DeckEditPage)
    page.point_at(page.named("Diesel"))
    await mira.type("right")
    assert mira.says("deckedit.most", n=3, card="Diesel")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"Big Kate\n\n{KATE}\n\nEvent (3)\n3x Diesel", "Big Kate"),
        (f"# Big Kate\n3 Diesel\n{KATE}", "Big Kate"),
        (f"3 Strikes\n{KATE}\n3 Diesel", "3 Strikes"),
        (f"{KATE}\n3 Diesel\nPlayed against many decks", ""),
        (f"Identity:\n{KATE}\n3 Diesel", ""),
        ('{"name": "Big Kate", "cards": {"01033": 1, "01034": 3}}', "Big Kate"),
    ],
)
def test_a_pasted_list_s_title_was_lost(text: str, name: str) -> None:
    assert pasted(text).name == name


async def test_a_pasted_list_that_has_a_title_is_saved_under_it(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("p")
    await paste(mira, f"Big Kate\n{KATE}\n3 Diesel")
    await mira.type("enter", "s")
    assert mira.says("deckedit.saved", name="Big Kate")
    await mira.type("esc", "p")
    await paste(mira, f"Big Kate\n{KATE}\n1 Diesel")
    await mira.type("enter", "s")
    assert mira.says("decks.ask-name"), "another deck's name is not taken from it"
    assert [deck.list.splitlines()[1:] for deck in await server.decks.of(1)] == [["3 Diesel"]]


async def test_a_list_of_many_lines_is_pasted_in_lines(server: FakeServer) -> None:
    server.add("mira")
    hearer = await hear(server, account("mira"))
    for line in ("me", "decks", "paste"):
        await hearer.line(line)
    for line in ("Big Kate", KATE, "3 Diesel", ""):
        await hearer.line(line)
    assert en("deckedit.saved", name="Big Kate") in await hearer.line("save")
    assert [deck.list for deck in await server.decks.of(1)] == [f"{KATE}\n3 Diesel"]


async def test_the_curve_of_costs_came_and_went_with_the_length_of_a_card_s_text(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", "enter")
    head, at = en("deckedit.costs", most=f"{MOST_COST}+"), list[int]()
    for _ in range(8):
        at += [y for y, row in enumerate(mira.rows) if head in row]
        await mira.type("down")
    assert at == [at[0]] * 8


async def test_what_is_changed_while_a_deck_is_saved_is_not_saved_yet(server: FakeServer) -> None:
    """It counted as saved, and esc dropped it without a question."""
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", LIST, NOON))
    mira = await at_decks(server)
    await mira.type("enter")
    save, slow = server.decks.save, asyncio.Event()

    async def late(account_id: int, deck: StoredDeck) -> StoredDeck:
        await slow.wait()
        return await save(account_id, deck)

    server.decks.save = late  # type: ignore[method-assign]
    await mira.type("left", "s", "left")
    slow.set()
    await mira.settle()
    assert page(mira).is_changed
    await mira.type("esc")
    assert mira.says("deckedit.ask-drop")


async def test_decks_that_are_being_read_are_waited_for_by_all_who_want_them(server: FakeServer) -> None:
    """Who looked for players while they were read brought the usual deck instead of the one chosen."""
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", LIST, NOON))
    mira = await server.connect(account("mira"))
    own, of, slow = mira.session.decks, server.decks.of, asyncio.Event()

    async def late(account_id: int) -> list[StoredDeck]:
        await slow.wait()
        return await of(account_id)

    server.decks.of = late  # type: ignore[method-assign]
    first, second = (asyncio.ensure_future(own.load()) for _ in range(2))
    await mira.settle()
    assert not first.done()
    assert not second.done()
    slow.set()
    await asyncio.gather(first, second)
    assert [deck.name for deck in own.all] == ["Slow"]


async def test_decks_speak_the_language_that_was_chosen_last(server: FakeServer) -> None:
    """What was wrong with them stayed in the language of the moment at which they were read."""
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", LIST, NOON))
    mira = await at_decks(server)
    assert mira.says("netrunner.deck.problem.size", have=8, wanted=45)
    mira.session.display.use(language="zh_CN")
    await mira.type("esc", "d")
    assert Look(language="zh_CN").t("netrunner.deck.problem.size", have=8, wanted=45) in "".join(mira.text.split("\n"))


async def test_decks_that_could_not_be_read_are_read_again(server: FakeServer) -> None:
    """After one failure there were none until the next login."""
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", LIST, NOON))
    mira, of = await server.connect(account("mira")), server.decks.of

    async def fails(account_id: int) -> list[StoredDeck]:
        raise StoreUnavailable

    server.decks.of = fails  # type: ignore[method-assign]
    await mira.type("m", "d")
    server.decks.of = of  # type: ignore[method-assign]
    await mira.type("esc", "d")
    assert "Slow" in mira.text


async def test_the_game_s_ready_decks_can_be_begun_with(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", *["down"] * 4)
    golden.check("decks-begin-80", mira.text)
    await mira.type("enter")
    assert understood(page(mira).text).identity == CODES["Sportsmetal"]
    assert BOOK.problems(page(mira).text, 0, Look()) == []


async def test_a_set_shows_by_itself(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", "end", "enter", "w", "t")
    sets = {name: {card.title for card in BOOK.pool("", 1, Look()) if card.set == name} for name in BOOK.sets}
    assert {card.title for card in page(mira).cards()} == sets["core"]
    await mira.type("t")
    assert {card.title for card in page(mira).cards()} == sets["reverie"]
    await mira.type("t")
    assert {card.title for card in page(mira).cards()} == sets["others"] == {"Fall Guy"}
    await mira.type("w")
    assert page(mira).cards() == []
    await mira.type("esc", "w")
    assert {card.title for card in page(mira).cards()} == set().union(*sets.values())


async def test_a_format_takes_its_cards_and_says_why_a_deck_is_not_legal_in_it(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", "end", "enter")
    list_ = page(mira).text
    assert BOOK.problems(list_, 1, Look()) == []
    await mira.type("f")
    later = [card.title for card in page(mira).cards() if not card.is_allowed]
    assert {en("netrunner.deck.problem.format", card=title) for title in later} == {
        *BOOK.problems(list_, 1, Look(), "core")
    }
    assert later
    golden.check("deck-format-80", mira.text)
    await mira.type("w")
    assert {card.title for card in page(mira).cards() if not card.is_allowed} == set(later), "only what is in it"


async def test_the_list_of_decks_says_of_each_format_whether_a_deck_is_legal_in_it(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", "end", "enter", "s", *"Mine", "enter", "esc")
    deck = page(mira).listed()[0]
    (said,) = other_formats(deck, Look())
    assert BOOK.problems(deck.list, 1, Look(), "core")[0] in said
    assert said in " ".join(mira.text.split())


def test_what_a_deck_holds_wrongly_is_a_row_with_its_problem_and_can_be_taken_away() -> None:
    """Lines that named no card vanished from the editor, and a card of the other side could not be taken out."""
    text = read('Kate "Mac" McCaffrey: Digital Tinker\n3 Diesel\n2 Hedge Fund\n3 Frobnicate Deluxe\n5 Sure Gamble')
    rows = {card.title: card for card in BOOK.pool(text, 1, Look()) if card.count}
    assert {title for title, card in rows.items() if card.problem} == {
        "Hedge Fund",
        "4: 3 Frobnicate Deluxe",
        "Sure Gamble",
    }
    assert list(rows)[-2:] == ["Hedge Fund", "4: 3 Frobnicate Deluxe"]
    assert set(BOOK.problems(text, 1, Look())) >= {card.problem for card in rows.values() if card.problem}
    for title in ("Hedge Fund", "Hedge Fund", "4: 3 Frobnicate Deluxe"):
        text = BOOK.changed(text, title, -1)
    assert [card.title for card in BOOK.pool(text, 1, Look()) if card.problem] == ["Sure Gamble"]
    assert BOOK.changed(text, "Sure Gamble", -1) != text


def test_a_pasted_line_in_small_letters_is_not_dropped_without_a_word() -> None:
    lines = read(f"{LIST}\n3 frobnicate deluxe\n11 cards (min 45)\n15 influence spent\n").splitlines()
    assert lines[-1] == "?8 card 3 frobnicate deluxe"
    assert [line for line in lines if "influence" in line or "cards" in line] == []


async def test_each_line_of_a_pasted_list_stands_for_itself(server: FakeServer) -> None:
    """Line ends were lost: one line that named no card took the next ones with it."""
    mira = await at_decks(server)
    await mira.type("p")
    await paste(mira, f"{KATE}\n2x Nonsense Card\nCyber-Cypher x3\nDiesel x3\n1 Paper 419\nSure Gamble")
    assert "Cypher x3 Diesel x3 1 Paper 419" in mira.text, "line ends are blanks to the eye"
    await mira.type("enter")
    kept = ["?2 card 2x Nonsense Card", "?3 card Cyber-Cypher x3", "?5 card 1 Paper 419", "?6 number Sure Gamble"]
    assert page(mira).text.splitlines() == [KATE, "3 Diesel", *kept]
    told = [fault("card", 2, "2x Nonsense Card"), fault("card", 3, "Cyber-Cypher x3"), fault("card", 5, "1 Paper 419")]
    assert BOOK.problems(page(mira).text, 1, Look())[:4] == [*told, fault("number", 6, "Sure Gamble")]
    assert read(page(mira).text) == page(mira).text


@pytest.mark.parametrize("packet", [7, 32, 4_000])
async def test_a_list_pasted_without_bracketed_paste_ran_its_letters_as_commands(
    server: FakeServer, packet: int
) -> None:
    """`s` saved a deck, and `q` became its name."""
    mira = await at_decks(server)
    await mira.type("p")
    data = f"{LIST}\nHardware (2)\n2 Quality Time\n".encode().replace(b"\n", b"\r")
    for at in range(0, len(data), packet):
        mira.screen.feed(data[at : at + packet])
    await mira.settle()
    assert mira.session.prompts.is_typing
    await mira.type("enter")
    assert page(mira).text.splitlines() == [
        KATE,
        "2 Account Siphon",
        "3 Diesel",
        "3 Sure Gamble",
        "?9 card 2 Quality Time",
    ]
    assert await server.decks.of(1) == []


async def test_a_page_of_64_kb_is_pasted_whole_and_more_is_named(server: FakeServer) -> None:
    """What was beyond 4,000 characters was cut off without a word."""
    mira = await at_decks(server)
    await mira.type("p")
    written_up = "I have played this against many decks.\n" * 1_600
    await paste(mira, f"{LIST}\n{written_up}3 Modded")
    await mira.type("enter")
    assert "3 Modded" in page(mira).text.splitlines()
    await mira.type("esc", "y", "p")
    await paste(mira, f"{LIST}\n{written_up}{'x' * 66_000}\n3 Modded")
    await mira.type("enter")
    assert page(mira).text.splitlines()[-1].startswith("?1608 long ")


async def test_a_deck_is_exported_in_a_form_that_is_read_again(server: FakeServer) -> None:
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "3 Diesel", read(LIST), NOON))
    mira = await at_decks(server)
    await mira.type("e")
    shown = [row.strip() for row in mira.rows]
    assert read("\n".join(shown[shown.index("# 3 Diesel") : shown.index("3 Sure Gamble") + 1])) == read(LIST)


async def test_a_deck_as_text_was_cut_at_the_bottom_without_a_word(server: FakeServer) -> None:
    """Arrows moved a row that nobody saw, and the first of them scrolled nothing."""
    long = read("\n".join([KATE, *(f"1 {card.title}" for card in BOOK.pool(KATE, 1, Look())[:40])]))
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "long one", long, NOON))
    mira = await at_decks(server)
    await mira.type("e")
    before = mira.rows
    await mira.type("down")
    assert [row[:60].rstrip() for row in mira.rows[2:10]] == [row[:60].rstrip() for row in before[3:11]]
    await mira.type("up")
    assert mira.rows == before
    assert "decks 'long one'" in mira.text, "and what prints it whole"
    assert mira.says("keys.help.scroll")


async def test_the_filter_takes_no_notice_of_accents(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", "end", "enter", "/", *"deja", "enter")
    assert [card.title for card in page(mira).cards()] == ["Déjà Vu"]


async def test_a_pasted_line_end_is_a_blank_where_one_line_is_asked_for(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", "enter", "s")
    await paste(mira, "Slow\nand steady")
    await mira.type("enter")
    assert [deck.name for deck in await server.decks.of(1)] == ["Slow and steady"]


@pytest.mark.parametrize(("cols", "rows", "before"), [(80, 24, LIST_COLS), (120, 40, 120 - SHAPE_COLS)])
async def test_every_problem_is_listed_and_its_row_marked(
    server: FakeServer, cols: int, rows: int, before: int
) -> None:
    mira = await server.connect(account("mira"), cols, rows)
    await mira.type("m", "d", "p")
    await paste(mira, f"{LIST}\n2 Hedge Fund\n3 Frobnicate Deluxe")
    await mira.type("enter")
    editor = page(mira)
    problems = editor.book.problems(editor.text, editor.deck.seat, Look(), editor.form)
    assert len(problems) >= 3
    for one in problems:
        assert one in beside_list(mira, before), one
    marked = [row for row in mira.rows if row[4:5] == "!"]
    assert [title in "".join(marked) for title in ("Hedge Fund", "Frobnicate", "Diesel")] == [True, True, False]
    await mira.type("end", "left")
    assert "Frobnicate" not in editor.text


async def test_a_heading_that_disagreed_became_a_card_and_stayed_in_what_was_exported(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("p")
    await paste(mira, f"{LIST}\nHardware (4)\n2 The Toolbox")
    await mira.type("enter")
    said = fault("total", 8, "Hardware (4)")
    assert BOOK.problems(page(mira).text, 1, Look())[0] == said
    assert "Hardware (4)" in mira.text
    assert "Hardware (4)" not in [card.title for card in page(mira).cards()]
    assert "Hardware" not in BOOK.exported(page(mira).text, "Slow")
    await mira.type("s", *"Slow", "enter")
    assert "Hardware (4)" not in mira.text
    assert "?" not in (await server.decks.of(1))[0].list


def test_cards_that_are_not_read_keep_their_number() -> None:
    """Two copies of one stood there as one, and a list of 45 cards had too few."""
    text = read(f"{KATE}\n2x Nonsense Card\nSure Gamble x\nDiesel x3\n40 Frobnicate")
    rows = {card.title: card.count for card in BOOK.pool(text, 1, Look()) if card.is_unread}
    assert rows == {"2: 2x Nonsense Card": 2, "3: Sure Gamble x": 0, "5: 40 Frobnicate": 40}
    assert len(BOOK.problems(text, 1, Look())) == 3
    exported = BOOK.exported(text, "Slow").splitlines()
    assert exported[-3:] == ["2x Nonsense Card", "Sure Gamble x", "40 Frobnicate"]


def test_what_is_exported_with_unread_lines_is_read_alike_again() -> None:
    text = read(f"{KATE}\n2x Nonsense Card\nSure Gamble x\nDiesel x3\nNoise: Hacker Extraordinaire")
    again = read_list(BOOK.exported(text, "Slow"))
    assert [(one.kind, one.text) for one in again.faults] == [(one.kind, one.text) for one in read_list(text).faults]


@pytest.mark.parametrize("title", ["Diesel", "Hedge Fund", "7: 3 Frobnicate Deluxe"])
async def test_a_card_that_was_taken_out_stays_chosen_until_the_cursor_leaves_it(
    server: FakeServer, title: str
) -> None:
    """Five times left on a card of three took out two of the next one."""
    text = f"{KATE}\n2 Account Siphon\n3 Diesel\n3 Sure Gamble\n2 Hedge Fund\n2 Snare!\n3 Frobnicate Deluxe\n2 Fro"
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", read(text), NOON))
    mira = await at_decks(server)
    await mira.type("enter")
    before = {card.title: card.count for card in page(mira).cards()}
    rows = list(before)
    await mira.type(*["down"] * rows.index(title), *["left"] * 5)
    assert page(mira).chosen().title == title
    assert {card.title: card.count for card in page(mira).cards()} == {**before, title: 0}
    assert [card.title for card in page(mira).cards()] == rows
    await mira.type("right")
    assert {card.title: card.count for card in page(mira).cards()} == {
        **before,
        title: before[title] if "Frobnicate" in title else 1,
    }
    assert page(mira).chosen().title == title
    rows = [card.title for card in page(mira).cards()]
    await mira.type("left", "up")
    assert [card.title for card in page(mira).cards()] == [one for one in rows if one != title]
    assert page(mira).chosen().title == rows[rows.index(title) - 1]


async def test_below_a_card_that_was_taken_out_the_next_one_is_chosen(server: FakeServer) -> None:
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", read(LIST), NOON))
    mira = await at_decks(server)
    await mira.type("enter")
    rows = [card.title for card in page(mira).cards()]
    await mira.type("left", "left", "left", "up", "down")
    assert page(mira).chosen().title == rows[1]
    assert [card.title for card in page(mira).cards()] == rows[1:]
    await mira.type(*["left"] * 5, "down", *["left"] * 5, "up", "down")
    assert [card.count for card in page(mira).cards()] == [0], "the last one stays: there is no other to choose"
    await mira.type("/", *"zzz", "enter", "down", "left")
    assert page(mira).cards() == []


async def test_leaving_without_saving_is_asked(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", "enter", "left", "esc")
    assert mira.says("deckedit.ask-drop")
    await mira.type("y")
    assert mira.says("decks.empty")


async def test_who_left_with_changes_had_to_stay_to_save_them(server: FakeServer) -> None:
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", LIST, NOON))
    mira = await at_decks(server)
    await mira.type("enter", "left", "esc", "s")
    assert isinstance(page(mira), DecksPage)
    assert mira.says("deckedit.saved", name="Slow")
    [deck] = await server.decks.of(1)
    assert "1 Account Siphon" in deck.list.splitlines()


async def test_a_deck_without_a_name_is_named_and_then_left(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", "enter", "left", "esc", "s", *"New", "enter")
    assert isinstance(page(mira), DecksPage)
    assert [deck.name for deck in await server.decks.of(1)] == ["New"]


async def test_a_deck_is_saved_and_left_in_lines(server: FakeServer) -> None:
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", LIST, NOON))
    hearer = await hear(server, account("mira"))
    for line in ("me", "decks", "1", "fewer 1"):
        await hearer.line(line)
    assert en("lines.prompt.save", save=en("keys.confirm.save").casefold()) in await hearer.line("back")
    assert en("deckedit.saved", name="Slow") in await hearer.line("save")
    [deck] = await server.decks.of(1)
    assert "1 Account Siphon" in deck.list.splitlines()


async def test_a_key_at_the_edge_of_the_editors_list_turned_a_page(server: FakeServer) -> None:
    """One lost one's place, and a key took 850 bytes; the list goes on by a row, as others do."""
    mira = await at_decks(server)
    await mira.type("n", "end", "enter", "w")
    first = next(y for y, row in enumerate(mira.rows) if "Event" in row[:12])
    before = {row[1:32] for row in mira.rows[first:20]}
    for key in ["down"] * 40 + ["up"] * 40:
        await mira.type(key)
        assert page(mira).chosen().title in "".join(row[:LIST_COLS] for row in mira.rows)
        now = {row[1:32] for row in mira.rows[first:20]}
        assert len(now - before) <= 2, "a card, and the head above it"
        before = now


async def test_a_click_chooses_a_card_of_the_editor(server: FakeServer) -> None:
    """Cards of a deck were chosen by keys only; a head of a kind is no card."""
    mira = await at_decks(server)
    await mira.type("n", "end", "enter")
    card = page(mira).cards()[3]
    await mira.click(8, next(y for y, row in enumerate(mira.rows) if card.title in row[:LIST_COLS]))
    assert page(mira).chosen() == card
    await mira.click(8, next(y for y, row in enumerate(mira.rows) if "Event" in row[:12]))
    assert page(mira).chosen() == card


async def test_every_card_shows_with_its_text_and_a_filter(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", "end", "enter", "/", *"siphon", "enter")
    assert "Account Siphon" in mira.text
    assert "Diesel" not in mira.text
    siphon = en("netrunner.card.do.siphon", lost="5 credits", gained="2 credits").partition(" and ")[0]
    assert siphon in beside_list(mira)


async def test_a_deck_is_renamed_and_deleted(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type("n", "enter", "s", *"Mine", "enter", "esc", "r", "ctrl u", *"Yours", "enter")
    assert [deck.name for deck in await server.decks.of(1)] == ["Yours"]
    await mira.type("x", "y")
    assert await server.decks.of(1) == []
    assert mira.says("decks.empty")


async def test_two_keys_from_the_lobby_start_netrunner(server: FakeServer) -> None:
    mira = await server.connect(account("mira"))
    await mira.type("b", "2")
    assert mira.says("netrunner.prompt.mulligan") or "Waiting for" in mira.text
    assert not any(server.begun[-1].terms.seat_options)


async def test_a_bot_is_played_with_chosen_decks_and_the_choice_is_remembered(server: FakeServer) -> None:
    mira = await server.connect(account("mira"))
    await mira.type("b", "right")
    await go_to(mira, "Side")
    await mira.type("right")
    await go_to(mira, "Deck, Corp")
    await mira.type("right", "down", "right", "right", "right")
    golden.check("bots-netrunner-80", mira.text)
    await mira.type("enter")
    corp, runner = {"deck": "haas-bioroid", "return_deck": "shaper"}, {"deck": "shaper", "return_deck": "haas-bioroid"}
    assert server.begun[-1].terms.seat_options == (corp, runner)  # so that a rematch changes sides, not decks
    assert server.preferences("mira").bot_game == "netrunner"
    assert server.preferences("mira").brings == ("netrunner/0=haas-bioroid", "netrunner/1=shaper")


async def test_an_own_deck_that_is_legal_may_be_brought(server: FakeServer) -> None:
    mira = await at_decks(server)
    await mira.type(
        "n", "end", "enter", "s", *"Mine", "enter", "esc", "esc", "esc", "b", "right", *["down"] * 5, "left"
    )
    assert "Mine" in mira.text
    await mira.type("enter")
    deck: Any = server.begun[-1].terms.seat_options[1]["deck"]
    assert deck["identity"].startswith('Kate "Mac" McCaffrey')


async def test_an_own_deck_that_is_not_legal_shows_with_the_reason_and_starts_nothing(server: FakeServer) -> None:
    """It was missing from the decks to play a bot with, and nothing said why."""
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", read(LIST), NOON))
    mira = await server.connect(account("mira"))
    await mira.type("b", "right")
    await go_to(mira, "Deck, Runner")
    await mira.type("right", "left", "left")
    assert "< ! Slow >" in mira.text
    reason = en("netrunner.deck.problem.size", have=8, wanted=45)
    assert mira.says("decks.not-legal", deck="Slow", reason=reason)
    before = page(mira)
    await mira.type("enter")
    assert page(mira) is before
    assert mira.says("decks.not-legal", deck="Slow", reason=reason)
    assert server.preferences("mira").brings == (), "it is not chosen"
    await mira.type("right")
    assert "Slow" not in mira.text
    await mira.type("enter")
    assert not any(server.begun[-1].terms.seat_options)


async def test_an_own_deck_that_is_not_legal_shows_among_those_to_be_sought_with(server: FakeServer) -> None:
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", read(LIST), NOON))
    mira = await server.connect(account("mira"))
    await mira.type("g", " ")
    await go_to(mira, "Deck, Runner")
    await mira.type("left")
    assert "< ! Slow >" in mira.text
    await mira.type("esc", "p")
    (seek,) = await server.seeks()
    assert (seek.seat, dict(seek.seat_options)) == (None, {})


async def test_a_side_is_wished_and_sought(server: FakeServer) -> None:
    mira = await server.connect(account("mira"))
    await mira.type("g", " ")
    await go_to(mira, "Netrunner: side")
    await mira.type("right")
    await mira.type("esc", "p")
    (seek,) = await server.seeks()
    assert (seek.agreement.game, seek.seat, seek.seat_options) == ("netrunner", 0, {})


async def test_where_decks_are_chosen_each_side_is_sought_with_its_own(server: FakeServer) -> None:
    mira = await server.connect(account("mira"))
    await mira.type("g", " ")
    await go_to(mira, "Deck, Corp")
    await mira.type("right", "right", "esc", "p")
    seeks = await server.seeks()
    assert [(seek.seat, dict(seek.seat_options)) for seek in seeks] == [
        (0, {"deck": "jinteki"}),
        (1, {"return_deck": "jinteki"}),
    ]


def brought_by(room: Room, name: str) -> Mapping[str, Json] | None:
    """Return what somebody brings to their seat of a room."""
    [seat] = [one for one in room.state.seats if one.player is not None and one.player.name == name]
    return seat.brings


async def test_a_seat_of_a_room_gets_its_deck(server: FakeServer) -> None:
    mira = await server.connect(account("mira"))
    room = await server.room("mira", RoomSettings(Agreement("netrunner")))
    await mira.type("c", *CODE, "enter", "d")
    assert mira.says("decks.hidden")
    await mira.type("down", "down", "enter")
    assert brought_by(room, "mira") == {"deck": "jinteki"}
    assert mira.says("room.deck-chosen")


async def test_a_room_of_the_core_set_says_why_it_does_not_take_a_deck(server: FakeServer) -> None:
    mira = await server.connect(account("mira"))
    settings = RoomSettings(Agreement("netrunner", options={"format": "core"}))
    room = await server.room("mira", settings)
    await mira.type("c", *CODE, "enter", "d", *["down"] * 5)
    assert page(mira).chosen() == "sportsmetal"
    assert page(mira).reasons() == BOOK.problems(BOOK.starter("sportsmetal", 0), 0, mira.session.look, "core") != []
    golden.check("deck-choice-80", mira.text)
    await mira.type("enter")
    assert brought_by(room, "mira") == {}
    await mira.type("up", "enter")
    assert brought_by(room, "mira") == {"deck": "weyland"}


async def test_a_deck_that_the_room_does_not_take_is_not_brought_along(server: FakeServer) -> None:
    """Who liked a deck of later sets and sat down in a room of the Core Set was told that it can't be."""
    mira = await server.connect(account("mira"))
    await mira.type("b", "right")
    await go_to(mira, "Deck, Corp")
    await mira.type(*["right"] * 5, "down", *["right"] * 4, "esc")
    assert server.preferences("mira").brings == ("netrunner/0=sportsmetal", "netrunner/1=gnat")
    for options, brought in (({}, {"deck": "gnat", "return_deck": "sportsmetal"}), ({"format": "core"}, {})):
        room = await server.room("tarn", RoomSettings(Agreement("netrunner", options=options)))
        await mira.type("c", *room.code, "enter", "s", "s")
        assert brought_by(room, "mira") == brought
        await mira.type("esc", "Y")


@pytest.mark.parametrize("both_sides", [True, False])
async def test_the_deck_for_the_other_side_comes_along_for_the_return_game_or_a_rematch(
    server: FakeServer, both_sides: bool
) -> None:
    """In a rematch, which changes sides, everybody played the usual starters."""
    mira = await server.connect(account("mira"))
    settings = RoomSettings(Agreement("netrunner", options={"both_sides": both_sides}))
    room = await server.room("mira", settings)
    await mira.type("b", "right")
    await go_to(mira, "Deck, Runner")
    await mira.type("right", "esc", "c", *CODE, "enter", "d", "down", "enter")
    assert brought_by(room, "mira") == {"deck": "haas-bioroid", "return_deck": "anarch"}


TWO_GAMES = RoomSettings(Agreement("netrunner", options={"both_sides": True}))


async def test_the_second_of_two_games_was_played_with_a_deck_that_nobody_had_chosen(server: FakeServer) -> None:
    """Only the deck of the present seat could be chosen; the second game began at once with the usual starters."""
    mira = await server.connect(account("mira"))
    room = await server.room("mira", TWO_GAMES)
    await mira.type("c", *CODE, "enter", "d")
    assert mira.says("decks.for-first")
    await mira.type("down", "enter")
    assert mira.says("decks.for-second"), "the other side is asked for next"
    await mira.type("down", "down", "enter")
    assert brought_by(room, "mira") == {"deck": "haas-bioroid", "return_deck": "criminal"}
    await mira.type("d", "right")
    assert page(mira).chosen() == "criminal", "the keys lead to the other side without choosing for this one again"
    await mira.type("up", "enter")
    assert brought_by(room, "mira") == {"deck": "haas-bioroid", "return_deck": "anarch"}


async def test_a_room_says_to_oneself_alone_with_which_decks_both_games_are_played(server: FakeServer) -> None:
    mira, tarn = [await server.connect(account(name), 120) for name in ("mira", "tarn")]
    await server.room("mira", TWO_GAMES)
    await mira.type("c", *CODE, "enter")
    usual = {"side": "Corp", "deck": en("netrunner.deck.usual.corp"), "changed": "Runner"}
    assert mira.says("decks.brought-two", **usual, other=en("netrunner.deck.usual.runner"))
    await mira.type("d", "right", "down", "enter")
    assert mira.says("decks.brought-two", **usual, other=en("netrunner.deck.anarch"))
    golden.check("room-two-games-120", mira.text)
    await tarn.type("c", *CODE, "enter")
    assert en("netrunner.deck.anarch") not in tarn.text


async def test_who_came_into_a_room_brought_none_of_the_decks_they_like(server: FakeServer) -> None:
    """Only who stood up and sat down again did."""
    liked = Preferences(calibrated=True, brings=("netrunner/0=weyland", "netrunner/1=shaper"))
    for name in ("mira", "tarn"):
        server.prefer(name, liked)
    mira, tarn = [await server.connect(account(name)) for name in ("mira", "tarn")]
    await mira.type("n", "right")
    await go_to(mira, "Deck, Corp")
    await mira.type("enter")
    room = await server.the_room()
    await tarn.type("c", *room.code, "enter")
    assert brought_by(room, "mira") == {"deck": "weyland", "return_deck": "shaper"}
    assert brought_by(room, "tarn") == {"deck": "shaper", "return_deck": "weyland"}


async def test_a_room_that_plays_another_game_now_gets_the_decks_one_likes(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True, brings=("netrunner/0=sportsmetal", "netrunner/1=shaper")))
    mira = await server.connect(account("mira"))
    room = await server.room("mira", RoomSettings(Agreement("rainet")))
    await mira.type("c", *CODE, "enter")
    await room.set(mira.session.identity.player, TWO_GAMES)
    await mira.settle()
    assert brought_by(room, "mira") == {"deck": "sportsmetal", "return_deck": "shaper"}
    core = RoomSettings(Agreement("netrunner", options={"format": "core"}))
    await room.set(mira.session.identity.player, core)
    await mira.settle()
    assert brought_by(room, "mira") == {"return_deck": "shaper"}


async def test_who_accepted_a_challenge_could_choose_no_deck(server: FakeServer) -> None:
    """The match began with the key that accepted, and with the usual starters."""
    mira, tarn = [await server.connect(account(name)) for name in ("mira", "tarn")]
    room = await server.lobby.challenges.make(mira.session.identity.player, "tarn", TWO_GAMES)
    await room.bring(mira.session.identity.player, {"deck": "nbn", "return_deck": "anarch"})
    await tarn.type("c", *room.code, "enter")
    assert tarn.says("acceptance.title", name="mira")
    assert not room.snapshot().playing
    golden.check("acceptance-80", tarn.text)
    await tarn.type("down", "right", "enter")
    assert room.state.playing
    match = await server.services.matches.open(room.state.match or "")
    assert match.terms.seat_options == ({"deck": "nbn", "return_deck": "anarch"}, {"deck": "anarch"})


async def test_a_challenge_names_the_decks_it_is_made_with(server: FakeServer) -> None:
    server.add("tarn")
    mira = await server.connect(account("mira"))
    mira.session.pages.push(ChallengePage(mira.session, "tarn", is_away=False))
    await mira.type("right")
    await go_to(mira, "Deck, Runner")
    await mira.type("right", "enter")
    assert brought_by(await server.the_room(), "mira") == {"return_deck": "anarch"}


async def test_guests_have_no_decks_of_their_own(server: FakeServer) -> None:
    someone = await server.connect(guest())
    await someone.type("b", "right", "d")
    assert not someone.says("decks.title")


async def test_a_key_changed_the_identity_of_a_deck_without_a_question(server: FakeServer) -> None:
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", LIST, NOON))
    mira = await at_decks(server)
    await mira.type("enter")
    before = page(mira).text
    await mira.type("i")
    assert mira.says("deckedit.ask-identity", name=BOOK.identity(BOOK.next_identity(before, 1, 1)))
    await mira.type("esc")
    assert page(mira).text == before
    await mira.type("i", "i")
    assert page(mira).text != before


async def test_the_next_identity_was_taken_unseen(server: FakeServer) -> None:
    """It had no name in the question, and what it does could be read on another page only."""
    await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", LIST, NOON))
    mira = await at_decks(server)
    await mira.type("enter", "i")
    asked_about = BOOK.identity(BOOK.next_identity(page(mira).text, 1, 1))
    told = [line.strip() for line in map(text_of, BOOK.card_lines(asked_about, Look(), 31)) if line.strip()]
    assert all(line in mira.text for line in told)
    await mira.type("i")
    assert BOOK.identity(page(mira).text) == asked_about
    assert told[0] in mira.text
    await mira.type("down")
    assert told[-1] not in mira.text


async def test_leaving_a_ready_deck_that_was_only_looked_at_asked_whether_to_drop_it(server: FakeServer) -> None:
    mira = await at_decks(server)
    starter = StoredDeck(0, "netrunner", 0, "", BOOK.starter("sportsmetal", 0), NOON)
    mira.session.go(places.DeckPlace(starter))
    await mira.settle()
    assert isinstance(mira.session.pages.top, DeckEditPage)
    await mira.type("esc")
    assert not isinstance(mira.session.pages.top, DeckEditPage)
