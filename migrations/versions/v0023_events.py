"""Events of accounts, their numbers, and up to which entry of each match they are made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "event_readers",
        sa.Column("account_id", row_id, nullable=False),
        sa.Column("last_no", row_id, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_event_readers_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_event_readers")),
    )
    op.create_table(
        "event_marks",
        sa.Column("account_id", row_id, nullable=False),
        sa.Column("match_id", sa.String(20), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("is_told", sa.Boolean(), nullable=False),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_event_marks_account_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_event_marks_match_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "match_id", name=op.f("pk_event_marks")),
    )
    op.create_table(
        "events",
        sa.Column("account_id", row_id, nullable=False),
        sa.Column("no", row_id, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("match_id", sa.String(20), nullable=True),
        sa.Column("who_id", row_id, nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_events_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["who_id"], ["accounts.id"], name=op.f("fk_events_who_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("account_id", "no", name=op.f("pk_events")),
    )
    op.create_index(op.f("ix_events_at"), "events", ["at"])
