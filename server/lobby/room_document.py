"""A room as the document that is stored of it, as this release and those around it read it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from server.accounts.identity import Player
from server.lobby.model import RoomSettings
from server.lobby.room_state import Member, RoomState
from server.lobby.seating import Seating, SeatState
from server.matches.agreement import Agreement, unusual

AGREED_IN_SETTINGS = (  # what the release before reads there; switches that it does not know stand beside
    *("game", "players", "options", "speed", "rated"),
    *("private", "watchable", "bots_replace"),
)
LATER = ("machines",)  # switches that the release before does not read there either


def to_json(room: RoomState) -> dict[str, Any]:
    """Return the room as a document."""
    agreement = room.agreement
    settings = {name: getattr(agreement, name) for name in AGREED_IN_SETTINGS}
    settings |= {"auto_start": room.settings.auto_start, "title": room.settings.title}
    beside = {one.name: one.of(agreement) for one in unusual(agreement) if one.name not in settings}
    return {
        **{name: getattr(room, name) for name in ("code", "host", "host_name", "match", "playing", "played")},
        "settings": settings,
        "is_speed_named": room.settings.is_speed_named,  # beside them: the release before reads the settings strictly
        "switches": {name: value for name, value in beside.items() if name not in LATER},
        "later_switches": {name: value for name, value in beside.items() if name in LATER},
        "chairs": [_seat_to_json(state) for state in room.seats],
        "members": [
            {
                "session": one.session,
                "process": one.process,
                "player": one.player.to_json(),
                "lost_at": _time_to_json(one.lost_at),
            }
            for one in room.members
        ],
        "results": [list(result) for result in room.results],
        "won": dict(room.won),
        "ended_as": dict(room.ended_as),
        "declined": list(room.declined),
        "removed": list(room.removed),
        "begins_at": _time_to_json(room.begins_at),
        "stands_until": _time_to_json(room.stands_until),
        "changed_at": _time_to_json(room.changed_at),
    }


def _seat_to_json(state: SeatState) -> dict[str, Any]:
    player = None if state.player is None else state.player.to_json()
    held = {"held_for": state.held_for, "held_until": _time_to_json(state.held_until)}
    return {"player": player, "ready": state.ready, "brings": dict(state.brings), **held}


def from_json(data: Mapping[str, Any]) -> RoomState:
    """Read what `to_json` wrote."""
    settings = data["settings"]
    beside = {**data.get("switches", {}), **data.get("later_switches", {})}
    agreement = Agreement(**{name: settings[name] for name in AGREED_IN_SETTINGS}, **beside)
    return RoomState(
        code=data["code"],
        settings=RoomSettings(agreement, settings["auto_start"], settings["title"], data.get("is_speed_named", True)),
        host=data["host"],
        host_name=data["host_name"],
        seats=Seating(_seat_from_json(state) for state in data["chairs"]),
        members=tuple(
            Member(one["session"], one["process"], Player.from_json(one["player"]), _time_from_json(one.get("lost_at")))
            for one in data["members"]
        ),
        match=data["match"],
        playing=data["playing"],
        played=data["played"],
        results=tuple((match_id, winner) for match_id, winner in data["results"]),
        won=tuple(data.get("won", {}).items()),
        ended_as=tuple(data.get("ended_as", {}).items()),
        declined=tuple(data.get("declined", ())),
        removed=tuple(data.get("removed", ())),
        begins_at=_time_from_json(data.get("begins_at")),
        stands_until=_time_from_json(data.get("stands_until")),
        changed_at=_time_from_json(data.get("changed_at")),
    )


def _time_to_json(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _time_from_json(said: str | None) -> datetime | None:
    return None if said is None else datetime.fromisoformat(said)


def _seat_from_json(data: Mapping[str, Any]) -> SeatState:
    player = None if data["player"] is None else Player.from_json(data["player"])
    until = _time_from_json(data.get("held_until"))
    return SeatState(player, data["ready"], data["brings"], data["held_for"], until)
