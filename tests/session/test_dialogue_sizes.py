"""How much is said: a prompt, a move, a board that one enters, in each game and language."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from game.choices import expand
from server.accounts.preferences import Preferences
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, account
from tests.session.hearing import hear
from tests.session.stage import StagedMatch

MOST_WORDS, MOST_HAN = 12, 24
MOVE_BYTES = {"en": 300, "zh_CN": 600, "zh_TW": 600}
ENTERING_BYTES = 1200
MOST_EXPANDED = 500  # of the answers there are
TURNS = 60


@pytest.mark.parametrize("language", MOVE_BYTES)
@pytest.mark.parametrize("game", ["rainet", "relati", "passage", "netrunner"])
async def test_what_is_said_of_a_game_is_short(server: FakeServer, game: str, language: str) -> None:
    rng = random.Random(f"{game} {language}")
    match = server.matches.add(StagedMatch(game, (person("mira"), person("tarn"))))
    server.prefer("mira", Preferences(calibrated=True, language=language))
    hearer = await hear(server, account("mira"), edits=False)
    await hearer.line("quiet")
    before = len(hearer.said.sent)
    server.tell("m1")
    await hearer.settle()
    assert len(hearer.said.sent[before:].encode()) <= ENTERING_BYTES, hearer.said.sent[before:]
    for _ in range(TURNS):
        owed = next(iter(match.rules.pending(match.state)), None)
        if owed is None:
            break
        action = rng.choice(list(islice(expand(owed.choice), MOST_EXPANDED))).text
        if owed.seat == 1:
            match.play(1, action)
            await hearer.settle()
        else:
            said = await hearer.line(action)
            if said.count("> ") == 1 and match.last_act(owed.seat) != match.seq:
                said = await hearer.line(f"{action} yes")
            assert match.last_act(owed.seat) == match.seq, (action, said)
            assert len(said.encode()) <= MOVE_BYTES[language], said
        prompt = hearer.prompt
        is_short = len(prompt.split()) <= MOST_WORDS if language == "en" else len(prompt) <= MOST_HAN
        assert is_short, prompt
    assert match.seq > 3
