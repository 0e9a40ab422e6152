"""follow, following, tell, messages, note, invisible: whom one follows, writing to them, and not being seen."""

from __future__ import annotations

from game.cli.commandline import JSON, CommandOption, Syntax
from server.accounts.following import ALERTS
from server.boards.wire import followed_json, message, message_json
from server.errors import Refused
from server.ssh.commands.table import ExecCommand, Request

ON_OFF = ("on", "off")


async def follow(request: Request) -> None:
    """Follow somebody; with `--tell` be told once when they come or play."""
    whom, tell = request.line.words[0], request.line.choice("tell", ALERTS)
    other = await request.services.following.follow(request.account_id, whom)
    if tell:
        await request.services.following.set_alert(request.account_id, other.id, tell)
    request.say(f"follow.tells.{tell}" if tell else "follow.followed", name=other.handle)


async def unfollow(request: Request) -> None:
    """Follow somebody no more."""
    whom = request.line.words[0]
    if not await request.services.following.unfollow(request.account_id, whom):
        raise Refused("follow.not-followed", name=whom[:40])
    request.say("follow.unfollowed", name=whom)


async def following(request: Request) -> None:
    """List whom one follows, with who of them is here."""
    found = await request.services.following.of(request.account_id)
    here = {one.name: one for one in await request.services.lobby.people_here()} if found else {}
    for one in found:
        person = here.get(one.handle)
        state = "people.gone" if person is None else "people.playing" if person.playing else "people.free"
        await request.answer(followed_json(one, person), f"{one.handle:<16}  {request.t(state)}")


async def note(request: Request) -> None:
    """Note something about somebody, for oneself; without a text, print the note."""
    whom, text = request.line.words[0], request.line.words[1:]
    if text:
        await request.services.following.set_note(request.account_id, whom, " ".join(text))
        request.say("note.kept", name=whom)
        return
    kept = await request.services.following.note(request.account_id, whom)
    await request.answer(message("note", player=whom, text=kept), *((kept,) if kept else ()))


async def tell(request: Request) -> None:
    """Write to somebody. It says the same whatever becomes of it."""
    _ = request.account_id
    whom, text = request.line.words[0], " ".join(request.line.words[1:])
    await request.services.messages.send(request.call.identity.player, whom, text)
    request.say("message.sent")


async def messages(request: Request) -> None:
    """Print what one has written and was written, of one person or of all."""
    request.reads()
    found = await request.services.messages.read(request.account_id, request.line.word(0))
    if not found:
        request.remark("messages.none-read")
    for one in found:
        written = f"{one.at:%Y-%m-%d %H:%M}  {one.sender} > {one.receiver}  {one.text}"
        await request.answer(message_json(one), written)


async def invisible(request: Request) -> None:
    """Be seen connected by nobody, or by all again."""
    said = request.line.word_of(0, ON_OFF)
    await request.services.following.set_invisible(request.account_id, said == "on")
    request.say(f"invisible.{said}")


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
