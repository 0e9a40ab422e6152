"""What players arrange around a match, and the outages that are credited."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "offers",
        sa.Column("match_id", sa.String(length=20), nullable=False),
        sa.Column("what", sa.String(length=10), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_offers_match_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "what", "seat", name=op.f("pk_offers")),
    )
    op.create_table(
        "rematches",
        sa.Column("match_id", sa.String(length=20), nullable=False),
        sa.Column("next_id", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_rematches_match_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["next_id"], ["matches.id"], name=op.f("fk_rematches_next_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_rematches")),
    )
    op.create_table(
        "arrangements",
        sa.Column("match_id", sa.String(length=20), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_arrangements_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_arrangements")),
    )
    op.create_table(
        "outages",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("began", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
        sa.UniqueConstraint("ended", name=op.f("uq_outages_ended")),
        sqlite_autoincrement=True,
    )
