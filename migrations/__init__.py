"""The history of the schema, one change a file (Alembic); `server.store.migrate` runs it."""
