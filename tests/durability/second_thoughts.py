"""A process that plays one match, takes back and agrees, and prints each step once it was acknowledged.

Arguments: database URL, match id, seed. It ends when it is killed.
"""

from __future__ import annotations

import asyncio
import sys
from random import Random

from game.choices import expand
from game.contract import Seat
from server.accounts.conduct import Conduct
from server.bus.bus import LocalBus
from server.chat.chat import Chat
from server.clock import SystemClock
from server.config import Limits
from server.errors import Refused
from server.matches.botpool import BotPool
from server.matches.match import Match
from server.matches.matches import Matches
from server.ratings.ratings import Ratings
from server.store.choose import open_database
from server.store.logwriter import LogWriter
from server.store.takebacks import AGREED

LOOK_S = 0.005


def say(*words: object) -> None:
    print(*words, flush=True)


async def play(url: str, match_id: str, seed: str) -> None:
    database, clock, rng = await open_database(url), SystemClock(), Random(seed)
    writer = LogWriter(database)
    writer.start()
    conduct = Conduct(database, clock)
    chat = Chat(database, clock, LocalBus(), Limits(), conduct.mute_of)
    matches = Matches(clock, database, writer, Ratings(database, clock), BotPool(1), chat, conduct)
    match = await matches.open(match_id)
    say("open", match.live.shown.seq)
    while not match.is_over:
        if match.takebacks.asked is not None:
            await answer(match, rng)
        elif rng.random() < 0.5 and match.live.shown.back[seat := Seat(rng.randrange(2))] is not None:
            to = match.live.shown.back[seat]
            try:
                await match.offer(seat, "takeback")
            except Refused:
                continue  # it was refused twice before that seat's next decision
            say("asked", seat, to)
        else:
            [asked] = match.live.shown.pending
            said = rng.choice(list(expand(asked.choice))).text
            seq = await match.act(asked.seat, said, match.live.shown.seq, clock.now())
            say("acted", seq, said)
    say("over")
    await asyncio.Event().wait()


async def answer(match: Match, rng: Random) -> None:
    """Answer what is asked, if nobody has, and wait for what comes of it."""
    asked = match.takebacks.asked
    assert asked is not None
    if not match.offers.stored(AGREED):
        agrees, before = rng.random() < 0.8, match.live.shown.seq
        await match.answer(Seat(1 - asked.seat), "takeback", agrees)
        say("agreed" if agrees else "refused", asked.seat, asked.seq, before)
    while match.takebacks.asked is not None:
        await asyncio.sleep(LOOK_S)
    last = match.live.log.entries[-1]
    if last.kind == "takeback":
        say("back", last.seq, last.seat, last.data["to"])


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
