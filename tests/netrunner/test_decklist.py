"""Deck lists in every form: each ready deck reads back, no other card is taken for ours, every damage is named."""

from __future__ import annotations

import csv
import io
import json
import random
import unicodedata
from collections.abc import Callable
from xml.sax.saxutils import escape

import pytest

from game.contract import Json
from game.errors import BadNotation
from game.netrunner.decklist import MOST_CHARS, MOST_FAULTS, TYPES, DeckList, Fault, read_list, reading, written
from game.netrunner.decks import READY, STARTERS, Deck, read
from game.netrunner.facts import CORP, FACTS, title
from game.netrunner.titles import near_title
from tests.seeds import drawn

DECKS = {**STARTERS, **READY}
KATE = 'Kate "Mac" McCaffrey: Digital Tinker'
Form = Callable[[Deck], str]


def lines_of(deck: Deck, line: str, heading: str = "{kind} ({n})") -> list[str]:
    """Write the cards of a deck by type below headings, each as `line` says."""
    found: list[str] = []
    for kind in TYPES:
        cards = [(FACTS[code], n) for code, n in deck.cards if FACTS[code].type == kind]
        if cards:
            found += ["", heading.format(kind=kind.title(), n=sum(n for _, n in cards))]
            found += [
                line.format(n=n, title=facts.title, code=facts.code, dots="\u2022" * facts.influence).rstrip()
                for facts, n in cards
            ]
    return found


def totals(deck: Deck) -> list[str]:
    size, identity = sum(n for _, n in deck.cards), FACTS[deck.identity]
    points = sum(FACTS[code].points * n for code, n in deck.cards)
    ends = ["0 influence spent (max 15)", f"{size} cards (min {identity.min_deck})"]
    ends += [f"{points} agenda points (between 20 and 21)"] if identity.side == CORP else []
    return ["", *ends, "Cards up to Reign and Reverie", "Deck built on https://netrunnerdb.com"]


def text(deck: Deck, line: str = "{n}x {title} (Core Set) {dots}") -> str:
    return "\n".join(
        ["My 3 Diesel deck", "", f"{title(deck.identity)} (Core Set)", *lines_of(deck, line), *totals(deck)]
    )


def markdown(deck: Deck) -> str:
    url = "https://netrunnerdb.com/en/card/"
    head = ["# Hedge Fund", "", f"[{title(deck.identity)}]({url}{deck.identity}) _(Core Set)_"]
    line = "* {n}x [{title}](" + url + "{code}) _(Core Set)_ {dots}"
    return "\n".join([*head, *lines_of(deck, line, "## {kind} ({n})"), *totals(deck)])


def bbcode(deck: Deck) -> str:
    url = "https://netrunnerdb.com/en/card/"
    head = ["[b]Sure Gamble[/b]", "", f"[url={url}{deck.identity}]{title(deck.identity)}[/url] (Core Set)"]
    line = "{n}x [url=" + url + "{code}]{title}[/url] [i](Core Set)[/i] [color=#808080]{dots}[/color]"
    return "\n".join([*head, *lines_of(deck, line, "[u]{kind}[/u] ({n})"), *totals(deck)])


def plain(line: str) -> Form:
    return lambda deck: "\n".join([title(deck.identity), *(line.format(n=n, title=title(c)) for c, n in deck.cards)])


def octgn(deck: Deck, with_code: bool = True, with_title: bool = True) -> str:
    def card(code: str, n: int) -> str:
        ident = f"bc0f047c-01b1-427f-a439-d451eda{code}" if with_code else "d451eda0-01b1-427f-a439-bc0f047cdeda"
        said = escape(title(code), {'"': "&quot;", "'": "&#39;", "é": "&#xe9;"}) if with_title else ""
        return f'    <card qty="{n}" id="{ident}">{said}</card>'

    rows = [
        '<?xml version="1.0" encoding="utf-8" standalone="yes"?>',
        '<deck game="0f38e453-26df-4c04-9d67-6d43de939c77">',
    ]
    rows += [
        '  <section name="Identity">',
        card(deck.identity, 1),
        "  </section>",
        '  <section name="R&amp;D / Stack">',
    ]
    return "\n".join([*rows, *(card(*one) for one in deck.cards), "  </section>", "</deck>", ""])


def table(delimiter: str, head: bool) -> Form:
    def made(deck: Deck) -> str:
        out = io.StringIO()
        rows = csv.writer(out, delimiter=delimiter)
        rows.writerows([["Quantity", "Title", "Set"]] if head else [])
        rows.writerows([n, title(code), "Core Set"] for code, n in ((deck.identity, 1), *deck.cards))
        return out.getvalue()

    return made


def by_title(deck: Deck) -> dict[str, int]:
    return {title(code): n for code, n in deck.cards}


def everywhere(change: Callable[[str], str]) -> Form:
    return lambda deck: change(text(deck))


def without_accents(said: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", said) if unicodedata.category(char) != "Mn")


FORMS: dict[str, Form] = {
    "text": text,
    "markdown": markdown,
    "bbcode": bbcode,
    **{
        line: plain(line)
        for line in ("{n} {title}", "{n}x {title}", "{n}\u00d7 {title}", "x{n} {title}", "{title} x{n}")
    },
    **{
        line: plain(line)
        for line in ("{title} ({n})", "{title} \u00d7{n}", "{n} x {title}", "{title} {n}x", "{n}\t{title}")
    },
    "xml": octgn,
    "xml without code": lambda deck: octgn(deck, with_code=False),
    "xml without title": lambda deck: octgn(deck, with_title=False),
    "json by title": lambda deck: json.dumps({"identity": title(deck.identity), "cards": by_title(deck)}),
    "json by code": lambda deck: json.dumps({"name": "x", "cards": dict(((deck.identity, 1), *deck.cards))}, indent=1),
    "json of the site": lambda deck: json.dumps(
        {"data": [{"id": 7, "cards": dict(((deck.identity, 1), *deck.cards))}], "total": 1}
    ),
    "json rows": lambda deck: json.dumps(
        {
            "identity": {"title": title(deck.identity), "side": "Corp"},
            "cards": [{"qty": n, "card": {"title": title(code), "code": code}} for code, n in deck.cards],
        },
        ensure_ascii=False,
    ),
    "record": lambda deck: (
        json.dumps(
            {
                "type": "record",
                "seats": [{"options": {"deck": {"identity": title(deck.identity), "cards": by_title(deck)}}}, {}],
            }
        )
        + '\n{"type":"entry"}'
    ),
    "csv": table(",", head=True),
    "csv without names": table(",", head=False),
    "csv of a spreadsheet": table(";", head=True),
    "typographic": everywhere(lambda said: said.replace("'", "\u2019").replace(' "', " \u201c").replace('"', "\u201d")),
    "decomposed": everywhere(lambda said: unicodedata.normalize("NFD", said)),
    "without accents": everywhere(without_accents),
    "without final dots": everywhere(lambda said: said.replace("Corp. ", "Corp ")),
    "small letters": everywhere(str.lower),
    "byte order mark": everywhere(lambda said: "\ufeff" + said.replace("\n", "\r\n")),
    "one line": everywhere(lambda said: " ".join(said.replace("3 Diesel", "own").split())),
    "ours": lambda deck: written(DeckList(deck.identity, deck.cards), "3 Diesel"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", DECKS)
def test_every_form_of_every_ready_deck_reads_back(name: str, form: str) -> None:
    deck = DECKS[name]
    found = read_list(FORMS[form](deck))
    assert found.faults == ()
    assert Deck(found.identity, found.cards) == deck


# Titles of the game that are not in our pool; some of ours are parts of them.
OTHERS = (
    *("Hunter Seeker", "NBN: The World is Yours*", "NBN: Controlling the Message", "Jinteki: Replicating Perfection"),
    *("Haas-Bioroid: Stronger Together", "Weyland Consortium: Because We Built It", "Levy AR Lab Access", "Viktor 2.0"),
    *(
        "Heimdall 2.0",
        "Ichi 2.0",
        "Shadow Net",
        "Archer Alt",
        "The Maker's Eyes",
        "Neural EMPs",
        "Data Mine Shaft",
        "SIU II",
    ),
    *(
        "Ninja Star",
        "Enigma Box",
        "Medium Rare",
        "Paper 419",
        "15 Minutes",
        "Mimicry",
        "Ice Walls",
        "Hydra Head",
        "Insights",
    ),
    *(
        "Hedge Fund Manager",
        "District 98",
        "Paragon of Virtue",
        "NBN",
        "Jinteki",
        "Kill Switches",
        "Chum Bucket",
        "Ika!",
    ),
)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize(
    "line", ["3x {}", "3 {}", "{} x3", "{} (3)", "* 3x [{}](https://x.y/1) _(Future Proof)_ \u2022", "3,{}"]
)
def test_another_card_was_read_as_ours(other: str, line: str) -> None:
    """`3x Hunter Seeker` was 3 Hunter, and an identity of NBN was Making News."""
    found = read_list(f"{KATE}\n{line.format(other)}\n3 Diesel")
    assert [(title(code), n) for code, n in found.cards] == [("Diesel", 3)]
    assert [(fault.kind, fault.line) for fault in found.faults] == [("card", 2)]


def test_another_identity_was_read_as_making_news() -> None:
    found = read_list("NBN: The World is Yours* (Future Proof)\n\n3x Hedge Fund")
    assert found.identity == ""
    assert [(fault.kind, fault.line) for fault in found.faults] == [("card", 1)]
    for faction in ("NBN", "Jinteki", "Haas-Bioroid", "Weyland Consortium"):
        assert read_list(f"{faction}\n3 Hedge Fund").identity == ""


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        *(("Sure Gamble", "number"), ("three Sure Gamble", "number"), ("?x Sure Gamble", "number")),
        *(("0 Sure Gamble", "number"), ("300 Sure Gamble", "number"), ("3x Sure Gamble (2)", "number")),
        *(("Sure Gamble x", "number"), ("3-4 Sure Gamble", "number"), ("Sure Gamble (Core Set)", "number")),
        *(("Event (4)", "total"), ("46 cards (min 45)", "total"), ("Noise: Hacker Extraordinaire", "identity")),
        *(("3 Frobnicate", "card"), ("Frobnicate x3", "card"), ("3;Frobnicate", "card"), ("3Frobnicate", "card")),
    ],
)
def test_a_line_that_can_not_be_read_was_one_copy_or_nothing(line: str, kind: str) -> None:
    found = read_list(f"{KATE}\n3 Diesel\n{line}\n2 Account Siphon")
    assert [(fault.kind, fault.line) for fault in found.faults] == [(kind, 3)]
    assert dict(found.cards) == {"01034": 3, "01018": 2}


@pytest.mark.parametrize(
    "line",
    [
        *(
            "I cut 2 Diesel for 1 Sure Gamble.",
            "Diesel is the best card here",
            "3 Sure Gamble are not enough.",
            "# 3 Diesel",
        ),
        *(
            "Sure Gamble, Diesel and Modded: all money.",
            "Event",
            "Programs:",
            "15 influence spent (max 15)",
            "---",
            "Kate",
        ),
        *(
            "Deck built on https://netrunnerdb.com",
            "Cards up to Core Set",
            "2nd place of 31",
            "|---|---|",
            "3 cards I like",
        ),
    ],
)
def test_a_title_in_a_sentence_is_no_card(line: str) -> None:
    found = read_list(f"{KATE}\n3 Diesel\n\n{line}\n")
    assert (found.faults, dict(found.cards)) == ((), {"01034": 3})


@pytest.mark.parametrize(
    "name", ["Hedge Fund", "3 Strikes", "Diesel Kate", "Noise: Hacker Extraordinaire", "Sure Gamble (2)"]
)
def test_a_title_in_a_deck_s_name_is_no_card(name: str) -> None:
    found = read_list(f"{name}\n\n{KATE}\n\n3 Diesel")
    if name == "Sure Gamble (2)":  # a card and its number all the same
        assert dict(found.cards)["01050"] == 2
    else:
        assert (found.identity, found.faults, dict(found.cards)) == ("01033", (), {"01034": 3})


@pytest.mark.parametrize(
    ("said", "near"),
    [
        ("Deja Vuu", "Déjà Vu"),
        ("Sure Gamlbe", "Sure Gamble"),
        ("Making News", "NBN: Making News"),
        ("Hunter Seeker", ""),
    ],
)
def test_a_near_title_is_offered(said: str, near: str) -> None:
    assert near_title(said) == near
    if near:
        assert read_list(f"{KATE}\n3x {said} (Core Set)").faults == (Fault("card", 2, f"3x {said} (Core Set)", near),)


XML = octgn(STARTERS["shaper"])


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (XML.replace("<deck", '<!DOCTYPE deck [<!ENTITY a "b">]>\n<deck', 1), 2),
        (XML.replace("R&amp;D", "R&foo;D"), 6),
        (XML.replace("R&amp;D", "R&D"), 6),
        (XML[: XML.index("</section>")], 5),
        (XML.replace('qty="3"', 'qt="3"', 1), 7),
        (XML.replace("<card", "<crad", 1).replace("</card", "</crad", 1), 4),
        (XML.replace('game="', 'game="<'), 2),
        ('{"cards":\n{"Diesel": 3,}}', 2),
        ('{"cards": {"Diesel": 3,\n"Diesel": 3}}', 1),
        ("Quantity,Title\n3,Diesel\n3,Sure Gamble,x\n1,Modded", 3),
    ],
)
def test_a_broken_form_is_named_with_its_line(said: str, line: int) -> None:
    assert line in {fault.line for fault in read_list(said).faults}


def test_a_title_and_an_id_of_another_card_are_no_card() -> None:
    changed = XML.replace(">Diesel<", ">Modded<")
    assert [fault.kind for fault in read_list(changed).faults] == ["card"]


def damaged(said: str, begin: int, end: int, rng: random.Random) -> str:
    """Return a text with one character between two places left out, doubled, replaced or exchanged with the next."""
    at = rng.randrange(begin, end)
    other = rng.choice("abcdefghijklmnopqrstuvwxyz 0123456789'\"()-.")
    new = rng.choice((said[:at] + said[at + 1 :], said[:at] + said[at] + said[at:], said[:at] + other + said[at + 1 :]))
    return rng.choice((new, said[:at] + said[at + 1 : at + 2] + said[at : at + 1] + said[at + 2 :]))


@pytest.mark.parametrize("form", ["text", "markdown", "bbcode", "{n}x {title}", "{title} ({n})", "ours"])
def test_a_damaged_title_heading_or_total_is_harmless_or_named(form: str) -> None:
    rng = random.Random(drawn())
    for deck in DECKS.values():
        lines = FORMS[form](deck).split("\n")
        for _ in range(20):
            at = rng.choice([at for at, line in enumerate(lines) if line and not line.startswith("# ")])
            known = next((title(c) for c in (deck.identity, *dict(deck.cards)) if title(c) in lines[at]), lines[at])
            begin = lines[at].index(known)
            new = [*lines]
            new[at] = damaged(lines[at], begin, begin + len(known), rng)
            found = read_list("\n".join(new))
            is_harmless = Deck(found.identity, found.cards) == deck
            assert is_harmless or found.faults or not found.identity, f"{lines[at]!r} became {new[at]!r}"


def test_a_page_of_64_kb_is_read_and_what_is_past_it_named() -> None:
    """4,000 characters cut a page with a write-up without a word."""
    page = f"{KATE}\n{'I have played this deck for a while, and Diesel is fine.' + chr(10)}" * 1
    page += "I have played it against many decks.\n" * 1_700 + "3 Diesel\n"
    assert (dict(read_list(page).cards), read_list(page).faults) == ({"01034": 3}, ())
    page += " " * (MOST_CHARS - len(page)) + "3 Sure Gamble"
    assert [(fault.kind, fault.text) for fault in read_list(page).faults] == [("long", "3 Sure Gamble")]
    assert dict(read_list(page).cards) == {"01034": 3}


@pytest.mark.parametrize("name", DECKS)
def test_what_is_written_is_read_as_it_was(name: str) -> None:
    given = read_list(f"{text(DECKS[name])}\n3x Hunter Seeker\nModded\n99 cards")
    again = read_list(written(given))
    assert (again.identity, again.cards) == (given.identity, given.cards)
    assert [(one.kind, one.line, one.text) for one in again.faults] == [
        (one.kind, one.line, one.text) for one in given.faults
    ]
    assert len(given.faults) == 2  # where a number is missing, totals can't be compared


def test_a_list_of_an_earlier_release_is_still_what_it_was() -> None:
    """`Diesel` alone was one copy, and `NBN` its identity of the Core Set: matches are stored so."""
    old = listed = "\n".join(["NBN", *(f"{n} {title(code)}" for code, n in STARTERS["nbn"].cards if n > 1)])
    old += "".join(f"\n{title(code)}" for code, n in STARTERS["nbn"].cards if n == 1)
    assert read(old, CORP) == STARTERS["nbn"]
    assert read_list(listed).identity == ""


def test_a_refusal_names_every_line() -> None:
    with pytest.raises(BadNotation) as refused:
        read(f"{KATE}\n3x Hunter Seeker\n2 Sure Gamlbe", 1)
    assert refused.value.key == "netrunner.error.list-card"
    assert refused.value.detail == "line 2: 3x Hunter Seeker; line 3: 2 Sure Gamlbe (did you mean Sure Gamble?)"


LONG = {
    "short lines": "".join(f"{chr(97 + i % 26)}{i}\n" for i in range(12_000)),
    "cards": "3 Diesel\n" * 7_000,
    "unknown": "3x Hunter Seeker\n" * 3_800,
    "one line": "3 Diesel " * 7_000,
    "headings": "Event (3)\nIce (0)\n" * 3_500,
    "identities": "".join(f'Kate "Mac" McCafrey: Digital T{i}\n' for i in range(1_700)),
    "brackets": ("3 Diesel " + "()" * 190 + "\n") * 160,
    "json": '{"Diesel":3,' + ",".join(f'"c{i}":{i % 9}' for i in range(5_000)) + "}",
    "json rows": "[" + ",".join('{"qty":3,"card":"Diesel"}' for _ in range(2_400)) + "]",
    "json within json": '{"a":' * 13_000,
    "xml": "<deck><section>" + '<card qty="1">Diesel</card>' * 2_300,
    "xml within xml": "<deck>" + "<section>" * 7_000,
    "entities": '<deck><section><card qty="1">' + "&amp;" * 13_000,
    "csv": "3,Diesel\n" * 7_000,
    "quote": '3,"' + "a\n3,b\n" * 10_000,
}


@pytest.mark.parametrize(
    "said",
    [
        '{"cards":{"\\ud800":3,"Diesel":3}}',
        '{"identity":"\\udfff","cards":{}}',
        '[{"qty":3,"card":"Sure\\ud83d Gamble"}]',
        '{"cards":{"\\ud800":3,"\\ud800":2}}',
    ],
)
def test_half_a_character_in_a_json_list_could_not_be_drawn(said: str) -> None:
    """Who pasted it lost the session, with a traceback in the log."""
    read = read_list(said)
    assert read.faults
    assert [f"{fault.text}{fault.near}".encode() for fault in read.faults]


@pytest.mark.parametrize("name", LONG)
def test_a_long_text_is_read_in_steps_and_no_further_than_a_deck_goes(name: str) -> None:
    """What a step costs at most is a row of `make bench`."""
    steps, taken = reading(LONG[name]), 0
    while next(steps, steps) is None:
        taken += 1
    assert taken >= 3
    assert len(read_list(LONG[name]).faults) <= MOST_FAULTS


@pytest.mark.parametrize("said", [[f"x{i}" for i in range(9_000)], {"a": {f"x{i}": 1 for i in range(9_000)}}])
def test_looking_for_a_deck_in_a_long_list_of_words_held_the_loop(said: Json) -> None:
    """Which words are cards was asked of all nine thousand in one step of 58 ms."""
    steps = reading(said)
    assert sum(1 for _ in steps) > 9_000 // 100
    assert [fault.kind for fault in read_list(said).faults] == ["form"]


@pytest.mark.parametrize(
    "said",
    [
        "{" + ",".join(f'"k{i}":{{}}' for i in range(6_000)) + "}",
        '{"cards":{' + ",".join(f'"c{i}":1' for i in range(2_000)) + ',"c1999":1}}',
        "[" + ",".join("1" for _ in range(30_000)) + "]",
    ],
)
def test_a_long_json_text_became_objects_in_one_step(said: str) -> None:
    """Names that stand twice were looked for while it was parsed: 7 to 14 ms on a busy machine."""
    assert sum(1 for _ in reading(said)) > 30
    assert read_list(said).faults[0].kind in ("form", "card")


def test_a_name_that_stands_twice_in_an_object_is_named() -> None:
    fault = read_list(json.dumps({"identity": KATE, "cards": {"Diesel": 1}}).replace("}}", ', "Diesel": 2}}')).faults[0]
    assert (fault.kind, fault.text) == ("form", "Diesel")


def test_what_may_be_an_identity_was_looked_up_for_thirty_lines_in_one_step() -> None:
    rows = [{"qty": 1, "card": f"Nonsense {i}"} for i in range(1_500)]
    assert sum(1 for _ in reading(LONG["identities"])) > 200
    assert sum(1 for _ in reading(json.dumps(rows, indent=1))) > 600


def test_a_second_identity_was_asked_whether_it_meant_itself() -> None:
    found = read_list(f"{KATE}\n3 Diesel\nNBN: Making News")
    assert found.faults == (Fault("identity", 3, "NBN: Making News"),)
