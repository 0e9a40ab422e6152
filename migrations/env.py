"""Where Alembic begins: it is always given an open connection by `server.store.migrate`."""

from __future__ import annotations

from alembic import context

from server.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # SQLite too: an upgrade killed in the middle has not happened
    render_as_batch=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
