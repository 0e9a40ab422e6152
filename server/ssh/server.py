"""The listener: who may connect, who they proved to be, and which channels they get."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import asyncssh
from asyncssh.packet import Byte, String, UInt32

from server.accounts.identity import Identity
from server.clock import Clock
from server.collector import Leavings
from server.config import Limits, Network
from server.log import get_logger
from server.ssh.algorithms import algorithm_options
from server.ssh.auth import Login, wish_of
from server.ssh.call import Exit
from server.ssh.limits import Gate, Rates, source_key
from server.ssh.link import PACKET, WINDOW, Link, LinkChannel
from server.ssh.proxy import ProxyHeader, is_trusted
from server.ssh.session import ClientSession, Serve, SessionHouse
from server.ssh.tally import Tally

log = get_logger("ssh")
Recognise = Callable[[Login], Coroutine[Any, Any, Identity]]
MAX_REFUSED_CHANNELS = 30
FAREWELL_S = 1.0
TURN_OUT_S = 5.0  # in which the sessions of a network that is banned now end by themselves
MOST_PARTING = 50
BUSY = "too many connections from your address that have not logged in; please try again in a moment"
MSG_DISCONNECT = 1


class Listener:
    """Accepts connections on one or more sockets and serves their sessions.

    `recognise` turns a finished authentication into an identity, `serve` runs one call. Both are the rest of the
    server; this class knows neither accounts nor matches.
    """

    def __init__(
        self,
        host_key: asyncssh.SSHKey,
        limits: Limits,
        clock: Clock,
        recognise: Recognise,
        serve: Serve,
        proxies: tuple[Network, ...] = (),
        tally: Tally | None = None,
    ) -> None:
        self.limits = limits
        self.clock = clock
        self.gate = Gate(limits, tally)
        self.recognise = recognise
        self.serve = serve
        self.proxies = proxies
        self.count: Callable[[str, str], None] = lambda kind, label: None  # (login or cut_off, what or why)
        self.refuses: Callable[[str], str | None] = lambda address: None  # why somebody from there may not even try
        self.visitors: set[Visitor] = set()
        self.leavings = Leavings()
        self.parting = 0  # connections that are sent away, and still read why
        self.house = SessionHouse(Rates(clock.monotonic), lambda why: self.count("cut_off", why))
        self._servers: list[asyncio.Server] = []
        self.options = asyncssh.SSHServerConnectionOptions(
            server_factory=lambda: Visitor(self),
            server_host_keys=[host_key],
            server_version="Patchbay",
            config=None,
            login_timeout=limits.login_timeout_s,
            keepalive_interval=30,
            keepalive_count_max=3,
            tcp_keepalive=True,
            public_key_auth=True,
            kbdint_auth=True,
            password_auth=False,
            host_based_auth=False,
            gss_host=None,
            x509_trusted_certs=None,
            allow_scp=False,
            agent_forwarding=False,
            x11_forwarding=False,
            line_editor=False,
            encoding=None,
            window=WINDOW,
            max_pktsize=PACKET,
            **algorithm_options(),
        )

    async def listen(self, host: str, port: int, reuse_port: bool = False) -> int:
        """Listen on one address; return the port. Raises OSError when the address can't be had."""
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: FrontDoor(self), host, port, backlog=512, reuse_port=reuse_port or None, start_serving=False
        )
        self._servers.append(server)
        found: int = server.sockets[0].getsockname()[1]
        return found

    async def listen_all(self, hosts: tuple[str, ...], port: int, reuse_port: bool = False) -> int:
        """Listen on every address with one port (0: any that is free on all); begin to accept.

        Raises OSError when one of them can't be had; then none is held.
        """
        for host in hosts:
            try:
                port = await self.listen(host, port, reuse_port)
            except OSError as error:
                if len(hosts) > 1 and error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL) and ":" in host:
                    log.warning("no such address here", host=host)
                    continue
                self.stop_accepting()
                self._servers.clear()
                raise OSError(error.errno, f"{host}: {error.strerror or error}") from error
        if not self._servers:
            raise OSError(errno.EADDRNOTAVAIL, "no address to listen on")
        for server in self._servers:
            await server.start_serving()
        return port

    def stop_accepting(self) -> None:
        """Close the sockets; connections stay."""
        for server in self._servers:
            server.close()

    async def close(self, reason: str) -> None:
        """Disconnect everybody and wait for their sessions to end."""
        self.stop_accepting()
        self.send_everybody_home(reason)
        await asyncio.gather(*self.house.tasks, return_exceptions=True)
        end = self.clock.monotonic() + FAREWELL_S
        while self.visitors and self.clock.monotonic() < end:
            await self.clock.sleep(0.02)  # clients hang up themselves once they have their exit status
        for visitor in list(self.visitors):
            visitor.disconnect(reason)
        await asyncio.sleep(0)

    def turn_out(self) -> None:
        """Disconnect whoever is connected from where nobody may be: those without a session now, the others soon.

        Sessions end by themselves, with a sentence; their clients have a moment to read it and to hang up.
        """
        self._turn_out(only_idle=True)
        asyncio.get_running_loop().call_later(TURN_OUT_S, self._turn_out)

    def _turn_out(self, only_idle: bool = False) -> None:
        for visitor in list(self.visitors):
            why = self.refuses(visitor.link.source)
            if why is not None and not (only_idle and visitor.link.sessions):
                visitor.disconnect(why)

    def send_everybody_home(self, reason: str) -> None:
        """End all sessions with a sentence; scripts learn from the exit status that it is worth trying again."""
        for session in list(self.house.sessions):
            session.send_home(reason, Exit.DRAINING)


class FrontDoor(asyncio.Protocol):
    """Looks at a new connection before the SSH library does: the PROXY header, and whether it may try at all."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._header: ProxyHeader | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_parting = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Decide by the peer's address, or wait for the header that names the real one."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        peer = transport.get_extra_info("peername")
        address = peer[0] if peer else ""
        if is_trusted(address, self._listener.proxies):
            self._header = ProxyHeader()
            self._timer = asyncio.get_running_loop().call_later(5, transport.abort)
        else:
            self._admit(address, b"")

    def data_received(self, data: bytes) -> None:
        """Collect the header; what follows it is SSH."""
        if self._header is None:
            return
        try:
            found = self._header.feed(data)
        except ValueError:
            log.info("bad PROXY header")
            self._transport.abort()
            return
        if found is not None:
            address, rest = found
            self._cancel_timer()
            peer = self._transport.get_extra_info("peername")
            self._admit(address or peer[0], rest)

    def connection_lost(self, exc: Exception | None) -> None:
        """End before it began."""
        self._cancel_timer()
        if self._is_parting:
            self._listener.parting -= 1

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _admit(self, address: str, rest: bytes) -> None:
        listener = self._listener
        if (why := listener.refuses(address)) is not None:
            self._turn_away("banned", why)
            return
        leave = listener.gate.knock(source_key(address))
        if leave is None:
            self._turn_away("too_many_knocking", BUSY)
            return
        link = Link(listener.options, listener.limits, address, listener.clock.monotonic)
        link.on_end = leave
        self._transport.set_protocol(link)
        link.connection_made(self._transport)
        if rest:
            link.data_received(rest)

    def _turn_away(self, outcome: str, why: str) -> None:
        """Send the client away before anything costs us anything; clients show the reason to their people.

        They can only when the connection stays open until they have read it; so it does, for a few and a moment.
        """
        listener, self._header = self._listener, None
        listener.count("login", outcome)
        self._transport.write(farewell(asyncssh.DISC_BY_APPLICATION, why))
        if listener.parting >= MOST_PARTING:
            self._transport.close()
            return
        listener.parting += 1
        self._is_parting = True
        self._timer = asyncio.get_running_loop().call_later(FAREWELL_S, self._transport.close)


def farewell(code: int, why: str) -> bytes:
    """Return our version and a packet that ends the connection, as one sends them before any key exchange."""
    body = Byte(MSG_DISCONNECT) + UInt32(code) + String(why) + String("en")
    padding = 4 + -(9 + len(body)) % 8
    return b"SSH-2.0-Patchbay\r\n" + UInt32(1 + len(body) + padding) + Byte(padding) + body + bytes(padding)


class Visitor(asyncssh.SSHServer):
    """One connection, as the library asks about it."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._leave: Callable[[], None] | None = None
        self._who: asyncio.Task[Identity] | None = None
        self._has_asked = False

    def connection_made(self, conn: Any) -> None:
        """Begin."""
        self.link: Link = conn
        self._listener.visitors.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._listener.visitors.discard(self)
        self._listener.leavings.gone(len(self._listener.visitors))
        self.link.left()
        if self._leave is not None:
            self._leave()
        if self._who is not None:
            self._who.cancel()

    def disconnect(self, reason: str) -> None:
        """Send the client away with a sentence."""
        self.link.disconnect(asyncssh.DISC_BY_APPLICATION, reason)

    # Authentication: everybody may come in; the question is only who they are (see auth.py)

    def begin_auth(self, username: str) -> bool:
        """Ask everybody to authenticate: success without it would leave no identity at all."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Accept any key of a good kind. This is no proof: the library asks for mere offers too."""
        return self.link.login.offer(key)

    def public_key_auth_supported(self) -> bool:
        """Offer public keys first."""
        return True

    def kbdint_auth_supported(self) -> bool:
        """Offer keyboard-interactive, which asks nothing: a guest."""
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        """Ask nothing."""
        return ("", "", "", [])

    def validate_kbdint_response(self, username: str, responses: Any) -> bool:
        """Let a guest in."""
        return not responses

    def auth_completed(self) -> None:
        """Fix the identity, from what was proven in the very request that succeeded."""
        self.link.left()
        self._leave = self._listener.gate.enter(source_key(self.link.source))
        if self._leave is None:
            self._listener.count("login", "too_many_inside")
            self.link.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, "too many connections from your address")
            return
        self._listener.count("login", "guest" if self.link.login.proven is None else "key")
        username = self.link.get_extra_info("username")
        self._login = Login(self.link.login.proven, wish_of(username), self.link.source)
        self._who = asyncio.create_task(self._listener.recognise(self._login), name="recognise")

    # Channels

    def session_requested(self) -> Any:
        """Give a session channel, up to the limit."""
        if self._who is None or self.link.sessions >= self.link.limits.channels:
            return self._refuse()
        self.link.sessions += 1
        session = ClientSession(self.link, self._listener.serve, self._identity, self._listener.house)
        return LinkChannel(self.link), session

    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> Any:
        """Refuse forwarding."""
        return self._refuse()

    def unix_connection_requested(self, dest_path: str) -> Any:
        """Refuse forwarding."""
        return self._refuse()

    def server_requested(self, listen_host: str, listen_port: int) -> Any:
        """Refuse forwarding."""
        return self._refuse()

    def unix_server_requested(self, listen_path: str) -> Any:
        """Refuse forwarding."""
        return self._refuse()

    def tun_requested(self, unit: int | None) -> Any:
        """Refuse tunnels."""
        return self._refuse()

    def tap_requested(self, unit: int | None) -> Any:
        """Refuse tunnels."""
        return self._refuse()

    def _refuse(self) -> bool:
        self.link.refusals += 1
        if self.link.refusals > MAX_REFUSED_CHANNELS:
            self.link.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, "too many refused requests")
        return False

    async def _identity(self) -> Identity:
        """Return who it is. Later channels ask anew: the account may be made, renamed or deleted by now."""
        assert self._who is not None
        known, is_first = await asyncio.shield(self._who), not self._has_asked
        self._has_asked = True
        if is_first:
            return known
        now = await self._listener.recognise(self._login)
        return replace(now, name=known.name) if known.is_guest and now.is_guest else now
