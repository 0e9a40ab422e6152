"""The settings' reference, and what `patchbay settings` says is in force."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server import config
from server.__main__ import main
from server.config import Limits, Settings
from server.settingsreference import example, reference
from server.settingvalues import allowed
from tests.admin.homes import home as home

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "deploy" / "patchbay.env.example"


def test_the_reference_is_current() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") == example(), (
        "patchbay settings --reference > deploy/patchbay.env.example"
    )


def test_every_setting_stands_there_with_its_default_and_what_it_may_be() -> None:
    said = {one.variable: one for one in reference()}
    assert said.keys() == {variable for _, variable, _ in config.options()}
    assert (said["PATCHBAY_GUESTS"].default, said["PATCHBAY_GUESTS"].allowed) == ("on", "on, off")
    assert said["PATCHBAY_PORT"].allowed == "a whole number, at least 0, at most 65535"
    assert all(one.about and one.allowed for one in said.values())
    assert allowed(Limits.model_fields["stall_s"]) == "a number, above 0"
    for one in said.values():
        assert f"\n#{one.variable}={one.default}\n" in example()


def test_the_reference_taken_as_it_is_gives_the_defaults(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    for line in example().splitlines():
        if line.startswith("#PATCHBAY_"):
            name, _, value = line[1:].partition("=")
            monkeypatch.setenv(name, value)
    assert config.load() == Settings()


def in_force(capsys: pytest.CaptureFixture[str], *given: str) -> dict[str, tuple[str, str]]:
    assert main(["settings", "--json", *given]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {row["setting"]: (row["value"], row["from"]) for row in rows}


def test_what_is_in_force_and_where_from(
    monkeypatch: pytest.MonkeyPatch, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATCHBAY_NAME", "Parlour")
    monkeypatch.setenv("PATCHBAY_GUESTS", "")  # as a file of variables leaves it
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(home))
    (home / "patchbay_database_url").write_text("postgresql+asyncpg://patchbay:geheim@db/patchbay\n")
    found = in_force(capsys, "--port", "22", "--limit-channels", "3")
    assert found["PATCHBAY_NAME"] == ("Parlour", "environment")
    assert found["PATCHBAY_PORT"] == ("22", "option")
    assert found["PATCHBAY_LIMIT_CHANNELS"] == ("3", "option")
    assert found["PATCHBAY_GUESTS"] == ("on", "default")
    assert found["PATCHBAY_DATABASE_URL"] == (
        "postgresql+asyncpg://patchbay:***@db/patchbay",
        str(home / "patchbay_database_url"),
    )


@pytest.mark.parametrize(
    ("setting", "value"),
    [("guests", "maybe"), ("accounts", "some"), ("admin-keys", "mira"), ("admin-keys", "SHA256:short")],
)
def test_a_setting_that_can_not_be_read_is_told_in_one_line(
    setting: str, value: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", f"--{setting}", value]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"PATCHBAY_{setting.upper().replace('-', '_')}" in said
