"""Where a session begins: the lobby, or straight at one screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from server.address import LOCAL, Address

LandingPlace = Literal["lobby", "join", "watch", "replay"]


@dataclass(frozen=True, slots=True)
class Landing:
    """`argument` is the invite code or match id.

    `lang` is the client's LANG as it came, it chooses the first language; `session` names the connection's terminal
    among all that one person may have open; `reached_at` is how they got here, and how others will.
    """

    place: LandingPlace = "lobby"
    argument: str = ""
    lang: str = ""
    session: str = ""
    reached_at: Address = LOCAL
