"""Reporting somebody takes the messages between both along, for moderators to read."""

from __future__ import annotations

from server import reporting
from server.accounts.identity import Player
from server.store import conduct
from tests.session.fakeserver import FakeServer

DAY_S = 86_400


async def test_a_report_holds_the_exchange_as_its_writer_reads_it_and_nobody_else_s(server: FakeServer) -> None:
    ids = {name: server.add(name) for name in ("mira", "tarn", "lio")}
    players = {name: Player("account", name, account_id=known) for name, known in ids.items()}
    for by, whom in (("mira", "tarn"), ("tarn", "mira"), ("mira", "lio"), ("lio", "mira")):
        await server.following.follow(ids[by], whom)
    server.clock.pass_time(2 * DAY_S)
    for by, whom, text in (
        ("tarn", "mira", "you cheat"),
        ("mira", "tarn", "I do not"),
        ("lio", "mira", "hello"),
    ):
        await server.messages.send(players[by], whom, text)
    await reporting.report(server.services, ids["mira"], "tarn", "insults")
    [report] = await server.database.read(conduct.open_reports)
    said = [(line["name"], line["text"], line.get("message")) for line in report.lines]
    assert said == [("tarn", "you cheat", True), ("mira", "I do not", True)]
    assert (report.about_name, report.why) == ("tarn", "insults")
