"""keys: one's keys, proposed keys, and the sessions each has open."""

from __future__ import annotations

from game.cli.commandline import JSON, CommandOption, Syntax
from game.errors import BadNotation
from server.accounts.browsers import StoredBrowser
from server.accounts.keys import Removal
from server.boards.wire import Object, message
from server.clock import rfc3339
from server.ssh.commands.account import proven_key
from server.ssh.commands.table import ExecCommand, Request
from server.ssh.keyinput import key_text
from server.store.processes import StoredSession


def _acting(request: Request) -> str | None:
    return request.call.identity.fingerprint


async def _list(request: Request) -> None:
    accounts, account_id = request.services.accounts, request.account_id
    sessions, browsers = await accounts.sessions(account_id), await accounts.browsers.of(account_id)
    for key in await accounts.keys.of(account_id):
        is_this = key.fingerprint == _acting(request)
        used = None if key.used_day is None else f"{key.used_day:%Y-%m-%d}"
        here = [one for one in sessions if one.fingerprint == key.fingerprint]
        if request.as_json:
            about: Object = {"label": key.label or "", "last_used": used, "added_by": key.added_by}
            open_now = [_session_json(one) for one in here]
            signed_in = [_browser_json(one) for one in browsers if one.fingerprint == key.fingerprint]
            told = message("key", key=key.fingerprint, added=rfc3339(key.added_at), this=is_this, **about)
            await request.call.out_json({**told, "sessions": open_now, "browsers": signed_in})
            continue
        last = request.t("exec.key.used", day=used) if used is not None else request.t("exec.key.never-used")
        words = [key.fingerprint, key.label or "", last, request.t("exec.key.this") if is_this else ""]
        await request.call.out("  ".join(filter(None, words)))
        for one in here:
            since = f"{one.since:%Y-%m-%d %H:%M}"
            await request.call.out(f"    {request.t('exec.key.open', at=since, source=one.source)}")
        for browser in browsers:
            if browser.fingerprint == key.fingerprint:
                since, day = f"{browser.made_at:%Y-%m-%d %H:%M}", f"{browser.used_day:%Y-%m-%d}"
                await request.call.out(f"    {request.t('exec.key.browser', at=since, day=day)}")
    for proposal in await accounts.keys.proposals(account_id):
        until = rfc3339(proposal.expires_at)
        words = [proposal.fingerprint, proposal.label, request.t("exec.key.proposed")]
        told = message("proposal", key=proposal.fingerprint, label=proposal.label, until=until)
        await request.answer(told, "  ".join(filter(None, words)))


def _session_json(session: StoredSession) -> Object:
    return {"since": rfc3339(session.since), "source": session.source}


def _browser_json(browser: StoredBrowser) -> Object:
    return {
        "since": rfc3339(browser.made_at),
        "until": rfc3339(browser.expires_at),
        "last_used": f"{browser.used_day:%Y-%m-%d}",
    }


async def _add(request: Request) -> None:
    line = " ".join(request.line.words) or await _key_from_input(request)
    label = request.line.one("label") or ""
    made = await request.services.accounts.keys.propose(request.account_id, line, _acting(request), label)
    await request.answer(message("code", code=made.code, key=made.fingerprint), made.code)
    if not request.as_json:
        request.say("exec.key.add", fingerprint=made.fingerprint)
        request.say("exec.key.prove", link=request.call.reached_at.line(f"keys link {made.code}"))


async def _key_from_input(request: Request) -> str:
    text = await key_text(request.call.lines)
    if not text:
        raise BadNotation("usage.key-input")
    return text


async def _remove(request: Request) -> None:
    who = request.call.identity
    removal = await request.services.accounts.keys.remove(
        request.account_id,
        request.line.words[0],
        who.fingerprint,
        with_linked="with-linked" in request.line.flags,
        recovery=request.line.one("recovery") or "",
        source=who.source,
    )
    if request.as_json:
        told: Object = {"removed": list(removal.removed), "linked": list(removal.left), "ended": list(removal.ended)}
        await request.call.out_json(message("removed", **told, recovery_codes=list(removal.recovery_codes)))
    else:
        await _print_removal(request, removal)


async def _print_removal(request: Request, removal: Removal) -> None:
    for key in removal.removed:
        await request.call.out(key)
    if removal.left:
        request.say("exec.key.linked", command="keys remove KEY --with-linked")
        for key in removal.left:
            request.call.err(f"  {key}")
    if removal.recovery_codes:
        request.say("exec.key.renewed")
        for code in removal.recovery_codes:
            request.call.err(f"  {code}")
    if removal.ended:
        names = (request.t(f"key.ended.{one}") for one in removal.ended)
        request.say("exec.key.ended", what=request.t("list.comma").join(names))


async def _code(request: Request) -> None:
    code = await request.services.accounts.keys.make_code(request.account_id, _acting(request))
    await request.answer(message("code", code=code), code)
    if not request.as_json:
        request.say("exec.key.code", link=request.call.reached_at.line(f"keys link {code}"))


async def _link(request: Request) -> None:
    who = request.call.identity
    account = await request.services.accounts.keys.link(request.line.words[0], proven_key(request.call), who.source)
    await request.call.out(account.handle)


async def _label(request: Request) -> None:
    label = " ".join(request.line.words[1:])
    await request.services.accounts.keys.label(request.account_id, request.line.words[0], label, _acting(request))


async def _recovery(request: Request) -> None:
    new = await request.services.accounts.keys.new_recovery_codes(request.account_id, _acting(request))
    await request.answer(message("recovery_codes", recovery_codes=list(new)), *new)
    if not request.as_json:
        request.say("exec.recovery-codes.new")


async def _logout(request: Request) -> None:
    count = await request.services.accounts.log_out(
        request.account_id, request.call.session, _acting(request), request.line.word(0)
    )
    await request.answer(message("logout", sessions=count), str(count))


LABEL, RECOVERY, WITH_LINKED = (
    CommandOption("label", "TEXT"),
    CommandOption("recovery", "CODE"),
    CommandOption("with-linked"),
)
COMMANDS = (
    ExecCommand(
        "keys list",
        Syntax(options=(JSON,)),
        "your keys, where each is logged in now, and proposals",
        _list,
        members=True,
        is_default=True,
    ),
    ExecCommand(
        "keys add",
        Syntax(("line…?",), (LABEL, JSON)),
        "propose a key (KEY.pub, or PuTTYgen's file, on the input): prints a code for `keys link` from that key",
        _add,
        members=True,
    ),
    ExecCommand(
        "keys remove",
        Syntax(("key",), (WITH_LINKED, RECOVERY, JSON)),
        "take a key away; its sessions end everywhere; --with-linked: those it linked, too; a key younger than a day "
        "removes older ones only with a recovery code",
        _remove,
        members=True,
    ),
    ExecCommand(
        "keys code",
        Syntax(options=(JSON,)),
        "a one-time code that links the next key within ten minutes",
        _code,
        members=True,
    ),
    ExecCommand(
        "keys link", Syntax(("code",), (JSON,)), "join an account, by a code from it or a recovery code", _link
    ),
    ExecCommand("keys label", Syntax(("key", "text…?"), (JSON,)), "name a key", _label, members=True),
    ExecCommand(
        "keys recovery", Syntax(options=(JSON,)), "new recovery codes; the old ones are void", _recovery, members=True
    ),
    ExecCommand(
        "keys logout",
        Syntax(("key?",), (JSON,)),
        "end all your other sessions, or those of one key",
        _logout,
        members=True,
    ),
)
