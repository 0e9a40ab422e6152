"""Random people with keys, codes and bad intentions: after every step each key opens exactly what it should."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Concatenate, ParamSpec, TypeVar

import pytest
from sqlalchemy import URL, Connection, create_engine, select
from sqlalchemy.pool import StaticPool

from server.accounts import keys
from server.accounts.accounts import Accounts
from server.accounts.errors import AccountError
from server.accounts.publickeys import read_public_key
from server.config import Limits
from server.store import accounts as stored
from server.store import proposals, tables
from server.store.accounts import StoredCode
from server.store.proposals import Proposal
from server.store.tables import metadata
from tests.accounts.identity_model import REFUSED, Model
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock
from tests.seeds import drawn

P = ParamSpec("P")
T = TypeVar("T")
SEQUENCES, STEPS = 25, 18  # in `make test`
MANY = 10_000  # under `make soak`
DAY = timedelta(days=1)
KEYS = tuple(f"key{i}" for i in range(7))
LINES = {name: public_key(name) for name in KEYS}
PRINTS = {name: read_public_key(line).fingerprint for name, line in LINES.items()}
NAMES = {fingerprint: name for name, fingerprint in PRINTS.items()}
MEMORY_TABLES = (
    *(tables.keys, tables.proposals, tables.codes, tables.orders, tables.strikes, tables.roles, tables.preferences),
    *(tables.former_handles, tables.departed_handles, tables.handle_skeletons, tables.accounts),
)


class InMemory:
    """A database without a file or a thread: the same SQL, at the pace that ten thousand sequences need."""

    def __init__(self) -> None:
        self.engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
        metadata.create_all(self.engine)
        self.connection = self.engine.connect()

    @property
    def url(self) -> URL:
        return self.engine.url

    @property
    def is_sqlite(self) -> bool:
        return True

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.write(work, *args, **kwargs)

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self.connection.begin():
            return work(self.connection, *args, **kwargs)

    async def close(self) -> None:
        self.connection.close()
        self.engine.dispose()

    def empty(self) -> None:
        with self.connection.begin():
            for table in MEMORY_TABLES:
                self.connection.execute(table.delete())

    def owners(self) -> dict[str, int]:
        """Return what every known key opens."""
        with self.connection.begin():
            rows = self.connection.execute(select(tables.keys.c.fingerprint, tables.keys.c.account_id)).all()
        return {NAMES[row.fingerprint]: row.account_id for row in rows}


class People:
    """Seven keys in seven hands. Each step somebody does something; the model says what must come of it."""

    def __init__(self, dice: random.Random, database: InMemory) -> None:
        self.dice = dice
        self.database = database
        self.clock = FakeClock()
        self.accounts = Accounts(database, self.clock, Limits(accounts_per_hour=10**6), dice.choice)
        self.model = Model()
        self.seen: list[str] = ["guess"]  # every code that ever was
        self.ids: list[int] = []
        self.told: list[str] = []
        self.stepped = 0

    async def step(self) -> None:
        self.stepped += 1
        act = "register" if self.stepped <= 2 else self.dice.choice(ACTS)
        before = len(self.told)
        await getattr(self, act)()
        if len(self.told) == before:
            self.told.append(act)
        expected = {key: account for account, keys in self.model.accounts.items() for key in keys}
        assert self.database.owners() == expected, self.told
        for key in KEYS:
            if self.stepped % 6 == 0:  # the way a login asks
                found = await self.accounts.by_fingerprint(PRINTS[key])
                assert (None if found is None else found.id) == expected.get(key), self.told

    async def _try(self, what: str, awaited: object) -> object:
        try:
            result: object = await awaited  # type: ignore[misc]
        except AccountError as error:
            self.told.append(f"{what}: {error.key}")
            return REFUSED
        self.told.append(what)
        return result

    def _key(self) -> str:
        return self.dice.choice(KEYS)

    def _actor(self) -> tuple[str, int] | None:
        """Somebody and an account: mostly their own, sometimes one that they have no part in (any more)."""
        if not self.ids:
            return None
        key = self._key()
        owner = self.model.owner(key)
        return key, owner if owner is not None and self.dice.random() < 0.85 else self.dice.choice(self.ids)

    def _source(self) -> str:
        return f"source {len(self.told)}"  # the limit on guesses has its own tests

    def _code(self) -> str:
        live = [code for code, one in self.model.codes.items() if one.kind != "recovery" or self.dice.random() < 0.1]
        roll = self.dice.random()
        if live and roll < 0.55:
            return self.dice.choice(live)
        return self.dice.choice(self.seen[-4:] if roll < 0.85 else self.seen)

    async def register(self) -> None:
        key = self._key()
        handle = f"h{''.join(self.dice.choice('abcdefghk') for _ in range(12))}"
        allowed = self.model.may_register(key)
        made = await self._try(f"{key} registers", self.accounts.register(handle, LINES[key], self._source()))
        assert (made is not REFUSED) == allowed, self.told
        if made is not REFUSED:
            account = made.account.id  # type: ignore[attr-defined]
            codes = made.recovery_codes  # type: ignore[attr-defined]
            self.model.register(key, account, codes)
            self.ids.append(account)
            self.seen += codes

    async def code(self) -> None:
        if (found := self._actor()) is None:
            return
        key, account = found
        made = await self._try(f"{key} makes a code of {account}", self.accounts.keys.make_code(account, PRINTS[key]))
        assert (made is not REFUSED) == self.model.has_full_say(key, account), self.told
        if isinstance(made, str) and made is not REFUSED:
            self.model.make_code(key, account, made)
            self.seen.append(made)

    async def link(self) -> None:
        key, code = self._key(), self._code()
        expected = self.model.link(key, code)
        found = await self._try(f"{key} links {code}", self.accounts.keys.link(code, LINES[key], self._source()))
        assert (None if found is REFUSED else found.id) == expected, self.told  # type: ignore[attr-defined]

    async def propose(self) -> None:
        if (found := self._actor()) is None:
            return
        (key, account), target = found, self._key()
        may = self.model.has_full_say(key, account) and self.model.may_propose(account, target)
        proposing = self.accounts.keys.propose(account, LINES[target], PRINTS[key])
        made = await self._try(f"{key} proposes {target} for {account}", proposing)
        assert (made is not REFUSED) == may, self.told
        if made is not REFUSED:
            self.model.propose(key, account, target, made.code)  # type: ignore[attr-defined]
            self.seen.append(made.code)  # type: ignore[attr-defined]

    async def join(self) -> None:
        if not self.ids:
            return
        key, account = self._key(), self.dice.choice(self.ids)
        invited = {one.account_id for one in await self.accounts.keys.invitations(PRINTS[key])}
        assert invited == {one for one in self.model.accounts if key in self.model.open_proposals(one)}, self.told
        expected = self.model.join(key, account)
        found = await self._try(f"{key} joins {account}", self.accounts.keys.join(account, LINES[key]))
        assert (None if found is REFUSED else found.id) == expected, self.told  # type: ignore[attr-defined]

    async def remove(self) -> None:
        if (found := self._actor()) is None:
            return
        key, account = found
        own = sorted(self.model.accounts.get(account, {}))
        target = self.dice.choice(own) if own and self.dice.random() < 0.8 else self._key()
        linked, recovery = self.dice.random() < 0.4, self._code() if self.dice.random() < 0.3 else ""
        acts = self.model.acts(key, account)
        expected = self.model.remove(key, account, target, linked, recovery) if acts else None
        removing = self.accounts.keys.remove(
            account, PRINTS[target], PRINTS[key], with_linked=linked, recovery=recovery, source=self._source()
        )
        what = f"{key} removes {target} of {account}{' and its line' if linked else ''} {recovery}"
        removal = await self._try(what, removing)
        if removal is REFUSED:
            assert expected is None, self.told
            return
        assert {NAMES[one] for one in removal.removed} == expected, self.told  # type: ignore[attr-defined]
        if codes := removal.recovery_codes:  # type: ignore[attr-defined]
            assert not any((c.account, c.kind) == (account, "recovery") for c in self.model.codes.values()), self.told
            self.model.renew("", account, codes)
            for code in codes:
                self.model.codes[code].by = None
            self.seen += codes

    async def renew(self) -> None:
        if (found := self._actor()) is None:
            return
        key, account = found
        may = self.model.has_full_say(key, account)
        codes = await self._try(f"{key} renews {account}", self.accounts.keys.new_recovery_codes(account, PRINTS[key]))
        assert (codes is not REFUSED) == may, self.told
        if isinstance(codes, tuple):
            self.model.renew(key, account, codes)
            self.seen += codes

    async def delete(self) -> None:
        if (found := self._actor()) is None or self.dice.random() < 0.5:
            return
        key, account = found
        may = self.model.has_full_say(key, account)
        name = await self._try(f"{key} deletes {account}", self.accounts.delete(account, PRINTS[key]))
        assert (name is not REFUSED) == may, self.told
        if name is not REFUSED:
            self.model.delete(account)

    async def wait(self) -> None:
        seconds = self.dice.choice((1, 60, 600, 3600, 40_000, 86_400))
        self.clock.shift(seconds)
        self.model.now += seconds


ACTS = (
    *("register", "register", "code", "code", "link", "link", "link", "link", "propose", "propose", "propose"),
    *("join", "join", "remove", "remove", "remove", "renew", "delete", "wait", "wait"),
)


@pytest.fixture
def memory() -> Iterator[InMemory]:
    made = InMemory()
    yield made
    made.connection.close()
    made.engine.dispose()


async def run_sequences(memory: InMemory, count: int) -> int:
    """Run so many sequences; return how many steps it were."""
    first, steps = drawn(), 0
    for number in range(count):
        memory.empty()
        people = People(random.Random(first * 1_000_003 + number), memory)
        for _ in range(STEPS):
            await people.step()
        steps += people.stepped
    return steps


async def test_after_any_sequence_of_steps_each_key_opens_what_it_should(memory: InMemory) -> None:
    assert await run_sequences(memory, SEQUENCES) == SEQUENCES * STEPS


@pytest.mark.soak
async def test_ten_thousand_sequences_confuse_nobody(memory: InMemory) -> None:
    print(await run_sequences(memory, MANY), "steps")


@pytest.mark.parametrize("broken", ["a proposal's code is for any key", "codes are good twice", "any key may act"])
async def test_the_fuzzer_notices_a_server_that_confuses_people(
    memory: InMemory, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """Else the tests above would pass whatever the service does."""
    if broken == "a proposal's code is for any key":
        by_code = proposals.of_code

        def of_any(connection: Connection, code_hash: str, fingerprint: str, now: datetime) -> Proposal | None:
            found = (by_code(connection, code_hash, one, now) for one in PRINTS.values())
            return next(filter(None, found), None)

        monkeypatch.setattr(proposals, "of_code", of_any)
    elif broken == "codes are good twice":

        def kept(
            connection: Connection, code_hash: str, now: datetime, recovery_of: int | None = None
        ) -> StoredCode | None:
            row = connection.execute(select(tables.codes).where(tables.codes.c.code_hash == code_hash)).first()
            return None if row is None or (row.expires_at or now + DAY) <= now else StoredCode(**row._mapping)

        monkeypatch.setattr(stored, "use_code", kept)
    else:
        monkeypatch.setattr(keys, "check_acting", lambda *_: None)
    with pytest.raises(AssertionError):
        await run_sequences(memory, 200)
