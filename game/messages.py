"""The message keys of errors raised outside the games, with the names of their parameters (none, so far).

Keys that begin with `usage.` or `bot.` belong to command lines, and are not listed.
"""

from __future__ import annotations

from collections.abc import Mapping

ERRORS: Mapping[str, tuple[str, ...]] = {
    "action.unreadable": (),
    "game.unknown": (),
    "match.adjourned": (),
    "match.gap": (),
    "match.no-action": (),
    "match.no-setting": (),
    "match.not-adjourned": (),
    "match.other-rules": (),
    "match.over": (),
    "match.unknown-bot": (),
    "match.unknown-kind": (),
    "match.unknown-seat": (),
    "option.deck-field": (),
    "option.deck-size": (),
    "option.unknown": (),
    "option.value": (),
    "record.entry": (),
    "record.header": (),
    "record.hex": (),
    "record.incomplete": (),
    "record.line": (),
    "record.result": (),
    "record.time": (),
}
REASONS = ("draw-agreed",)  # of a Result that the players made, not the rules
