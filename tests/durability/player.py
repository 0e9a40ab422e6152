"""A process that plays one match as fast as it can and prints every entry once it was acknowledged.

Arguments: database URL, match id. It ends when it is killed.
"""

from __future__ import annotations

import asyncio
import sys

from game.contract import Seat
from server.accounts.conduct import Conduct
from server.bus.bus import LocalBus
from server.chat.chat import Chat
from server.clock import SystemClock
from server.config import Limits
from server.matches import acting
from server.matches.botpool import BotPool
from server.matches.matches import Matches
from server.ratings.ratings import Ratings
from server.store.choose import open_database
from server.store.logwriter import LogWriter
from tests.matches import odd_bots

WRITERS = 4


async def play(url: str, match_id: str) -> None:
    acting.MOST_SETTINGS_IN_A_ROW = acting.MOST_SETTINGS = 10**9  # limits that are tested elsewhere
    odd_bots.register()
    database = await open_database(url)
    writer = LogWriter(database)
    writer.start()
    clock = SystemClock()
    conduct = Conduct(database, clock)
    chat = Chat(database, clock, LocalBus(), Limits(), conduct.mute_of)
    matches = Matches(clock, database, writer, Ratings(database, clock), BotPool(1), chat, conduct)
    match = await matches.open(match_id)

    async def write(number: int) -> None:
        words = ("auto on", "auto off")
        for turn in range(10**6):
            said = words[turn % 2]
            seq = await match.act(Seat(number % 2), said, match.live.shown.seq, clock.now())
            print(seq, number % 2, said, flush=True)

    await asyncio.gather(*(write(number) for number in range(WRITERS)))


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
