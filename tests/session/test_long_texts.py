"""Texts that are longer than there is room for: the field stops and says so, and nothing is cut in silence."""

from __future__ import annotations

import pytest

from server.accounts.preferences import Preferences
from server.errors import Refused
from server.sanitize import clean_whole
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, Seated, account, new_key
from tests.session.hearing import hear
from tests.texts import en

MOST = 300  # characters of a chat line


async def in_chat(server: FakeServer, text: str) -> Seated:
    """Begin to type something in the lobby's chat."""
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"))
    await seated.type("tab", text)
    return seated


def said(server: FakeServer) -> list[str]:
    return [line.text for line in server.chat.recent("lobby")]


async def test_a_line_of_the_chat_was_cut_without_a_word(server: FakeServer) -> None:
    seated = await in_chat(server, "x" * (MOST - 21))
    assert f"/{MOST}" not in seated.text
    await seated.type("x")
    assert f" {MOST - 20}/{MOST}" in seated.text
    await seated.type("x" * 20)
    assert f" {MOST}/{MOST}" in seated.text
    assert not seated.says("field.full", most=MOST)
    await seated.type("y")
    assert seated.says("field.full", most=MOST)
    await seated.type("backspace")
    assert not seated.says("field.full", most=MOST), "there is room again"
    await seated.type("z", "enter")
    assert said(server) == ["x" * (MOST - 1) + "z"]


async def test_a_pasted_text_was_cut_without_a_word(server: FakeServer) -> None:
    seated = await in_chat(server, "hello ")
    await seated.type("\x1b[200~" + "x" * MOST + "\x1b[201~")
    assert seated.says("field.cut", most=MOST)
    await seated.type("enter")
    assert said(server) == ["hello " + "x" * (MOST - 6)]


async def test_in_lines_a_long_text_was_cut_and_sent(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"), True)
    answer = await hearer.type(f"chat {'x' * (MOST + 1)}\r")
    assert en("field.too-long", n=MOST + 1, most=MOST) in " ".join(answer.split())
    assert said(server) == []
    await hearer.type(f"chat {'x' * MOST}\r")
    assert said(server) == ["x" * MOST]


def test_a_text_of_a_command_was_cut_without_a_word() -> None:
    assert clean_whole(" a\x07b  ", 3) == "ab"
    assert clean_whole("雷" * 400, 400) == "雷" * 400
    with pytest.raises(Refused) as refused:
        clean_whole("x" * 401, 400)
    assert (refused.value.key, refused.value.params) == ("text.too-long", {"n": 401, "most": 400})


async def test_a_handle_that_was_too_long_was_cut_without_a_word(server: FakeServer) -> None:
    seated = await server.connect(new_key())
    await seated.type(*"a" * 16)
    assert not seated.says("field.full", most=16)
    await seated.type("a")
    assert seated.says("field.full", most=16)
    await seated.type("backspace")
    assert not seated.says("field.full", most=16)


async def test_a_long_line_of_the_chat_went_on_as_if_another_said_it(server: FakeServer) -> None:
    """The second line began with the writer's own words: `tarn says: …`, or what the server says."""
    hearer = await hear(server, account("mira"), True)
    await server.connect(account("zoe"))
    forged = en("lines.wrote", name="tarn", text="I resign")
    await server.chat.say("lobby", person("zoe"), f"{'x' * 67} {forged}")  # so the first of 80 columns ends before it
    lines = (await hearer.line("")).splitlines()
    assert f"  {forged}" in lines
    assert forged not in lines
    await hearer.hang_up()
