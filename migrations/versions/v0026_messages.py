"""Messages between people who follow each other, and up to which a follower has read them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "messages",
        sa.Column("id", row_id, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("from_id", row_id, nullable=False),
        sa.Column("to_id", row_id, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["from_id"], ["accounts.id"], name=op.f("fk_messages_from_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["to_id"], ["accounts.id"], name=op.f("fk_messages_to_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_messages_from_id_at", "messages", ["from_id", "at"])
    op.create_index("ix_messages_to_id_from_id", "messages", ["to_id", "from_id"])
    op.create_index(op.f("ix_messages_at"), "messages", ["at"])
    op.add_column("follows", sa.Column("read_id", row_id, nullable=False, server_default="0"))
