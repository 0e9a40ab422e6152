"""The instructions of programs: one typed object a line, validated strictly, distinguished by `do`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from server.accounts.machines import Kind

Name = Annotated[str, Meta(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*\Z")]  # looked up in the store
Text = Annotated[str, Meta(max_length=4096)]
Seq = Annotated[int, Meta(ge=0, le=10**9)]
Players = Annotated[int, Meta(ge=-(10**9), le=10**9)]  # whether the rules allow it, `illegal` says
Offered = Literal["draw", "adjourn", "rematch", "resume", "void"]
Answered = Literal["draw", "adjourn", "rematch", "resume", "void", "takeback"]
ActionText = Annotated[str, Meta(max_length=64)]
Lines = Annotated[list[Annotated[list[ActionText], Meta(max_length=64)]], Meta(max_length=16)]  # of conditional moves
Id = Annotated[str, Meta(max_length=200)] | int | float | None


class Instruction(Struct, tag_field="do", kw_only=True):
    """The fields of every instruction. Unknown fields are ignored."""

    id: Id = None


class DoBegin(Instruction, kw_only=True):
    """What a program wants to play: the fields of `seek` and `create`."""

    game: Name
    players: Players = 2
    options: dict[Name, Any] = {}
    speed: Name | None = None
    rated: bool | None = None
    seat: Annotated[int | Name | None, Meta()] = msgspec.field(default=None, name="as")
    deck: Any = None
    return_deck: Any = None
    machines: bool | None = None


class DoSeek(DoBegin, tag="seek", kw_only=True):
    """Be paired with whoever wants the same, or play a bot at once."""

    against: Name | None = None
    fewest: Players | None = None
    bots: bool = False


class DoCreate(DoBegin, tag="create", kw_only=True):
    """Make a room; it starts when its seats are full."""

    private: bool = False
    watchable: bool = True
    gallery_chat: bool = True
    warnings: bool = True
    bots_replace: bool = False
    title: Text = ""
    bots: Annotated[list[Name], Meta(max_length=8)] = []


class DoChallenge(Instruction, tag="challenge", kw_only=True):
    """Challenge somebody to a match of two; it begins when they accept."""

    player: Name
    game: Name
    options: dict[Name, Any] = {}
    speed: Name = "normal"
    rated: bool = False
    deck: Any = None
    return_deck: Any = None


class DoChallenges(Instruction, tag="challenges", kw_only=True):
    """Ask which of one's challenges stand, perhaps after withdrawing one, or declining somebody else's."""

    withdraw: Name | None = None
    decline: Name | None = None


class DoInvite(Instruction, tag="invite", kw_only=True):
    """Ask somebody to a free seat of a room of one's own."""

    code: Name
    player: Name


class DoJoin(Instruction, tag="join", kw_only=True):
    """Take a seat in a room."""

    code: Name
    deck: Any = None
    return_deck: Any = None


class DoCancel(Instruction, tag="cancel", kw_only=True):
    """Withdraw every seek, and leave every room that has not started."""


class DoAct(Instruction, tag="act", kw_only=True):
    """Answer a turn, perhaps with conditional moves."""

    match: Name
    seq: Seq
    action: Text
    lines: Lines = msgspec.field(default=[], name="if")


class DoConditions(Instruction, tag="conditions", kw_only=True):
    """Replace one's conditional moves, drop them with an empty list, or (none) only ask which stand."""

    match: Name
    seq: Seq | None = None
    lines: Lines | None = msgspec.field(default=None, name="if")


class DoOffer(Instruction, tag="offer", kw_only=True):
    """Offer something to the others in a match."""

    match: Name
    what: Offered


class DoAccept(Instruction, tag="accept", kw_only=True):
    """Accept what was offered."""

    match: Name
    what: Answered


class DoDecline(Instruction, tag="decline", kw_only=True):
    """Decline what was offered."""

    match: Name
    what: Answered


class DoTakeback(Instruction, tag="takeback", kw_only=True):
    """Ask to take back one's last decision."""

    match: Name


class DoClaim(Instruction, tag="claim", kw_only=True):
    """End a match whose other players have been away for too long."""

    match: Name
    what: Literal["win", "void"]


class DoResign(Instruction, tag="resign", kw_only=True):
    """Give up one's seat."""

    match: Name


class DoSay(Instruction, tag="say", kw_only=True):
    """Say something in a match."""

    match: Name
    text: Text


class DoVacation(Instruction, tag="vacation", kw_only=True):
    """Take so many days off from daily matches; 0 ends the vacation, none only asks."""

    days: Annotated[int, Meta(ge=0, le=366)] | None = None


class DoFollow(Instruction, tag="follow", kw_only=True):
    """Follow somebody; nobody is told."""

    player: Name


class DoInvisible(Instruction, tag="invisible", kw_only=True):
    """Be seen connected by nobody, or by all again."""

    on: bool


class DoTell(Instruction, tag="tell", kw_only=True):
    """Write to somebody."""

    player: Name
    text: Text


class DoDeclare(Instruction, tag="declare", kw_only=True):
    """Mark the account as a machine's, or take that back."""

    kind: Kind = msgspec.field(name="as")


class DoUnfollow(Instruction, tag="unfollow", kw_only=True):
    """Follow somebody no more."""

    player: Name


class DoPong(Instruction, tag="pong", kw_only=True):
    """Answer a ping."""


AtTheTable = DoOffer | DoAccept | DoDecline | DoTakeback | DoClaim | DoSay
OnTheAccount = DoFollow | DoUnfollow | DoTell | DoInvisible | DoDeclare
AnyInstruction = (
    DoSeek
    | DoCreate
    | DoJoin
    | DoChallenge
    | DoChallenges
    | DoInvite
    | DoCancel
    | DoAct
    | DoConditions
    | DoResign
    | AtTheTable
    | DoVacation
    | OnTheAccount
    | DoPong
)
FREE = ("options", "deck", "return_deck")  # fields whose shape is the game's to judge
MOST_NESTED = 16
INSTRUCTIONS: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyInstruction)
ANY_OBJECT = msgspec.json.Decoder(dict[str, Any])


class Unreadable(Exception):
    """A line is not an instruction; `re` is its id, if one was found."""

    def __init__(self, why: str, re: Any) -> None:
        super().__init__(why)
        self.re = re


def read_instruction(line: bytes) -> AnyInstruction:
    """Read one line. Raises Unreadable, with the reason, for anything that is not an instruction."""
    try:
        instruction: AnyInstruction = INSTRUCTIONS.decode(line)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Unreadable(str(error)[:200], id_of(line)) from None
    values = [getattr(instruction, name, None) for name in FREE]
    for _ in range(MOST_NESTED):
        values = [inner for one in values for inner in _inside(one)]
    if values:
        raise Unreadable(f"values are nested at most {MOST_NESTED} deep", instruction.id)
    return instruction


def _inside(value: Any) -> Collection[Any]:
    match value:
        case dict():
            return value.values()
        case list():
            return value
    return ()


def id_of(line: bytes) -> Any:
    """Return the id in a line, if it can be read: the refusal repeats it."""
    try:
        found = ANY_OBJECT.decode(line).get("id")
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return found if isinstance(found, int | float) or (isinstance(found, str) and len(found) <= 200) else None
