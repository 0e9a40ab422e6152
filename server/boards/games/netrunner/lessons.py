"""The Netrunner tutorial: a part for each side, small positions of one decision each, about four minutes a part."""

from __future__ import annotations

from typing import Any, Final

from game.contract import Seat
from game.netrunner.timing import CLICKS
from server.boards.lesson import Lesson

CORP, RUNNER = Seat(0), Seat(1)
JINTEKI: Final = "Jinteki: Personal Evolution"
KATE: Final = 'Kate "Mac" McCaffrey: Digital Tinker'
DECK: Final = ["Hedge Fund"] * 8


def corp(hq: list[str], servers: dict[str, Any], step: str = "corp.2.3", **more: Any) -> dict[str, Any]:
    """Return a position on the Corp's turn."""
    runner = {"identity": KATE, "grip": ["Diesel"] * 3, "stack": ["Diesel"] * 8, **more.pop("runner", {})}
    side = {"identity": JINTEKI, "hq": hq, "rd": DECK, "servers": servers, **more.pop("corp", {})}
    return {"corp": side, "runner": runner, "turn": "corp", "step": step, **more}


def runner(grip: list[str], servers: dict[str, Any], step: str = "runner.1.5", **more: Any) -> dict[str, Any]:
    """Return a position on the Runner's turn."""
    hacker = {"identity": KATE, "grip": grip, "stack": ["Diesel"] * 8, **more.pop("runner", {})}
    if "run" in more:
        hacker |= {"clicks": CLICKS[RUNNER] - 1}  # the run has cost one
    side = {"identity": JINTEKI, "hq": ["Hedge Fund"] * 3, "rd": DECK, "servers": servers, **more.pop("corp", {})}
    return {"corp": side, "runner": hacker, "turn": "runner", "step": step, **more}


WALL: Final = {"card": "Wall of Static", "rezzed": True}
KATANA: Final = {"card": "Neural Katana", "rezzed": True}
GUARDED: Final[dict[str, Any]] = {"hq": {"ice": ["Enigma"]}, "rd": {"ice": ["Wall of Static"]}}
TRAP: Final = {"card": "Project Junebug", "advancement": 2}
AGENDA: Final = {"card": "Nisei MK II", "advancement": 3}

PARTS: Final[dict[str, tuple[Lesson, ...]]] = {
    "corp": (
        Lesson("corp-credit", corp(["Wall of Static"], {}), "credit", CORP),
        Lesson("corp-ice", corp(["Wall of Static", "Hedge Fund"], {}), 'install "Wall of Static" (hq|rd)', CORP),
        Lesson(
            "corp-agenda",
            corp(["Nisei MK II"], {**GUARDED, "remote1": {"ice": ["Wall of Static"]}}),
            'install "Nisei MK II" remote1',
            CORP,
        ),
        Lesson(
            "corp-advance",
            corp([], {**GUARDED, "remote1": {"ice": ["Wall of Static"], "root": ["Nisei MK II"]}}),
            "advance root:remote1:0",
            CORP,
        ),
        Lesson(
            "corp-score",
            corp(
                [],
                {**GUARDED, "remote1": {"ice": ["Wall of Static"], "root": [AGENDA | {"advancement": 4}]}},
                "corp.2.2",
            ),
            "score root:remote1:0",
            CORP,
        ),
        Lesson(
            "corp-rez",
            runner([], GUARDED, "run.2.3", run={"server": "hq", "ice": 0}),
            "rez ice:hq:0",
            CORP,
            before=((RUNNER, "pass"),),
        ),
        Lesson(
            "corp-window",
            runner([], {"remote1": {"root": [TRAP]}}, "run.5.3", run={"server": "remote1"}),
            "pass",
            CORP,
            before=((RUNNER, "pass"),),
        ),
        Lesson(
            "corp-quiet",
            corp(["Hedge Fund"], {**GUARDED, "remote1": {"root": [TRAP]}}, "corp.2.2"),
            "auto .* turn",
            CORP,
        ),
        Lesson(
            "corp-settings",
            corp(["Hedge Fund"], {**GUARDED, "remote1": {"root": [TRAP]}}, "corp.2.2"),
            "auto corp.2.2 .*",
            CORP,
        ),
        Lesson(
            "corp-tag",
            corp([], GUARDED, runner={"tags": 1, "rig": ["Armitage Codebusting"]}),
            "trash-resource .*",
            CORP,
        ),
        Lesson(
            "corp-win",
            corp(
                [],
                {**GUARDED, "remote1": {"root": [AGENDA | {"advancement": 4}]}},
                "corp.2.2",
                corp={"score": ["Priority Requisition", "Nisei MK II"]},
            ),
            "score root:remote1:0",
            CORP,
        ),
    ),
    "runner": (
        Lesson("runner-event", runner(["Sure Gamble", "Diesel"], GUARDED), 'play "Sure Gamble"', RUNNER),
        Lesson("runner-install", runner(["Gordian Blade", "Diesel"], GUARDED), 'install "Gordian Blade"', RUNNER),
        Lesson("runner-run", runner(["Diesel"], {"hq": {"ice": ["Enigma"]}}), "run rd", RUNNER),
        Lesson(
            "runner-strength",
            runner(
                ["Diesel"],
                {"hq": {"ice": [KATANA]}},
                "run.3.1",
                run={"server": "hq", "ice": 0},
                runner={"rig": ["Pipeline"], "credits": 8},
            ),
            'use rig:"Pipeline" 1',
            RUNNER,
        ),
        Lesson(
            "runner-break",
            runner(
                ["Diesel"],
                {"hq": {"ice": [WALL]}},
                "run.3.1",
                run={"server": "hq", "ice": 0},
                runner={"rig": ["Battering Ram"]},
            ),
            'use rig:"Battering Ram" 0',
            RUNNER,
        ),
        Lesson(
            "runner-jack-out",
            runner(
                ["Diesel"],
                {"remote1": {"ice": [WALL, KATANA], "root": [{"card": "Project Junebug", "advancement": 4}]}},
                "run.2.2",
                run={"server": "remote1", "ice": 0, "passed": [1]},
            ),
            "jack-out",
            RUNNER,
        ),
        Lesson(
            "runner-access",
            runner(
                ["Diesel"],
                {"rd": {"root": [{"card": "Akitaro Watanabe", "rezzed": True}]}},
                "run.5.5",
                run={"server": "rd"},
                corp={"rd": ["Nisei MK II", *DECK]},
            ),
            "access next",
            RUNNER,
        ),
        Lesson("runner-tag", runner(["Diesel"], GUARDED, runner={"tags": 1}), "remove-tag", RUNNER),
    ),
}
