"""Keys that were proposed for an account and not proven yet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "proposals",
        sa.Column("fingerprint", sa.String(length=80), nullable=False),
        sa.Column("account_id", ROW_ID, nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column("made_by", sa.String(length=80)),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_proposals_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("fingerprint", "account_id", name=op.f("pk_proposals")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_proposals_code_hash")),
    )
    op.create_index(op.f("ix_proposals_account_id"), "proposals", ["account_id"])
