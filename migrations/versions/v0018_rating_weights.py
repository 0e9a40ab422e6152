"""The weights that a match was rated with, so that ratings can be computed again, and why a change counted less."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("rated_by", sa.Text(), nullable=True))
    op.add_column("rating_events", sa.Column("loose", sa.Float(precision=53), nullable=True))
    op.add_column("rating_events", sa.Column("thin", sa.Boolean(), nullable=True))
    op.add_column("rating_events", sa.Column("why", sa.String(length=10), nullable=True))
