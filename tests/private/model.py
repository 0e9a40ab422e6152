"""Who may know what, told by rules of its own: what every door of the server says is held against it.

Nothing of the server is used here: names of people, rooms, matches, and plain sets.
"""

from __future__ import annotations

from dataclasses import dataclass, field

NOTHING, THAT_IT_IS, ALL = "nothing", "existence", "all"


@dataclass
class Room:
    """A room: who is in it, and who has blocked whom is the model's."""

    code: str
    private: bool
    watchable: bool
    title: str
    members: set[str] = field(default_factory=set)
    invited: set[str] = field(default_factory=set)  # challenged, and a seat is kept for them


@dataclass
class Match:
    """A match: who sits there, and who of them lets everybody see it."""

    id: str
    private: bool
    watchable: bool
    room: str | None
    seated: frozenset[str]
    over: bool = False
    lets: set[str] = field(default_factory=set)
    from_private: bool = False


@dataclass
class Model:
    """The house as it should be."""

    rooms: dict[str, Room] = field(default_factory=dict)
    matches: dict[str, Match] = field(default_factory=dict)
    reported: set[str] = field(default_factory=set)  # matches that a report is about
    said: dict[str, str] = field(default_factory=dict)  # what was said, by the room or match where

    def is_everybodys(self, match: Match) -> bool:
        return not match.private or (match.over and match.lets >= match.seated)

    def knows(self, person: str | None, match_id: str, on_case: bool = False) -> str:
        """Return what somebody (None: anybody at all) may know of a match."""
        match = self.matches[match_id]
        if person in match.seated or (on_case and match_id in self.reported):
            return ALL
        room = self.rooms.get(match.room or "")
        is_let_in = room is not None and person in room.members
        if not self.is_everybodys(match) and not is_let_in:
            return NOTHING
        return ALL if match.over or match.watchable else THAT_IT_IS

    def knows_room(self, person: str | None, code: str) -> bool:
        """Tell whether somebody may know of a room, who does not bring its code."""
        room = self.rooms[code]
        plays = any(one.room == code and not one.over and person in one.seated for one in self.matches.values())
        return not room.private or plays or person in room.members or person in room.invited

    def secrets(self, person: str | None) -> dict[str, str]:
        """Return what somebody may read nowhere, with what it is."""
        found = {}
        hidden = {one for one in self.matches if self.knows(person, one) == NOTHING}
        for match_id in hidden:
            found[match_id] = "a match"
        for code, room in self.rooms.items():
            seated_there = any(match.room == code and person in match.seated for match in self.matches.values())
            if not self.knows_room(person, code) and not seated_there:
                found[code] = "a room's code"
                found[room.title] = "a room's title"
                hidden.add(code)
        for text, where in self.said.items():
            if where in hidden:
                found[text] = f"what was said in {where}"
        return found
