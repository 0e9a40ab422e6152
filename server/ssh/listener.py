"""The listener: new connections, authentication and channels of SSH."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import asyncssh
from asyncssh.packet import Byte, String, UInt32

from game.cli.exits import Exit
from server.accounts.identity import Identity
from server.address import Address, Network, address_of, is_trusted
from server.admission.accepting import Acceptor, capacity_for, claim_files
from server.admission.audience import Say, text
from server.admission.gate import Gate, Inside, TurnedAway
from server.admission.login_policy import NOT_LISTED, LoginPolicy
from server.admission.tally import Tally
from server.admission.unsent import Receiver, UnsentBudget
from server.clock import Clock
from server.config import Limits
from server.gctuning import FullCollections
from server.i18n.catalogues import FALLBACK, catalogue
from server.log import ThrottledWarning, get_logger
from server.periodic import repeat
from server.ssh.advice import about_key
from server.ssh.algorithms import algorithm_options, announced_keys, host_key_pairs
from server.ssh.auth import Login, wanted_handle_of
from server.ssh.channel import PACKET, WINDOW, LinkChannel
from server.ssh.link import Link
from server.ssh.loginlog import LoginLog
from server.ssh.proxy import ProxyHeader
from server.ssh.session import ClientSession, Serve, SessionContext
from server.terminal.drawqueue import DrawQueue
from server.tokenbucket import Rates

log = get_logger("ssh")
Recognise = Callable[[Login], Coroutine[Any, Any, Identity]]
KeepsPlace = Callable[[Identity], Coroutine[Any, Any, bool]]
UNSENT_EVERY_S = 0.5  # between two looks at what clients have not read
LINGER_S = 1.0
PARTING_S = 1.0  # how long a session whose key was taken off the list has to end by itself
PROXY_S = 5.0  # how long the PROXY header of a trusted network may take
NO_HEADER = (
    "a connection from a network of PATCHBAY_PROXY_FROM came without a PROXY header and was closed: let the balancer "
    "send one, or take the network out of the setting (docs/installing.md)"
)
DISCONNECT_S = 5.0  # how long sessions of a newly banned network have to end by themselves
MSG_DISCONNECT = 1


def connection_options(
    host_keys: Sequence[asyncssh.SSHKey], limits: Limits, client: Callable[[], Client]
) -> asyncssh.SSHServerConnectionOptions:
    """Return what every connection is served with: public keys and questions, terminals and programs, nothing else."""
    options = asyncssh.SSHServerConnectionOptions(
        server_factory=client,
        server_host_keys=list(host_keys),
        send_server_host_keys=True,
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
    use_host_keys(options, host_keys)
    return options


def use_host_keys(options: asyncssh.SSHServerConnectionOptions, host_keys: Sequence[asyncssh.SSHKey]) -> None:
    """Serve connections from now on with these keys: the first one of each kind is used, clients are told of all."""
    options.server_host_keys = host_key_pairs(host_keys)
    options.all_server_host_keys = announced_keys(host_keys)


class Listener:
    """Accepts connections on one or more sockets and serves their sessions.

    `recognise` turns a finished authentication into an identity, `serve` runs one call. This class knows neither
    accounts nor matches.
    """

    def __init__(
        self,
        host_keys: Sequence[asyncssh.SSHKey],
        limits: Limits,
        clock: Clock,
        recognise: Recognise,
        serve: Serve,
        drawings: DrawQueue,
        proxies: tuple[Network, ...] = (),
        tally: Tally | None = None,
        refuses: Callable[[str], str | None] = lambda address: None,
        public: Address | None = None,
        count: Callable[[str, str], None] = lambda kind, label: None,
        keeps_place: KeepsPlace | None = None,
        login_policy: LoginPolicy | None = None,
        others: Collection[Receiver] = (),
    ) -> None:
        """`refuses`: returns why an address may not connect; `count`: takes (login or cut_off, what or why).

        `drawings`: the queue of all of a process. `keeps_place`: tells whether somebody gets a place that is kept
        where all others are taken; None: nobody does. `login_policy`: tells which keys may log in; None: all.
        `public`: how the server is reached; None: as each connection shows. `others`: the connections of other doors,
        with which these share a bound on what is not read.
        """
        self.limits = limits
        self.clock = clock
        self.recognise = recognise
        self.keeps_place = keeps_place
        self.serve = serve
        self.proxies = proxies
        self.count = count
        self.refuses = refuses
        self.login_policy = login_policy
        self.public = public
        self.clients: set[Client] = set()
        self.full_collections = FullCollections()
        self.changes = 0  # orders that changed who people are: what was looked up before one may be stale
        self.login_log = LoginLog()
        self.parting = 0  # refused connections that are still reading why
        self.context = SessionContext(Rates(clock.monotonic), lambda why: self.count("cut_off", why), drawings)
        full = disconnect_packet(asyncssh.DISC_TOO_MANY_CONNECTIONS, "the server is full; please try again later")
        files = claim_files()
        self._capacity = capacity_for(files, limits)
        self._acceptor = Acceptor(lambda: NewConnection(self), full, files, clock.monotonic)
        self._warning = ThrottledWarning(log, clock.monotonic)
        self.proxy_warning = ThrottledWarning(log, clock.monotonic)
        self.gate = Gate(limits, tally, self._capacity, clock.monotonic, self._warn_of_full)
        self._unsent = UnsentBudget[Receiver](
            limits.unsent_bytes, lambda: [*(one.link for one in self.clients), *others], self._is_cut_off
        )
        self._looking: asyncio.Task[None] | None = None
        self.options = connection_options(host_keys, limits, lambda: Client(self))

    def _warn_of_full(self) -> None:
        self._warning.say("logins turned away: the server is full", connections=self._capacity.inside)

    async def listen_all(self, hosts: tuple[str, ...], port: int, reuse_port: bool = False) -> int:
        """Listen on every address with one port (0: any free one) and begin to accept; return the port.

        Raises OSError, after releasing all, when one of them is not available.
        """
        for host in hosts:
            try:
                port = await self._acceptor.bind(host, port, reuse_port)
            except OSError as error:
                if len(hosts) > 1 and error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL) and ":" in host:
                    log.warning("no such address here", host=host)
                    continue
                self.stop_accepting()
                raise OSError(error.errno, f"{host}: {error.strerror or error}") from error
        if not self._acceptor.is_listening:
            raise OSError(errno.EADDRNOTAVAIL, "no address to listen on")
        self._acceptor.start()
        self._looking = asyncio.create_task(repeat(self.clock, UNSENT_EVERY_S, self._check_all), name="connections")
        return port

    async def _check_all(self) -> None:
        """Look at what clients have not read, and at the list of keys."""
        await self._unsent.enforce()
        if self.login_policy is not None and self.login_policy.has_changed():
            self._end_unlisted()

    def _end_unlisted(self) -> None:
        """End what is open for keys that were taken off the list."""
        out = [client for client in list(self.clients) if client.is_unlisted()]
        links = {client.link for client in out}
        for session in list(self.context.sessions):
            if session.link in links:
                session.end_session(text("ended.not-listed"), Exit.NOT_ALLOWED)
        for client in out:
            client.disconnect_soon(NOT_LISTED)

    def _is_cut_off(self, one: Receiver) -> None:
        log.info("client cut off", why="unsent", source=one.source)
        self.count("cut_off", "unsent")

    def people_changed(self) -> None:
        """Note that identities have changed: what was looked up before may be stale."""
        self.changes += 1

    @property
    def has_files(self) -> bool:
        """Tell whether file descriptors are left for connections."""
        return self._acceptor.has_files

    @property
    def most_parting(self) -> int:
        """Return how many refused connections may be reading why at once."""
        return self._capacity.parting

    def stop_accepting(self) -> None:
        """Close the sockets; connections stay."""
        self._acceptor.close()
        if self._looking is not None:
            self._looking.cancel()

    async def close(self, say: Say) -> None:
        """Disconnect everybody and wait for their sessions to end."""
        self.stop_accepting()
        self.end_sessions(say)
        await asyncio.gather(*self.context.tasks, return_exceptions=True)
        end = self.clock.monotonic() + LINGER_S
        while self.clients and self.clock.monotonic() < end:
            await self.clock.sleep(0.02)  # clients hang up once they have their exit status
        for client in list(self.clients):
            client.disconnect(say(catalogue(FALLBACK)))
        await asyncio.sleep(0)
        self.login_log.flush()

    def disconnect_banned(self) -> None:
        """Disconnect connections from banned addresses: those without a session now, the others after a delay.

        Sessions end with a message; their clients have DISCONNECT_S to read it and to hang up.
        """
        self._disconnect_banned(only_idle=True)
        asyncio.get_running_loop().call_later(DISCONNECT_S, partial(self._disconnect_banned, only_idle=False))

    def _disconnect_banned(self, only_idle: bool) -> None:
        for client in list(self.clients):
            why = self.refuses(client.link.source)
            if why is not None and not (only_idle and client.link.sessions):
                client.disconnect(why)

    def end_sessions(self, say: Say) -> None:
        """End all sessions with a message and the exit status DRAINING, which tells scripts to try again."""
        for session in list(self.context.sessions):
            session.end_session(say, Exit.DRAINING)


class NewConnection(asyncio.Protocol):
    """Handles a new connection before the SSH library does: PROXY header and admission."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._header: ProxyHeader | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_parting = False
        self._link: Link | None = None  # once admitted

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit by the peer's address, or wait for the PROXY header with the real one."""
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        address = peer[0] if peer else ""
        if is_trusted(address, self._listener.proxies):
            self._header = ProxyHeader()
            self._timer = asyncio.get_running_loop().call_later(PROXY_S, self._lacks_header, "no_proxy_header")
        else:
            self._admit(address, b"")

    def data_received(self, data: bytes) -> None:
        """Collect the header; what follows it is SSH."""
        if self._header is None:
            return
        try:
            found = self._header.feed(data)
        except ValueError:
            self._lacks_header("bad_proxy_header")
            return
        if found is not None:
            address, rest = found
            self._cancel_timer()
            peer = self._transport.get_extra_info("peername")
            self._admit(address or peer[0], rest)

    def _lacks_header(self, outcome: str) -> None:
        """Close a connection from a trusted network that does not begin with a PROXY header, and say so in the log."""
        peer = self._transport.get_extra_info("peername")
        address = peer[0] if peer else ""
        self._listener.login_log.failed(address, outcome)
        self._listener.proxy_warning.say(NO_HEADER, source=address)
        self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release what a connection holds that ended before the SSH library got it."""
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
            self._turn_away(address, "banned", why)
            return
        try:
            knocking = listener.gate.knock(address, self._send_away)
        except TurnedAway as refusal:
            self._turn_away(address, "too_many_knocking", str(refusal))
            return
        through = self._header.reached if self._header is not None else None
        reached_at = listener.public or address_of(through or self._transport.get_extra_info("sockname"))
        self._link = link = Link(
            listener.options, listener.limits, address, reached_at, listener.clock.monotonic, knocking
        )
        self._transport.set_protocol(link)
        link.connection_made(self._transport)
        if rest:
            link.data_received(rest)

    def _send_away(self, why: str) -> None:
        """Close an admitted connection whose place is given to another one."""
        self._listener.count("login", "closed_for_others")
        if self._link is not None:
            self._link.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, why)

    def _turn_away(self, address: str, outcome: str, why: str) -> None:
        """Refuse a connection before the SSH handshake, with a reason that clients show.

        A client can read it only while the connection is open, so a limited number stay open for LINGER_S.
        """
        listener, self._header = self._listener, None
        listener.count("login", outcome)
        listener.login_log.failed(address, outcome)
        self._transport.write(disconnect_packet(asyncssh.DISC_BY_APPLICATION, why))
        if listener.parting >= listener.most_parting:
            self._transport.close()
            return
        listener.parting += 1
        self._is_parting = True
        self._timer = asyncio.get_running_loop().call_later(LINGER_S, self._transport.close)


def disconnect_packet(code: int, why: str) -> bytes:
    """Return the version line and a disconnect packet, as sent before any key exchange."""
    body = Byte(MSG_DISCONNECT) + UInt32(code) + String(why) + String("en")
    padding = 4 + -(9 + len(body)) % 8
    return b"SSH-2.0-Patchbay\r\n" + UInt32(1 + len(body) + padding) + Byte(padding) + body + bytes(padding)


class Client(asyncssh.SSHServer):
    """One connection: the callbacks of the SSH library."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._inside: Inside | None = None
        self._who: asyncio.Task[Identity] | None = None
        self._has_asked = False
        self._asked_at = 0  # the listener's count of changes when the identity was looked up

    def connection_made(self, conn: Any) -> None:
        """Register the connection."""
        self.link: Link = conn
        self._listener.clients.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self._listener.clients.discard(self)
        self._listener.full_collections.gone(len(self._listener.clients))
        self.link.left()
        if self._inside is not None:
            self._inside.leave()
        if self._who is not None:
            self._who.cancel()
        else:
            self._listener.login_log.failed(self.link.source, "no_login")

    def disconnect(self, reason: str) -> None:
        """Close the connection with a message."""
        self.link.disconnect(asyncssh.DISC_BY_APPLICATION, reason)

    def disconnect_soon(self, reason: str) -> None:
        """Close the connection: at once, or where a session has just been told why, after PARTING_S."""
        delay = PARTING_S if self.link.sessions else 0
        asyncio.get_running_loop().call_later(delay, self.disconnect, reason)

    def is_unlisted(self) -> bool:
        """Tell whether it logged in with a key that may no longer."""
        login_policy = self._listener.login_policy
        return login_policy is not None and self._who is not None and not self._login.is_admitted(login_policy)

    # Authentication: anybody may log in; it only decides who they are (auth.py)

    def begin_auth(self, username: str) -> bool:
        """Require authentication: without it there would be no identity."""
        self.link.knocking.ask()
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Accept any key of an accepted kind. This proves nothing: the library also calls it for unsigned offers."""
        login_policy = self._listener.login_policy
        if login_policy is not None and not login_policy.admits_key(key, self.link.source):
            self.link.advise(NOT_LISTED)
            return False
        if self.link.login.offer(key):
            return True
        self.link.advise(about_key(key))
        return False

    def public_key_auth_supported(self) -> bool:
        """Offer public keys first."""
        return True

    def kbdint_auth_supported(self) -> bool:
        """Offer keyboard-interactive, which asks nothing and logs in a guest."""
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        """Ask nothing."""
        return ("", "", "", [])

    def validate_kbdint_response(self, username: str, responses: Any) -> bool:
        """Accept a guest."""
        return not responses

    def auth_completed(self) -> None:
        """Fix the identity from what the successful request proved."""
        username = self.link.get_extra_info("username")
        self._login = Login(self.link.login.proven, wanted_handle_of(username), self.link.source)
        self._asked_at = self._listener.changes
        self._who = asyncio.create_task(self._come_in(), name="recognise")

    async def _come_in(self) -> Identity:
        """Find out who has logged in, and take a place on their account. Until then it is one before the login."""
        listener, link = self._listener, self.link
        try:
            if listener.login_policy is not None and not self._login.is_admitted(listener.login_policy):
                link.knocking.gave_up()
                self.disconnect(NOT_LISTED)  # it was taken off the list since it was offered
                raise asyncio.CancelledError
            who = await listener.recognise(self._login)
            self._inside = await self._place(who)
        except TurnedAway as refusal:
            link.knocking.logged_in()
            listener.count("login", "too_many_inside")
            listener.login_log.failed(link.source, "too_many_inside")
            link.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, str(refusal))
            raise asyncio.CancelledError from refusal  # for whoever waits for the identity
        link.knocking.logged_in()
        link.came_in(self._inside)
        listener.count("login", "guest" if link.login.proven is None else "key")
        listener.login_log.succeeded(link.source, link.login.proven)
        return who

    async def _place(self, who: Identity) -> Inside:
        """Take a place among those who have logged in. Raises TurnedAway, StoreUnavailable."""
        gate, keeps_place = self._listener.gate, self._listener.keeps_place
        try:
            return gate.enter(who.sources, self._send_away)
        except TurnedAway:
            if keeps_place is None or not await keeps_place(who):
                raise
            return gate.enter(who.sources, self._send_away, keeps_place=True)

    def _send_away(self, why: str) -> None:
        """Close a connection without a session channel, whose time is up or whose place is needed."""
        self._listener.count("cut_off", "no_channel")
        self.link.disconnect(asyncssh.DISC_BY_APPLICATION, why)

    # Channels

    def session_requested(self) -> Any:
        """Open a session channel, up to the limit."""
        if self._who is None or not self.link.open_session():
            return self._refuse()
        session = ClientSession(self.link, self._listener.serve, self._identity, self._listener.context)
        return LinkChannel(self.link), session

    def _refuse(self, *asked: Any, **named: Any) -> Any:
        self.link.refuse()
        return False

    connection_requested = unix_connection_requested = server_requested = unix_server_requested = _refuse  # forwarding
    tun_requested = tap_requested = _refuse

    async def _identity(self) -> Identity:
        """Return the identity. Later channels look it up again: the account may be new, renamed or deleted by now.

        So does the first one if a key was removed or an account deleted since the login.
        """
        assert self._who is not None
        known, is_first = await asyncio.shield(self._who), not self._has_asked
        self._has_asked = True
        if is_first and self._asked_at == self._listener.changes:
            return known
        while True:
            at = self._listener.changes
            now = await self._listener.recognise(self._login)
            if at == self._listener.changes:
                return replace(now, name=known.name) if known.is_guest and now.is_guest else now
