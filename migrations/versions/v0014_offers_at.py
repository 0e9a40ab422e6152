"""When an offer was made: who does not answer a rematch for a while holds nobody up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("offers", sa.Column("at", sa.BigInteger(), nullable=True))
