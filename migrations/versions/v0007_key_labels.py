"""What a key is called, how it came to the account, and the day it was last used."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("keys", sa.Column("label", sa.String(length=40)))
    op.add_column("keys", sa.Column("how", sa.String(length=10)))
    op.add_column("keys", sa.Column("added_by", sa.String(length=80)))
    op.add_column("keys", sa.Column("used_day", sa.BigInteger()))
