"""Running the scripts under migrations/: all contact with Alembic, loaded only where a schema is not at head."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from server.store.errors import newer_than_this_code


def upgrade_to(connection: Connection, revision: str) -> None:
    """Bring the schema to a revision, within the caller's transaction. Raises SchemaError for an unknown one."""
    config = scripts()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError:
        raise newer_than_this_code(revision) from None


def scripts() -> Config:
    """Return where Alembic finds the scripts."""
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    return config
