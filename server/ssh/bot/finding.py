"""How a program finds matches: seeks, bots, rooms and challenges, and whether it may play rated ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from game import registry
from game.errors import BadNotation, GameError
from server.accounts.identity import Player
from server.boards.wire import Object, message, standing_json
from server.errors import Refused
from server.lobby.model import RoomSettings, Seek
from server.lobby.room import Room
from server.lobby.seeking import SeekTicket
from server.matches.agreement import Agreement, switches, with_switches
from server.matches.checkpoint import AnyGame
from server.matches.match import Match
from server.matches.playable import check_brings
from server.matches.rated import check_program
from server.matches.speeds import UNTIMED
from server.services import Services
from server.ssh.bot import instructions
from server.ssh.bot.entered_rooms import EnteredRooms
from server.ssh.bot.naming import brought, level_named, seat_named
from server.ssh.bot.refusals import NoSuchTarget
from server.ssh.call import Call

KEPT_ROOMS = 10  # rooms whose match is over, kept for a rematch


class Finding:
    """The searches, rooms and challenges of one program."""

    def __init__(self, call: Call, services: Services, sit: Callable[[str], None], tell: Callable[..., None]) -> None:
        """`sit`: follows a match that has begun; `tell`: tells the program what happens to its rooms."""
        self._call, self._services, self._sit = call, services, sit
        self._tickets: list[SeekTicket] = []
        self._rooms = EnteredRooms(call.session, tell)

    @property
    def _player(self) -> Player:
        return self._call.identity.player

    def close(self) -> None:
        """Stop following all rooms."""
        self._rooms.close()

    @property
    def is_machine(self) -> bool:
        """Tell whether the account is marked as a machine."""
        return self._call.identity.account_id in self._services.machines.known

    def _check_marked(self, agreement: Agreement) -> None:
        """Let the program begin a match on these terms. Raises NotMarked."""
        check_program(agreement.checked().rated, self._player.name, self.is_machine)

    def check_again(self, match: Match, what: str) -> None:
        """Let the program play again, if that is offered. Raises NotMarked."""
        if what == "rematch":
            self._check_marked(match.terms.agreement)

    async def seek(self, instruction: instructions.DoSeek) -> Object:
        seek = await self._wished(instruction)
        agreed = seek.agreement
        self._tickets = [ticket for ticket in self._tickets if not ticket.is_done]
        if instruction.against is not None:
            self._rooms.leave_played(KEPT_ROOMS)
            level = level_named(instruction.game, instruction.against)
            match = await self._services.lobby.play_bot(
                self._player,
                agreed.game,
                level,
                agreed.options,
                instruction.speed,
                seek.seat,
                agreed.players,
                seek.seat_options,
            )
            self._sit(match.id)
            return {"match": match.id}
        if instruction.fewest is not None and not 1 <= instruction.fewest <= agreed.players:
            raise BadNotation("match.players", f"fewest {instruction.fewest} of {agreed.players}")
        self._check_marked(agreed)
        seek = replace(seek, fewest=instruction.fewest, bots=instruction.bots)
        ticket = await self._services.lobby.seek(self._player, seek, self._call.session)
        self._tickets.append(ticket)
        return {}

    async def _wished(self, instruction: instructions.DoBegin) -> Seek:
        rules = registry.get(instruction.game)
        if instruction.players not in rules.seats:
            raise BadNotation("match.players", str(instruction.players))
        rated, machines = (
            self.is_machine if said is None else said for said in (instruction.rated, instruction.machines)
        )
        return Seek(
            Agreement(
                game=instruction.game,
                players=instruction.players,
                options=instruction.options,
                speed=instruction.speed or "normal",
                rated=rated and not self._call.identity.is_guest,
                machines=machines,
            ),
            seat=seat_named(rules, instruction.players, instruction.seat),
            seat_options=await self._brought(rules, instruction),
        )

    async def _brought(
        self, rules: AnyGame, said: instructions.DoBegin | instructions.DoJoin | instructions.DoChallenge
    ) -> dict[str, Any]:
        return await brought(rules, said.deck, said.return_deck, self._services.decks.turns)

    async def create(self, instruction: instructions.DoCreate) -> Object:
        seek = await self._wished(instruction)
        agreed = replace(with_switches(seek.agreement, instruction), machines=seek.agreement.machines)
        is_untimed = agreed.speed == UNTIMED.name and len(instruction.bots) == agreed.players - 1
        speed = "normal" if is_untimed else agreed.speed
        agreement = replace(agreed, speed=speed, rated=agreed.rated and instruction.rated is not None)
        self._check_marked(agreement)
        settings = RoomSettings(agreement, True, instruction.title, instruction.speed is not None and not is_untimed)
        levels = [level_named(instruction.game, bot) for bot in instruction.bots]
        if len(levels) >= agreed.players:
            raise BadNotation("match.players", f"{len(levels)} bots and you at {agreed.players} seats")
        self._rooms.leave_played(KEPT_ROOMS)
        room = await self._services.lobby.rooms.create(self._player, settings, self._call.session)
        self._rooms.enter(room)
        try:
            if seek.seat is not None or seek.seat_options:
                await room.sit(self._player, seek.seat, seek.seat_options or None)
            free = [seat.seat for seat in room.snapshot().seats if seat.player is None]
            for seat, level in zip(reversed(free), levels, strict=False):
                await room.add_bot(self._player, seat, level)
        except (Refused, GameError):
            self._rooms.forget(room.code)
            room.leave(self._call.session)
            raise
        return message(
            "room",
            re=instruction.id,
            code=room.code,
            **_agreed(room),
        )

    async def challenge(self, instruction: instructions.DoChallenge) -> None:
        """Challenge somebody, for as long as the program stays. It says the same whatever becomes of it."""
        said = instruction
        brings = await self._brought(registry.get(said.game), said)
        agreement = Agreement(said.game, options=said.options, speed=said.speed, rated=said.rated, private=True)
        self._check_marked(agreement)
        self._rooms.leave_played(KEPT_ROOMS)
        settings = RoomSettings(agreement, auto_start=True)
        agreed = agreement.checked()
        check_brings(agreed.game, agreed.players, 0, brings, agreed.options)
        by_seat = (brings, *[{}] * (agreed.players - 1))
        make = self._services.lobby.challenges.make
        self._rooms.enter(await make(self._player, said.player, settings, self._call.session, lambda _: by_seat))

    async def challenges(self, instruction: instructions.DoChallenges) -> list[Object]:
        """Return the player's challenges that stand without them.

        Where that is asked for, after withdrawing one, or declining what somebody asks of them.
        """
        lobby = self._services.lobby
        if instruction.decline is not None:
            await lobby.challenges.decline(self._player, instruction.decline)
        if instruction.withdraw is not None:
            await lobby.challenges.withdraw(self._player, instruction.withdraw)
        return [standing_json(one) for one in await lobby.challenges.standing(self._player)]

    async def invite(self, instruction: instructions.DoInvite) -> None:
        """Keep a seat for somebody in a room that the program is in. It says the same whether they see it or not."""
        room = self._rooms.room(instruction.code)
        if room is None:
            raise NoSuchTarget("you are in no such room")
        await self._services.lobby.challenges.invite(self._player, instruction.player, room)

    async def join(self, instruction: instructions.DoJoin) -> Object:
        """Take a seat; return the room's code and terms."""
        room = await self._services.lobby.rooms.find(
            self._player, instruction.code, self._call.identity.source, sits=True
        )
        self._check_marked(room.state.agreement)
        rules = registry.get(room.state.agreement.game)
        brings = await self._brought(rules, instruction)
        await room.enter(self._player, self._call.session)
        try:
            await room.sit(self._player, None, brings or None)
        except (Refused, GameError):
            room.leave(self._call.session)
            raise
        self._rooms.enter(room)
        return {"code": room.code, **_agreed(room)}

    def cancel(self) -> None:
        """Withdraw every seek, and leave every room without a running match."""
        for ticket in self._tickets:
            ticket.cancel()
        self._tickets.clear()
        self._rooms.leave_idle()


def _agreed(room: Room) -> Object:
    """Return the terms of a room: what everybody who sits down agrees to."""
    agreed = room.state.agreement
    return {
        "game": agreed.game,
        "players": agreed.players,
        "options": dict(agreed.options),
        "rated": agreed.rated,
        **switches(agreed),
    }
