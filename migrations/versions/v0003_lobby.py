"""Seeks, bookings and rooms."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seeks",
        sa.Column("id", sa.String(length=20), nullable=False),
        sa.Column("ticket", sa.String(length=20), nullable=False),
        sa.Column("person", sa.String(length=60), nullable=False),
        sa.Column("process_id", sa.String(length=40), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seeks")),
    )
    op.create_index(op.f("ix_seeks_ticket"), "seeks", ["ticket"], unique=False)
    op.create_index(op.f("ix_seeks_person"), "seeks", ["person"], unique=False)
    op.create_table(
        "bookings",
        sa.Column("ticket", sa.String(length=20), nullable=False),
        sa.Column("match_id", sa.String(length=20), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("ticket", name=op.f("pk_bookings")),
    )
    op.create_table(
        "rooms",
        sa.Column("code", sa.String(length=8), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("touched_at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_rooms")),
    )
