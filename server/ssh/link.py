"""Narrow overrides of the SSH library, kept together: each method says what the library leaves open.

`Link` is one connection, `LinkChannel` one session channel. Everything else is the library's own.
"""

from __future__ import annotations

import asyncio
import select
import socket
from collections.abc import Callable, Mapping
from time import thread_time
from typing import Any

import asyncssh
from asyncssh.packet import SSHPacket, String

from server.config import Limits
from server.pace import Bucket
from server.ssh.auth import LoginState

MSG_IGNORE, MSG_KEXINIT, MSG_USERAUTH_REQUEST, MSG_CHANNEL_OPEN = 2, 20, 50, 90
WINDOW = 64 * 1024
PACKET = 32 * 1024
WIRE_RATE_FACTOR = 4  # bytes on the wire for a byte typed: packets of one key are mostly overhead
WIRE_BURST_S = 16
PACKET_COST = 512  # bytes that a packet counts for, whatever it holds: taking it in costs as much as these
PIECE = 1024  # bytes handed to the library at a time
SLICE_S = 0.002  # CPU seconds of one connection before others get their turn
LEAST_PACKET = 1024  # who asks for output in smaller packets makes us work a packet for each byte
LOOK_EVERY_S = 1.0
ASK_EVERY_S = 4.0
HUNG_UP = getattr(select, "POLLRDHUP", select.POLLHUP)
REKEYS_PER_S, REKEY_RESERVE = 0.5, 8
TCP_USER_TIMEOUT_S = 60
KEEPALIVE_SLACK_S = 0.01


class Link(asyncssh.SSHServerConnection):
    """One connection: knows who proved what, and how fast it may talk."""

    def __init__(
        self, options: asyncssh.SSHServerConnectionOptions, limits: Limits, source: str, now: Callable[[], float]
    ) -> None:
        super().__init__(asyncio.get_running_loop(), options)
        self.limits = limits
        self.source = source
        self.login = LoginState()
        self.sessions = 0
        self.terminals = 0
        self.refusals = 0
        self.on_end: Callable[[], None] | None = None
        self._now = now
        rate = limits.input_bytes_per_s * WIRE_RATE_FACTOR
        self._bucket = Bucket(rate, rate * WIRE_BURST_S, now())
        self._rekeys = Bucket(REKEYS_PER_S, REKEY_RESERVE, now())
        self._backlog = bytearray()  # arrived, and not yet handed to the library
        self._timers: dict[str, asyncio.Handle] = {}
        self._heard_at = float("-inf")
        self._held_by: set[str] = set()  # why nothing is read from the socket just now
        self._asked_at = float("-inf")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin. Also: a peer that vanished is noticed although we only send."""
        super().connection_made(transport)
        if isinstance(transport, asyncio.WriteTransport):
            transport.set_write_buffer_limits(high=self.limits.buffer_bytes)
        sock: socket.socket | None = transport.get_extra_info("socket")
        if (
            sock is not None
            and hasattr(socket, "TCP_USER_TIMEOUT")
            and sock.family in (socket.AF_INET, socket.AF_INET6)
        ):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TCP_USER_TIMEOUT_S * 1000)

    def send_packet(self, pkttype: int, *args: bytes, handler: Any = None) -> None:
        """Send a packet. The library sends an empty one before each, which doubles encryption and system calls.

        It hides the state that CBC ciphers carry from packet to packet; we offer counter modes only (algorithms.py),
        which carry none.
        """
        if pkttype != MSG_IGNORE:
            super().send_packet(pkttype, *args, handler=handler)

    def _send(self, data: bytes) -> None:
        """Send bytes, but not to who is gone: each such try is a warning in the log, and there may be thousands."""
        if isinstance(self._transport, asyncio.Transport) and not self._transport.is_closing():
            super()._send(data)

    def log_sent_packet(self, *args: Any, **more: Any) -> None:
        """Say nothing of a packet. The library words a line for each, which only its third debug level shows."""

    log_received_packet = log_sent_packet

    # Reading: the library reads as fast as bytes come, and takes in a whole read at once

    def data_received(self, data: bytes, datatype: Any = None) -> None:
        """Take bytes, a little at a time, and no faster than allowed."""
        self._backlog += data
        if "turn" not in self._timers:
            self._take_some()

    def _take_some(self) -> None:
        """Hand over what arrived, for one slice of time; everybody else gets their turn before the rest."""
        self._timers.pop("turn", None)
        began, cost = thread_time(), 0
        while self._backlog and self._transport is not None and not self._is_thinking:
            piece, before = bytes(self._backlog[:PIECE]), self._recv_seq
            del self._backlog[:PIECE]
            super().data_received(piece)
            cost += len(piece) + max(0, self._recv_seq - before) * PACKET_COST
            if thread_time() - began > SLICE_S:
                break
        if self._transport is None:
            self._backlog.clear()
        if self._backlog:
            self._hold("backlog")
            if not self._is_thinking:
                self._timers["turn"] = self._loop.call_soon(self._take_some)
        else:
            self._release("backlog")
        self._slow_down(self._bucket.take(cost, self._now()))

    @property
    def _is_thinking(self) -> bool:
        """Tell whether the library still works on a packet, and would only pile up what follows."""
        return self._recv_handler not in (self._recv_version, self._recv_pkthdr, self._recv_packet)

    def _finish_recv_packet(self, *args: Any, **more: Any) -> None:
        super()._finish_recv_packet(*args, **more)
        if self._backlog and "turn" not in self._timers and more.get("is_async"):
            self._timers["turn"] = self._loop.call_soon(self._take_some)

    def _slow_down(self, pause: float) -> None:
        if pause and "rate" not in self._timers:
            self._hold("rate")
            self._timers["rate"] = self._loop.call_later(pause, self._read_on)

    def _read_on(self) -> None:
        self._timers.pop("rate", None)
        self._release("rate")

    def pause_writing(self) -> None:
        """Read nothing from who does not read: answers to what they ask would pile up without end."""
        self._hold("unread")

    def resume_writing(self) -> None:
        """Read on: what we sent was taken."""
        self._release("unread")

    def _hold(self, why: str) -> None:
        if not self._held_by and isinstance(self._transport, asyncio.Transport):
            self._transport.pause_reading()
        self._held_by.add(why)
        if "look" not in self._timers:
            self._timers["look"] = self._loop.call_later(LOOK_EVERY_S, self._look)

    def _look(self) -> None:
        """Notice that the client has hung up, which nobody tells while nothing is read from it."""
        del self._timers["look"]
        sock = self._transport.get_extra_info("socket") if self._transport is not None else None
        if not self._held_by or sock is None or sock.fileno() < 0:
            return
        poll = select.poll()
        poll.register(sock.fileno(), HUNG_UP)
        if poll.poll(0):
            self.abort()
        else:
            self._ask()
            self._timers["look"] = self._loop.call_later(LOOK_EVERY_S, self._look)

    def _ask(self) -> None:
        """Say a word that needs no answer, now and then.

        A hang-up may wait behind megabytes that nobody reads; but where nobody is any more, a word is answered by a
        reset, which the next look finds. Who does not take what we say gets none: there TCP_USER_TIMEOUT looks.
        """
        now = self._loop.time()
        if self._auth_complete and "unread" not in self._held_by and now >= self._asked_at + ASK_EVERY_S:
            self._asked_at = now
            super().send_packet(MSG_IGNORE, String(b""))

    def _release(self, why: str) -> None:
        if why not in self._held_by:
            return
        self._held_by.discard(why)
        transport = self._transport
        if not self._held_by and isinstance(transport, asyncio.Transport) and not transport.is_closing():
            transport.resume_reading()

    # Keepalive: the library sets its timer anew with every read; here it looks, when it rings, when the last one was

    def _reset_keepalive_timer(self) -> None:
        """Note that something was heard."""
        self._heard_at = self._loop.time()
        if self._auth_complete and self._keepalive_timer is None:
            self._set_keepalive_timer()

    def _keepalive_timer_callback(self) -> None:
        """Ask whether the client is there, unless it was heard since the timer was set."""
        left = self._heard_at + self._keepalive_interval - self._loop.time()
        if left > KEEPALIVE_SLACK_S:
            self._keepalive_timer = self._loop.call_later(left, self._keepalive_timer_callback)
        else:
            super()._keepalive_timer_callback()

    def connection_lost(self, exc: Exception | None = None) -> None:
        """End."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._backlog.clear()
        self.left()
        super().connection_lost(exc)

    def left(self) -> None:
        """Count as one that has not logged in no longer."""
        if self.on_end is not None:
            self.on_end()
            self.on_end = None

    @property
    def unsent_bytes(self) -> int:
        """Return what waits in the transport, or for a key exchange to end; the library does not say."""
        transport = self._transport
        waiting = transport.get_write_buffer_size() if isinstance(transport, asyncio.Transport) else 0
        if not self._deferred_packets:
            return waiting
        return waiting + sum(len(part) for _, parts in self._deferred_packets for part in parts)

    # Key exchanges: a client may begin them as often as it likes, and need not end them

    async def _process_kexinit(self, pkttype: int, pktid: int, packet: SSHPacket) -> None:
        """Exchange keys anew, but not for ever and at once: each costs milliseconds."""
        pause = self._rekeys.take(1, self._now())
        if pause:
            await asyncio.sleep(pause)
        if self._transport is not None:
            await super()._process_kexinit(pkttype, pktid, packet)

    def _send_kexinit(self) -> None:
        """Begin an exchange; until it has ended everything we send waits, so it must end."""
        super()._send_kexinit()
        if (earlier := self._timers.pop("kex", None)) is not None:
            earlier.cancel()
        self._timers["kex"] = self._loop.call_later(self.limits.login_timeout_s, self._end_kex)

    def _end_kex(self) -> None:
        self._timers.pop("kex", None)
        if not self._kex_complete:
            self.abort()

    # Authentication

    def _process_userauth_request(self, pkttype: int, pktid: int, packet: SSHPacket) -> Any:
        """Begin one attempt. The library counts none, and knows nothing of what an earlier one proved."""
        if not self._auth_complete:
            self.login.begin_request()
            if self.login.attempts > self.limits.auth_attempts:
                raise asyncssh.DisconnectError(2, "Too many authentication attempts")
        return super()._process_userauth_request(pkttype, pktid, packet)

    def _process_channel_open(self, pkttype: int, pktid: int, packet: SSHPacket) -> None:
        """Open a channel, unless its packets would have to be tiny."""
        said = SSHPacket(packet.get_remaining_payload())
        said.get_string()
        number, _, size = said.get_uint32(), said.get_uint32(), said.get_uint32()
        if size >= LEAST_PACKET:
            return super()._process_channel_open(pkttype, pktid, packet)
        self.refusals += 1
        self.send_channel_open_failure(number, asyncssh.OPEN_RESOURCE_SHORTAGE, "packets that small cost too much", "")
        return None

    _packet_handlers = {  # noqa: RUF012 (the library's own way to find handlers)
        **asyncssh.SSHServerConnection._packet_handlers,
        MSG_KEXINIT: _process_kexinit,
        MSG_USERAUTH_REQUEST: _process_userauth_request,
        MSG_CHANNEL_OPEN: _process_channel_open,
    }

    async def reload_config(self) -> None:
        """Do nothing: the library builds all options anew for each user name, and ours never depend on it."""

    async def validate_public_key(self, username: str, key_data: bytes, msg: bytes, signature: bytes) -> bool:
        """Check a key, and its signature where there is one: only then is it proven."""
        request = self.login.attempts
        is_good = await super().validate_public_key(username, key_data, msg, signature)
        if is_good and msg and request == self.login.attempts:
            self.login.verified()
        return is_good

    async def create_agent_listener(self) -> bool:
        """Refuse agent forwarding."""
        return False


class LinkChannel(asyncssh.SSHServerChannel[bytes]):
    """One session channel that keeps only the environment we asked for, and runs one thing."""

    ENVIRONMENT = frozenset((b"LANG", b"LC_ALL", b"LC_CTYPE", b"LC_MESSAGES", b"COLORTERM", b"NO_COLOR", b"TZ"))

    def __init__(self, link: Link) -> None:
        super().__init__(link, link._loop, True, False, False, 0, 0, None, "strict", WINDOW, PACKET)
        self._limits = link.limits
        self.env_seen = 0
        self._held_by: set[str] = set()  # why nothing is delivered just now

    def hold(self, why: str) -> None:
        """Deliver nothing until every reason is released: who releases one knows nothing of the others."""
        if not self._held_by:
            self.pause_reading()
        self._held_by.add(why)

    def release(self, why: str) -> None:
        """Deliver again, unless there is another reason not to."""
        if why in self._held_by:
            self._held_by.discard(why)
            if not self._held_by and not self.is_closing():
                self.resume_reading()

    def log_sent_packet(self, *args: Any, **more: Any) -> None:
        """Say nothing of a packet, as the connection."""

    log_received_packet = log_sent_packet

    @property
    def env(self) -> Mapping[bytes, bytes]:
        """Return the environment that was kept."""
        return self._env

    def _process_env_request(self, packet: SSHPacket) -> bool:
        """Keep a variable of the list, of bounded size; the library keeps all."""
        name, value = packet.get_string(), packet.get_string()
        packet.check_end()
        self.env_seen += 1
        if name not in self.ENVIRONMENT or self.env_seen > self._limits.env_vars * 4:
            return False
        if len(value) > self._limits.env_bytes or len(self._env) >= self._limits.env_vars:
            return False
        self._env[name] = value
        return True

    def _process_exec_request(self, packet: SSHPacket) -> bool:
        """Refuse a command line that is too long before anything reads it."""
        if len(packet.get_remaining_payload()) - 4 > self._limits.exec_bytes:
            return False
        return super()._process_exec_request(packet)
