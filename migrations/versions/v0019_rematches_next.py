"""An index for the match that follows another one: deleting a match looks for those that lead to it."""

from __future__ import annotations

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_rematches_next_id", "rematches", ["next_id"])
