"""Who has left the table is asked for a rematch wherever they are, and answers there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from game.contract import Seat
from server.matches.model import Rematch
from server.session.places import Landing
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch


class Offers:
    """The offers of a match of three: Tarn has asked."""

    def __init__(self) -> None:
        self.rematch: Rematch | None = Rematch((Seat(1),), (), (Seat(0), Seat(2)), None)

    def is_asked(self, seat: Seat) -> bool:
        return self.rematch is not None and seat in self.rematch.missing


def ended(answers: list[bool]) -> Any:
    players = tuple(person(name) for name in ("mira", "tarn", "lio"))

    async def answer(seat: Seat, what: str, accept: bool) -> None:
        assert (seat, what) == (0, "rematch")
        answers.append(accept)

    terms = SimpleNamespace(players=players)
    return SimpleNamespace(
        id="m9", game="passage", terms=terms, offers=Offers(), seat_of=lambda player: Seat(0), answer=answer
    )


async def asked(server: FakeServer, *keys: str) -> tuple[Seated, Any, list[bool]]:
    seated = await server.connect(account("mira"))
    await seated.type(*keys)
    answers: list[bool] = []
    match = ended(answers)
    seated.session.asking.hear_rematch(match)
    server.clock.pass_time(1)
    await seated.settle()
    return seated, match, answers


async def test_who_went_to_the_lobby_is_asked_there_and_agrees(server: FakeServer) -> None:
    seated, match, answers = await asked(server)
    assert seated.session.t("rematch.elsewhere", names="tarn", game="Passage") in seated.text
    await seated.type("y")
    assert answers == [True]
    match.offers.rematch = None
    seated.session.asking.hear_rematch(match)
    await seated.settle()
    assert not seated.session.asking.is_owed


async def test_who_reads_something_else_declines_with_a_control_key(server: FakeServer) -> None:
    seated, _, answers = await asked(server, "l")
    assert seated.session.t("rematch.elsewhere", names="tarn", game="Passage") in seated.text
    await seated.type("ctrl n")
    assert answers == [False]


async def test_the_question_stood_over_another_match_until_it_was_answered(server: FakeServer) -> None:
    server.matches.add(StagedMatch("relati", (person("mira"), person("tarn")), "m1"))
    seated = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    seated.session.asking.hear_rematch(ended([]))
    await seated.settle()
    question = seated.session.t("rematch.elsewhere", names="tarn", game="Passage")
    assert question not in seated.text
    assert not seated.session.asking.is_owed
    await seated.type("esc")
    assert question in seated.text
