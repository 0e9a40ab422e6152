"""What built-in players make of the later cards: from the entries, not from lists of titles."""

from __future__ import annotations

from typing import Any

import pytest

from game.contract import Action, Pending, Seat
from game.netrunner.bots.choosing import on_corp
from game.netrunner.bots.corp import CorpPlans
from game.netrunner.bots.crossing import breaker_strength, cheapest, crossings, ice_strength, subs_of
from game.netrunner.bots.greedy import greedy_runner
from game.netrunner.bots.players import question
from game.netrunner.bots.runner import RunnerPlans
from game.netrunner.bots.sight import Sight
from game.netrunner.bots.tables import BREAKERS, NEVER, RUN_CARDS
from game.netrunner.cards import ENTRIES, WORTHS
from game.netrunner.decks import READY, STARTERS
from game.netrunner.determinize import likely_deck
from game.netrunner.facts import CODES, CORP, FACTS, RUNNER, title
from game.netrunner.rules import GAME
from game.netrunner.table import Table
from game.registry import bots, levels
from game.rng import Rng
from tests.netrunner.cards.scenes import corp
from tests.netrunner.table import Play

SEED = bytes(32)
IN_REMOTE = {"remote1": {"ice": [{"card": "Enigma", "rezzed": True}]}}


def sight(play: Play, seat: int) -> Sight:
    """Return what a bot of this seat sees of a position."""
    return Sight(Table(GAME.view(play.state, Seat(seat)).scene), seat)


def answer(play: Play, level: str = "normal") -> tuple[Pending, str]:
    """Return what is asked, and what a bot answers."""
    pending = GAME.pending(play.state)[0]
    return pending, bots("netrunner")[level].decide(GAME.view(play.state, pending.seat), pending, Rng(SEED)).text


def test_every_later_card_has_a_worth_beside_its_entry_or_is_reckoned_from_it() -> None:
    reckoned = ("ice", "agenda", "identity")
    later = [code for code in ENTRIES if FACTS[code].pack != "core" and FACTS[code].type not in reckoned]
    missing = [code for code in later if code not in WORTHS and code not in BREAKERS and code not in RUN_CARDS]
    assert [title(code) for code in missing] == ["Fall Guy"]  # it is used where something would be lost
    assert not [code for code in WORTHS if FACTS[code].type in reckoned or code in BREAKERS]


@pytest.mark.parametrize("level", levels("netrunner"))
def test_a_bot_corp_plays_on_against_cards_that_lie_facedown_in_the_rig(level: str) -> None:
    """It looked up what was printed on them, which it can't know."""
    play = Play({"hq": ["Enigma", "Hedge Fund"]}, {"rig": [{"card": "Corroder", "facedown": True}]})
    assert answer(play, level)[0].seat == CORP
    assert sight(play, CORP).rig == []


def test_what_earns_each_turn_is_rezzed_before_it_begins() -> None:
    """Only PAD Campaign and Adonis Campaign were."""
    servers = {"remote1": {"root": ["Drudge Work"]}}
    play = Play({"credits": 9, "clicks": 0, "servers": servers}, turn="runner", step="runner.1.3")
    play.until('rez root:remote1:"Drudge Work"')
    assert answer(play)[1].startswith("rez root:remote1")


def test_credits_that_were_put_by_are_taken_in_time() -> None:
    """Bankroll was never used."""
    for hosted, taken in ((2, False), (6, True)):
        rig = [{"card": "Bankroll", "counters": {"credit": hosted}}]
        play = Play({}, {"credits": 5, "clicks": 4, "rig": rig}, turn="runner", step="runner.1.3")
        play.until('use rig:"Bankroll" 0')
        assert (answer(play)[1] == 'use rig:"Bankroll" 0') is taken


def test_the_strength_of_a_breaker_counts_what_it_takes_from_itself() -> None:
    """Cradle was taken for 5 whatever was in the grip."""
    for cards in (0, 3):
        s = sight(Play({}, {"rig": ["Cradle"], "grip": ["Sure Gamble"] * cards}), RUNNER)
        assert breaker_strength(s, s.breakers[0]) == 5 - cards


def test_ice_that_is_strong_on_the_turn_it_is_rezzed_is_reckoned_so() -> None:
    servers = {"rd": {"ice": ["Gatekeeper"]}, "hq": {"ice": [{"card": "Gatekeeper", "rezzed": True}]}}
    s = sight(Play({"servers": servers}), CORP)
    assert [ice_strength(s, s.ice(server)[0]) for server in ("rd", "hq")] == [6, 0]


def test_subroutines_that_ice_has_gained_are_counted_where_they_stand() -> None:
    """The one that ends the run was looked for in the place of another one."""
    corp = {
        "archives": [{"card": "Hedge Fund", "faceup": True}] * 4,
        "servers": {"rd": {"ice": [{"card": "Blockchain", "rezzed": True}]}},
    }
    s = sight(Play(corp, {"credits": 2, "rig": ["Tycoon"]}), RUNNER)
    subs = subs_of(s, s.ice("rd")[0])
    assert [sub.ends for sub in subs] == [False, False, False, True]
    s = sight(Play(corp, {"credits": 6, "rig": ["Corroder"]}), RUNNER)
    found = cheapest(crossings(s, s.ice("rd")[0]), 3, 4)
    assert found is not None
    assert found.subs == (3,)


def test_a_breaker_that_must_lie_on_its_ice_is_moved_there_first() -> None:
    """Ika was taken for a breaker that weakens ice, and never broke anything."""
    servers = {"rd": {"ice": [{"card": "Rototurret", "rezzed": True}]}}
    play = Play({"servers": servers}, {"credits": 9, "rig": ["Ika"], "clicks": 3}, turn="runner")
    s = sight(play, RUNNER)
    found = cheapest(crossings(s, s.ice("rd")[0]), 9, 3)
    assert found is not None
    assert found.credits == 3, "two to move, one to break"
    play.do("run rd")
    said = []
    while play.state.run is not None:
        pending, text = answer(play)
        said += [text] if pending.seat == RUNNER and text != "pass" else []
        play.state = GAME.apply(play.state, pending.seat, Action(text)).state
    assert said[:3] == ['use rig:"Ika" 0', "choose ice:rd:0", "use hosted:ice:rd:0:0 1"]


def test_an_event_with_a_plain_run_is_weighed_with_what_it_brings() -> None:
    """Hot Pursuit and Divide and Conquer stayed in the hand."""
    open_ = Play({"hq": ["Enigma"] * 3}, {"credits": 4, "grip": ["Hot Pursuit", "Divide and Conquer"]}, turn="runner")
    plans = RunnerPlans(sight(open_, RUNNER))
    assert plans.play(CODES["Hot Pursuit"]) > plans.run("hq") > 0
    assert plans.play(CODES["Divide and Conquer"]) > plans.run("archives")
    assert plans.run_event("Hot Pursuit", "rd") <= NEVER


def test_what_a_card_gives_for_the_first_success_of_a_turn_is_not_expected_again() -> None:
    """Gabriel Santiago's two credits were counted for every run on HQ."""
    gabriel = {"identity": "Gabriel Santiago: Consummate Professional"}
    before, after = (Play({}, gabriel, turn="runner", this_turn=facts) for facts in ([], ["success:hq"]))
    assert RunnerPlans(sight(before, RUNNER)).bonus("hq") == 2.0
    assert RunnerPlans(sight(after, RUNNER)).bonus("hq") == 0.0


def test_the_corp_hands_no_agenda_over_to_be_accessed() -> None:
    servers = {
        "remote1": {"root": ["Priority Requisition"]},
        "remote2": {"root": ["Snare!"]},
        "remote3": {"root": ["SIU"]},
    }
    play = Play({"credits": 5, "hq": ["Hangeki"], "servers": servers}, {}, last_turn=["trashed_corp_card"])
    play.do('play "Hangeki"')
    s, q = sight(play, CORP), question(GAME.pending(play.state)[0])
    worths = [on_corp(s, q, s.root(f"remote{n}")[0]) for n in (1, 2, 3)]
    assert worths[0] < 0 < worths[2] < worths[1]


def test_saraswati_installs_and_advances_at_once() -> None:
    corp: dict[str, Any] = {
        "identity": "Saraswati Mnemonics: Endless Exploration",
        "credits": 8,
        "hq": ["Nisei MK II", "Hedge Fund"],
        "servers": {"remote1": {"ice": [{"card": "Wall of Thorns", "rezzed": True}]}},
    }
    plans = CorpPlans(sight(Play(corp), CORP))
    assert plans.worth(["use", "identity", "0"]) > plans.worth(["install", '"Nisei MK II"', "remote1"])


def test_easy_draws_before_it_runs_into_net_damage() -> None:
    """Three cards were enough for it against Neural Katana; a random Corp killed it in one match of six."""
    for identity, runs in (("Jinteki: Personal Evolution", False), ("NBN: Making News", True)):
        play = Play({"identity": identity, "hq": ["Enigma"] * 5}, {"grip": ["Sure Gamble"] * 3}, turn="runner")
        s = sight(play, RUNNER)
        assert (greedy_runner(s, ["run", "hq"]) > NEVER) is runs


def test_what_an_opponent_plays_is_guessed_from_what_was_seen_of_it() -> None:
    """Decks of later sets were dealt from all cards of the side, in the order of their codes."""
    haas = STARTERS["haas-bioroid"].identity
    assert likely_deck(haas, frozenset()) == STARTERS["haas-bioroid"].codes()
    assert likely_deck(haas, frozenset({CODES["Meridian"]})) == READY["engineering"].codes()
    assert likely_deck(CODES["Liza Talking Thunder"], frozenset()) == READY["liza"].codes()


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_no_bad_publicity_is_taken_for_a_connection_that_is_not_there(level: str) -> None:
    play = corp("Under the Bus", last_turn=["accessed"])
    assert play.offers('play "Under the Bus"')
    assert "Under the Bus" not in answer(play, level)[1]


@pytest.mark.parametrize("level", levels("netrunner"))
@pytest.mark.parametrize(
    ("held", "identity", "score", "said"),
    [
        (3, "Jinteki: Personal Evolution", [], "leave"),  # four net damage to steal it
        (4, "Jinteki: Personal Evolution", [], "leave"),  # and one more for having stolen
        (5, "Jinteki: Personal Evolution", [], "steal"),
        (4, "Jinteki: Personal Evolution", ["Priority Requisition", "Hostile Takeover"], "steal"),  # it wins
        (4, "NBN: Making News", [], "steal"),
        (3, "NBN: Making News", ["Priority Requisition", "Hostile Takeover"], "leave"),
    ],
)
def test_a_bot_stole_at_a_price_in_damage_that_flatlined_it(
    level: str, held: int, identity: str, score: list[str], said: str
) -> None:
    """It paid four net damage with three cards in hand."""
    corp = {"rd": ["Obokata Protocol", "Enigma"], "identity": identity}
    runner = {"grip": ["Diesel"] * held, "score": score}
    play = Play(corp, runner, step="run.5.5", run={"server": "rd"}).do("access next")
    assert answer(play, level)[1] == said
