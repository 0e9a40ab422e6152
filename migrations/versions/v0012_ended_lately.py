"""Matches by when they ended: those that ended a moment ago are looked at whenever a list or a ladder is shown."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_matches_ended_at", "matches", ["ended_at"])
