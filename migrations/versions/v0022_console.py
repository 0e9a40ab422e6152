"""What was done beside the database: by an actor whose name no handle is like, "console" being one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table, column in (("audit", "actor"), ("sanctions", "by_name"), ("reports", "handled_by")):
        kept = sa.table(table, sa.column(column))
        op.execute(kept.update().where(kept.c[column] == "console").values({column: "(console)"}))
