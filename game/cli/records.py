"""The command `replay`: plays a record again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from game import registry
from game.cli import output
from game.cli.arguments import read_viewer, rules_version
from game.cli.commandline import CommandLine
from game.cli.commands import Rules, Say
from game.contract import Event
from game.errors import BadNotation, IllegalAction
from game.record import Record, read_record, verify
from game.replay import Fold, begin, folds

MAX_BYTES = 64 << 20


def replay(arguments: CommandLine, say: Say) -> int:
    """Play a record again and compare; with `--as` or `--until`, print a view or an earlier position.

    It is played under its own rules version, or under that of `--rules-version`. Returns 0 when all
    agrees and 1 when something differs.
    """
    record = read_record(_lines(arguments.words[0]))
    newest = registry.get(record.header.game).version
    if (version := rules_version(arguments, newest)) is not None:
        record = replace(record, header=replace(record.header, rules_version=version))
    verdict = verify(record)
    said = list(_standing(record, arguments))
    if not said and "json" in arguments.flags:
        differs = list(verdict.differs)
        said = [output.line("verdict", agrees=verdict.agrees, differs=[*differs], entries=len(record.entries))]
    elif not said:
        said = ["agrees" if verdict.agrees else "differs", *(f"  {what}" for what in verdict.differs)]
        said += _summary(record)
    for text in said:
        say(text)
    return 0 if verdict.agrees else 1


def _lines(name: str) -> Iterator[str]:
    """Yield a file's lines. Raises BadNotation when there is no such text file."""
    try:
        with Path(name).open(encoding="utf-8-sig") as file:
            yield from file.read(MAX_BYTES).splitlines()
    except (OSError, ValueError) as error:
        raise BadNotation("usage.file", name[:200]) from error


def _summary(record: Record) -> Iterator[str]:
    names = registry.get(record.header.game).seat_names(record.header.n_seats)
    result = "void" if record.result is None else output.result_line(record.result, names)
    yield f"{record.header.game}: {len(record.entries)} entries, {result}"


def _standing(record: Record, arguments: CommandLine) -> Iterator[str]:
    """Yield what `--as` and `--until` ask for; nothing without them."""
    game = registry.get(record.header.game, record.header.rules_version)
    until = arguments.number("until", len(record.entries), high=len(record.entries))
    if (said := arguments.one("as")) is not None:
        viewer = read_viewer(said, game.seat_names(record.header.n_seats))
        fold, _ = _play_to(game, record, until)
        seen = game.view_json(game.view(fold.state, viewer))
        as_json = "json" in arguments.flags
        yield from [output.line("view", seq=fold.seq, view=seen)] if as_json else output.view_lines(seen)
    elif arguments.one("until") is not None:
        fold, events = _play_to(game, record, until)
        as_json = "json" in arguments.flags
        yield from output.position_lines(game, fold.state, events, as_json=as_json, seq=fold.seq)


def _play_to(game: Rules, record: Record, until: int) -> tuple[Fold[object], tuple[Event, ...]]:
    """Return the match after entry `until`, and the events of that entry; it stops where an entry does not fit."""
    fold, events = begin(game, record.header)
    with suppress(IllegalAction):
        for folded in folds(game, record.header, record.entries[:until]):
            fold, events = folded
    return fold, events
