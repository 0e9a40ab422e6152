"""Lists of matches, newest first, without sorting all of them."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_matches_status_started_at", "matches", ["status", "started_at"])
    op.create_index("ix_matches_game_started_at", "matches", ["game", "started_at"])
    op.create_index("ix_matches_started_at", "matches", ["started_at"])
    op.drop_index("ix_matches_game_status", "matches")
    op.drop_index("ix_matches_ended_at", "matches")
