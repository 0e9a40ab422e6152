"""Bot against bot: seats swapped, the same for a seed, and what is made of the outcome."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from game.__main__ import main
from game.contract import Action, Pending, View
from game.duel import Duel, Played, pairings, play, play_one, report, tally, wilson
from game.errors import BadNotation
from game.rng import Rng
from tests.answers import offered
from tests.conformance.tiny import bot


def test_the_same_seed_gives_the_same_duel() -> None:
    duel = Duel("tiny", ("easy", "hard"), 20, seed=5)
    assert play(duel) == play(duel)
    assert play(duel) != play(Duel("tiny", ("easy", "hard"), 20, seed=6))


def test_who_may_look_at_more_positions_is_another_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """`positions` sets the budget of those bots that take one, and of no others."""
    asked: list[int] = []

    class Thinks(First):
        def within(self, positions: int) -> First:
            asked.append(positions)
            return First()

    monkeypatch.setitem(bot.BOTS, "hard", Thinks())
    play(Duel("tiny", ("easy", "hard"), 2))
    assert asked == []
    play(Duel("tiny", ("easy", "hard"), 2, positions=77))
    assert set(asked) == {77}


def test_the_number_of_processes_changes_nothing() -> None:
    duel = Duel("rainet", ("random", "random"), 4, seed=1)
    assert play(duel, jobs=2) == play(duel, jobs=1)


def test_seats_are_swapped_on_the_same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bot.BOTS, "easy", First())
    monkeypatch.setitem(bot.BOTS, "hard", First())
    duel = Duel("tiny", ("easy", "hard"), 6)
    for deal in range(3):
        there, back = play_one(duel, 2 * deal), play_one(duel, 2 * deal + 1)
        assert there.plies == back.plies
        assert there.shares == back.shares[::-1]


class First:
    """Always takes the first of a list, and nothing of everything else."""

    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        match pending.prompt:
            case "cards":
                return Action("take 0")
            case "swap":
                return Action("swap")
        return offered(pending)[0]


class Cheat:
    """Answers with what nobody offered."""

    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        return Action("bid 9")


def test_an_illegal_answer_is_counted_and_the_match_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bot.BOTS, "easy", Cheat())
    outcome = play(Duel("tiny", ("easy", "random"), 4))
    assert outcome.illegal > 4
    assert main(["duel", "tiny", "--bots", "easy,random", "--matches", "2", "--jobs", "1"]) == 1


def test_a_tie_is_shared_and_a_win_is_whole() -> None:
    duel = Duel("tiny", ("a", "b", "c"), 2)
    outcome = tally(duel, [Played((1.0, 0.0, 0.0), 10, 0), Played((0.5, 0.5, 0.0), 20, 1)])
    assert [s.share for s in outcome.standings] == [0.75, 0.25, 0.0]
    assert [(s.won, s.drawn) for s in outcome.standings] == [(1, 1), (0, 1), (0, 0)]
    assert (outcome.plies, outcome.illegal) == (15.0, 1)


@pytest.mark.parametrize(
    ("share", "n", "low", "high"),
    [(0.5, 10, 0.2366, 0.7634), (0.0, 20, 0.0, 0.1611), (1.0, 20, 0.8389, 1.0), (0.62, 400, 0.5715, 0.6662)],
)
def test_the_interval_is_wilson_s(share: float, n: int, low: float, high: float) -> None:
    assert wilson(share, n) == pytest.approx((low, high), abs=1e-4)


def test_every_bot_sits_on_every_seat_of_a_deal() -> None:
    duel = Duel("tiny", ("hard", "normal", "normal", "easy"), 8)
    outcome = play(duel)
    assert sum(s.share for s in outcome.standings) == pytest.approx(1.0)
    lines = list(report(duel, outcome))
    assert [line.split()[0] for line in lines] == ["hard", "normal", "normal", "easy", "8"]
    assert lines[-1].endswith("illegal 0")


def test_the_command_prints_shares_and_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["duel", "tiny", "--players", "3", "--bots", "hard,random,random", "--matches", "6", "--jobs", "1"]
    assert main([*words, "--seed", "3", "--option", "rounds=1"]) == 0
    assert "95 % interval" in capsys.readouterr().out
    assert main([*words, "--seed", "3", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["matches"], said["seed"], said["illegal"]) == (6, 3, 0)
    assert [one["bot"] for one in said["bots"]] == ["hard", "random", "random"]


UNPLAYABLE = (
    Duel("chess", ("easy", "easy"), 1),
    Duel("tiny", ("easy", "best"), 1),
    Duel("tiny", ("easy",), 1),
    Duel("tiny", ("easy", "easy"), 1, options={"luck": 3}),
    Duel("netrunner", ("easy", "easy"), 1, pairings="best"),
    Duel("netrunner", ("easy", "easy"), 1, seat_options=({"deck": "acme"}, {}), pairings="ready"),
)


@pytest.mark.parametrize("duel", UNPLAYABLE)
def test_what_cannot_be_played_is_refused(duel: Duel) -> None:
    with pytest.raises(BadNotation):
        play(duel)


def test_the_deals_of_netrunner_go_through_all_starter_pairings() -> None:
    duel = Duel("netrunner", ("random", "random"), 24)
    assert len(pairings(duel)) == 12
    assert {(corp["deck"], runner["deck"]) for corp, runner in pairings(duel)} == {
        (corp, runner)
        for corp in ("haas-bioroid", "jinteki", "nbn", "weyland")
        for runner in ("anarch", "criminal", "shaper")
    }
    one = replace(duel, seat_options=({"deck": "nbn"}, {"deck": "anarch"}))
    assert pairings(one) == (({"deck": "nbn"}, {"deck": "anarch"}),)


def test_the_deals_go_through_the_pairings_of_a_name() -> None:
    ready = pairings(Duel("netrunner", ("random", "random"), 2, pairings="ready"))
    assert len(ready) == len({(corp["deck"], runner["deck"]) for corp, runner in ready}) == 36
    mixed = pairings(Duel("netrunner", ("random", "random"), 2, pairings="ready-starters"))
    assert len(mixed) == 6 * 3 + 4 * 6
    assert len(pairings(Duel("netrunner", ("random", "random"), 2, pairings="all"))) == 10 * 9


def test_of_named_pairings_the_report_tells_how_each_deck_did() -> None:
    duel = Duel("netrunner", ("easy", "hard"), 4, pairings="ready")
    # The first deal is sportsmetal against gnat, the second sportsmetal against noise; easy wins all of its matches.
    played = [Played((1.0, 0.0), 1, 0, sits, pairing) for pairing in (0, 1) for sits in ((0, 1), (1, 0))]
    told = [(one.seat, one.brought["deck"], one.matches, one.won) for one in tally(duel, played).brought]
    assert told == [(0, "sportsmetal", 4, 2), (1, "gnat", 2, 1), (1, "noise", 2, 1)]
    assert [line.split()[-1] for line in list(report(duel, tally(duel, played)))[6:9]] == [
        "sportsmetal",
        "gnat",
        "noise",
    ]
    assert tally(replace(duel, pairings=""), played).brought == ()


def test_the_report_tells_how_a_bot_did_on_each_seat() -> None:
    duel = Duel("netrunner", ("easy", "hard"), 4)
    played = [Played((1.0, 0.0), 1, 0, (0, 1)), Played((0.0, 1.0), 1, 0, (1, 0))] * 2
    outcome = tally(duel, played)
    assert [[share.share for share in one.seats] for one in outcome.standings] == [[1.0, 0.0], [1.0, 0.0]]
    lines = list(report(duel, outcome))
    assert [line.split()[0] for line in lines] == ["easy", "100.0%", "0.0%", "hard", "100.0%", "0.0%", "4"]
    assert [line.split()[-1] for line in lines[1:3]] == ["corp", "runner"]
