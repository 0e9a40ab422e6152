"""The private names of asyncssh and urwid that `server/ssh` overrides or uses still are what they were."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest
from asyncssh import channel as their_channel
from asyncssh import connection
from urwid.display import _raw_display_base, common

from server.ssh import channel, link, listener
from server.terminal import screen as terminal

OURS = (link.Link, channel.LinkChannel, terminal.ChannelScreen, listener.Client)
SOURCES = {
    link.Link: (connection,),
    channel.LinkChannel: (their_channel,),
    terminal.ChannelScreen: (_raw_display_base, common),
    listener.Client: (connection,),
}


def own_members(ours: type) -> set[str]:
    """Return the names that a class defines itself, as a member or by assignment in a method."""
    [tree] = ast.parse(inspect.getsource(ours)).body
    assigned = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_self(node.value)
    }
    return assigned | set(vars(ours))


def is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def borrowed(ours: type) -> set[str]:
    """Return the private names of `self` that a class uses and does not define."""
    [tree] = ast.parse(inspect.getsource(ours)).body
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and is_self(node.value)}
    return {name for name in used - own_members(ours) if name.startswith("_") and not name.startswith("__")}


def library_source(ours: type) -> str:
    return "".join(Path(inspect.getfile(module)).read_text() for module in SOURCES[ours])


def overrides(ours: type) -> Iterator[tuple[str, type]]:
    """Yield the methods of a library class that a class replaces, each with the class that has it."""
    for name, member in vars(ours).items():
        for base in ours.__mro__[1:]:
            if base is not object and name in vars(base) and inspect.isfunction(vars(base)[name]):
                if inspect.isfunction(member):
                    yield name, base
                break


def accepts(ours: inspect.Signature, theirs: inspect.Signature) -> bool:
    """Tell whether a method can be called as the one that it replaces is."""
    kinds = {one.kind for one in ours.parameters.values()}
    if inspect.Parameter.VAR_POSITIONAL in kinds and inspect.Parameter.VAR_KEYWORD in kinds:
        return True
    mine, named = list(ours.parameters.values()), list(theirs.parameters.values())
    return len(mine) >= len(named) and all(
        one.default is not one.empty for one in mine[len(named) :] if one.kind is not one.VAR_POSITIONAL
    )


@pytest.mark.parametrize("ours", OURS, ids=lambda ours: ours.__name__)
def test_every_borrowed_private_name_is_still_there(ours: type) -> None:
    source = library_source(ours)
    missing = [name for name in sorted(borrowed(ours)) if not re.search(rf"\b{name}\b", source)]
    assert not missing


def test_what_is_borrowed_is_found() -> None:
    assert {"_recv_handler", "_deferred_packets"} <= borrowed(link.Link)


def test_packets_are_sealed_and_opened_by_the_library_alone() -> None:
    """A mistake of ours there would break everybody's secrecy: no key, cipher, padding or number of a packet."""
    private = borrowed(link.Link) | borrowed(channel.LinkChannel)
    assert len(private) <= 20
    assert not [name for name in private if re.search("encrypt|cipher|_seq|mac|inpbuf|pktbuf|compress", name)]


@pytest.mark.parametrize("ours", OURS, ids=lambda ours: ours.__name__)
def test_every_overridden_method_is_called_as_it_was(ours: type) -> None:
    found = dict(overrides(ours))
    wrong = [
        f"{base.__name__}.{name}{inspect.signature(vars(base)[name])}"
        for name, base in found.items()
        if name != "__init__" and not accepts(inspect.signature(vars(ours)[name]), inspect.signature(vars(base)[name]))
    ]
    assert found
    assert not wrong


def test_the_library_still_finds_handlers_by_packet_type() -> None:
    """`Link` replaces three of them; the rest are the library's own."""
    theirs = asyncssh.SSHServerConnection._packet_handlers
    replaced = {kind for kind, handler in link.Link._packet_handlers.items() if theirs[kind] is not handler}
    assert replaced == {link.MSG_KEXINIT, link.MSG_USERAUTH_REQUEST, link.MSG_CHANNEL_OPEN}


def test_a_library_that_renames_a_method_is_noticed() -> None:
    class Renamed(asyncssh.SSHServerConnection):
        def _reset_keepalive_timer(self, often: int) -> None: ...  # type: ignore[override]

    [(name, base)] = overrides(Renamed)
    assert not accepts(inspect.signature(vars(Renamed)[name]), inspect.signature(vars(base)[name]))
