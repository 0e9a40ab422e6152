"""Keys that leave an account under sanctions; and the wider look-alike skeletons of the handles that there are.

Accounts whose handles look alike by the wider rule stay. Each skeleton is the oldest account's; former handles come
after those in use.
"""

from __future__ import annotations

import re
from itertools import product

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

READINGS = {"0": "o", "1": "li", "2": "z", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g"}
MOST_ONES = 3
ROWS_AT_ONCE = 500
HANDLES = (
    "SELECT id, handle FROM accounts WHERE deleted_at IS NULL ORDER BY id",
    "SELECT account_id, handle FROM former_handles ORDER BY account_id, handle",
)


def skeletons(handle: str) -> set[str]:
    """Return what `server.sanitize.skeletons` returned at this revision."""
    plain = handle.replace("-", "").replace("_", "")
    return {
        reading.replace("rn", "m").replace("vv", "w")
        for written in (plain, re.sub(r"([a-z])\1+", r"\1", plain))
        for reading in _readings(written)
    }


def _readings(plain: str) -> list[str]:
    letters = [READINGS.get(char, char) for char in plain]
    if sum(len(some) > 1 for some in letters) > MOST_ONES:
        return ["".join(some[i % len(some)] for some in letters) for i in (0, 1)]
    return ["".join(some) for some in product(*letters)]


def upgrade() -> None:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "departed_keys",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("account_id", row_id, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_departed_keys_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hash", "account_id", name=op.f("pk_departed_keys")),
    )
    table = sa.table("handle_skeletons", sa.column("skeleton"), sa.column("account_id"))
    connection = op.get_bind()
    held = set(connection.scalars(sa.select(table.c.skeleton)))
    missing: list[dict[str, object]] = []
    for handles in HANDLES:
        for account_id, handle in connection.execute(sa.text(handles)).all():
            new = skeletons(handle) - held
            held |= new
            missing += [{"skeleton": skeleton, "account_id": account_id} for skeleton in sorted(new)]
    for i in range(0, len(missing), ROWS_AT_ONCE):
        connection.execute(sa.insert(table), missing[i : i + ROWS_AT_ONCE])
