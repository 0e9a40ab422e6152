"""Browsers that are signed in, the codes that sign them in, and feeds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "browser_codes",
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("account_id", row_id, nullable=False),
        sa.Column("fingerprint", sa.String(80), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_browser_codes_account_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["fingerprint"], ["keys.fingerprint"], name=op.f("fk_browser_codes_fingerprint"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_browser_codes")),
    )
    op.create_index(op.f("ix_browser_codes_account_id"), "browser_codes", ["account_id"])
    op.create_index(op.f("ix_browser_codes_fingerprint"), "browser_codes", ["fingerprint"])
    op.create_table(
        "browsers",
        sa.Column("id", row_id, nullable=False),
        sa.Column("cookie_hash", sa.String(64), nullable=False),
        sa.Column("account_id", row_id, nullable=False),
        sa.Column("fingerprint", sa.String(80), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_day", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_browsers_account_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["fingerprint"], ["keys.fingerprint"], name=op.f("fk_browsers_fingerprint"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_browsers")),
        sa.UniqueConstraint("cookie_hash", name=op.f("uq_browsers_cookie_hash")),
    )
    op.create_index(op.f("ix_browsers_account_id"), "browsers", ["account_id"])
    op.create_index(op.f("ix_browsers_fingerprint"), "browsers", ["fingerprint"])
    op.create_table(
        "feeds",
        sa.Column("account_id", row_id, nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_feeds_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_feeds")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_feeds_secret_hash")),
    )
