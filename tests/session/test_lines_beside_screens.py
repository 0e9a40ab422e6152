"""One match in lines and on screens at once: who plays and who watches learn the same of it."""

from __future__ import annotations

import re
from random import Random

from game.contract import Seat
from server.session.places import Landing
from tests.answers import offered
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.hearing import Hearer, hear
from tests.session.stage import StagedMatch

MOVE = re.compile(r"[a-h][1-8][a-h][1-8]")
SQUARES = re.compile(r"\b[a-h][1-8]\b")
MOVES = 24


async def squares_heard(hearer: Hearer) -> set[str]:
    """Return the squares on which `board` names cards: not those of the EXITs."""
    told = (await hearer.line("board")).splitlines()
    return {square for line in told if "EXIT" not in line for square in SQUARES.findall(line)}


def squares_seen(seated: Seated) -> set[str]:
    """Return the squares on which the drawn board has cards, whichever side it is seen from."""
    rows = [row for row in seated.rows if re.match(r" [1-8] ", row)]
    files = next(letters for row in seated.rows if sorted(letters := row[:36].split()) == list("abcdefgh"))
    return {files[(x - 4) // 4] + row[1] for row in rows for x, char in enumerate(row[:36]) if char in "▲▼"}


async def test_who_plays_and_who_watches_learn_the_same_in_lines_and_on_screens(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    for seat in (0, 1):
        match.play(seat, "setup LLLLVVVV")
    mira, tarn = await hear(server, account("mira")), await server.connect(account("tarn"))
    await mira.line("1")
    await tarn.type("enter")
    lio = await hear(server, account("lio"), landing=Landing("watch", match.id, lines=True))
    zoe = await server.connect(account("zoe"), landing=Landing("watch", match.id))
    rng = Random(4)
    for n in range(MOVES):
        [pending] = match.rules.pending(match.state)
        moves = [one.text for one in offered(pending) if MOVE.fullmatch(one.text)]
        if not moves:
            break
        text, before, seq = rng.choice(moves), len(lio.said.sent), match.seq
        if pending.seat == Seat(0):
            await mira.line(text)
        else:
            await tarn.type(":", *text, "enter")
        assert match.seq == seq + 1, (n, text, tarn.text, mira.said.sent[-400:])
        for one in (mira, lio):
            await one.settle()
        for seated in (tarn, zoe):
            seated.session.dirty()
            await seated.settle()
        news = lio.said.sent[before:]
        assert text[2:] in news, news
        assert await squares_heard(lio) == squares_seen(zoe), zoe.text
        assert await squares_heard(mira) == squares_seen(tarn), tarn.text
    assert match.seq > MOVES // 2


async def test_whose_line_drops_in_lines_goes_on_where_they_were_on_screens_too(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    for seat in (0, 1):
        match.play(seat, "setup LLLLVVVV")
    first = await hear(server, account("mira"))
    await first.line("1")
    await first.type("d2")
    await first.hang_up()
    seq = match.seq
    again = await hear(server, account("mira"))
    assert "d2" in again.said.sent, "it is at the board"
    assert match.seq == seq, "half a move was made"
    await again.line("d2d3")
    assert match.seq == seq + 1
    await again.hang_up()
    on_screen = await server.connect(account("mira"))
    await on_screen.type("enter")
    assert "d3" in squares_seen(on_screen)
