"""Whom people follow, and their notes on others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    for table, other, more in (
        (
            "follows",
            "followed_id",
            [sa.Column("at", sa.BigInteger(), nullable=False), sa.Column("tell", sa.String(10))],
        ),
        ("notes", "about_id", [sa.Column("text", sa.Text(), nullable=False)]),
    ):
        op.create_table(
            table,
            sa.Column("account_id", row_id, nullable=False),
            sa.Column(other, row_id, nullable=False),
            *more,
            sa.ForeignKeyConstraint(
                ["account_id"], ["accounts.id"], name=op.f(f"fk_{table}_account_id"), ondelete="CASCADE"
            ),
            sa.ForeignKeyConstraint([other], ["accounts.id"], name=op.f(f"fk_{table}_{other}"), ondelete="CASCADE"),
            sa.PrimaryKeyConstraint("account_id", other, name=op.f(f"pk_{table}")),
        )
        op.create_index(op.f(f"ix_{table}_{other}"), table, [other])
