"""What tests of the pages share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from server.config import Settings
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock
from tests.matches.table import new_database
from tests.ssh.commands import open_commands
from tests.web.asking import ORIGIN
from tests.web.house import SOURCE, House, pages


@pytest.fixture
async def house(tmp_path: Path, migrated_file: Path) -> AsyncIterator[House]:
    async with open_commands(await new_database(tmp_path, migrated_file), FakeClock()) as commands:
        settings: Any = Settings(web_url=ORIGIN)
        services = replace(commands.services, settings=settings)
        made = await services.accounts.register("miranda", public_key("miranda"), SOURCE)
        cookies, app = pages(services)
        yield House(services, cookies, app, made.account.id)
