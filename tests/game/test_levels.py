"""The ratings of levels: from the duels of neighbours, which are kept with the commands that repeat them."""

from __future__ import annotations

import shlex
from itertools import pairwise

import pytest

from game import registry
from game.__main__ import COMMANDS, main
from game.cli.commandline import read
from game.cli.duels import read_duel
from game.levels import ANCHOR, ANCHOR_RATING, LevelDuel, kept_duels, kept_ratings, measure, rated

LEVELS = ("easy", "normal", "hard", "master")


def won(weaker: str, stronger: str, share: float, matches: int = 100) -> LevelDuel:
    return LevelDuel(weaker, stronger, matches, share, "")


def test_levels_are_rated_from_the_anchor_upwards_and_downwards() -> None:
    found = rated(LEVELS, [won("easy", "normal", 0.8), won("normal", "hard", 0.7), won("hard", "master", 0.5)])
    assert found[ANCHOR].rating == found[ANCHOR].low == found[ANCHOR].high == ANCHOR_RATING
    assert found["easy"].rating < ANCHOR_RATING < found["hard"].rating == found["master"].rating
    widths = [found[level].high - found[level].low for level in ("hard", "master")]
    assert widths[0] < widths[1], "what is farther from the anchor is known less well"


def test_who_won_all_is_not_infinitely_better_and_more_matches_tell_more() -> None:
    few, many = (rated(LEVELS[:2], [won("easy", "normal", 1.0, n)])["easy"].rating for n in (10, 1000))
    assert 0 < ANCHOR_RATING - few < ANCHOR_RATING - many


def test_a_level_that_no_duel_links_with_the_anchor_is_not_rated() -> None:
    assert set(rated(LEVELS, [won("easy", "normal", 0.8), won("hard", "master", 0.7)])) == {"easy", "normal"}


@pytest.mark.parametrize("key", ["netrunner", "passage", "rainet", "relati"])
def test_every_game_keeps_duels_of_levels_with_the_next_and_the_commands_that_repeat_them(key: str) -> None:
    neighbours, duels = list(pairwise(registry.levels(key))), kept_duels(key)
    assert neighbours[0] in [(one.weaker, one.stronger) for one in duels]
    for one in duels:
        assert (one.weaker, one.stronger) in neighbours
        words = shlex.split(one.command)
        assert words[:4] == ["python", "-m", "game", "duel"]
        asked = read_duel(registry.get(key), read(COMMANDS["duel"].syntax, words[4:]))
        assert (set(asked.bots), asked.matches) == ({one.weaker, one.stronger}, one.matches)
        assert 0.5 < one.share <= 1
    ratings = [one.rating for one in kept_ratings(key).values()]
    assert ratings == sorted(ratings)


def test_measuring_plays_each_level_against_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "levels", lambda key: ("random", "easy"))
    [duel] = measure("rainet", 2, seed=3)
    assert (duel.weaker, duel.stronger, duel.matches) == ("random", "easy", 2)
    assert duel.command == "python -m game duel rainet --bots random,easy --matches 2 --seed 3"


def test_the_command_prints_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["levels", "rainet"]) == 0
    said = capsys.readouterr().out
    assert f"{ANCHOR:8} {ANCHOR_RATING:5}  the anchor" in said
    assert kept_duels("rainet")[0].command in said
