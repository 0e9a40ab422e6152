"""Hashes of where the players of running matches with open hands have come from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "origins",
        sa.Column("match_id", sa.String(length=20), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_origins_match_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "hash", name=op.f("pk_origins")),
    )
