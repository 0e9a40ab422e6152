"""Everything as a dialogue, through the OpenSSH client: over a plain pipe, and on a terminal without a cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pexpect
import pytest

from tests.ssh.dialogue import Dialogue, dialogue, moves_in
from tests.ssh.server import Server, running
from tests.texts import en

MOST_LINES = 1_000


SETTINGS = ("auto ", "want ", "hush", "pay-by-hand")  # what the house is told to do: no action


async def say_moves(player: Dialogue, rng: Random) -> list[str]:
    """Return the actions that may be taken now: those that are said, else those of one kind that is only counted."""
    said = await player.type("moves notation")
    counted = re.findall(r"^moves ([0-9]+): .*\n", said, re.MULTILINE)
    whole = (
        moves_in(re.sub(r"^moves [0-9]+: .*\n", "", said, flags=re.MULTILINE), rng) if counted else moves_in(said, rng)
    )
    actions = [one for one in whole if not one.startswith(SETTINGS)]
    if actions or not counted:
        return actions
    return moves_in(await player.type(f"moves {rng.choice(counted)} notation"), rng)


async def play_to_its_end(player: Dialogue, rng: Random) -> str:
    """Play whatever is said to be possible; return what was said at the end."""
    over, waits = en("lines.prompt.over"), en("lines.prompt.waiting").casefold()
    places = en("rainet.say.wait-setup", name="").strip(" .")
    for _ in range(MOST_LINES):
        if player.prompt.startswith(over):
            break
        if player.prompt.casefold().startswith(waits) or places in player.prompt:
            await player.read()  # until others have moved
            continue
        found = await say_moves(player, rng)
        if not found:  # asked just before they had
            continue
        said = await player.type(action := rng.choice(found))
        if en("lines.answer-word", word=action) in said:
            said = await player.type(f"{action} yes")
    return player.heard


@pytest.mark.parametrize("game", ["RaiNet", "Relati", "Passage", "Netrunner"])
async def test_a_game_is_played_to_its_end_by_who_reads_only_the_text(server: Server, game: str) -> None:
    rng = Random(3)
    async with dialogue(server) as player:
        await player.read()
        await player.type("bot")
        for _ in range(8):
            if game in (await player.type("again")).split(en("form.level"))[0].split(en("form.game"))[1]:
                break
            await player.type("1")
        await player.type("accept")
        heard = await play_to_its_end(player, rng)
        assert player.prompt.startswith(en("lines.prompt.over")), heard[-2000:]
        assert await player.type("board")
        assert await player.close() == 0, "the end of the input leaves as quit does"


async def test_what_is_said_is_plain_and_only_a_prompt_ends_as_one(server: Server) -> None:
    async with dialogue(server) as player:
        await player.read()
        for line in ("help", "say a >", "people", "help", "back", "me", "back", "nonsense", "", "99"):
            await player.type(line)
        lines = player.heard.split("\n")
        assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f─-⣿]", player.heard) is None
        assert all(len(line) <= 120 for line in lines)
        assert max(line.count("> ") for line in lines) == 1


def test_a_dumb_terminal_gets_lines_with_an_editor_and_no_control_sequence(server: Server) -> None:
    """TERM=dumb got the screens, of which it showed every sequence as text; then a refusal."""
    first, *words = server.command()
    child: pexpect.spawn[bytes] = pexpect.spawn(
        first, words, timeout=60, env={"TERM": "dumb", "PATH": "/usr/bin:/bin"}, dimensions=(24, 80)
    )
    child.expect_exact("Lobby> ")
    assert b"\x1b" not in (child.before or b"\x1b")
    child.send("hexp")
    child.expect_exact("hexp")
    child.send("\b\b")
    child.expect_exact("\b \b\b \b")
    child.send("lp\r")
    child.expect_exact("lp\r\n")
    child.expect_exact(en("lines.help.quit").split(";")[0])
    child.expect_exact("> ")
    child.send("quit\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("lines")) as made:
        yield made
