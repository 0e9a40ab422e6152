"""A session channel over the SSH library's: what environment it keeps, and how it refuses."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncssh
from asyncssh.packet import SSHPacket

from server.ssh.link import Link

WINDOW = 64 * 1024
PACKET = 32 * 1024
READ_S = 0.3  # how long a client needs to show a message sent before a refusal


class LinkChannel(asyncssh.SSHServerChannel[bytes]):
    """One session channel that keeps only listed environment variables and runs one command."""

    ENVIRONMENT = frozenset((b"LANG", b"LC_ALL", b"LC_CTYPE", b"LC_MESSAGES", b"COLORTERM", b"NO_COLOR", b"TZ"))

    def __init__(self, link: Link) -> None:
        super().__init__(link, asyncio.get_running_loop(), True, False, False, 0, 0, None, "strict", WINDOW, PACKET)
        self._limits = link.limits
        self.env: dict[bytes, bytes] = {}
        self.env_seen = 0
        self._has_refused = False
        self.held_by: frozenset[str] = frozenset()  # reasons why delivery is paused

    def hold(self, why: str) -> None:
        """Pause delivery until every reason is released."""
        if not self.held_by:
            self.pause_reading()
        self.held_by |= {why}

    def release(self, why: str) -> None:
        """Release one reason; resume delivery if none is left."""
        if why in self.held_by:
            self.held_by -= {why}
            if not self.held_by and not self.is_closing():
                self.resume_reading()

    def _process_env_request(self, packet: SSHPacket) -> bool:
        """Keep a listed variable of bounded size; the library keeps all variables."""
        name, value = packet.get_string(), packet.get_string()
        packet.check_end()
        self.env_seen += 1
        if name not in self.ENVIRONMENT or self.env_seen > self._limits.env_vars * 4:
            return False
        if len(value) > self._limits.env_bytes or len(self.env) >= self._limits.env_vars:
            return False
        self.env[name] = value
        return True

    def _process_subsystem_request(self, packet: SSHPacket) -> Any:
        """Refuse a subsystem, the first one after a delay: clients drop messages that they have not shown by then."""
        is_given = super()._process_subsystem_request(packet)
        if is_given or self._has_refused:
            return is_given
        self._has_refused = True
        asyncio.get_running_loop().call_later(READ_S, self._refuse_late)
        return None

    def _refuse_late(self) -> None:
        if self._request_queue and not self.is_closing():
            self._report_response(False)

    def _process_exec_request(self, packet: SSHPacket) -> bool:
        """Refuse a command line that is too long before it is parsed."""
        if len(packet.get_remaining_payload()) - 4 > self._limits.exec_bytes:
            return False
        return super()._process_exec_request(packet)
