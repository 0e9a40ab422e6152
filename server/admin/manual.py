"""The manual page and the shells' completion, made from the table of commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from game.cli.commandline import Command
from server.settingsreference import reference

Rows = Mapping[str, Command[Any]]
SHELLS = ("bash", "zsh", "fish")
EXITS = "0 done, 1 refused, 2 can't be read, 3 not found, 4 not allowed, 5 too often."
BASH = """\
_patchbay() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} words=
    case "$COMP_CWORD ${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}" in
        "1 "*) words="{commands}" ;;
        "2 admin "*) words="{acts}" ;;
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o default -F _patchbay patchbay
"""


def completion(shell: str, table: Rows, admin: Rows) -> str:
    """Return a script that completes `patchbay` in a shell: bash, zsh or fish."""
    settings, commands, acts = tuple(f"--{one.name}" for one in reference()), [*table.values()], [*admin.values()]
    if shell == "fish":
        return _fish(commands, acts, settings)
    cases = [_case(f"admin {act.name.split()[0]}", (*act.choices, *act.options)) for act in acts]
    cases += [_case(f"{one.name} *", (*one.choices, *one.options, *settings)) for one in commands]
    script = BASH.format(commands=_names(commands), acts=_names(acts), cases="\n".join(cases))
    return ("autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else "") + script


def _case(line: str, words: Sequence[str]) -> str:
    pattern = f'*" {line.removesuffix("*")}"' + ("*" if line.endswith("*") else "")
    return f'        {pattern}) words="{" ".join(words)}" ;;'


def _names(entries: Sequence[Command[Any]]) -> str:
    return " ".join(dict.fromkeys(entry.name.split()[0] for entry in entries))


def _fish(commands: Sequence[Command[Any]], acts: Sequence[Command[Any]], settings: Sequence[str]) -> str:
    def line(condition: str, what: str, about: str = "") -> str:
        told = f" -d {_quoted(about)}" if about else ""
        return f"complete -c patchbay -n {_quoted(condition)} {what}{told}"

    lines = [line("__fish_use_subcommand", f"-f -a {one.name}", one.about) for one in commands]
    lines += [line("__fish_seen_subcommand_from admin", f"-f -a {act.name.split()[0]}", act.about) for act in acts]
    for entry in (*commands, *acts):
        inside = f"__fish_seen_subcommand_from {entry.name.split()[0]}"
        lines += [line(inside, f"-l {option.removeprefix('--')}") for option in entry.options]
        lines += [line(inside, f"-f -a {word}") for word in entry.choices]
    lines += [f"complete -c patchbay -l {option.removeprefix('--')}" for option in settings]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def page(table: Rows, acts: Rows) -> str:
    """Return the manual page patchbay(8). `acts`: of admins, whose headings say who may do them."""
    lines = [
        '.TH PATCHBAY 8 "" "Patchbay" "System Administration"',
        ".SH NAME",
        "patchbay \\- play tabletop games over SSH",
        ".SH SYNOPSIS",
        ".B patchbay",
        ".I COMMAND",
        "[\\-\\-SETTING X ...] ...",
        ".SH COMMANDS",
        *(line for entry in table.values() for line in _paragraph(entry.synopsis, entry.about)),
        ".SH ADMIN COMMANDS",
        "They come after \\(lqpatchbay admin\\(rq, or by role after \\(lqssh HOST admin\\(rq.",
    ]
    for heading, entries in groupby(acts.values(), lambda act: act.heading):
        lines += [".SS", _roff(heading.rstrip(":"))]
        lines += [line for entry in entries for line in _paragraph(entry.synopsis, entry.about)]
    lines.append(".SH SETTINGS")
    for one in reference():
        default = f" Without it: {one.default}." if one.default else ""
        lines += _paragraph(one.variable, f"{one.about} ({one.allowed}).{default}")
    lines += [".SH EXIT STATUS", _roff(EXITS), ""]
    return "\n".join(lines)


def _paragraph(what: str, about: str) -> tuple[str, str, str]:
    return ".TP", f".B {_roff(what)}", _roff(about)


def _roff(text: str) -> str:
    """Return text as roff takes it: hyphens that can be copied, no escapes, and no line that is a request."""
    escaped = text.replace("\\", "\\(rs").replace("-", "\\-").replace("…", "...").replace("–", "\\(en")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
