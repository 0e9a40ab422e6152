"""The settings as a reference: what each one may be, what it is without being set, what is in force and where from."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.config import Limits, Settings, secrets_directory
from server.settingvalues import allowed

WIDTH = 110
PASSWORDS = (re.compile(r"(://[^:/@]*:)[^/]+(?=@)"), re.compile(r"([?&]password=)[^&]+"))
HEAD = """\
Every setting of Patchbay with its default: made by `patchbay settings --reference`. Copy it to /etc/patchbay.env for
the unit, or to deploy/patchbay.env for the compose files, and take the # off what you change. Each is also an option
of `patchbay serve`, which goes before the environment. `patchbay settings` shows what is in force.
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its option and variable, what it means, its default as text, what it may be."""

    name: str  # as `patchbay serve` takes it, without the dashes
    variable: str
    about: str
    default: str
    allowed: str


@dataclass(frozen=True, slots=True)
class CurrentSetting:
    """A setting's value, without passwords, and its source: option, environment, default, or a file of secrets."""

    setting: Setting
    value: str
    source: str


def reference() -> Iterator[Setting]:
    """Yield every setting in the order of the docs."""
    for dashed, variable, model in (("", "PATCHBAY_", Settings), ("limit-", "PATCHBAY_LIMIT_", Limits)):
        for name, field in model.model_fields.items():
            if name != "limits":
                yield Setting(
                    dashed + name.replace("_", "-"),
                    variable + name.upper(),
                    field.description or "",
                    shown(field.default),
                    allowed(field),
                )


def in_force(settings: Settings, given: Collection[str], environment: Mapping[str, str]) -> Iterator[CurrentSetting]:
    """Yield every setting as it is in force. `given`: the options of the command line, without dashes."""
    set_there = {name.upper() for name, value in environment.items() if value}
    secrets = secrets_directory(environment)
    for setting in reference():
        limit = setting.name.removeprefix("limit-")
        holder: Any = settings if limit == setting.name else settings.limits
        if setting.name in given:
            source = "option"
        elif setting.variable in set_there:
            source = "environment"
        elif holder is settings and (file := secrets / setting.variable.lower()).is_file():
            source = str(file)
        else:
            source = "default"
        yield CurrentSetting(setting, without_passwords(shown(getattr(holder, limit.replace("-", "_")))), source)


def example() -> str:
    """Return the reference as a commented file of variables, as systemd and compose read it."""
    blocks = [HEAD]
    for setting in reference():
        about = (*textwrap.wrap(setting.about, WIDTH), f"({setting.allowed})")
        blocks.append("\n".join((*about, f"{setting.variable}={setting.default}")))
    return "\n\n".join(_commented(block.strip()) for block in blocks) + "\n"


def _commented(block: str) -> str:
    return "\n".join(f"#{line}" if line.startswith("PATCHBAY_") else f"# {line}" for line in block.splitlines())


def shown(value: object) -> str:
    """Return a value as one writes it."""
    return "" if value is None else str(value)


def without_passwords(text: str) -> str:
    """Hide the passwords of a URL.

    >>> without_passwords("redis://:gehe@im@redis:6379/0"), without_passwords("redis://redis:6379/0")
    ('redis://:***@redis:6379/0', 'redis://redis:6379/0')
    """
    for password in PASSWORDS:
        text = password.sub(r"\1***", text)
    return text
