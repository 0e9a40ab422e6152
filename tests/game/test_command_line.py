"""`python -m game`: what it prints, and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from game.__main__ import COMMANDS, main
from game.contract import Json
from tests.conformance.tiny.rules import GAME
from tests.golden.released.written import FOLDER as RELEASED

OPENING = "lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0"
BOOSTED = "lvl2vlv/3lv3/8/8/8/8/3VL*3/VLV2LVL S CF4/bcf4 -/- -/- 0"
TINY = {"players": 3, "hands": [["1", "veto"], ["2"], ["6"]], "deck": ["3", "4", "5", "6", "6"], "prize": "cards"}


class Cli:
    """Runs commands in this process, and remembers what the last one wrote."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture
        self.err = ""

    def __call__(self, *words: str, code: int = 0) -> str:
        """Run a command that must end with this exit code; return its stdout."""
        got = main(words)
        out, self.err = self.capture.readouterr()
        assert got == code, (out, self.err)
        return out

    def json(self, *words: str, code: int = 0) -> Any:
        """Run a command with --json and return the one object it prints."""
        return json.loads(self(*words, "--json", code=code))


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capsys)


def test_list_names_every_game(cli: Cli) -> None:
    lines = cli("list").splitlines()
    assert any(line.startswith("rainet 2 players") for line in lines)
    assert any(line.startswith("tiny 2-6 players") for line in lines)
    rows = [json.loads(line) for line in cli("list", "--json").splitlines()]
    tiny = next(row for row in rows if row["game"] == "tiny")
    assert (tiny["v"], tiny["type"], tiny["players"]) == (1, "game", [2, 3, 4, 5, 6])
    assert {"name": "lives", "kind": "number", "default": 2, "low": 1, "high": 3} in tiny["options"]


def test_rules_of_an_older_version_are_asked_with_every_command(cli: Cli, tmp_path: Path) -> None:
    """What is written down is read under the newest rules unless the version is said (Netrunner §6)."""
    rows = [json.loads(line) for line in cli("list", "--json", "--rules-version", "2").splitlines()]
    assert [(row["game"], row["rules_version"]) for row in rows if row["game"] == "netrunner"] == [("netrunner", 2)]
    campaigns = {"remote1": {"root": ["PAD Campaign"]}, "remote2": {"root": ["PAD Campaign"]}}
    position = json.dumps({"corp": {"credits": 20, "servers": campaigns}, "runner": {"rig": ["Fall Guy"]}})
    played = ("netrunner", "--position", position, "credit", "rez root:remote1:0", "pass", "pass")
    assert cli.json("apply", *played)["to_act"] == [{"seat": 0, "prompt": "window", "window": "paid-ability"}]
    assert cli.json("apply", "--rules-version", "1", *played)["to_act"][0]["prompt"] == "action"
    for command in (("legal",), ("view", "--as", "corp"), ("perft", "--depth", "1")):
        cli(*command, "netrunner", "--position", position, "--rules-version", "1")
        cli(*command, "netrunner", "--position", position, "--rules-version", "99", code=2)
    duel = ("duel", "netrunner", "--bots", "random,random", "--matches", "2", "--jobs", "1")
    assert cli(*duel, "--rules-version", "1") != cli(*duel)
    assert cli(*duel, "--rules-version", "2") == cli(*duel)


def test_a_record_is_played_under_its_own_rules_unless_others_are_named(cli: Cli) -> None:
    record = str(RELEASED / "netrunner" / "1" / "list-anarch.jsonl")
    assert cli("replay", record).startswith("agrees\n")
    assert cli("replay", record, "--rules-version", "1").startswith("agrees\n")
    assert cli("replay", record, "--rules-version", "2", code=1).startswith("differs\n")
    cli("replay", record, "--rules-version", "99", code=2)
    cli("replay", record, "--rules-version", "0", code=2)


def test_legal_lists_what_each_seat_may_do(cli: Cli) -> None:
    said = cli.json("legal", "tiny", "--position", json.dumps(TINY))
    assert said == {
        "v": 1,
        "type": "legal",
        "legal": [
            {"seat": 0, "choice": {"one_of": ["bid 1", "bid veto"]}},
            {"seat": 1, "choice": {"one_of": ["bid 2"]}},
            {"seat": 2, "choice": {"one_of": ["bid 6"]}},
        ],
    }
    assert cli.json("legal", "tiny", "--position", json.dumps(TINY), "--as", "B")["legal"] == said["legal"][1:2]
    assert cli("legal", "tiny", "--position", json.dumps(TINY), "--as", "0") == "A:bid 1\nA:bid veto\n"


def test_other_choices_are_told_by_their_shape(cli: Cli) -> None:
    bids = ("0:bid 1", "1:bid 2", "2:bid 6")
    taking = cli.json("apply", "tiny", "--position", json.dumps(TINY), *bids, "0:pass")["position"]
    assert cli.json("legal", "tiny", "--position", json.dumps(taking))["legal"] == [
        {"seat": 2, "choice": {"number": {"verb": "take", "low": 0, "high": 3}}}
    ]
    assert cli("legal", "tiny", "--position", json.dumps(taking)) == "C:take N (N from 0 to 3)\n"
    swap = json.dumps({**TINY, "prize": "swap", "hands": [["1", "veto"], ["2"], ["6", "5", "5"]]})
    swapping = cli.json("apply", "tiny", "--position", swap, *bids, "A:pass", "B:pass", code=1)
    assert (swapping["why"], swapping["index"]) == ("tiny.error.not-now", 4), "B has no card left to veto with"
    swapping = cli.json("apply", "tiny", "--position", swap, *bids, "A:pass")["position"]
    assert cli.json("legal", "tiny", "--position", json.dumps(swapping))["legal"] == [
        {"seat": 2, "choice": {"subset": {"verb": "swap", "items": ["5", "5"], "min": 0, "max": 2}}}
    ]
    assert cli("legal", "tiny", "--position", json.dumps(swapping)) == "C:swap ITEM … (0 to 2 of: 5 5)\n"


def test_nothing_is_owed_after_the_end(cli: Cli) -> None:
    over = json.dumps({**TINY, "stack": []})
    assert cli.json("legal", "tiny", "--position", over)["legal"] == []
    assert cli("legal", "tiny", "--position", over) == ""
    said = cli.json("apply", "tiny", "--position", over)
    assert said["to_act"] == []
    assert said["result"] == {"placements": [[0, 1, 2]], "reason": "most-coins"}
    assert cli.json("apply", "tiny", "--position", over, "bid 1", code=1)["why"] == "tiny.error.not-now"


def test_apply_without_actions_gives_the_position(cli: Cli) -> None:
    said = cli.json("apply", "rainet", "--position", OPENING)
    assert said == {
        "v": 1,
        "type": "position",
        "position": OPENING,
        "to_act": [{"seat": 0, "prompt": "move", "window": None}],
        "events": [],
        "result": None,
    }
    assert cli("apply", "rainet", "--position", OPENING).splitlines()[0] == OPENING


def test_apply_plays_in_turn_and_tells_what_happened(cli: Cli) -> None:
    said = cli.json("apply", "tiny", "--position", json.dumps(TINY), "0:bid veto", "B:bid 2", "bid 6")
    assert said["position"]["discard"] == ["veto", "2", "6"]
    assert [event["kind"] for event in said["events"]] == ["bid", "bid", "bid", "revealed"]
    assert said["events"][0] == {
        "kind": "bid",
        "public": {"seat": 0},
        "private": {"0": {"seat": 0, "card": "veto"}},
    }
    assert said["to_act"] == [{"seat": 0, "prompt": "veto", "window": "veto"}]
    text = cli("apply", "tiny", "--position", json.dumps(TINY), "0:bid veto", "B:bid 2", "bid 6")
    assert text.splitlines()[1:] == [
        "  bid seat=0 card=veto",
        "  bid seat=1 card=2",
        "  bid seat=2 card=6",
        '  revealed bids={"0": "veto", "1": "2", "2": "6"}',
        "to act: A veto [veto]",
    ]


def test_an_action_without_a_seat_is_the_first_one_s_who_may_take_it(cli: Cli) -> None:
    said = cli.json("apply", "tiny", "--position", json.dumps(TINY), "bid 2")
    assert said["position"]["bids"] == [None, "2", None]
    refused = cli.json("apply", "tiny", "--position", json.dumps(TINY), "bid 2", "bid 2", code=1)
    assert refused == {"v": 1, "type": "error", "error": "illegal", "why": "tiny.error.not-now", "index": 1}


def test_what_apply_prints_can_be_read_again(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(cli("apply", "tiny", "--position", json.dumps(TINY), "bid 6", "--json"))
    assert cli.json("legal", "tiny", "--position", f"@{file}")["legal"][0]["seat"] == 0
    assert len(cli.json("legal", "tiny", "--position", f"@{file}")["legal"]) == 2
    file.write_text(cli("apply", "rainet", "--position", OPENING, "d2d3").splitlines()[0] + "\n")
    assert cli.json("apply", "rainet", "--position", f"@{file}")["to_act"][0]["seat"] == 1


def test_an_illegal_action_is_a_sentence_for_people_and_an_object_for_programs(cli: Cli) -> None:
    assert cli("apply", "rainet", "--position", OPENING, "d2d3", "d7d8", code=1) == ""
    assert cli.err.startswith("action 1 (d7d8) is not allowed: ")
    assert "rainet.error" not in cli.err
    said = cli.json("apply", "rainet", "--position", OPENING, "d2d3", "d7d8", code=1)
    assert said == {"v": 1, "type": "error", "error": "illegal", "why": "rainet.error.own-exit", "index": 1}


def test_actions_that_begin_with_a_dash_work_bare_and_after_two(cli: Cli) -> None:
    bare = cli.json("apply", "rainet", "--position", BOOSTED, "-e2")
    assert [event["kind"] for event in bare["events"]] == ["unboost"]
    assert json.loads(cli("apply", "rainet", "--json", "--position", BOOSTED, "--", "-e2")) == bare
    assert cli.json("apply", "rainet", "--position", BOOSTED, "0:-e2") == bare
    assert cli.json("apply", "rainet", "-e2", f"--position={BOOSTED}") == bare


def test_view_shows_what_that_viewer_may_know(cli: Cli) -> None:
    said = cli.json("view", "rainet", "--position", OPENING, "--as", "N")
    assert (said["v"], said["type"]) == (1, "view")
    assert said["view"]["position"].startswith("lvl2vlv/3lv3/8/8/8/8/3OO3/OOO2OOO")
    assert cli.json("view", "rainet", "--position", OPENING, "--as", "1") == said
    public = cli.json("view", "rainet", "--position", OPENING, "--as", "public")["view"]["position"]
    assert public.startswith("ooo2ooo/3oo3")
    assert cli("view", "rainet", "--position", OPENING, "--as", "public").splitlines()[0] == public


def test_a_match_begins_from_start_with_its_options(cli: Cli, tmp_path: Path) -> None:
    seed = "ab" * 32
    words = ("--players", "4", "--option", "lives=3", "--option", "prizes=coins,swap", "--seed", seed)
    by_words = cli.json("apply", "tiny", "--position", "start", *words)
    options: dict[str, Json] = {"lives": 3, "prizes": ["coins", "swap"]}
    assert by_words["position"] == GAME.write_position(GAME.setup(options, 4, bytes.fromhex(seed)).state)
    file = tmp_path / "start.json"
    file.write_text(json.dumps({"start": True, "players": 4, "options": options, "seed": seed}))
    assert cli.json("apply", "tiny", "--position", f"@{file}") == by_words
    assert cli.json("apply", "tiny", "--position", file.read_text()) == by_words
    assert cli.json("apply", "tiny", "--position", f"@{file}", "--players", "2")["position"]["players"] == 2


def test_what_a_seat_brings_is_said_with_the_seat(cli: Cli) -> None:
    said = cli.json("apply", "tiny", "--position", "start", "--option", "B:charm=high")
    assert said["position"]["charms"] == ["none", "high"]
    file = json.dumps({"start": True, "seats": [{}, {"charm": "high"}]})
    assert cli.json("apply", "tiny", "--position", file) == said


def test_start_is_before_the_setup(cli: Cli) -> None:
    begun = cli.json("apply", "rainet", "--position", "start", "--option", "first=N", "setup LLVVLVLV")
    assert begun["position"] == "setup LLVVLVLV -"
    assert [owed["seat"] for owed in begun["to_act"]] == [1]


def test_perft_counts_from_the_standard_opening(cli: Cli) -> None:
    assert cli("perft", "rainet", "--depth", "1") == "1 134\n"
    assert cli("perft", "rainet", "--depth", "3", "--kind", "move") == "1 10\n2 100\n3 1280\n"
    assert cli("perft", "relati", "--depth", "1") == "1 225\n"
    assert cli("perft", "tiny", "--depth", "2", "--position", json.dumps(TINY)) == "1 4\n2 10\n"
    assert cli("perft", "tiny", "--depth", "1", "--position", json.dumps({**TINY, "stack": []})) == "1 0\n"


UNREADABLE = [
    (),
    ("dance",),
    ("list", "rainet"),
    ("list", "--position", "start"),
    ("legal",),
    ("legal", "chess", "--position", "start"),
    ("legal", "tiny"),
    ("legal", "tiny", "--position"),
    ("legal", "tiny", "extra", "--position", "start"),
    ("legal", "tiny", "--position", "nonsense"),
    ("legal", "tiny", "--position", "{"),
    ("legal", "tiny", "--position", "[" * 50_000),
    ("legal", "tiny", "--position", '{"deck":["9"]}'),
    ("legal", "tiny", "--position", "@/no/such/file"),
    ("legal", "tiny", "--position", "start", "--position", "start"),
    ("legal", "tiny", "--position", "start", "--as", "public"),
    ("legal", "tiny", "--position", "start", "--as", "2"),
    ("legal", "tiny", "--position", "start", "--as", "C"),
    ("legal", "tiny", "--position", "start", "--players", "7"),
    ("legal", "tiny", "--position", "start", "--players", "two"),
    ("legal", "rainet", "--position", OPENING, "--players", "3"),
    ("legal", "tiny", "--position", "start", "--option", "lives"),
    ("legal", "tiny", "--position", "start", "--option", "lives=9"),
    ("legal", "tiny", "--position", "start", "--option", "luck=1"),
    ("legal", "tiny", "--position", "start", "--option", "charm=high"),
    ("legal", "tiny", "--position", "start", "--option", "C:charm=high"),
    ("legal", "tiny", "--position", "start", "--seed", "xyz"),
    ("legal", "tiny", "--position", '{"start":true,"players":9}'),
    ("legal", "tiny", "--position", '{"start":true,"speed":1}'),
    ("legal", "tiny", "--position", '{"start":1}'),
    ("legal", "tiny", "--position", "start", "--jsno"),
    ("view", "tiny", "--position", "start"),
    ("view", "tiny", "--position", "start", "--as", "omniscient"),
    ("apply", "tiny", "--position", "start", "hop"),
    ("apply", "tiny", "--position", "start", "7:bid 1"),
    ("apply", "tiny", "--position", "start", "--as", "0", "bid 1"),
    ("apply", "rainet", "--position", OPENING, "d2d3", "z9z8"),
    ("perft", "rainet"),
    ("perft", "rainet", "--depth", "0"),
    ("perft", "rainet", "--depth", "1", "--kind", "moves"),
    ("replay",),
    ("replay", "/no/such/file"),
    ("duel", "tiny", "--bots", "easy,best", "--matches", "2"),
    ("duel", "tiny", "--bots", "easy", "--matches", "2"),
    ("duel", "tiny", "--bots", "easy,easy"),
    ("duel", "tiny", "--bots", "easy,easy", "--matches", "2", "--players", "3"),
]


@pytest.mark.parametrize("words", UNREADABLE, ids=lambda words: " ".join(words)[:60] or "nothing")
@pytest.mark.parametrize("more", [(), ("--json",)], ids=["", "json"])
def test_what_cannot_be_read_ends_with_2_and_says_nothing_on_stdout(
    cli: Cli, words: tuple[str, ...], more: tuple[str, ...]
) -> None:
    assert cli(*words, *more, code=2) == ""
    assert cli.err


def test_help_is_no_error(cli: Cli) -> None:
    for word in ("--help", "-h", "help"):
        assert "\n  apply GAME" in cli(word)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_on_a_subcommand_could_not_be_read(cli: Cli, name: str) -> None:
    for words in ((name, "--help"), (name, "rainet", "--help"), (name, "rainet", "--json", "--help")):
        assert f"python -m game {name}" in cli(*words)


def test_an_action_may_begin_with_a_dash_and_be_called_help_behind_two(cli: Cli) -> None:
    assert cli("apply", "rainet", "--position", BOOSTED, "-e2") == cli(
        "apply", "rainet", "--position", BOOSTED, "--", "-e2"
    )
    assert cli("apply", "rainet", "--position", BOOSTED, "--", "--help", code=2) == ""
    assert "--help" in cli.err


def test_the_program_itself_exits_with_these_codes() -> None:
    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-m", "game", *words], capture_output=True, text=True)
        return done.returncode, done.stdout

    assert run("apply", "rainet", "--position", BOOSTED, "-e2", "--json")[0] == 0
    assert run("apply", "rainet", "--position", OPENING, "d2d4") == (1, "")
    assert run("apply", "rainet", "--position", OPENING, "d2d9", "--json") == (2, "")


def test_the_synopsis_asked_for_hexadecimal_seeds_where_numbers_are_taken(cli: Cli) -> None:
    seeds = {one.name: "[--seed N]" in one.synopsis for one in COMMANDS.values() if "--seed" in one.options}
    assert seeds == {
        "legal": False,
        "apply": False,
        "view": False,
        "perft": False,
        "duel": True,
        "levels": True,
        "tune": True,
    }


def test_levels_of_a_game_that_keeps_no_duels_were_answered_with_nothing(cli: Cli) -> None:
    assert "--matches N" in cli("levels", "tiny")
    assert cli.json("levels", "tiny")["duels"] == []


def test_a_number_out_of_range_was_refused_without_the_range(cli: Cli) -> None:
    cli("list", "--rules-version", "99", code=2)
    assert "--rules-version 99 (1 to " in cli.err
    cli("legal", "tiny", "--position", "start", "--rules-version", "99", code=2)
    assert f"--rules-version 99 (1 to {GAME.version})" in cli.err
    record = RELEASED / "netrunner" / "1" / "list-anarch.jsonl"
    entries = cli.json("replay", str(record))["entries"]
    cli("replay", str(record), "--until", "99999", code=2)
    assert f"--until 99999 (0 to {entries})" in cli.err


def test_an_unknown_command_was_not_named(cli: Cli) -> None:
    cli("foo", code=2)
    assert cli.err.splitlines()[0].endswith(": foo")
    assert "python -m game --help" in cli.err


def test_one_bot_was_said_to_be_too_few_for_one_seat(cli: Cli) -> None:
    cli("duel", "tiny", "--bots", "random", "--matches", "2", code=2)
    assert "1 (2 to 6" in cli.err
    cli("duel", "tiny", "--bots", "random,random", "--players", "3", "--matches", "2", code=2)
    assert "2 of 3" in cli.err


@pytest.mark.parametrize(
    ("option", "there_is"),
    [("both_sides=true", "on|off"), ("both=on", "both_sides"), ("format=old", "core")],
)
def test_a_refused_option_did_not_say_what_there_is(cli: Cli, option: str, there_is: str) -> None:
    cli("view", "netrunner", "--position", "start", "--as", "public", "--option", option, code=2)
    assert there_is in cli.err
