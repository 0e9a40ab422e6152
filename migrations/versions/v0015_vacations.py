"""Vacations from daily play: how many days of a year somebody has taken."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "vacations",
        sa.Column("account_id", row_id, nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_vacations_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "began_at", name=op.f("pk_vacations")),
    )
