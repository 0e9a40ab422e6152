"""Random logins at a real server: offers, wrong signatures, codes, links, removals; nobody is ever somebody else."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress

import asyncssh
import pytest

from tests.seeds import drawn
from tests.ssh.server import Server, running
from tests.ssh.test_identity import STEPS, Attacker

SEQUENCES = 3  # in `make test`
MANY = 300  # under `make soak`
ACTS_EACH = 6


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server


class Persons:
    """Three keys at one server; `owner` is whose account each opens, told from what the commands answered."""

    def __init__(self, server: Server, dice: random.Random, number: int) -> None:
        self.server = server
        self.dice = dice
        self.keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(3)]
        self.owner: dict[int, str] = {}
        self.codes: dict[str, tuple[str, int | None, int]] = {}  # code: its account, for which key alone, made by whom
        self.number = number
        self.source = f"127.{1 + number // 60_000}.{number // 250 % 250}.{1 + number % 250}"
        self.told: list[str] = []

    async def say(self, who: int, line: str, stdin: str | None = None) -> tuple[int | None, str]:
        """Run a command as one of the three."""
        async with asyncssh.connect(
            "127.0.0.1", self.server.port, client_keys=[self.keys[who]], known_hosts=None, config=None,
            agent_path=None, local_addr=(self.source, 0),
        ) as connection:  # fmt: skip
            process = await connection.create_process(line)
            with suppress(OSError):  # a command that needs no input, or refuses, may be over already
                process.stdin.write(stdin or "")
                process.stdin.write_eof()
            done = await process.wait()
            self.told.append(f"{who} {line} -> {done.exit_status} {str(done.stderr).strip()[:60]}")
            return done.exit_status, str(done.stdout).strip()

    async def attack(self) -> None:
        """Offer somebody's public key, sign with one's own, in any order; be whom one has proven, or a guest."""
        own, victim = self.dice.sample(range(3), 2)
        steps = tuple(self.dice.choice(STEPS) for _ in range(self.dice.randrange(1, 4)))

        def attacker() -> Attacker:
            made = Attacker(steps, at_once=False)
            made.own, made.victim = self.keys[own], self.keys[victim]
            return made

        connection, _ = await asyncssh.create_connection(
            attacker, "127.0.0.1", self.server.port, username="mira", known_hosts=None, config=None,
            client_keys=None, agent_path=None, password_auth=False, preferred_auth="keyboard-interactive",
            local_addr=(self.source, 0),
        )  # fmt: skip
        async with connection:
            said = json.loads(str((await connection.run("whoami --json")).stdout))
        self.told.append(f"{own} attacks {victim} by {steps} -> {said['player']}")
        proven = said["key"] is not None
        assert said["key"] in (None, self.keys[own].get_fingerprint("sha256")), self.told
        assert said["player"] == (self.owner.get(own) if proven else None), self.told

    async def act(self) -> None:
        who = self.dice.randrange(3)
        match self.dice.choice(("register", "code", "link", "link", "add", "remove", "attack", "attack")):
            case "register":
                handle = f"z{self.number}x{who}y{len(self.told)}"
                status, _ = await self.say(who, f"register {handle}")
                assert (status == 0) == (who not in self.owner), self.told
                if status == 0:
                    self.owner[who] = handle
            case "code":
                status, code = await self.say(who, "keys code")
                assert (status == 0) == (who in self.owner), self.told
                if status == 0:
                    mine = self.owner[who]
                    self.codes = {c: one for c, one in self.codes.items() if one[0] != mine or one[1] is not None}
                    self.codes[code] = mine, None, who
            case "add":
                target = self.dice.randrange(3)
                line = self.keys[target].export_public_key("openssh").decode()
                status, code = await self.say(who, "keys add", line)
                assert (status == 0) == (who in self.owner), self.told
                if status == 0:
                    mine = self.owner[who]
                    self.codes = {c: one for c, one in self.codes.items() if one[:2] != (mine, target)}
                    self.codes[code] = mine, target, who
            case "link":
                code = self.dice.choice([*self.codes, "wrong"])
                opens, only, _ = self.codes.get(code, ("", None, 0))
                status, name = await self.say(who, f"keys link {code}")
                assert (status == 0) == (bool(opens) and who not in self.owner and only in (None, who)), self.told
                if status == 0:
                    assert name == opens, self.told
                    self.owner[who] = opens
                    del self.codes[code]
            case "remove":  # itself: any key may
                print_of = self.keys[who].get_fingerprint("sha256")
                mine = self.owner.get(who, "")
                is_last = list(self.owner.values()).count(mine) < 2
                status, _ = await self.say(who, f"keys remove {print_of}")
                assert (status == 0) == (bool(mine) and not is_last), self.told
                if status == 0:
                    del self.owner[who]
                    self.codes = {code: one for code, one in self.codes.items() if one[2] != who}
            case _:
                await self.attack()


async def run_sequences(server: Server, numbers: range) -> None:
    seed = drawn()
    for number in numbers:
        persons = Persons(server, random.Random(seed * 1009 + number), number)
        for _ in range(ACTS_EACH):
            await persons.act()
        for who in range(3):
            _, out = await persons.say(who, "whoami --json")
            assert json.loads(out)["player"] == persons.owner.get(who), persons.told
        if number % 25 == 24:
            print(number + 1, "sequences", flush=True)


async def test_nobody_is_somebody_else_at_a_login_whatever_they_try(server: Server) -> None:
    await run_sequences(server, range(SEQUENCES))


@pytest.mark.soak
async def test_hundreds_of_sequences_of_logins_confuse_nobody(server: Server) -> None:
    await run_sequences(server, range(SEQUENCES, SEQUENCES + MANY))
