"""What waits for a socket, and when its screen draws again."""

from __future__ import annotations

import asyncio

from starlette.websockets import WebSocketDisconnect

from server.terminal.rowterminal import RowTerminal, browser
from server.web.socket import MOST_UNREAD, SocketWriter
from tests.terminal.test_rowterminal import LARGEST, motley

WHOLE = b"x" * (2 * MOST_UNREAD)


async def test_a_frame_larger_than_the_bound_was_sent_again_for_ever() -> None:
    """That it had waited counted as a pause, after which the whole frame came once more."""
    sent: list[str] = []

    async def send(text: str) -> None:
        sent.append(text)

    writer = SocketWriter(send)
    writer.resumes(lambda: writer.write(WHOLE))
    writer.write(WHOLE)
    await writer.flush()
    assert len(sent) == 1
    writer.write(WHOLE)
    assert writer.paused, "who asks skips a frame"
    await writer.flush()
    await asyncio.sleep(0)
    await writer.flush()
    assert len(sent) == 3, "and gets the newest afterwards, once"


async def test_a_socket_that_is_gone_takes_no_more_and_says_nothing() -> None:
    async def send(text: str) -> None:
        raise WebSocketDisconnect

    writer = SocketWriter(send)
    for _ in range(2):
        writer.write(WHOLE)
        await writer.flush()
    await writer.close()
    assert writer.waiting_bytes <= len(WHOLE)


async def test_a_page_that_reads_nothing_held_a_whole_frame_at_the_largest_size() -> None:
    async def send(text: str) -> None:
        await asyncio.Event().wait()

    writer = SocketWriter(send)
    terminal = RowTerminal(writer, browser("dark"), LARGEST)
    writer.resumes(terminal.resume)
    for number in range(20):
        terminal.draw_screen(LARGEST, motley(str(number)))
        await asyncio.sleep(0)
    assert 0 < writer.waiting_bytes <= 2 * MOST_UNREAD, "beside it only what is in flight waits in the connection"
    await writer.close()
