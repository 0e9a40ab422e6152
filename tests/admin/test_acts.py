"""Admin commands: what they do, print and keep in the audit log."""

from __future__ import annotations

import json
from functools import partial

import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from game.cli.commandline import COLS, DETAIL_COLS
from server.accounts.accounts import Accounts
from server.accounts.actor import Actor
from server.accounts.conduct import Conduct
from server.accounts.errors import AccountError
from server.accounts.identity import Identity, Player
from server.admin.acts import Admin
from server.admin.command import ACTS, Console, parse_duration, run
from server.admin.replay import verify_matches
from server.bus.bus import LocalBus
from server.commands import COMMANDS
from server.config import Limits
from server.errors import Refused
from server.ratings.ratings import Ratings, rate
from server.store import conduct, matches, processes
from server.store.database import Database
from server.store.logwriter import LogWriter
from server.store.matches import StoredSeat
from server.store.processes import StoredSession
from tests.accounts.keyring import public_key
from tests.admin.played import play_and_store
from tests.clocks import FakeClock
from tests.store.builders import START, append
from tests.texts import en


class Desk:
    """An admin at a console: what was printed, and the services that feel it."""

    def __init__(self, database: Database) -> None:
        self.database, self.clock, self.bus = database, FakeClock(), LocalBus()
        self.act_as("boss")
        self.accounts = Accounts(database, self.clock, Limits(accounts_per_hour=100))
        self.out: list[str] = []
        self.err: list[str] = []
        self.stdin = ""

    def act_as(self, name: str) -> None:
        """Let somebody else sit at the console."""
        self.admin = Admin(Actor(self.database, self.clock, self.bus, name))

    async def do(self, *arguments: str, roles: frozenset[str] | None = None) -> int:
        self.out.clear()
        self.err.clear()
        return await run(arguments, self.admin, Console(self.out.append, self.err.append, self.read), roles)

    async def read(self) -> str:
        return self.stdin

    async def orders(self) -> list[tuple[str, dict[str, object]]]:
        return [(order.kind, dict(order.data)) for order in await self.database.read(processes.orders_after, 0)]


@pytest.fixture
async def desk(database: Database) -> Desk:
    made = Desk(database)
    for handle in ("mira", "tarn", "boss"):
        await made.accounts.register(handle, public_key(handle), "192.0.2.1")
    return made


async def test_roles_are_granted_and_revoked(desk: Desk) -> None:
    assert await desk.do("grant", "mira", "--role", "moderator") == 0
    mira = await desk.accounts.by_handle("mira")
    assert mira is not None
    assert mira.roles == {"moderator"}
    assert await desk.do("revoke", "mira", "--role", "moderator") == 0
    assert await desk.do("grant", "nobody", "--role", "admin") == 3
    assert await desk.do("grant", "mira", "--role", "king") == 2
    assert [order[0] for order in await desk.orders()] == ["roles", "roles"]


async def test_a_key_is_added_from_standard_input(desk: Desk) -> None:
    desk.stdin = public_key("other") + "\n"
    assert await desk.do("key", "add", "mira") == 0
    mira = await desk.accounts.by_fingerprint(desk.out[0])
    assert mira is not None
    assert mira.handle == "mira"
    assert await desk.do("key", "add", "tarn") == 1
    desk.stdin = "nonsense"
    assert await desk.do("key", "add", "tarn") == 1


@pytest.mark.parametrize(
    ("target", "banned"),
    [
        ("mira", Identity(1, "mira", frozenset(), "SHA256:x", None, "", "192.0.2.1")),
        (
            "SHA256:abcabcabcabcabcabcabcabcabcabcabcabcabcabcd",
            Identity(
                None,
                "guest-a",
                frozenset(),
                "SHA256:abcabcabcabcabcabcabcabcabcabcabcabcabcabcd",
                None,
                "",
                "192.0.2.1",
            ),
        ),
        ("198.51.100.0/24", Identity(None, "guest-a", frozenset(), None, None, "", "198.51.100.77")),
        ("2001:db8::7", Identity(None, "guest-a", frozenset(), None, None, "", "2001:db8::9")),
    ],
)
async def test_a_ban_keeps_out_until_it_is_lifted(desk: Desk, target: str, banned: Identity) -> None:
    conduct = Conduct(desk.database, desk.clock)
    assert await desk.do("ban", target, "--for", "3d", "--why", "being", "rude") == 0
    await conduct.refresh()
    refusal = conduct.check_access(banned)
    assert refusal is not None
    assert refusal.why == "being rude"
    assert [order[0] for order in await desk.orders()] == ["ban"]
    assert await desk.do("unban", target) == 0
    assert await desk.do("unban", target) == 3
    await conduct.refresh()
    assert conduct.check_access(banned) is None


async def test_what_can_not_be_read_is_a_usage_error(desk: Desk) -> None:
    for line in (
        "",
        "ban",
        "ban mira",
        "ban mira --for x --why y",
        "ban --why onlyone",
        "fly",
        "grant mira",
        "void m1",
    ):
        assert await desk.do(*line.split()) == 2, line
        assert desk.out == []
        assert desk.err
    assert await desk.do("ban", "--why", "first the reason", "mira") == 0
    assert await desk.do("ban", "nobody", "--why", "x") == 3


async def test_a_mute_silences(desk: Desk) -> None:
    conduct = Conduct(desk.database, desk.clock)
    assert await desk.do("mute", "tarn", "--for", "10m") == 0
    await conduct.refresh()
    assert conduct.mute_of(Player("account", "tarn", 2)) is not None
    assert await desk.do("unmute", "tarn") == 0
    await conduct.refresh()
    assert conduct.mute_of(Player("account", "tarn", 2)) is None


async def test_moderators_may_some_and_players_none(desk: Desk) -> None:
    moderator, admin = frozenset(("moderator",)), frozenset(("admin",))
    assert await desk.do("reports", roles=moderator) == 0
    assert await desk.do("void", "m1", "--why", "x", roles=moderator) == 4
    assert await desk.do("announce", "hi", roles=moderator) == 4
    assert await desk.do("reports", roles=frozenset()) == 4
    assert await desk.do("note", "tarn", "asked", "nicely", roles=moderator) == 0
    assert await desk.do("note", "nobody", "x", roles=moderator) == 3
    assert [(line.act, line.target, line.why) for line in await desk.admin.audit(1)] == [
        ("note", "tarn", "asked nicely")
    ]
    assert await desk.do("announce", "hi", "all", roles=admin) == 0
    assert await desk.do("grant", "mira", "--role", "admin", roles=admin) == 4
    assert (await desk.orders())[-1] == ("announce", {"text": "hi all"})


async def test_sessions_matches_and_reports_are_listed(desk: Desk) -> None:
    now = desk.clock.now()
    await desk.database.write(processes.arrive, "p1", 1, "here", now)
    session = StoredSession("s1", "p1", "mira", "192.0.2.1", START, 1, "SHA256:x")
    await desk.database.write(processes.beat, "p1", now, [session])
    assert await desk.do("sessions", "--json") == 0
    [line] = map(json.loads, desk.out)
    assert (line["v"], line["type"], line["player"], line["source"]) == (1, "session", "mira", "192.0.2.1")
    assert line["process"] == "here:1", "an id that stood nowhere else led to no process"
    await play_and_store(desk.database, "m1", 1, entries=3)
    assert await desk.do("matches") == 0
    assert desk.out == ["m1\trainet\tlive\tguest-a – bot:easy\t3\tno\tno\t2026-01-01T12:00:00.123Z\tyes"]
    about = Conduct(desk.database, desk.clock)
    report = await about.report(1, "tarn", "rude", [{"name": "tarn", "text": "grr"}])
    assert await desk.do("reports") == 0
    assert desk.out[0].split("\t")[2:] == ["mira", "tarn", "-", "rude", "-", "-"]
    assert desk.out[1] == "    tarn: grr"
    assert await desk.do("reports", "--handled", str(report)) == 0
    assert await desk.do("reports", "--handled", str(report)) == 3
    assert await desk.do("reports") == 0
    assert desk.out == []
    assert await desk.do("reports", "--closed") == 0, "an appeal found nothing of what a ban was for"
    assert desk.out[0].split("\t")[2:6] == ["mira", "tarn", "-", "rude"]
    assert desk.out[0].endswith("\tboss")
    assert desk.out[1] == "    tarn: grr"


async def test_an_act_that_was_not_stored_stood_in_the_log(desk: Desk) -> None:
    """It was written inside the transaction: on a full disk the log told of an announcement that nobody got."""
    actor = Actor(desk.database, desk.clock, LocalBus(), "boss")

    def act(connection: Connection, *, fails: bool) -> None:
        actor.audit(connection, "announce", "", "hello")
        if fails:
            raise Refused("restart.alone")

    with capture_logs() as logged:
        with pytest.raises(Refused):
            await actor.write(partial(act, fails=True))
        assert logged == []
        await actor.write(partial(act, fails=False))
    assert [(line["event"], line["act"], line["by"]) for line in logged] == [("act", "announce", "boss")]


async def test_what_was_stored_raw_is_printed_harmless(desk: Desk) -> None:
    """JSON escapes C0 only, and rows of text escaped nothing."""
    nasty = "\x9b2J\u202e\u2028\x1b]0;t\x07"
    await Conduct(desk.database, desk.clock).report(1, "tarn", "rude", [{"name": "tarn", "text": nasty}])
    assert await desk.do("reports") == 0
    assert all(line.replace("\t", " ").isprintable() for line in desk.out)
    assert await desk.do("reports", "--json") == 0
    assert all(line.isprintable() for line in desk.out)
    assert json.loads(desk.out[0])["lines"] == [f"tarn: {nasty}"]


async def test_an_admin_who_means_a_wide_network_says_so(desk: Desk) -> None:
    assert await desk.do("grant", "mira", "--role", "admin") == 0
    desk.act_as("mira")
    assert await desk.do("ban", "2000::/3", "--yes", "--for", "1h", "--why", "a flood") == 0
    assert await desk.do("mute", "128.0.0.0/1", "--yes") == 0
    assert await desk.do("sanctions") == 0
    assert [line.split("\t")[2] for line in desk.out] == ["2000::/3", "128.0.0.0/1"]


async def test_what_holds_is_listed(desk: Desk) -> None:
    assert await desk.do("ban", "198.51.100.7", "--for", "3d", "--why", "a", "flood") == 0
    assert await desk.do("mute", "tarn") == 0
    assert await desk.do("sanctions") == 0
    assert [line.split("\t")[:4] for line in desk.out] == [
        ["ban", "network", "198.51.100.7/32", "2026-01-04T00:00:00.000Z"],
        ["mute", "account", "tarn", "-"],
    ]
    assert await desk.do("unban", "198.51.100.7") == 0
    assert await desk.do("sanctions") == 0
    assert len(desk.out) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ban", "300.1.2.3", "--why", "x"], en("target.no-network", text="300.1.2.3")),
        (["ban", "2000::/3", "--why", "x"], en("target.too-wide", network="2000::/3", v4=16, v6=32)),
        (["ban", "SHA256:x", "--why", "x"], en("target.no-key", text="SHA256:x")),
        (["ban", "nobody", "--why", "x"], "nobody"),
        (["mute", "boss"], en("moderation.self")),
        (
            ["ban", "tarn", "--for", "3x", "--why", "x"],
            "usage: admin ban HANDLE|GUEST|KEY|NETWORK [--for 3d] [--yes] --why TEXT",
        ),
        (["ban", "tarn"], "usage: admin ban HANDLE|GUEST|KEY|NETWORK [--for 3d] [--yes] --why TEXT"),
        (["reports", "--handled", "99"], en("report.none-open", id=99)),
    ],
)
async def test_refusals_are_sentences(desk: Desk, words: list[str], said: str) -> None:
    """Admins read message keys: `handle.unknown, handle nobody`."""
    assert await desk.do(*words) != 0
    assert said in desk.err[-1]


def test_every_act_is_told_of_in_the_overview() -> None:
    told = " ".join(" ".join(ACTS.overview()).split())
    for act in ACTS.values():
        assert f"{act.synopsis} {act.about}" in told


def test_the_acts_were_wrapped_twice_in_the_help_of_admin() -> None:
    """Two columns further to the right, the last words of long lines stood on lines of their own."""
    told = COMMANDS.help_of("admin")
    assert [line for line in ACTS.overview(cols=DETAIL_COLS) if f"  {line}" not in told] == []
    assert max(map(len, told)) <= COLS


async def test_a_void_match_leaves_the_ratings(desk: Desk) -> None:
    ratings = Ratings(desk.database, desk.clock)
    seats = (StoredSeat("account", "mira", 1), StoredSeat("account", "tarn", 2))
    for i in (1, 2):
        await play_and_store(desk.database, f"m{i}", i, seats)
        await desk.database.write(rate, f"m{i}", "rainet", [1, 2], [[0], [1]])
    both = await ratings.of(1, "rainet")
    assert both.matches == 2
    assert await desk.do("void", "m1", "--why", "cheating") == 0
    assert (await ratings.of(1, "rainet")).matches == 1
    stored = await desk.database.read(matches.get, "m1")
    assert stored is not None
    assert (stored.status, stored.result, stored.finish_no) == ("void", None, None)
    assert await desk.do("void", "m1", "--why", "again") == 1
    assert await desk.do("void", "m9", "--why", "x") == 3
    bad: dict[str, list[str]] = {}
    await verify_matches(desk.database, bad.__setitem__)
    assert bad == {}


async def test_a_running_match_is_voided_between_two_moves(desk: Desk) -> None:
    await play_and_store(desk.database, "m1", 1, entries=6)
    assert await desk.do("void", "m1", "--why", "stuck") == 0
    writer = LogWriter(desk.database)
    writer.start()
    with pytest.raises(Exception, match="seq-taken"):
        await writer.append(append("m1", 7))
    await writer.close()


async def test_every_act_stands_in_the_audit_log(desk: Desk) -> None:
    for line in (
        "grant mira --role admin",
        "ban tarn --why spam",
        "unban tarn",
        "mute tarn",
        "announce hello",
        "drain",
        "undrain",
    ):
        assert await desk.do(*line.split()) == 0
    assert await desk.do("audit", "--json") == 0
    acts = [(line["actor"], line["act"], line["target"]) for line in map(json.loads, desk.out)]
    assert acts == [
        ("boss", "undrain", ""),
        ("boss", "drain", ""),
        ("boss", "announce", ""),
        ("boss", "mute", "tarn"),
        ("boss", "unban", "tarn"),
        ("boss", "ban", "tarn"),
        ("boss", "grant", "mira"),
    ]
    kept = await desk.database.read(conduct.audit_lines, 10, "tarn")
    assert [line.act for line in kept] == ["mute", "unban", "ban"]


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("30m", 1800), ("3d", 259_200), ("1w2h", 612_000)])
def test_durations(text: str, seconds: int) -> None:
    assert parse_duration(text).total_seconds() == seconds


@pytest.mark.parametrize("text", ["", "3", "d", "-3d", "0s", "99999w", "3 d", "3d!"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError):
        parse_duration(text)


async def test_accounts_are_listed_and_searched(desk: Desk) -> None:
    await desk.accounts.register("tar_a", public_key("tar_a"), "192.0.2.1")
    assert await desk.do("accounts", "--json") == 0
    assert [json.loads(line)["player"] for line in desk.out] == ["boss", "mira", "tar_a", "tarn"]
    assert await desk.do("accounts", "r_a", "--json") == 0, "an underscore is no wildcard"
    [found] = map(json.loads, desk.out)
    assert (found["type"], found["player"], found["keys"], found["roles"]) == ("account", "tar_a", 1, [])
    [key] = await desk.accounts.keys.of(2)
    assert await desk.do("accounts", key.fingerprint, "--json") == 0
    assert [json.loads(line)["player"] for line in desk.out] == ["tarn"]
    assert await desk.do("accounts", "nobody") == 0
    assert desk.out == []


async def test_admins_gave_somebody_the_name_of_the_server(desk: Desk) -> None:
    with pytest.raises(AccountError) as refused:
        await Admin(Actor(desk.database, desk.clock, desk.bus, "boss"), "Harbour").rename("tarn", "harbour", "x")
    assert refused.value.key == "handle.reserved"


async def test_somebody_is_renamed_for_a_reason(desk: Desk) -> None:
    assert await desk.do("rename", "tarn", "heron", "--why", "an", "insult") == 0
    assert await desk.do("rename", "heron", "mira", "--why", "x") == 1
    assert await desk.do("rename", "heron", "no good", "--why", "x") == 1
    assert await desk.do("rename", "heron", "grebe") == 2, "there has to be a reason"
    assert ("rename", {"account": 2}) in await desk.orders()
    [line] = await desk.admin.audit(1)
    assert (line.actor, line.act, line.target, line.why) == ("boss", "rename", "heron", "an insult")


async def test_somebody_s_data_is_exported_and_deleted_and_both_are_audited(desk: Desk) -> None:
    assert await desk.do("rename", "tarn", "heron", "--why", "an insult, tarn") == 0
    assert await desk.do("rename", "heron", "tarn", "--why", "a mistake") == 0
    assert await desk.do("export", "tarn") == 0
    assert json.loads(desk.out[0])["accounts"][0]["handle"] == "tarn"
    assert await desk.do("delete", "tarn", "--why", "asked for by mail") == 0
    assert await desk.accounts.by_handle("tarn") is None
    assert ("forget", {"account": 2, "name": "deleted-2"}) in await desk.orders()
    assert [(line.act, line.target) for line in await desk.admin.audit(2)] == [
        ("delete", "deleted-2"),
        ("export", "deleted-2"),
    ]
    assert await desk.do("export", "tarn") == 3
    kept = [line for line in await desk.admin.audit(10) if line.target == "deleted-2"]
    assert len(kept) == 4
    assert not [line for line in kept if {"tarn", "heron"} & {*line.why.split(), *map(str, (line.data or {}).values())}]


async def test_a_running_match_is_ended_for_a_reason_and_a_finished_one_is_not(desk: Desk) -> None:
    await play_and_store(desk.database, "m1", 1, entries=5)
    await play_and_store(desk.database, "m2", 2)
    assert await desk.do("end", "m1", "--why", "nobody comes back") == 0
    assert await desk.do("end", "m2", "--why", "x") == 1
    assert await desk.do("end", "m9", "--why", "x") == 3
    ended = await desk.database.read(matches.get, "m1")
    assert ended is not None
    assert ended.status == matches.VOID
    [line] = await desk.admin.audit(1)
    assert (line.act, line.target, line.why) == ("end", "m1", "nobody comes back")


async def test_a_moderator_renamed_to_console_was_an_admin(desk: Desk) -> None:
    """The actor was known by its handle, and `console` was one that anybody could take."""
    assert await desk.do("rename", "tarn", "console", "--why", "x") == 1
    desk.act_as("console")
    with pytest.raises(AccountError, match=r"account\.gone"):
        await desk.admin.moderation.ban("8.0.0.0/7", "x", None, wide=True)


async def test_the_audit_of_moderators_told_of_private_matches_by_its_length_and_by_names_like_ids(desk: Desk) -> None:
    """A handle may look like a match's id: acts on that person were hidden, and a rename showed those on the match."""
    await play_and_store(desk.database, "mira", 1, entries=5, private=True)
    await desk.accounts.set_role(2, "moderator", held=True)
    assert await desk.do("mute", "mira") == 0
    assert await desk.do("end", "mira", "--why", "x") == 0
    assert (await desk.accounts.rename(1, "heron")).handle == "heron"
    desk.act_as("tarn")
    assert [(line.act, line.target) for line in await desk.admin.audit(1)] == [("mute", "heron")]


@pytest.mark.parametrize("act", ["export mira", "delete mira --why x", "restart"])
async def test_what_takes_everything_is_done_beside_the_database_only(desk: Desk, act: str) -> None:
    assert await desk.do(*act.split(), roles=frozenset(("admin",))) == 4
    assert await desk.accounts.by_handle("mira") is not None


async def test_a_server_of_one_process_is_not_restarted_by_command(desk: Desk) -> None:
    """Nobody would start it again."""
    await desk.database.write(processes.arrive, "p1", 1, "here", desk.clock.now())
    assert await desk.do("restart") == 1
    assert desk.err == [en("restart.alone")]
    assert await desk.orders() == []
