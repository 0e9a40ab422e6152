"""The signals that ask for the stop."""

from __future__ import annotations

import subprocess
import sys

ENDS = """
import asyncio, os, selectors, signal
from server.stopping import stopped_by_signal

class Late(selectors.DefaultSelector):
    def close(self):  # the loop closes
        os.kill(os.getpid(), signal.SIGTERM)
        super().close()

async def main():
    stop = asyncio.Event()
    with stopped_by_signal(stop.set):
        os.kill(os.getpid(), signal.SIGTERM)
        await stop.wait()

with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(Late())) as runner:
    runner.run(main())
assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, "who runs on is not deaf"
"""


def test_a_second_signal_found_the_loop_closed_and_an_error_was_written() -> None:
    """A worker gets one from its parent and one from the kernel, or from who stops all processes of a service."""
    done = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
