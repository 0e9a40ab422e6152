"""What commands say to people: in the language of their settings, and of events what they are about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.contract import Seat
from server.i18n.catalogues import catalogue
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.matches.model import MatchQuery, MatchSummary
from server.sanitize import columns
from server.ssh.call import Call
from server.ssh.commands import events as commands
from server.ssh.commands.all import TABLE
from server.ssh.commands.table import about_key
from tests.clocks import FakeClock
from tests.lobby.conftest import clock, url
from tests.matches.table import EASY, MIRA, TARN
from tests.ssh.commands import Commands, open_commands, person

__all__ = ["clock", "url"]


async def speak(here: Commands, language: str) -> None:
    accounts = here.services.accounts
    await accounts.change_preferences(MIRA.account_id or 0, lambda kept: replace(kept, language=language))


async def test_commands_spoke_another_language_than_the_one_chosen_in_the_settings(url: str, clock: FakeClock) -> None:
    async with open_commands(url, clock) as here:
        said = {}
        for language in ("", "zh_TW", "zh_CN"):
            await speak(here, language)
            for line in ("help nothing", "history", "games --open", "nothing", "events --after x"):
                _, out, err = await here.ssh(person(MIRA), line)
                said[line, language] = out + err
        for line in ("help nothing", "history", "games --open", "nothing", "events --after x"):
            assert len({said[line, language] for language in ("", "zh_TW", "zh_CN")}) == 3, line
        plain = [(await here.ssh(person(MIRA), line))[1] for line in ("version --json", "games --json")]
        await speak(here, "zh_TW")
        assert [(await here.ssh(person(MIRA), line))[1] for line in ("version --json", "games --json")] == plain


@pytest.mark.parametrize(
    ("env", "kept", "language"),
    [
        ({}, "", "en"),
        ({"LANG": "zh_TW.UTF-8"}, "", "zh_TW"),
        ({"LANG": "zh_TW.UTF-8"}, "zh_CN", "zh_CN"),
        ({"LANG": "zh_TW.UTF-8"}, "en", "en"),
        ({"LANG": "C"}, "zh_CN", "en"),
    ],
)
def test_the_settings_come_before_the_environment_where_it_speaks_utf8(
    env: dict[str, str], kept: str, language: str
) -> None:
    call = Call(person(MIRA), "help", env, None, None, None, "", None)  # type: ignore[arg-type]
    call.speak(kept)
    assert call.language == language


async def test_events_said_the_same_of_every_match(url: str, clock: FakeClock) -> None:
    async with open_commands(url, clock) as here:
        first = await here.table.begin(MIRA, TARN, game="rainet")
        second = await here.table.begin(MIRA, EASY, game="relati")
        await second.resign(Seat(0))
        settings = RoomSettings(Agreement("passage", private=True))
        await here.services.lobby.challenges.leave(TARN, "mira", settings)
        _, out, _ = await here.ssh(person(MIRA), "events")
        words = catalogue("en").t
        rows = [row.partition("UTC  ")[2] for row in out.splitlines()]
        game, names = words("game.rainet"), TARN.name
        assert words("events.my_turn.named", game=game, names=names, match=first.id) in rows
        assert words("events.challenge.game", who=TARN.name, game=words("game.passage")) in rows
        assert any(words("game.relati") in row and second.id in row for row in rows)
        await speak(here, "zh_CN")
        _, chinese, _ = await here.ssh(person(MIRA), "events")
        chinese_words = catalogue("zh_CN").t
        game = chinese_words("game.rainet")
        assert chinese_words("events.my_turn.named", game=game, names=names, match=first.id) in chinese


async def test_an_invitation_to_a_room_named_no_game_among_the_events(url: str, clock: FakeClock) -> None:
    """It was looked for at the time when the room was opened."""
    async with open_commands(url, clock) as here:
        rooms, challenges = here.services.lobby.rooms, here.services.lobby.challenges
        room = await rooms.create(TARN, RoomSettings(Agreement("passage")), "tarn-1")
        here.table.skip(60)
        await challenges.invite(TARN, "mira", room)
        _, out, _ = await here.ssh(person(MIRA), "events")
        words = catalogue("en").t
        assert words("events.invitation.game", who=TARN.name, game=words("game.passage")) in out


async def test_each_event_of_an_older_match_read_all_matches_again(
    url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who had played 700 matches kept the server busy for 20 s with one command, and could give it again and again."""
    monkeypatch.setattr(commands, "MATCHES_LOOKED_AT", 1)
    async with open_commands(url, clock) as here:
        begun = [await here.table.begin(MIRA, TARN, game="rainet") for _ in range(4)]
        here.table.skip(60)
        matches, looks = here.services.matches, list[object]()
        read = matches.list

        async def counted(query: MatchQuery) -> list[MatchSummary]:
            looks.append(query)
            return await read(query)

        monkeypatch.setattr(matches, "list", counted)
        _, out, _ = await here.ssh(person(MIRA), "events")
        assert all(match.id in out for match in begun)
        assert len(looks) == 1


def test_what_a_command_does_is_said_in_english_as_in_its_help() -> None:
    texts = catalogue("en")
    assert {name: texts.t(about_key(row)).replace("’", "'") for name, row in TABLE.items()} == {
        name: row.about for name, row in TABLE.items()
    }


async def test_the_list_of_commands_was_in_english_in_every_language(url: str, clock: FakeClock) -> None:
    async with open_commands(url, clock) as here:
        for language in ("zh_TW", "zh_CN"):
            await speak(here, language)
            _, out, _ = await here.ssh(person(MIRA), "help")
            words = catalogue(language).t
            said = [words(about_key(row)) for row in TABLE.values() if not row.staff]
            assert [one for one in said if one not in out] == []
            assert max(columns(row) for row in out.splitlines()) <= 80


@pytest.mark.parametrize("line", ["help top", "top --help", "keys --help"])
async def test_help_with_one_command_was_in_english_in_every_language(url: str, clock: FakeClock, line: str) -> None:
    async with open_commands(url, clock) as here:
        for language in ("en", "zh_TW", "zh_CN"):
            await speak(here, language)
            _, out, _ = await here.ssh(person(MIRA), line)
            row = TABLE["keys link" if "keys" in line else "top"]
            assert catalogue(language).t(about_key(row)) in out
