"""follow, following, tell, messages, note, invisible: whom one follows, writing to them, and not being seen."""

from __future__ import annotations

from game.cli.commandline import JSON, CommandOption, Syntax
from game.cli.exits import Exit
from game.errors import BadNotation
from server.accounts.following import ALERTS
from server.boards.wire import followed_json, message, message_json
from server.errors import Refused
from server.ssh.commands.table import ExecCommand, Request

ON_OFF = ("on", "off")


async def follow(request: Request) -> int:
    """Follow somebody; with `--tell` be told once when they come or play."""
    whom, tell = request.line.words[0], request.line.one("tell")
    if tell is not None and tell not in ALERTS:
        raise BadNotation("usage.choice", f"--tell {tell[:40]} ({', '.join(ALERTS)})")
    other = await request.services.following.follow(request.account_id, whom)
    if tell is not None:
        await request.services.following.set_alert(request.account_id, other.id, tell)
    request.call.err(request.t("follow.followed" if tell is None else f"follow.tells.{tell}", name=other.handle))
    return Exit.OK


async def unfollow(request: Request) -> int:
    """Follow somebody no more."""
    whom = request.line.words[0]
    if not await request.services.following.unfollow(request.account_id, whom):
        raise Refused("follow.not-followed", name=whom[:40])
    request.call.err(request.t("follow.unfollowed", name=whom))
    return Exit.OK


async def following(request: Request) -> int:
    """List whom one follows, with who of them is here."""
    found = await request.services.following.of(request.account_id)
    here = {one.name: one for one in await request.services.lobby.people_here()} if found else {}
    for one in found:
        person = here.get(one.handle)
        if request.as_json:
            await request.call.out_json(followed_json(one, person))
            continue
        state = "people.gone" if person is None else "people.playing" if person.playing else "people.free"
        await request.call.out(f"{one.handle:<16}  {request.t(state)}")
    return Exit.OK


async def note(request: Request) -> int:
    """Note something about somebody, for oneself; without a text, print the note."""
    whom, text = request.line.words[0], request.line.words[1:]
    if text:
        await request.services.following.set_note(request.account_id, whom, " ".join(text))
        request.call.err(request.t("note.kept", name=whom))
        return Exit.OK
    kept = await request.services.following.note(request.account_id, whom)
    if request.as_json:
        await request.call.out_json(message("note", player=whom, text=kept))
    elif kept:
        await request.call.out(kept)
    return Exit.OK


async def tell(request: Request) -> int:
    """Write to somebody. It says the same whatever becomes of it."""
    _ = request.account_id
    whom, text = request.line.words[0], " ".join(request.line.words[1:])
    await request.services.messages.send(request.call.identity.player, whom, text)
    return Exit.OK


async def messages(request: Request) -> int:
    """Print what one has written and was written, of one person or of all."""
    request.reads()
    found = await request.services.messages.read(request.account_id, request.line.word(0))
    if not found:
        request.call.err(f"patchbay: {request.t('messages.none-read')}")
    for one in found:
        if request.as_json:
            await request.call.out_json(message_json(one))
        else:
            await request.call.out(f"{one.at:%Y-%m-%d %H:%M}  {one.sender} > {one.receiver}  {one.text}")
    return Exit.OK


async def invisible(request: Request) -> int:
    """Be seen connected by nobody, or by all again."""
    said = request.line.words[0]
    if said not in ON_OFF:
        raise BadNotation("usage.choice", f"{said[:40]} ({', '.join(ON_OFF)})")
    await request.services.following.set_invisible(request.account_id, said == "on")
    request.call.err(request.t(f"invisible.{said}"))
    return Exit.OK


COMMANDS = (
    ExecCommand(
        "invisible",
        Syntax(("on|off",)),
        "don't show others that you are connected",
        invisible,
        members=True,
        details=(
            "What you do is shown as always: a seat in a match or a room, a line said, an open search.",
            "You stand in no list of people and no gallery, and are in no count. It stays on until `invisible off`.",
        ),
    ),
    ExecCommand(
        "follow",
        Syntax(("handle",), (CommandOption("tell", "comes|plays"),)),
        "follow somebody: they stand first in lists; nobody is told",
        follow,
        members=True,
        details=(
            "`--tell comes` tells you once, at your terminal, when they are here; `--tell plays` when they play.",
            "You follow 200 people at most. They don't learn of it.",
        ),
    ),
    ExecCommand(
        "unfollow",
        Syntax(("handle",)),
        "follow somebody no more",
        unfollow,
        members=True,
        details=("They don't learn of it.",),
    ),
    ExecCommand(
        "following",
        Syntax((), (JSON,)),
        "whom you follow, and who of them is here",
        following,
        members=True,
        details=("One line a person, by handle.",),
    ),
    ExecCommand(
        "tell",
        Syntax(("handle", "text…")),
        "write to somebody; they read it where you follow each other",
        tell,
        members=True,
        details=(
            "At most 30 messages a day, to 10 people, and none from an account younger than a day.",
            "It answers the same whether they read it or not.",
        ),
    ),
    ExecCommand(
        "messages",
        Syntax(("handle?",), (JSON,)),
        "what you have written and were written in 90 days",
        messages,
        members=True,
        details=("With a handle those to and from one person, which then count as read.",),
    ),
    ExecCommand(
        "note",
        Syntax(("handle", "text…?"), (JSON,)),
        "a note on somebody, which only you read",
        note,
        members=True,
        details=("Without a text it prints your note; `note HANDLE ''` deletes it. It has at most 200 characters.",),
    ),
)
