"""A connection over the SSH library's; each method that it replaces says what the library lacks.

What protects packets (sealing, opening, padding, sequence numbers) is the library's alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import thread_time
from typing import Any, cast

import asyncssh
from asyncssh.packet import SSHPacket, String

from server.address import Address
from server.admission.gate import Inside, Knocking, Reason
from server.config import Limits
from server.ssh.advice import NO_PASSWORDS, TOO_MANY_ATTEMPTS, TOO_OLD
from server.ssh.algorithms import guesses_wrong, names_agree
from server.ssh.auth import LoginState
from server.ssh.pausedreading import PausedReading
from server.tokenbucket import Bucket

MSG_IGNORE, MSG_KEXINIT, MSG_USERAUTH_REQUEST, MSG_CHANNEL_OPEN = 2, 20, 50, 90
WIRE_RATE_FACTOR = 4  # bytes on the wire for each byte typed: a packet with one key is mostly overhead
WIRE_BURST_S = 16
RSA_PROOF = b"rsa-sha2-512"
PACKET_COST = 512  # bytes that every packet counts for besides its own: the cost of processing it
PIECE = 1024  # bytes handed to the library at a time
SLICE_S = 0.002  # CPU seconds of one connection's time slice
LEAST_PACKET = 1024  # smaller output packets cost the server too much CPU for each byte
REKEYS_PER_S, REKEY_RESERVE = 0.5, 8
MAX_REFUSED_CHANNELS = 30


class Link(asyncssh.SSHServerConnection):
    """One connection: its authentication, its input rate, its open channels."""

    def __init__(
        self,
        options: asyncssh.SSHServerConnectionOptions,
        limits: Limits,
        source: str,
        reached_at: Address,
        now: Callable[[], float],
        knocking: Knocking,
    ) -> None:
        """`reached_at`: how the client got here. `knocking`: its place among those that have not logged in."""
        super().__init__(asyncio.get_running_loop(), options)
        self.limits = limits
        self.source = source
        self.reached_at = reached_at
        self.login = LoginState()
        self.sessions = 0
        self.running = 0  # of these run a command or the screens
        self.terminals = 0
        self.refusals = 0
        self.knocking = knocking
        self._inside: Inside | None = None
        self._now = now
        rate = limits.input_bytes_per_s * WIRE_RATE_FACTOR
        self._bucket = Bucket(rate, rate * WIRE_BURST_S, now())
        self._rekeys = Bucket(REKEYS_PER_S, REKEY_RESERVE, now())
        self._backlog = bytearray()  # received, not yet passed to the library
        self._timers: dict[str, asyncio.Handle] = {}
        self._advised: tuple[str, ...] = ()
        self._paused = PausedReading(self.abort, self._ask)
        self._uncharged = 0  # packets received, not yet counted against the rate
        self._proved: frozenset[bytes] = frozenset()  # host keys whose private halves the client has asked us to prove

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin; output that is not read is limited."""
        super().connection_made(transport)
        # Not tested by class: other event loops' transports have the methods, and not the base class.
        cast(asyncio.WriteTransport, transport).set_write_buffer_limits(high=self.limits.buffer_bytes)
        self._paused.start(transport)

    def send_packet(self, pkttype: int, *args: bytes, handler: Any = None) -> None:
        """Send a packet. The library sends an empty one before each, which doubles encryption and system calls.

        It hides the state that CBC ciphers carry from packet to packet; we offer counter modes only (algorithms.py),
        which carry none.
        """
        if pkttype != MSG_IGNORE:
            super().send_packet(pkttype, *args, handler=handler)

    def _send(self, data: bytes) -> None:
        """Send bytes unless the connection is closing: the event loop logs a warning for each such write."""
        transport = self._transport
        if transport is not None and not transport.is_closing():
            transport.write(data)

    # Reading: the library has no rate limit, and processes a whole read at once

    def data_received(self, data: bytes, datatype: Any = None) -> None:
        """Pass bytes on in pieces, at the allowed rate."""
        self._backlog += data
        if "turn" not in self._timers:
            self._take_some()

    def _take_some(self) -> None:
        """Pass buffered bytes to the library for one time slice; then yield. A single piece takes none."""
        self._timers.pop("turn", None)
        began, cost = None, 0
        while self._backlog and self._transport is not None and not self._is_thinking:
            piece = bytes(self._backlog[:PIECE])
            del self._backlog[:PIECE]
            cost += self._pass_on(piece)
            if not self._backlog:
                break
            if began is None:
                began = thread_time()
            elif thread_time() - began > SLICE_S:
                break
        if self._transport is None:
            self._backlog.clear()
        if self._backlog:
            self._paused.begin("backlog")
            if not self._is_thinking:
                self._timers["turn"] = asyncio.get_running_loop().call_soon(self._take_some)
        else:
            self._paused.end("backlog")
        self._slow_down(self._bucket.take(cost, self._now()))

    def _pass_on(self, piece: bytes) -> int:
        """Let the library process a piece, and return what it costs: its bytes, and so much for each packet."""
        super().data_received(piece)
        packets, self._uncharged = self._uncharged, 0
        return len(piece) + packets * PACKET_COST

    @property
    def _is_thinking(self) -> bool:
        """Tell whether the library is still processing a packet; it would only buffer what follows."""
        return self._recv_handler not in (self._recv_version, self._recv_pkthdr, self._recv_packet)

    def _finish_recv_packet(self, *args: Any, **more: Any) -> None:
        self._uncharged += 1
        super()._finish_recv_packet(*args, **more)
        if self._backlog and "turn" not in self._timers and more.get("is_async"):
            self._timers["turn"] = asyncio.get_running_loop().call_soon(self._take_some)

    def _slow_down(self, pause: float) -> None:
        if pause and "rate" not in self._timers:
            self._paused.begin("rate")
            self._timers["rate"] = asyncio.get_running_loop().call_later(pause, self._read_on)

    def _read_on(self) -> None:
        self._timers.pop("rate", None)
        self._paused.end("rate")

    def pause_writing(self) -> None:
        """Stop reading while the client does not read: answers would accumulate."""
        self._paused.begin("unread")

    def resume_writing(self) -> None:
        """Resume reading: the client has read."""
        self._paused.end("unread")

    def _ask(self) -> None:
        """Send a message that needs no answer."""
        if self._auth_complete:
            super().send_packet(MSG_IGNORE, String(b""))

    # Host keys: the library signs as often as it is asked

    def _process_hostkeys_prove_00_at_openssh_dot_com_global_request(self, packet: SSHPacket) -> None:
        """Prove that host keys are ours, each once for a connection: a signature takes milliseconds.

        RSA signs with SHA-2, by the name that the key exchange agreed on if it was an RSA one: OpenSSH wants that.
        """
        asked, rest = list[bytes](), SSHPacket(packet.get_remaining_payload())
        while rest:
            asked.append(rest.get_string())
        if len({*asked}) < len(asked) or self._proved & {*asked}:
            self._report_global_response(False)
            return
        self._proved |= {*asked} & self._all_server_host_keys.keys()
        used = self.get_server_host_key()
        by = used.sig_algorithm if used is not None and used.sig_algorithm.startswith(b"rsa-sha2-") else RSA_PROOF
        for pair in self._all_server_host_keys.values():
            if RSA_PROOF in pair.host_key_algorithms:
                pair.set_sig_algorithm(by)
        super()._process_hostkeys_prove_00_at_openssh_dot_com_global_request(packet)

    def connection_lost(self, exc: Exception | None = None) -> None:
        """End."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._backlog.clear()
        self._paused.stop()
        self.left()
        super().connection_lost(exc)

    def open_session(self) -> bool:
        """Count one more session channel; False: there are as many as there may be."""
        if self.sessions >= self.limits.channels:
            return False
        self.sessions += 1
        return True

    def close_session(self, had_terminal: bool, has_run: bool) -> None:
        """Count a session channel that has ended."""
        self.sessions -= 1
        self.terminals -= had_terminal
        if has_run:
            self.running -= 1
            self._note_use()

    def run_session(self) -> None:
        """Count a session channel that runs something from now on; one without a request is none."""
        self.running += 1
        self._note_use()

    def came_in(self, inside: Inside) -> None:
        """Take its place among the connections that have logged in."""
        self._inside = inside
        self._note_use()

    def _note_use(self) -> None:
        """End a connection on which nothing runs for `no_channel_s`."""
        if (earlier := self._timers.pop("channel", None)) is not None:
            earlier.cancel()
        if self._inside is None or self._transport is None:
            return
        self._inside.use(self.running > 0)
        if not self.running:
            self._timers["channel"] = self._loop.call_later(self.limits.no_channel_s, self._end_unused)

    def _end_unused(self) -> None:
        self._timers.pop("channel", None)
        if self._inside is not None:
            self._inside.send_away(Reason.NO_CHANNEL)

    def open_terminal(self) -> bool:
        """Count a terminal; False: the connection has one already."""
        if self.terminals:
            return False
        self.terminals += 1
        return True

    def refuse(self) -> None:
        """Count a refused request; too many end the connection."""
        self.refusals += 1
        if self.refusals > MAX_REFUSED_CHANNELS:
            self.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, "too many refused requests")

    def left(self) -> None:
        """Count it no longer as a connection before the login."""
        self.knocking.gave_up()

    @property
    def unsent_bytes(self) -> int:
        """Return the bytes that wait in the transport or for the end of a key exchange."""
        transport = self._transport
        waiting = transport.get_write_buffer_size() if transport is not None else 0
        if not self._deferred_packets:
            return waiting
        return waiting + sum(len(part) for _, parts in self._deferred_packets for part in parts)

    @property
    def waiting_bytes(self) -> int:
        """Return the bytes that the client has not read, in the transport and in all channels."""
        return self.unsent_bytes + sum(channel.get_write_buffer_size() for channel in self._channels.values())

    # Key exchanges: the library limits neither their rate nor their duration

    async def _process_kexinit(self, pkttype: int, pktid: int, packet: SSHPacket) -> None:
        """Rekey, within a rate limit: each exchange costs milliseconds."""
        pause = self._rekeys.take(1, self._now())
        if pause:
            await asyncio.sleep(pause)
        if self._transport is not None:
            said = packet.get_remaining_payload()
            await super()._process_kexinit(pkttype, pktid, packet)
            self._ignore_first_kex = guesses_wrong(said, self._kex_algs, self._server_host_key_algs or ())

    def _send_kexinit(self) -> None:
        """Begin a key exchange with a deadline: output waits until it has ended."""
        super()._send_kexinit()
        if (earlier := self._timers.pop("kex", None)) is not None:
            earlier.cancel()
        self._timers["kex"] = asyncio.get_running_loop().call_later(self.limits.login_timeout_s, self._end_kex)

    def _end_kex(self) -> None:
        self._timers.pop("kex", None)
        if not self._kex_complete:
            self.abort()

    # Authentication

    def _process_userauth_request(self, pkttype: int, pktid: int, packet: SSHPacket) -> Any:
        """Begin one attempt: count it and clear what an earlier one proved. The library does neither.

        A public-key request whose algorithm names differ continues as method `none`, which fails.
        """
        if not self._auth_complete:
            self.login.begin_request()
            if self.login.attempts > self.limits.auth_attempts:
                raise asyncssh.DisconnectError(asyncssh.DISC_PROTOCOL_ERROR, TOO_MANY_ATTEMPTS)
            said = SSHPacket(packet.get_remaining_payload())
            user, service, method = said.get_string(), said.get_string(), said.get_string()
            if method == b"password":
                self.advise(NO_PASSWORDS)
            if method == b"publickey" and not names_agree(said.get_remaining_payload()):
                self.advise(TOO_OLD)
                packet = SSHPacket(String(user) + String(service) + String(b"none"))
        return super()._process_userauth_request(pkttype, pktid, packet)

    def advise(self, sentence: str) -> None:
        """Send an authentication banner, each text once."""
        if sentence not in self._advised and not self._auth_complete:
            self._advised += (sentence,)
            self.send_auth_banner(f"patchbay: {sentence}\r\n")

    def _process_channel_open(self, pkttype: int, pktid: int, packet: SSHPacket) -> None:
        """Open a channel, unless its maximum packet size is tiny."""
        said = SSHPacket(packet.get_remaining_payload())
        said.get_string()
        number, _, size = said.get_uint32(), said.get_uint32(), said.get_uint32()
        if size >= LEAST_PACKET:
            return super()._process_channel_open(pkttype, pktid, packet)
        self.refusals += 1
        self.send_channel_open_failure(number, asyncssh.OPEN_RESOURCE_SHORTAGE, "packets that small cost too much", "")
        return None

    _packet_handlers = {  # noqa: RUF012 (how the library finds handlers)
        **asyncssh.SSHServerConnection._packet_handlers,
        MSG_KEXINIT: _process_kexinit,
        MSG_USERAUTH_REQUEST: _process_userauth_request,
        MSG_CHANNEL_OPEN: _process_channel_open,
    }

    async def reload_config(self) -> None:
        """Do nothing: the library rebuilds all options for each user name; ours do not depend on it."""

    async def validate_public_key(self, username: str, key_data: bytes, msg: bytes, signature: bytes) -> bool:
        """Check a key; it is proven only by a valid signature."""
        request = self.login.attempts
        is_good = await super().validate_public_key(username, key_data, msg, signature)
        if is_good and msg and request == self.login.attempts:
            self.login.verified()
        return is_good

    async def create_agent_listener(self) -> bool:
        """Refuse agent forwarding."""
        return False
