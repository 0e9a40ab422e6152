"""Where accounts want to be told what concerns them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "notice_topics",
        sa.Column("account_id", row_id, nullable=False),
        sa.Column("url", sa.String(200), nullable=False),
        sa.Column("kinds", sa.Text(), nullable=False),
        sa.Column("code_hash", sa.String(64), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("sent_no", row_id, nullable=False),
        sa.Column("sent", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_notice_topics_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_notice_topics")),
    )
