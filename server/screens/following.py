"""Following somebody, being told of them once, and noting something about them, from any page that shows them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from server.accounts.following import COMES, NOTE_CHARS, PLAYS
from server.lobby.model import PersonHere
from server.session import places
from server.session.session import Session
from server.terminal.hint import Hint


def may_follow(session: Session, person: PersonHere) -> bool:
    """Tell whether this person may follow somebody: both need an account, and nobody follows themselves."""
    return not session.identity.is_guest and not person.guest and person.name != session.identity.name


def follows_or_says_why_not(session: Session, person: PersonHere) -> bool:
    """Tell whether this person may follow somebody; where not, say why."""
    if may_follow(session, person):
        return True
    why = "follow.guest" if person.guest else "people.yourself"
    session.prompts.notice("account.needed" if session.identity.is_guest else why, name=person.name)
    return False


def labelled(session: Session, name: str, hints: Iterable[Hint]) -> tuple[Hint, ...]:
    """Name the keys that follow or block somebody by what they do now: the same keys take it back."""
    undone = {
        "follow": name in session.person.followed,
        "block": name in session.person.hidden_names,
    }
    return tuple(_undoing(hint) if undone.get(hint.label.rpartition(".")[2]) else hint for hint in hints)


def _undoing(hint: Hint) -> Hint:
    return hint.named(f"people.undo.{hint.label.rpartition('.')[2]}")


async def toggle_follow(session: Session, name: str) -> None:
    """Follow somebody, or no more. Raises AccountError."""
    account_id, following = session.identity.account_id, session.services.following
    if account_id is None:
        return
    if name in session.person.followed:
        await following.unfollow(account_id, name)
        session.prompts.notice("follow.unfollowed", "good", name=name)
    else:
        await following.follow(account_id, name)
        session.prompts.notice("follow.followed", "good", name=name)
    await session.person.load_following()


async def next_alert(session: Session, name: str) -> None:
    """Be told once when somebody whom one follows comes; asked again: when they play; and again: of nothing."""
    account_id, followed = session.identity.account_id, session.person.followed.get(name)
    if account_id is None or followed is None:
        return
    wished = {None: COMES, COMES: PLAYS}.get(followed.tell)
    await session.services.following.set_alert(account_id, followed.account_id, wished)
    await session.person.load_following()
    session.prompts.notice(f"follow.tells.{wished}" if wished else "follow.tells-nothing", "good", name=name)


async def take_alerts(session: Session) -> None:
    """Tell of who was waited for and is here, or plays: once, at one of this person's terminals."""
    account_id = session.identity.account_id
    here = {person.name: person for person in session.services.lobby.snapshot().here}
    for one in tuple(session.person.followed.values()):
        person = here.get(one.handle)
        if account_id is None or one.tell is None or person is None or (one.tell == PLAYS and not person.playing):
            continue
        if await session.services.following.take_alert(account_id, one.account_id, one.tell, person.playing):
            session.hear_alert(one.handle, one.tell)
        await session.person.load_following()


def tell_waiting(session: Session) -> None:
    """Say who has written while this person was away."""
    waiting = [one.handle for one in session.person.followed.values() if one.unread]
    if waiting:
        session.prompts.notice("message.waiting", "good", names=session.t("list.comma").join(waiting))


async def write_to(session: Session, name: str) -> None:
    """Go to what was written, and write to somebody. Raises the refusal where one may not and nothing was written."""
    account_id, messages = session.identity.account_id, session.services.messages
    if account_id is None:
        return
    refusal = await messages.refusal(session.identity.player)
    if refusal is not None and not await messages.read(account_id, name):
        raise refusal
    session.go(places.MessagesPlace(name))


async def ask_note(session: Session, name: str, kept: Callable[[], Awaitable[None]] | None = None) -> None:
    """Have a note about somebody typed, which this person alone reads; then call `kept`. Raises AccountError."""
    account_id, following = session.identity.account_id, session.services.following
    if account_id is None:
        return

    async def keep(text: str) -> None:
        await following.set_note(account_id, name, text)
        session.prompts.notice("note.kept" if text.strip() else "note.gone", "good", name=name)
        if kept is not None:
            await kept()

    before = await following.note(account_id, name)
    session.have_typed("note.ask", keep, start=before, heard=lambda text: None, limit=NOTE_CHARS, name=name)
