"""Which version of the log's entries a process reads: a new kind is written once all do."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("processes", sa.Column("log_version", sa.Integer()))
