"""Periodic work: what a service does every so many seconds by itself, until the owner of its task closes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from server.clock import Clock
from server.log import ThrottledWarning, get_logger
from server.store.errors import StoreUnavailable

log = get_logger("periodic")
Work = Callable[[], Awaitable[object]]


async def repeat(clock: Clock, every_s: float, work: Work, first_s: float | None = None) -> None:
    """Do `work` every `every_s` seconds until cancelled: first after `first_s`, or after `every_s` where that is None.

    The seconds count from the end of one round to the beginning of the next. A round that fails is logged, and the
    next one is tried all the same; that the store does not answer is said once a minute.
    """
    refused = ThrottledWarning(log, clock.monotonic)
    pause_s = every_s if first_s is None else first_s
    while True:
        await clock.sleep(pause_s)
        await attempt(work, refused)
        pause_s = every_s


async def attempt(work: Work, refused: ThrottledWarning | None = None) -> None:
    """Do `work` once and log what it raises: a store that does not answer in one line, anything else with its trace."""
    try:
        await work()
    except StoreUnavailable as error:
        (refused or ThrottledWarning(log, time.monotonic)).say("work.refused", task=task_name(), why=error.why)
    except Exception:  # the guard of one round: the next one is tried all the same
        log.exception("work.failed", task=task_name())


def task_name() -> str:
    """Return the name of the task that runs."""
    task = asyncio.current_task()
    return "" if task is None else task.get_name()
