"""Additional costs to steal, secret bids, and other resources saved (Netrunner §1.8, §1.9)."""

from __future__ import annotations

from typing import Any

from game.contract import Action, Number, Seat, Watcher
from game.netrunner.rules import GAME
from game.rng import Rng
from tests.conformance.test_views import visible
from tests.netrunner.table import Play, titles


def on_rd(card: str, runner: dict[str, Any] | None = None, corp: dict[str, Any] | None = None) -> Play:
    """Return the Runner's access of a card on top of R&D."""
    play = Play({"rd": [card, "Enigma"], **(corp or {})}, runner, step="run.5.5", run={"server": "rd"})
    return play.do("access next")


def test_napd_contract_costs_four_credits_to_steal_or_is_left() -> None:
    assert on_rd("NAPD Contract", {"credits": 3}).offered() == ["leave"]
    play = on_rd("NAPD Contract", {"credits": 4}).do("steal")
    assert (play.runner["credits"], titles(play.runner["score"])) == (0, ["NAPD Contract"])


def test_an_agenda_that_is_left_in_r_and_d_is_not_told_to_the_corp() -> None:
    play = on_rd("NAPD Contract", {"credits": 4}).do("leave")
    told = [event.seen_by(Seat(0)) for event in play.events]
    assert "NAPD" not in str(told)
    assert "NAPD" not in str(GAME.view_json(GAME.view(play.state, Seat(0)))["position"])


def test_napd_contract_must_be_advanced_once_more_for_each_bad_publicity() -> None:
    root = {"remote1": {"root": [{"card": "NAPD Contract", "advancement": 4}]}}
    assert Play({"servers": root}, {}, step="corp.2.2").offers("score root:remote1:0")
    assert not Play({"servers": root, "bad_publicity": 1}, {}, step="corp.2.2").offers("score root:remote1:0")


def test_ikawah_project_costs_a_click_and_two_credits() -> None:
    assert on_rd("Ikawah Project", {"clicks": 0}).offered() == ["leave"]
    play = on_rd("Ikawah Project", {"clicks": 2, "credits": 2}).do("steal")
    assert (play.runner["clicks"], play.runner["credits"]) == (1, 0)


def test_obokata_protocol_costs_four_net_damage_that_may_flatline() -> None:
    play = on_rd("Obokata Protocol", {"grip": ["Diesel"] * 4}).do("steal")
    assert (play.runner["grip"], titles(play.runner["score"])) == ([], ["Obokata Protocol"])
    assert on_rd("Obokata Protocol", {"grip": ["Diesel"] * 3}).do("steal").state.outcome == (0, "flatline")


def test_a_cost_of_which_one_damage_is_prevented_is_not_paid() -> None:
    play = on_rd("Obokata Protocol", {"grip": ["Diesel"] * 4, "rig": ["Net Shield"]}).do("steal")
    play.do('use rig:"Net Shield" 0')
    assert play.runner["score"] == []
    assert len(play.runner["grip"]) == 1
    assert play.corp["rd"][0] == "Obokata Protocol"


def test_degree_mill_costs_two_installed_cards_shuffled_into_the_stack() -> None:
    assert on_rd("Degree Mill", {"rig": ["Corroder"]}).offered() == ["leave"]
    play = on_rd("Degree Mill", {"rig": ["Corroder", "Mimic", "Ninja"], "stack": []}).do("steal")
    play.do('choose rig:"Corroder"')
    assert not play.offers('choose rig:"Corroder"')
    play.do('choose rig:"Ninja"')
    assert titles(play.runner["rig"]) == ["Mimic"]
    assert sorted(play.runner["stack"]) == ["Corroder", "Ninja"]
    assert titles(play.runner["score"]) == ["Degree Mill"]


def test_costs_of_the_agenda_and_of_its_server_are_paid_together() -> None:
    root = {"rd": {"root": [{"card": "Red Herrings", "rezzed": True}]}}
    assert on_rd("NAPD Contract", {"credits": 8}, {"servers": root}).offered() == ["leave"]
    assert on_rd("NAPD Contract", {"credits": 9}, {"servers": root}).do("steal").runner["credits"] == 0


def test_fall_guy_saves_another_resource_but_not_itself() -> None:
    play = Play({"credits": 9}, {"rig": ["Armitage Codebusting", "Fall Guy"], "tags": 1})
    play.do('trash-resource rig:"Armitage Codebusting"', 'use rig:"Fall Guy" 0')
    assert titles(play.runner["rig"]) == ["Armitage Codebusting"]
    assert titles(play.runner["heap"]) == ["Fall Guy"]
    play = Play({"credits": 9}, {"rig": ["Fall Guy"], "tags": 1}).do('trash-resource rig:"Fall Guy"')
    assert titles(play.runner["heap"]) == ["Fall Guy"]
    assert play.runner["credits"] == 5


def test_fall_guy_can_not_answer_the_action_that_trashes_it() -> None:
    play = Play({}, {"rig": ["Fall Guy"], "credits": 0}, step="runner.1.2").do('use rig:"Fall Guy" 1')
    assert play.runner["credits"] == 2


# Secret bids.


def bidding(**runner: Any) -> Play:
    """Return the psi game at the access of The Future Perfect."""
    return on_rd("The Future Perfect", runner)


def test_both_bid_at_once_and_in_any_order() -> None:
    play = bidding(credits=1)
    assert [(p.seat, p.secret, p.choice) for p in GAME.pending(play.state)] == [
        (0, True, Number("bid", 0, 2)),
        (1, True, Number("bid", 0, 1)),
    ]
    state = GAME.apply(play.state, Seat(1), Action("bid 1")).state
    assert [p.seat for p in GAME.pending(state)] == [0]
    assert state.credits == (5, 1), "nothing is spent before both bids are in"
    state = GAME.apply(state, Seat(0), Action("bid 2")).state
    assert state.credits == (3, 0)


def test_equal_bids_let_the_agenda_be_stolen_others_do_not() -> None:
    assert bidding().do("bid 1", "bid 1").offered() == ["steal"]
    assert bidding().do("bid 1", "bid 0").offered() == ["leave"]


def test_an_installed_agenda_is_stolen_without_bids() -> None:
    root = {"remote1": {"root": ["The Future Perfect"]}}
    play = Play({"servers": root}, {}, step="run.5.5", run={"server": "remote1"}).do("access root:remote1:0")
    assert play.offered() == ["steal"]


def test_a_bid_is_shown_to_nobody_until_both_are_in() -> None:
    play = bidding()
    for seat in (0, 1):
        for viewer in (Seat(1 - seat), Watcher.PUBLIC):
            shown = set()
            for n in (0, 2):
                step = GAME.apply(play.state, Seat(seat), Action(f"bid {n}"))
                made = GAME.determinize(GAME.view(step.state, viewer), Rng(bytes(32)))
                assert list(visible(GAME, made, viewer)) == list(visible(GAME, step.state, viewer))
                assert GAME.load(GAME.dump(step.state)) == step.state
                told = [event.seen_by(viewer) for event in step.events]
                shown.add(repr((list(visible(GAME, step.state, viewer)), told)))
            assert len(shown) == 1


def test_a_bid_that_is_not_made_is_nothing() -> None:
    state = GAME.timeout(bidding().state, Seat(0)).state
    state = GAME.timeout(state, Seat(1)).state
    assert state.credits == (5, 5)
    assert str(GAME.pending(state)[0].choice).count("steal") == 1
