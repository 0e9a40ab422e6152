"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("handle", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("handle", name=op.f("uq_accounts_handle")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "audit",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(length=40), nullable=False),
        sa.Column("act", sa.String(length=30), nullable=False),
        sa.Column("target", sa.String(length=80), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "counters",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("value", ROW_ID, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counters")),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(length=20), nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("n_seats", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("speed", sa.String(length=10), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("room", sa.String(length=20), nullable=True),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("state_hash", sa.String(length=64), nullable=True),
        sa.Column("log_hash", sa.String(length=64), nullable=True),
        sa.Column("finish_no", ROW_ID, nullable=True),
        sa.Column("rated_places", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("finish_no", name=op.f("uq_matches_finish_no")),
    )
    op.create_index("ix_matches_ended_at", "matches", ["ended_at"], unique=False)
    op.create_index("ix_matches_game_status", "matches", ["game", "status"], unique=False)
    op.create_index("ix_matches_status_deadline", "matches", ["status", "deadline"], unique=False)
    op.create_table(
        "orders",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "processes",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("machine", sa.String(length=80), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("alive_at", sa.BigInteger(), nullable=False),
        sa.Column("stopped_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
    )
    op.create_table(
        "sanctions",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("act", sa.String(length=10), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("target", sa.String(length=80), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("by_name", sa.String(length=40), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("lifted_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sanctions")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_sanctions_kind_target", "sanctions", ["kind", "target"], unique=False)
    op.create_table(
        "strikes",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_strikes")),
    )
    op.create_index("ix_strikes_kind_who_at", "strikes", ["kind", "who", "at"], unique=False)
    op.create_table(
        "blocks",
        sa.Column("account_id", ROW_ID, autoincrement=False, nullable=False),
        sa.Column("blocked_id", ROW_ID, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_blocks_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["blocked_id"], ["accounts.id"], name=op.f("fk_blocks_blocked_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "blocked_id", name=op.f("pk_blocks")),
    )
    op.create_table(
        "chat_lines",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("channel", sa.String(length=40), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("account_id", ROW_ID, nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_chat_lines_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_lines")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_chat_lines_account_id"), "chat_lines", ["account_id"], unique=False)
    op.create_index("ix_chat_lines_channel_id", "chat_lines", ["channel", "id"], unique=False)
    op.create_index("ix_chat_lines_name_at", "chat_lines", ["name", "at"], unique=False)
    op.create_table(
        "codes",
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", ROW_ID, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_codes_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_codes")),
    )
    op.create_index(op.f("ix_codes_account_id"), "codes", ["account_id"], unique=False)
    op.create_table(
        "entries",
        sa.Column("match_id", sa.String(length=20), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("action", sa.Text(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_entries_match_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "seq", name=op.f("pk_entries")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "handle_skeletons",
        sa.Column("skeleton", sa.String(length=40), nullable=False),
        sa.Column("account_id", ROW_ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_handle_skeletons_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("skeleton", name=op.f("pk_handle_skeletons")),
    )
    op.create_index(op.f("ix_handle_skeletons_account_id"), "handle_skeletons", ["account_id"], unique=False)
    op.create_table(
        "keys",
        sa.Column("fingerprint", sa.String(length=80), nullable=False),
        sa.Column("account_id", ROW_ID, nullable=False),
        sa.Column("public_key", sa.Text(), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_keys_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("fingerprint", name=op.f("pk_keys")),
    )
    op.create_index(op.f("ix_keys_account_id"), "keys", ["account_id"], unique=False)
    op.create_table(
        "preferences",
        sa.Column("account_id", ROW_ID, nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_preferences_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_preferences")),
    )
    op.create_table(
        "rating_events",
        sa.Column("match_id", sa.String(length=20), nullable=False),
        sa.Column("account_id", ROW_ID, autoincrement=False, nullable=False),
        sa.Column("ladder", sa.String(length=30), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("finish_no", ROW_ID, nullable=False),
        sa.Column("mu_before", sa.Float(precision=53), nullable=False),
        sa.Column("sigma_before", sa.Float(precision=53), nullable=False),
        sa.Column("mu_after", sa.Float(precision=53), nullable=False),
        sa.Column("sigma_after", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_rating_events_account_id")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_rating_events_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "account_id", "ladder", name=op.f("pk_rating_events")),
    )
    op.create_index(
        "ix_rating_events_account_id_ladder_finish_no",
        "rating_events",
        ["account_id", "ladder", "finish_no"],
        unique=False,
    )
    op.create_table(
        "ratings",
        sa.Column("account_id", ROW_ID, autoincrement=False, nullable=False),
        sa.Column("ladder", sa.String(length=30), nullable=False),
        sa.Column("mu", sa.Float(precision=53), nullable=False),
        sa.Column("sigma", sa.Float(precision=53), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_ratings_account_id")),
        sa.PrimaryKeyConstraint("account_id", "ladder", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_ladder", "ratings", ["ladder"], unique=False)
    op.create_table(
        "reports",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by_account_id", ROW_ID, nullable=True),
        sa.Column("about_account_id", ROW_ID, nullable=True),
        sa.Column("about_name", sa.String(length=40), nullable=False),
        sa.Column("match_id", sa.String(length=20), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("handled_at", sa.BigInteger(), nullable=True),
        sa.Column("handled_by", sa.String(length=40), nullable=True),
        sa.ForeignKeyConstraint(
            ["about_account_id"], ["accounts.id"], name=op.f("fk_reports_about_account_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["by_account_id"], ["accounts.id"], name=op.f("fk_reports_by_account_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "roles",
        sa.Column("account_id", ROW_ID, nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_roles_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "role", name=op.f("pk_roles")),
    )
    op.create_table(
        "seats",
        sa.Column("match_id", sa.String(length=20), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("account_id", ROW_ID, nullable=True),
        sa.Column("guest_id", sa.String(length=40), nullable=True),
        sa.Column("options", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_seats_account_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_seats_match_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index(op.f("ix_seats_account_id"), "seats", ["account_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("process_id", sa.String(length=40), nullable=False),
        sa.Column("account_id", ROW_ID, nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=80), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["process_id"], ["processes.id"], name=op.f("fk_sessions_process_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_process_id"), "sessions", ["process_id"], unique=False)
    op.execute("INSERT INTO counters (name, value) VALUES ('finish', 0)")
