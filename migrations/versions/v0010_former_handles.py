"""The handles that an account had before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "former_handles",
        sa.Column("account_id", ROW_ID, nullable=False),
        sa.Column("handle", sa.String(length=40), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_former_handles_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "handle", name=op.f("pk_former_handles")),
    )
