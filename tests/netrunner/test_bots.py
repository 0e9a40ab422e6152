"""The built-in players: what they never miss, that hidden cards change nothing, and how strong each level is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest

from game.choices import contains, expand
from game.cli.suites import Position, answers, suite
from game.contract import Action, Bot, Budgeted, Json, OneOf, Pending, Seat
from game.duel import Duel, play, play_one
from game.netrunner.bots import search, tree
from game.netrunner.bots.crossing import cheapest, crossings
from game.netrunner.bots.evaluation import WON, is_dead, value
from game.netrunner.bots.planner import weigh
from game.netrunner.bots.players import question
from game.netrunner.bots.prizes import prize
from game.netrunner.bots.runner import RunnerPlans
from game.netrunner.bots.sandbox import MOST_STEPS, play_until
from game.netrunner.bots.sight import Question, Sight
from game.netrunner.bots.tree import TreeSearcher, playout
from game.netrunner.decks import FACTIONS, PAIRINGS, READY, SIDES_OF, STARTERS, problems, read
from game.netrunner.facts import CODES, CORP, FACTS, RUNNER
from game.netrunner.rules import GAME
from game.netrunner.state import State
from game.netrunner.table import Table
from game.registry import bots, levels
from game.rng import Rng
from tests.netrunner.modern import CORPS, RUNNERS, listed
from tests.netrunner.table import Play

MODERN = [(corp, RUNNERS[i % len(RUNNERS)]) for i, corp in enumerate(CORPS)]

SEED = bytes(range(32))
Moment = tuple[State, Pending, Action]


@cache
def match(level: str, pairing: int) -> tuple[Moment, ...]:
    """Return every decision of a match that bots of a level play: the state, what was asked, what was answered."""
    return tuple(moments(level, PAIRINGS[pairing], SEED))


def moments(level: str, decks: Sequence[Mapping[str, Json]], seed: bytes) -> Iterator[Moment]:
    """Play a match between two bots of a level."""
    state = GAME.setup({}, 2, seed, decks).state
    rng = Rng(seed)
    while GAME.result(state) is None:
        pending = GAME.pending(state)[0]
        stream, rng = rng.split()
        action = player(level).decide(GAME.view(state, pending.seat), pending, stream)
        assert contains(pending.choice, action), (pending, action)
        yield state, pending, action
        state = GAME.apply(state, pending.seat, action).state


def player(level: str) -> Bot[Any]:
    """Return a bot of a level; where its budget can be set, one of few positions."""
    bot = bots("netrunner")[level]
    return bot.within(300) if isinstance(bot, Budgeted) else bot


SOME = [("normal", 1), ("normal", 5), ("normal", 6), ("normal", 11), ("hard", 3)]


def test_normal_finds_what_wins_at_once() -> None:
    at_once = [one for one in suite("netrunner") if one.kind == "win" and one.decisions <= 3]
    assert len(at_once) >= 6
    assert [one.name for one in at_once if not found_by(one, "normal")] == []


def found_by(position: Position, level: str) -> bool:
    """Tell whether a level does something good in a position."""
    return all(map(position.is_good, answers(GAME, position, bots("netrunner")[level])))


@pytest.mark.parametrize(("level", "pairing"), SOME)
def test_a_bot_steals_whenever_it_can(level: str, pairing: int) -> None:
    offered = [action for _, pending, action in match(level, pairing) if Action("steal") in expand(pending.choice)]
    assert offered
    assert {action.text for action in offered} == {"steal"}


def test_a_bot_scores_when_that_wins() -> None:
    wins = 0
    for level, pairing in SOME:
        for state, pending, action in match(level, pairing):
            scores = [one for one in expand(pending.choice) if one.text.startswith("score ")]
            if winning := [one for one in scores if GAME.result(GAME.apply(state, pending.seat, one).state)]:
                wins += 1
                assert action in winning
    assert wins


def test_a_bot_leaves_a_run_only_for_what_is_still_ahead() -> None:
    asked = 0
    for level, pairing in SOME:
        for state, pending, action in match(level, pairing):
            if pending.prompt != "jack-out":
                continue
            asked += 1
            run = state.run
            assert run is not None
            ahead = [c for c in state.cards if c.place == f"ice:{run.server}" and c.iid not in run.passed]
            bait = [c for c in state.cards if c.place == f"root:{run.server}" and not c.rezzed and c.advancement]
            assert action.text == "continue" or ahead or bait
    assert asked > 20


@pytest.mark.parametrize(("level", "every"), [("easy", 9), ("normal", 9), ("hard", 40), ("master", 40)])
def test_what_a_bot_cannot_see_decides_nothing(level: str, every: int) -> None:
    bot, rng = player(level), Rng(SEED)
    compared = 0
    for _, pairing in SOME[:4]:
        for state, pending, _ in match("normal", pairing)[pairing::every]:
            view = GAME.view(state, pending.seat)
            stream, rng = rng.split()
            other = GAME.determinize(view, stream)
            assert GAME.view(other, pending.seat) == view
            again = GAME.pending(other)[0]
            said = bot.decide(GAME.view(other, pending.seat), again, stream)
            assert bot.decide(view, pending, stream) == said
            compared += 1
    assert compared > 20


def deck_at_random(side: int, rng: Rng) -> str:
    """Return a list of a legal deck of one faction and the neutral cards, drawn at random."""
    name, rng = rng.choose(SIDES_OF[side])
    identity = FACTS[FACTIONS[name]]
    own = (identity.faction, ("neutral-corp", "neutral-runner")[side])
    pool = [f for f in FACTS.values() if f.pack == "core" and f.faction in own and f.type != "identity"]
    for _ in range(200):
        drawn, rng = rng.shuffle([facts for facts in pool for _ in range(3)])
        agendas = [facts for facts in drawn if facts.type == "agenda"]
        while sum(facts.points for facts in agendas) > 21:
            agendas.pop()
        rest = [facts for facts in drawn if facts.type != "agenda"]
        cards = [*agendas, *rest[: 45 - len(agendas)]]
        text = "\n".join([identity.title, *(f"1 {facts.title}" for facts in cards)])
        if not any(wrong.startswith("points") for wrong in problems_of(text, side)):
            return text
    raise AssertionError(name)


def problems_of(text: str, side: int) -> list[str]:
    """Return what is wrong with a list."""
    try:
        read(text, side)
    except ValueError as error:
        return str(error).split("deck: ")[-1].split("; ") or ["points"]
    return []


def decks_at_random(seed: Rng) -> tuple[dict[str, str], ...]:
    """Return what two players bring who made their decks at random."""
    corp, runner = seed.split()
    return ({"deck": deck_at_random(CORP, corp)}, {"deck": deck_at_random(RUNNER, runner)})


@pytest.mark.parametrize(("level", "every"), [("normal", 9), ("hard", 60)])
def test_of_two_own_decks_each_bot_knows_one(level: str, every: int) -> None:
    bot, rng = player(level), Rng(SEED)
    compared = 0
    for state, pending, _ in [*islice(moments("normal", decks_at_random(rng), SEED), 400)][::every]:
        view = GAME.view(state, pending.seat)
        assert bool(view.scene.decks[pending.seat])
        assert not view.scene.decks[1 - pending.seat]
        stream, rng = rng.split()
        nbn, own = STARTERS["nbn"].codes(), state.decks[pending.seat]
        decks = (own, nbn) if pending.seat == CORP else (nbn, own)
        other = replace(GAME.determinize(view, stream), decks=decks)
        assert GAME.view(other, pending.seat) == view
        assert bot.decide(GAME.view(other, pending.seat), GAME.pending(other)[0], stream) == bot.decide(
            view, pending, stream
        )
        compared += 1
    assert compared > 5


def sight(seat: int, corp: dict[str, Any], runner: dict[str, Any]) -> Sight:
    """Return what a bot of this seat sees of a position."""
    return Sight(Table(GAME.view(Play(corp, runner).state, Seat(seat)).scene), seat)


@pytest.mark.parametrize(("held", "said"), [(1, "draw"), (3, "run")])
def test_normal_ran_against_jinteki_with_one_card_in_hand(held: int, said: str) -> None:
    """Whatever damage there is would have been the end."""
    corp = {"identity": "Jinteki", "credits": 6, "hq": ["Enigma"] * 4, "rd": ["Hedge Fund"] * 8 + ["Nisei MK II"] * 6}
    rig = ["Corroder", "Gordian Blade", "Ninja"]
    runner = {"grip": ["Sure Gamble"] * held, "credits": 2, "clicks": 4, "stack": ["Sure Gamble"] * 20, "rig": rig}
    state = Play(corp, runner, turn="runner", step="runner.1.5").state
    pending = GAME.pending(state)[0]
    assert (
        bots("netrunner")["normal"].decide(GAME.view(state, pending.seat), pending, Rng(SEED)).text.split()[0] == said
    )


def test_hard_ran_against_jinteki_with_one_card_in_hand_in_every_second_match() -> None:
    """In the few determinized states that it tries there was no ambush, and two good results ended the search."""
    trick = next(one for one in suite("netrunner") if "one card in the grip" in one.name)
    said = answers(GAME, trick, bots("netrunner")["hard"], streams=8)
    assert all(map(trick.is_good, said)), said


def test_hard_ran_on_with_a_tag_into_a_kill_that_it_could_foresee() -> None:
    """Its play-outs end where the Corp's turn begins, and nobody reckoned what the Corp does with three clicks."""
    corp = {"identity": "Haas-Bioroid", "credits": 5, "score": ["Private Security Force"]}
    corp |= {"hq": ["Hedge Fund"] * 2, "rd": ["Enigma"] * 20}
    runner = {"credits": 1, "clicks": 1, "tags": 1, "grip": ["Sure Gamble"] * 2, "stack": ["Diesel"] * 20}
    state = Play(corp, runner, turn="runner", step="runner.1.5").state
    pending = GAME.pending(state)[0]
    view = GAME.view(state, pending.seat)
    said = {bots("netrunner")["hard"].decide(view, pending, Rng(bytes([n]) * 32)).text for n in range(6)}
    assert said == {"draw"}


@pytest.mark.parametrize("level", ["normal", "hard", "master"])
def test_a_runner_with_no_card_left_ran_on_to_steal_what_would_flatline(level: str) -> None:
    """Against Jinteki's identity a stolen agenda does a net damage; nobody thought of it once the ice was passed."""
    corp = {"identity": "Jinteki", "credits": 1, "hq": ["Nisei MK II"] * 3, "servers": {"hq": {"ice": []}}}
    runner = {"credits": 1, "clicks": 3, "grip": [], "stack": ["Diesel"] * 20}
    play = Play(corp, runner, turn="runner", step="runner.1.5").do("run hq")
    play.until("jack-out")
    pending = GAME.pending(play.state)[0]
    view = GAME.view(play.state, pending.seat)
    assert player(level).decide(view, pending, Rng(SEED)).text == "jack-out"
    assert not RunnerPlans(sight(RUNNER, {"identity": "Jinteki"}, {"grip": ["Diesel"]})).steal_flatlines()


def short_of_an_operation() -> tuple[State, Pending]:
    """Return a Corp's turn with two credits, three clicks, Hedge Fund in hand, and no virus counter on the table."""
    corp = {"identity": "NBN: Making News", "credits": 2, "clicks": 3, "hq": ["Hedge Fund", "Closed Accounts"]}
    corp |= {"rd": ["Breaking News", "AstroScript Pilot Program", "PAD Campaign"] * 8}
    corp |= {"servers": {"hq": {"ice": ["Tollbooth"]}, "rd": {"ice": ["Enigma"]}, "remote1": {"ice": ["Data Raven"]}}}
    runner = {"credits": 9, "grip": ["Femme Fatale", "Special Order"], "stack": ["Easy Mark"] * 20}
    state = Play(corp, runner, turn="corp", step="corp.2.3").state
    return state, GAME.pending(state)[0]


def test_hard_spent_a_turn_on_purging_where_no_card_had_a_counter() -> None:
    """It was tried as any idea, and seemed better in some states than drawing the agendas that the planner would."""
    state, pending = short_of_an_operation()
    s, q = Sight(Table(state), CORP), question(pending)
    assert "purge" in {action.text for action in expand(pending.choice)}
    assert "purge" not in {trial.text for trial in search.Searcher().worth_trying(s, q, weigh(s, q))}


def test_master_saves_for_an_operation_whatever_it_is_dealt() -> None:
    """The planner would draw with the next click; in the tree three credits in a row are one line."""
    state, pending = short_of_an_operation()
    view, master = GAME.view(state, pending.seat), TreeSearcher(positions=1500)
    assert {master.decide(view, pending, Rng(bytes([n]) * 32)).text for n in range(3)} == {"credit"}


@pytest.mark.parametrize("positions", [300, 2000])
def test_master_looks_at_no_more_positions_than_it_may(positions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    state, pending = short_of_an_operation()
    played: list[int] = []

    def counted(*given: Any) -> int:
        played.append(playout(*given))
        return played[-1]

    monkeypatch.setattr(tree, "playout", counted)
    TreeSearcher().within(positions).decide(GAME.view(state, pending.seat), pending, Rng(SEED))
    assert positions <= sum(played) < positions + 8 * max(played)  # the ideas of one state are all played


@pytest.mark.parametrize(
    ("credits", "hq", "score", "grip", "tags", "dead"),
    [
        (6, ["Scorched Earth"] * 2, [], 7, 1, True),
        (5, ["Scorched Earth"] * 2, [], 7, 1, False),  # the second can't be paid
        (6, ["Scorched Earth"] * 2, [], 7, 0, False),
        (3, ["Scorched Earth"], ["Private Security Force"], 5, 1, True),  # one click burns, two shoot
        (3, ["Scorched Earth"], ["Private Security Force"], 6, 1, False),
        (9, [], ["Priority Requisition"], 0, 1, False),
    ],
)
def test_a_tagged_runner_is_dead_where_the_corp_holds_enough(
    credits: int, hq: list[str], score: list[str], grip: int, tags: int, dead: bool
) -> None:
    play = Play({"credits": credits, "hq": hq, "score": score}, {"grip": ["Diesel"] * grip, "tags": tags})
    table = Table(play.state)
    assert is_dead(table) is dead
    assert (value(table) == -WON) is dead


def test_an_agenda_of_rd_counted_like_any_other_where_it_would_have_been_the_last() -> None:
    """Two points short of the match the Corp left ice before R&D unrezzed, to save five credits."""
    score = {0: [], 3: ["Priority Requisition"], 4: ["Nisei MK II"] * 2, 5: ["Priority Requisition", "Nisei MK II"]}
    worths = {}
    for points, stolen in score.items():
        s = sight(CORP, {"rd": ["Nisei MK II", *["Hedge Fund"] * 9]}, {"score": stolen})
        worths[7 - points] = prize(s, "rd")
    assert worths[7] < worths[4] < 1.5 * worths[7]
    assert worths[3] > 2 * worths[4]
    assert worths[2] > 1.5 * worths[3]


@pytest.mark.parametrize(
    ("held", "risky"), [(0, {"run hq", 'play "Inside Job"'}), (1, {"run hq", 'play "Inside Job"'}), (2, set())]
)
def test_what_begins_a_run_must_promise_more_to_a_hand_that_no_damage_leaves_alive(held: int, risky: set[str]) -> None:
    s = sight(RUNNER, {"identity": "Jinteki", "rd": ["Enigma"] * 5}, {"grip": ["Sure Gamble"] * held})
    ideas = [(1.0, text) for text in ("draw", 'play "Inside Job"', 'play "Sure Gamble"', "run hq")]
    trials = search.Searcher().worth_trying(s, Question(RUNNER, "action", OneOf(()), {}), ideas)
    assert len(trials) == len(ideas)
    assert {one.text for one in trials if one.risk > 0} == risky
    assert {one.mean(0.0) for one in trials} == ({0.0, -search.DEADLY} if risky else {0.0})


def test_the_corp_knows_from_its_own_list_what_is_left_in_rd() -> None:
    deck = {"Private Security Force": 3, "Hedge Fund": 3, "Enigma": 3}
    corp = {"deck": deck, "score": ["Private Security Force"], "hq": ["Private Security Force"], "rd": ["Enigma"] * 3}
    left = sight(CORP, {**corp, "archives": ["Hedge Fund"]}, {})
    assert left.density == pytest.approx(2 / 3)
    assert left.undrawn is not None
    assert {FACTS[code].title: n for code, n in left.undrawn.items()} == {
        "Private Security Force": 1,
        "Hedge Fund": 2,
        "Enigma": 3,
    }
    all_out = sight(CORP, {**corp, "archives": ["Private Security Force"]}, {})
    assert (all_out.density, prize(all_out, "rd")) == (0.0, 0.25)


def test_a_bot_does_not_read_the_cards_of_rd() -> None:
    deck = {"Private Security Force": 3, "Hedge Fund": 3, "Enigma": 3}
    seen = [sight(CORP, {"deck": deck, "rd": [title] * 4}, {}) for title in ("Hedge Fund", "Private Security Force")]
    assert seen[0].density == seen[1].density == 6 / 4
    assert seen[0].undrawn == seen[1].undrawn


def test_the_other_sides_list_is_unknown() -> None:
    deck = {"Private Security Force": 3, "Hedge Fund": 3}
    runner = sight(RUNNER, {"deck": deck}, {"deck": {"Corroder": 2, "Diesel": 3}, "grip": ["Corroder"]})
    assert runner.t.decks[CORP] == ()
    assert runner.density == sight(RUNNER, {}, {"grip": ["Corroder"]}).density
    assert runner.undrawn == Counter({CODES["Corroder"]: 1, CODES["Diesel"]: 3})


@pytest.mark.parametrize(("list_", "kinds"), [({"Diesel": 6}, 0), ({"Corroder": 2}, 1), ({"Crypsis": 1}, 3), ({}, 3)])
def test_a_runner_looks_for_the_breakers_that_their_deck_has(list_: dict[str, int], kinds: int) -> None:
    plans = RunnerPlans(sight(RUNNER, {}, {"deck": list_}))
    assert plans.to_be_found == kinds


def test_a_breaker_breaks_only_what_ends_the_run_where_that_is_all_the_runner_can_pay() -> None:
    ice = {"servers": {"remote1": {"ice": [{"card": "Enigma", "rezzed": True}]}}}
    s = sight(RUNNER, ice, {"credits": 1, "rig": ["Gordian Blade"]})
    found = cheapest(crossings(s, s.ice("remote1")[0]), 1, 3)
    assert found is not None
    assert (found.credits, found.subs) == (1, (1,))


@pytest.mark.parametrize("level", levels("netrunner"))
def test_bots_play_decks_that_they_have_never_seen(level: str) -> None:
    rng = Rng(SEED)
    is_slow = level in ("hard", "master")
    for number in range(1 if is_slow else 4):
        stream, rng = rng.split()
        decks = decks_at_random(stream)
        assert not problems(read(decks[0]["deck"], CORP), CORP)
        most = 150 if is_slow else 3000  # decisions: the whole of a match, but for those that search
        assert len(list(islice(moments(level, decks, bytes([number]) * 32), most + 1))) <= most or is_slow


def test_hard_looks_at_no_more_positions_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []

    def counted(t: Table, steps: tuple[str, ...]) -> int:
        looked_at.append(play_until(t, steps) + 1)
        return looked_at[-1] - 1

    monkeypatch.setattr(search, "play_until", counted)
    player, most = search.Searcher(), 0
    for state, pending, _ in match("normal", 1)[::7]:
        looked_at.clear()
        player.decide(GAME.view(state, pending.seat), pending, Rng(SEED))
        most = max(most, sum(looked_at))
        assert sum(looked_at) < player.budget + player.most * (MOST_STEPS + 1)
    assert most > 100


@pytest.mark.soak
@pytest.mark.parametrize(
    ("one", "other", "at_least"), [("easy", "random", 0.90), ("normal", "easy", 0.70), ("hard", "normal", 0.58)]
)
def test_each_level_beats_the_one_below_by_the_promised_share(one: str, other: str, at_least: float) -> None:
    outcome = play(Duel("netrunner", (one, other), 240, seed=2026), jobs=2)
    assert outcome.illegal == 0
    assert outcome.standings[0].share >= at_least


@pytest.mark.soak
@pytest.mark.parametrize(
    ("one", "other", "at_least"), [("easy", "random", 0.85), ("normal", "easy", 0.65), ("hard", "normal", 0.55)]
)
def test_each_level_beats_the_one_below_with_the_ready_decks(one: str, other: str, at_least: float) -> None:
    outcome = play(Duel("netrunner", (one, other), 240, seed=2026, pairings="ready"), jobs=2)
    assert outcome.illegal == 0
    assert outcome.standings[0].share >= at_least, outcome.standings[0]


@pytest.mark.soak
def test_master_beats_hard_with_four_thousand_positions_an_action() -> None:
    outcome = play(Duel("netrunner", ("master", "hard"), 60, seed=4001, positions=4000), jobs=2)
    assert outcome.illegal == 0
    assert outcome.standings[0].share >= 0.5, outcome.standings[0]


@pytest.mark.soak
def test_each_ready_deck_wins_three_matches_of_ten_against_the_starters() -> None:
    outcome = play(Duel("netrunner", ("normal", "normal"), 504, seed=2026, pairings="ready-starters"), jobs=2)
    shares = {one.brought["deck"]: one.share for one in outcome.brought if one.brought["deck"] in READY}
    assert len(shares) == 12
    assert min(shares.values()) >= 0.30, shares


def test_each_level_beats_the_one_below_it() -> None:
    against_random = play(Duel("netrunner", ("easy", "random"), 24, seed=5))
    against_easy = play(Duel("netrunner", ("normal", "easy"), 24, seed=5))
    assert against_random.illegal == against_easy.illegal == 0
    assert against_random.standings[0].share >= 0.75
    assert against_easy.standings[0].share >= 0.5


@pytest.mark.parametrize(("corp", "runner"), MODERN)
@pytest.mark.parametrize("level", ["easy", "normal"])
def test_bots_play_decks_of_later_sets_to_the_end(level: str, corp: str, runner: str) -> None:
    brought = ({"deck": listed(corp)}, {"deck": listed(runner)})
    played = play_one(Duel("netrunner", (level, level), 1, 11, None, brought), 0)
    assert (played.illegal, sum(played.shares)) == (0, 1.0)
    assert played.plies < 3_000


@pytest.mark.parametrize("level", ["easy", "normal", "hard", "master"])
def test_a_trace_was_paid_from_the_pool_while_recurring_credits_lay_there(level: str) -> None:
    servers: Json = {"hq": {"ice": [{"card": "Data Raven", "rezzed": True}]}}
    corp: Json = {"identity": "NBN: Making News", "credits": 9, "rd": ["Hedge Fund"] * 9, "servers": servers}
    runner: Json = {"grip": ["Diesel"] * 3, "stack": ["Diesel"] * 9, "credits": 5}
    position: dict[str, Json] = {"turn": "runner", "step": "runner.1.5", "corp": corp, "runner": runner}
    table = GAME.apply(GAME.read_position(position, {}), Seat(RUNNER), Action("run hq")).state
    while GAME.pending(table)[0].prompt != "trace":
        owed = GAME.pending(table)[0]
        offered = list(expand(owed.choice))
        on = [action for action in offered if action.text in ("pass", "continue")]
        table = GAME.apply(table, owed.seat, (on or offered)[0]).state
    table = GAME.apply(table, Seat(CORP), Action("spend 3")).state
    owed = GAME.pending(table)[0]
    assert owed.prompt == "pay"
    for seed in range(8):
        said = player(level).decide(GAME.view(table, Seat(CORP)), owed, Rng(bytes([seed]) * 32))
        assert said.text == "pay identity 2 pool 1"
