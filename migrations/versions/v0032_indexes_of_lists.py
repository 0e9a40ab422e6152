"""Indexes of what lists ask for: the seats of a guest, and what ended last of a game."""

from __future__ import annotations

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_seats_guest_id"), "seats", ["guest_id"])
    op.create_index("ix_matches_game_ended_at", "matches", ["game", "ended_at"])
    op.drop_index("ix_matches_game_started_at", "matches")
