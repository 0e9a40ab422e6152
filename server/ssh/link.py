"""Overrides of the SSH library; each method says what the library lacks.

`Link` is one connection, `LinkChannel` one session channel. Everything else is the library's own.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
import struct
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, thread_time
from typing import Any, cast

import asyncssh
from asyncssh.encryption import GCMEncryption
from asyncssh.packet import SSHPacket, String
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from server.address import Address
from server.config import Limits
from server.ssh.advice import NO_PASSWORDS, TOO_MANY_ATTEMPTS, TOO_OLD
from server.ssh.algorithms import names_agree
from server.ssh.auth import LoginState
from server.ssh.gate import Knocking
from server.tokenbucket import Bucket

MSG_IGNORE, MSG_KEXINIT, MSG_USERAUTH_REQUEST, MSG_CHANNEL_OPEN, MSG_CHANNEL_DATA = 2, 20, 50, 90, 94
DATA_HEAD = struct.Struct(">BBII")  # length of the padding, type, channel, length of the data
IGNORE_HEAD = 6  # the same without a channel: its third field is the length
GCM_TAG = 16
WINDOW = 64 * 1024
PACKET = 32 * 1024
WIRE_RATE_FACTOR = 4  # bytes on the wire for each byte typed: a packet with one key is mostly overhead
WIRE_BURST_S = 16
RSA_PROOF = b"rsa-sha2-512"
PACKET_COST = 512  # bytes that every packet counts for besides its own: the cost of processing it
PIECE = 1024  # bytes handed to the library at a time
SLICE_S = 0.002  # CPU seconds of one connection's time slice
LEAST_PACKET = 1024  # smaller output packets cost the server too much CPU for each byte
LOOK_EVERY_S = 1.0
ASK_EVERY_S = 4.0
HUNG_UP = getattr(select, "POLLRDHUP", select.POLLHUP)
REKEYS_PER_S, REKEY_RESERVE = 0.5, 8
TCP_USER_TIMEOUT_S = 60
MAX_REFUSED_CHANNELS = 30
READ_S = 0.3  # how long a client needs to show a message sent before a refusal
KEEPALIVE_SLACK_S = 0.01


class Padding:
    """Random bytes for the padding of packets, drawn many at a time: a system call costs half of an encryption."""

    DRAWN = 4096

    def __init__(self) -> None:
        self._bytes, self._used = b"", 0

    def take(self, count: int) -> bytes:
        """Return so many bytes (255 at most) that were never returned before."""
        start, end = self._used, self._used + count
        if end > len(self._bytes):
            self._bytes, start, end = os.urandom(self.DRAWN), 0, count
        self._used = end
        return self._bytes[start:end]


PADDING = Padding()


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
        """`reached_at`: how the client got here.

        `knocking`: its place among the connections that have not logged in.
        """
        super().__init__(asyncio.get_running_loop(), options)
        self.limits = limits
        self.source = source
        self.reached_at = reached_at
        self.login = LoginState()
        self.sessions = 0
        self.terminals = 0
        self.refusals = 0
        self.knocking = knocking
        self._now = now
        rate = limits.input_bytes_per_s * WIRE_RATE_FACTOR
        self._bucket = Bucket(rate, rate * WIRE_BURST_S, now())
        self._rekeys = Bucket(REKEYS_PER_S, REKEY_RESERVE, now())
        self._backlog = bytearray()  # received, not yet passed to the library
        self._timers: dict[str, asyncio.Handle] = {}
        self._advised: set[str] = set()
        self._heard_at = float("-inf")
        self._held_by: set[str] = set()  # reasons why reading from the socket is paused
        self._asked_at = float("-inf")
        self._seals_for: object = None  # the encryption whose key is kept set up
        self._seal: AESGCM | None = None
        self._proved: set[bytes] = set()  # host keys whose private halves the client has asked us to prove
        self._opens_for: object = None
        self._opens: AESGCM | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Set TCP_USER_TIMEOUT, which detects a vanished peer while the server only sends."""
        super().connection_made(transport)
        # Not tested by class: other event loops' transports have the methods, and not the base class.
        cast(asyncio.WriteTransport, transport).set_write_buffer_limits(high=self.limits.buffer_bytes)
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

    def send_data(self, number: int, data: bytes) -> bool:
        """Send data of a channel in one packet; False: the library must do it.

        The library copies it a dozen times and sets up the key anew for each packet. It does it where another cipher
        than GCM was agreed on, while keys are exchanged, and where that is due.
        """
        encryption = self._send_encryption
        if not (self._auth_complete and self._kex_complete and isinstance(encryption, GCMEncryption)):
            return False
        rekey_s = self._rekey_seconds
        is_rekey_due = self._rekey_bytes_sent >= self._rekey_bytes or (rekey_s and monotonic() >= self._rekey_time)
        if is_rekey_due or self._compressor is not None or self._deferred_packets:
            return False
        cipher = encryption._cipher
        if self._seal is None or self._seals_for is not encryption:
            self._seals_for, self._seal = encryption, AESGCM(cipher._key)
        padding = -(self._send_enchdrlen + DATA_HEAD.size - 1 + len(data)) % self._send_blocksize
        if padding < 4:
            padding += self._send_blocksize
        packet = b"".join((DATA_HEAD.pack(padding, MSG_CHANNEL_DATA, number, len(data)), data, PADDING.take(padding)))
        length = len(packet).to_bytes(4, "big")
        sealed = self._seal.encrypt(cipher._iv, packet, length)
        cipher._update_iv()
        self._send(length + sealed)
        self._send_seq = (self._send_seq + 1) & 0xFFFFFFFF
        self._rekey_bytes_sent += len(packet)
        return True

    def _send(self, data: bytes) -> None:
        """Send bytes unless the connection is closing: the event loop logs a warning for each such write."""
        transport = self._transport
        if transport is not None and not transport.is_closing():
            transport.write(data)

    def log_sent_packet(self, *args: Any, **more: Any) -> None:
        """Do nothing. The library formats a line for each packet, which only its third debug level logs."""

    log_received_packet = log_sent_packet

    # Reading: the library has no rate limit, and processes a whole read at once

    def data_received(self, data: bytes, datatype: Any = None) -> None:
        """Pass bytes on in pieces, at the allowed rate; more than one piece is buffered."""
        if len(data) <= PIECE and not self._backlog and "turn" not in self._timers and not self._is_thinking:
            before = self._recv_seq
            super().data_received(data)
            packets = max(0, self._recv_seq - before)
            self._slow_down(self._bucket.take(len(data) + packets * PACKET_COST, self._now()))
            return
        self._backlog += data
        if "turn" not in self._timers:
            self._take_some()

    def _take_some(self) -> None:
        """Pass buffered bytes to the library for one time slice; then yield. A single piece takes none."""
        self._timers.pop("turn", None)
        began, cost = None, 0
        while self._backlog and self._transport is not None and not self._is_thinking:
            piece, before = bytes(self._backlog[:PIECE]), self._recv_seq
            del self._backlog[:PIECE]
            super().data_received(piece)
            cost += len(piece) + max(0, self._recv_seq - before) * PACKET_COST
            if not self._backlog:
                break
            if began is None:
                began = thread_time()
            elif thread_time() - began > SLICE_S:
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

    def _recv_pkthdr(self) -> bool:
        """Receive a packet: keys struck at a terminal, which are most of them, in one step."""
        return self._recv_data_packet() or super()._recv_pkthdr()

    def _recv_data_packet(self) -> bool:
        """Receive a whole packet with data of a channel, or one to be ignored; False: the library must do it.

        Then nothing has been touched.

        The library sets up the key anew for each packet, and takes each in pieces. It receives what has not come whole,
        what is no data or wrong in any way, and whatever comes under another cipher than GCM or while keys are
        exchanged.
        """
        encryption, received = self._recv_encryption, self._inpbuf
        if not (self._auth_complete and self._kex_complete and isinstance(encryption, GCMEncryption)):
            return False
        end = 4 + int.from_bytes(received[:4], "big") + GCM_TAG
        if len(received) < end or end > PACKET or self._decompressor is not None:
            return False
        cipher = encryption._cipher
        if self._opens is None or self._opens_for is not encryption:
            self._opens_for, self._opens = encryption, AESGCM(cipher._key)
        try:
            packet = self._opens.decrypt(cipher._iv, received[4:end], received[:4])
        except InvalidTag:
            return False
        if len(packet) < DATA_HEAD.size:
            return False
        padding, kind, number, size = DATA_HEAD.unpack_from(packet)
        if kind == MSG_IGNORE and padding > 0 and IGNORE_HEAD + number + padding == len(packet):
            cipher._update_iv()
            self._inpbuf = received[end:]
            self._finish_recv_packet(kind, self._recv_seq)
            return True
        channel = self._channels.get(number)
        is_data = kind == MSG_CHANNEL_DATA and padding > 0 and DATA_HEAD.size + size + padding == len(packet)
        if channel is None or not is_data or size > channel._recv_window or channel._recv_state != "open":
            return False
        cipher._update_iv()
        self._inpbuf = received[end:]
        channel._accept_data(packet[DATA_HEAD.size : DATA_HEAD.size + size])
        self._finish_recv_packet(kind, self._recv_seq)
        return True

    @property
    def _is_thinking(self) -> bool:
        """Tell whether the library is still processing a packet; it would only buffer what follows."""
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
        """Stop reading while the client does not read: answers would accumulate."""
        self._hold("unread")

    def resume_writing(self) -> None:
        """Resume reading: the client has read."""
        self._release("unread")

    def _hold(self, why: str) -> None:
        if not self._held_by and self._transport is not None:
            self._transport.pause_reading()
        self._held_by.add(why)
        if "look" not in self._timers:
            self._timers["look"] = self._loop.call_later(LOOK_EVERY_S, self._look)

    def _look(self) -> None:
        """Detect a hang-up, which the event loop does not report while reading is paused."""
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
        """Send a message that needs no answer, from time to time, to provoke a reset from a client that is gone.

        The hang-up itself may wait behind megabytes of unread input. Nothing is sent while output is unsent: then
        TCP_USER_TIMEOUT detects the loss.
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
        if not self._held_by and transport is not None and not transport.is_closing():
            transport.resume_reading()

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

    # Keepalive: the library resets its timer at every read; here the timer compares times when it fires

    def _reset_keepalive_timer(self) -> None:
        """Note when the client was last heard."""
        self._heard_at = self._loop.time()
        if self._auth_complete and self._keepalive_timer is None:
            self._set_keepalive_timer()

    def _keepalive_timer_callback(self) -> None:
        """Send a keepalive unless the client was heard since the timer was set."""
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

    def open_session(self) -> bool:
        """Count one more session channel; False: there are as many as there may be."""
        if self.sessions >= self.limits.channels:
            return False
        self.sessions += 1
        return True

    def close_session(self, had_terminal: bool) -> None:
        """Count a session channel that has ended."""
        self.sessions -= 1
        self.terminals -= had_terminal

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

    # Key exchanges: the library limits neither their rate nor their duration

    async def _process_kexinit(self, pkttype: int, pktid: int, packet: SSHPacket) -> None:
        """Rekey, within a rate limit: each exchange costs milliseconds."""
        pause = self._rekeys.take(1, self._now())
        if pause:
            await asyncio.sleep(pause)
        if self._transport is not None:
            said = packet.get_remaining_payload()
            await super()._process_kexinit(pkttype, pktid, packet)
            self._ignore_first_kex = _guesses_wrong(said, self._kex_algs, self._server_host_key_algs or ())

    def _send_kexinit(self) -> None:
        """Begin a key exchange with a deadline: output waits until it has ended."""
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
            self._advised.add(sentence)
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


def _guesses_wrong(kexinit: bytes, kex: Sequence[bytes], host_keys: Sequence[bytes]) -> bool:
    """Tell whether the client's guessed key exchange packet must be ignored.

    A guess is right only if both lists of each kind begin with the same name, whatever is agreed on
    (RFC 4253 section 7); the library compares with what was agreed on. Raises PacketDecodeError.
    """
    packet = SSHPacket(kexinit)
    packet.get_bytes(16)  # the cookie
    lists = [packet.get_namelist() for _ in range(10)]
    return packet.get_boolean() and (lists[0][:1] != list(kex[:1]) or lists[1][:1] != list(host_keys[:1]))


class LinkChannel(asyncssh.SSHServerChannel[bytes]):
    """One session channel that keeps only listed environment variables and runs one command."""

    ENVIRONMENT = frozenset((b"LANG", b"LC_ALL", b"LC_CTYPE", b"LC_MESSAGES", b"COLORTERM", b"NO_COLOR", b"TZ"))

    def __init__(self, link: Link) -> None:
        super().__init__(link, link._loop, True, False, False, 0, 0, None, "strict", WINDOW, PACKET)
        self._limits = link.limits
        self.env_seen = 0
        self._has_refused = False
        self.held_by: set[str] = set()  # reasons why delivery is paused

    def hold(self, why: str) -> None:
        """Pause delivery until every reason is released."""
        if not self.held_by:
            self.pause_reading()
        self.held_by.add(why)

    def release(self, why: str) -> None:
        """Release one reason; resume delivery if none is left."""
        if why in self.held_by:
            self.held_by.discard(why)
            if not self.held_by and not self.is_closing():
                self.resume_reading()

    def write(self, data: bytes, datatype: int | None = None) -> None:
        """Send data in one packet where nothing waits and all of it fits; else as the library does."""
        link, number, size = self._conn, self._send_chan, len(data)
        fits = 0 < size <= min(self._send_window, self._send_pktsize) and not self._send_buf and not self._send_paused
        is_plain = datatype is None and self._send_state == "open"
        if fits and is_plain and number is not None and isinstance(link, Link) and link.send_data(number, data):
            self._send_window -= size
        else:
            super().write(data, datatype)

    def log_sent_packet(self, *args: Any, **more: Any) -> None:
        """Do nothing, as `Link.log_sent_packet`."""

    log_received_packet = log_sent_packet

    @property
    def env(self) -> Mapping[bytes, bytes]:
        """Return the environment that was kept."""
        return self._env

    def _process_env_request(self, packet: SSHPacket) -> bool:
        """Keep a listed variable of bounded size; the library keeps all variables."""
        name, value = packet.get_string(), packet.get_string()
        packet.check_end()
        self.env_seen += 1
        if name not in self.ENVIRONMENT or self.env_seen > self._limits.env_vars * 4:
            return False
        if len(value) > self._limits.env_bytes or len(self._env) >= self._limits.env_vars:
            return False
        self._env[name] = value
        return True

    def _process_subsystem_request(self, packet: SSHPacket) -> Any:
        """Refuse a subsystem, the first one after a delay: clients drop messages that they have not shown by then."""
        is_given = super()._process_subsystem_request(packet)
        if is_given or self._has_refused:
            return is_given
        self._has_refused = True
        self._loop.call_later(READ_S, self._refuse_late)
        return None

    def _refuse_late(self) -> None:
        if self._request_queue:
            self._report_response(False)

    def _process_exec_request(self, packet: SSHPacket) -> bool:
        """Refuse a command line that is too long before it is parsed."""
        if len(packet.get_remaining_payload()) - 4 > self._limits.exec_bytes:
            return False
        return super()._process_exec_request(packet)
