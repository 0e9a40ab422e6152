"""How many of something each network has at this moment, and in all, with bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from server.accounts.sources import Sources

MOST_OF_SOURCE = 32  # connections, or requests that are being answered; networks around a source have more


class Crowd:
    """Counts what is there. `most`: in all; of one source MOST_OF_SOURCE."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._total = 0
        self._held: Counter[str] = Counter()

    def enter(self, source: str, counts: bool = True) -> Callable[[], None] | None:
        """Take a place; return what gives it back, None: there is none. `counts`: also among those of the source.

        >>> crowd = Crowd(1)
        >>> leave = crowd.enter("192.0.2.1")
        >>> crowd.enter("192.0.2.2") is None, leave(), crowd.enter("192.0.2.2") is None
        (True, None, False)
        """
        names = Sources.of((source,)) if counts else Sources(())
        if self._total >= self._most or names.full(MOST_OF_SOURCE, self._held.__getitem__) is not None:
            return None
        self._total += 1
        self._held.update(names.names)
        return self._leave_once(names.names)

    def _leave_once(self, names: tuple[str, ...]) -> Callable[[], None]:
        has_left = False

        def leave() -> None:
            nonlocal has_left
            if not has_left:
                has_left = True
                self._total -= 1
                self._held.subtract(names)
                for name in names:
                    if not self._held[name]:
                        del self._held[name]

        return leave
