"""The parser that every command line shares."""

from __future__ import annotations

import pytest

from game.cli.commandline import JSON, Command, CommandLine, CommandOption, CommandTable, HelpAsked, Syntax, read
from game.errors import BadNotation

WHY = CommandOption("why", "TEXT", is_required=True, is_phrase=True)
BAN = Syntax(("whom",), (CommandOption("for", "3d"), WHY))
MANY = Syntax(
    ("game", "action…?"), (CommandOption("option", "NAME=VALUE", is_repeatable=True), CommandOption("as", "SEAT"), JSON)
)


def test_words_options_and_flags_are_told_apart() -> None:
    line = read(MANY, ["tiny", "--option", "a=1", "-c2", "--json", "--option=b=2", "--", "--c3"])
    assert line == CommandLine(("tiny", "-c2", "--c3"), {"option": ("a=1", "b=2")}, frozenset(("json",)))
    assert (line.word(1), line.word(9), line.one("option"), line.one("as")) == ("-c2", None, "a=1", None)


@pytest.mark.parametrize(
    "line",
    [
        "tarn --why rude words --for 3d",
        "tarn --for=3d --why=rude words",
        "--why rude words --for 3d tarn",
        "--for 3d --why rude words tarn",
        "--for 3d --why rude words -- tarn",
    ],
)
def test_a_phrase_takes_every_word_up_to_the_next_option(line: str) -> None:
    found = read(BAN, line.split())
    assert (found.words, found.one("why"), found.one("for")) == (("tarn",), "rude words", "3d")


def test_a_phrase_may_hold_what_looks_like_an_option() -> None:
    assert read(BAN, ["tarn", "--why", "typed", "--help", "twice"]).one("why") == "typed --help twice"


@pytest.mark.parametrize("line", ["--help", "-h", "tarn --help", "--for 3d --help", "tarn mira more --help"])
def test_help_is_asked_for_where_an_option_may_stand(line: str) -> None:
    with pytest.raises(HelpAsked):
        read(BAN, line.split())


def test_a_word_may_be_called_like_help() -> None:
    words = Syntax(("word…",))
    assert read(words, ["--", "--help"]).words == ("--help",)
    assert read(words, ["say", "-h"]).words == ("say", "-h")


@pytest.mark.parametrize(
    ("syntax", "line", "key"),
    [
        (BAN, "--why onlyone", "usage.missing"),
        (BAN, "tarn", "usage.missing"),
        (BAN, "tarn --why", "usage.value"),
        (BAN, "tarn --why x --for", "usage.value"),
        (BAN, "tarn mira --why x", "usage.words"),
        (BAN, "tarn --for 1d --for 2d --why x", "usage.twice"),
        (BAN, "tarn --json --why x", "usage.option"),
        (MANY, "tiny --json=1", "usage.option"),
        (MANY, "tiny --=x", "usage.option"),
        (MANY, "", "usage.missing"),
    ],
)
def test_what_a_command_does_not_take_is_refused_by_key(syntax: Syntax, line: str, key: str) -> None:
    with pytest.raises(BadNotation) as refused:
        read(syntax, line.split())
    assert refused.value.key == key


@pytest.mark.parametrize("text", ["-1", "1_0", "\u0663", "9", "0", "99999999999999999999", ""])
def test_a_number_has_its_bounds(text: str) -> None:
    line = CommandLine(options={"limit": (text,)})
    with pytest.raises(BadNotation):
        line.number("limit", 5, low=1, high=8)
    assert CommandLine().number("limit", 5) == 5
    with pytest.raises(BadNotation):
        CommandLine().number("limit", None)


def test_the_first_word_may_end_the_options() -> None:
    line = read(
        Syntax(("act…",), (CommandOption("port", "X"),), ends_options=True), ["--port", "1", "ban", "--why", "x"]
    )
    assert (line.words, line.one("port")) == (("ban", "--why", "x"), "1")


def test_a_synopsis_says_what_may_be_left_out() -> None:
    assert BAN.synopsis == "WHOM [--for 3d] --why TEXT"
    assert MANY.synopsis == "GAME [ACTION …] [--option NAME=VALUE]… [--as SEAT] [--json]"


def test_of_commands_with_one_first_word_the_default_needs_no_second() -> None:
    """`keys` alone was refused, though it can mean but one thing."""
    lists = Command("keys list", Syntax(options=(JSON,)), "", None, is_default=True)
    table = CommandTable((lists, Command("keys add", Syntax(("line…?",)), "", None)))
    assert lists.synopsis == "keys [list] [--json]"
    for line in ("keys", "keys list"):
        assert table.read(line.split()) == (lists, CommandLine())
    assert table.read(["keys", "--json"]) == (lists, CommandLine(flags=frozenset(("json",))))
    assert table.read(["keys", "add"])[0].name == "keys add"
    with pytest.raises(BadNotation) as refused:
        table.read(["keys", "ad"])
    assert refused.value.key == "usage.choice"
    with pytest.raises(HelpAsked):
        table.read(["keys", "--help"])
