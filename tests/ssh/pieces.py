"""A stream of bytes as a network may deliver it."""

from __future__ import annotations

import random


def pieces(rng: random.Random, data: bytes) -> list[bytes]:
    """Cut bytes anywhere."""
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(5)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
