"""Actions are typed with the names that were heard: cards, servers, players, where notation has places and numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.contract import Action, OneOf, Pending, Seat, Subset
from server.boards.board import MoveGroup, board
from server.boards.seats import short_name_at
from server.i18n.catalogues import CHOICES
from server.matches.model import AnyViewerState
from server.screens.linemoves import found_actions, found_orders, not_found
from server.screens.toldmoves import ToldMoves
from server.terminal.look import Look
from tests.boards import netrunner_table
from tests.boards.netrunner_table import CORP, RUNNER
from tests.boards.test_passage_board import seen
from tests.passage.build import at as passage_at

LOOK = Look().heard()


def asked(side: Seat, *texts: str) -> AnyViewerState:
    """Return a table of Netrunner at which these actions are offered."""
    shot = netrunner_table.seen(netrunner_table.at(), side)
    return replace(shot, pending=Pending(side, "action", OneOf(tuple(map(Action, texts)))))


CORPS = (
    'install "Neural EMP" remote1',
    'install "Snare!" remote1',
    'install "Snare!" new',
    "advance root:remote1:0",
    "rez ice:remote1:1",
    "rez ice:hq:1",
    "score root:remote1:0",
    'trash-resource rig:"Armitage Codebusting"',
)
RUNNERS = ("run hq", "run rd", "run remote1", "run remote2", "jack-out", 'choose rig:"Gordian Blade"')


@pytest.mark.parametrize(
    ("side", "typed", "meant"),
    [
        (CORP, "advance project junebug", "advance root:remote1:0"),
        (CORP, "score junebug", "score root:remote1:0"),
        (CORP, "rez chum", "rez ice:remote1:1"),
        (CORP, "install neural remote1", 'install "Neural EMP" remote1'),
        (CORP, "install snare remote 1", 'install "Snare!" remote1'),
        (CORP, "install snare new remote", 'install "Snare!" new'),
        (CORP, "trash resource armitage", 'trash-resource rig:"Armitage Codebusting"'),
        (RUNNER, "run remote 1", "run remote1"),
        (RUNNER, "run R&D", "run rd"),
        (RUNNER, "jack out", "jack-out"),
        (RUNNER, "choose gordian", 'choose rig:"Gordian Blade"'),
    ],
)
def test_a_card_had_to_be_typed_by_its_place(side: Seat, typed: str, meant: str) -> None:
    shot = asked(side, *(RUNNERS if side == RUNNER else CORPS))
    assert found_actions(board("netrunner"), shot, typed, LOOK) == [meant]


def test_a_card_face_down_is_named_to_its_owner_only() -> None:
    shot = asked(RUNNER, "choose ice:remote1:1", "choose ice:hq:1")
    assert found_actions(board("netrunner"), shot, "choose chum", LOOK) == []


def test_the_nearest_install_is_meant_where_another_trashes_something() -> None:
    shot = asked(CORP, 'install "Snare!" remote1 trash ice:remote1:0', 'install "Snare!" remote1')
    assert found_actions(board("netrunner"), shot, "install snare remote", LOOK) == ['install "Snare!" remote1']


@pytest.mark.parametrize("typed", ["discard hedge fund snare", "hedge fund snare!", 'discard "hedge fund" snare'])
def test_a_name_of_two_words_could_not_be_discarded_without_quotes(typed: str) -> None:
    shot = asked(CORP)
    items = ('"Snare!"', '"Hedge Fund"', '"Neural EMP"')
    shot = replace(shot, pending=Pending(CORP, "discard", Subset("discard", items, 2, 2)))
    assert found_actions(board("netrunner"), shot, typed, LOOK) == ['discard "Hedge Fund" "Snare!"']


def table_of_three(*texts: str) -> AnyViewerState:
    shot = seen(
        passage_at(players=3, hands=[["warden", "attack", "attack1", "slip"], ["slip"], ["slip"]], pile=["slip"] * 4)
    )
    return replace(shot, pending=Pending(Seat(0), "play", OneOf(tuple(map(Action, texts))))) if texts else shot


@pytest.mark.parametrize("language", CHOICES)
def test_a_target_was_only_the_number_of_a_seat(language: str) -> None:
    look = Look(language=language).heard()
    shot = table_of_three()
    name = short_name_at(shot, 2, look)
    assert found_actions(board("passage"), shot, f"play attack {name}", look) == ["play attack 2"]
    assert found_actions(board("passage"), shot, f"attack1 {name}", look) == ["play attack1 2"]


@pytest.mark.parametrize("typed", ["attack +1 {name}", "play attack +1 {name}"])
def test_a_card_is_typed_as_it_is_called(typed: str) -> None:
    shot = table_of_three()
    said = typed.format(name=short_name_at(shot, 1, LOOK))
    assert found_actions(board("passage"), shot, said, LOOK) == ["play attack1 1"]
    assert found_actions(board("passage"), shot, "slip by", LOOK) == ["play slip"]


def test_an_end_of_the_pile_is_typed_by_its_name() -> None:
    last = len(table_of_three().view.pile) - 1
    shot = table_of_three(*(f"play kotodama {n}" for n in range(last + 1)))
    assert found_actions(board("passage"), shot, "kotodama top", LOOK) == ["play kotodama 0"]
    assert found_actions(board("passage"), shot, "play kotodama bottom", LOOK) == [f"play kotodama {last}"]


def test_an_action_that_nobody_could_read_was_said_to_mean_nothing() -> None:
    shot = asked(RUNNER, *RUNNERS)
    said = not_found(board("netrunner"), shot, "run remote 9", [], LOOK, ToldMoves())
    assert said is not None
    words = LOOK.t("list.then").join(("1: Run Remote 1", "2: Run Remote 2"))
    assert said[0] == LOOK.t("lines.which", words=words)
    assert not_found(board("netrunner"), shot, "whistle", [], LOOK, ToldMoves()) is None


def test_an_order_is_typed_without_its_hyphen() -> None:
    orders = [('break-all rig:"Corroder"', "…"), ("to-access", "…")]
    assert found_orders(orders, "to access") == ["to-access"]
    assert found_orders(orders, "break all") == ['break-all rig:"Corroder"']


def test_a_card_to_discard_was_said_twice() -> None:
    group = MoveGroup("Too many cards", (('"Hedge Fund"', "Hedge Fund"), ('"Snare!"', "Snare!")), "discard")
    items = "Hedge Fund; Snare!"
    said = ToldMoves().tell(asked(RUNNER, *RUNNERS), (group,), LOOK, "")
    assert said[1] == LOOK.t("lines.pick-one", verb="discard", items=items)
