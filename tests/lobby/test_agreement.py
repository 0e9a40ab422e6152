"""What people agree on, from the room to the stored match and its rematch: every switch goes the whole way."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from game.errors import BadNotation
from server.lobby.room_document import from_json, to_json
from server.lobby.room_state import opened
from server.matches.agreement import SWITCHES, Agreement, Switch, switches, unusual
from server.matches.model import MatchQuery
from server.matches.next_match import rematch_of
from server.matches.visibility import Asker
from server.ssh.bot.instructions import DoCreate
from tests.agreements import agreed
from tests.lobby.opened import ROOM, OpenLobby, room_of_two
from tests.matches.table import MIRA, TARN

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
OF_MATCHES = [one for one in SWITCHES if one.name != "machines"]  # that one says who may sit down


@pytest.mark.parametrize("switch", OF_MATCHES, ids=lambda one: str(one.name))
async def test_a_switch_of_a_room_reaches_the_match_what_is_stored_and_the_rematch(
    lobby: OpenLobby, switch: Switch
) -> None:
    settings = agreed(ROOM, **{switch.name: not switch.usual})
    assert unusual(settings.agreement) == (switch,)
    assert from_json(to_json(opened("K7QX4MRW", settings, MIRA))).settings == settings
    room = await room_of_two(lobby, settings)
    await room.ready(MIRA)
    await room.ready(TARN)
    match = await lobby.table.matches.open(room.snapshot().match or "")
    assert switches(match.terms.agreement) == switches(settings.agreement)
    assert rematch_of(match.terms).agreement == match.terms.agreement
    [listed] = await lobby.table.matches.list(MatchQuery(player=MIRA, asker=Asker(MIRA)))
    assert listed.agreement == match.terms.agreement


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda one: str(one.name))
def test_a_switch_that_a_program_could_not_name_was_an_internal_error(switch: Switch) -> None:
    """Every `create` was answered so while `DoCreate` had no field for a new switch."""
    fields = {field.name: field.default for field in msgspec.structs.fields(DoCreate)}
    assert switch.name in fields, "a field of DoCreate (server/ssh/bot/instructions.py)"
    assert switch.name == "machines" or fields[switch.name] is switch.usual
    schema = json.loads((SCHEMAS / "bot-client.json").read_text())
    [create] = [one["then"] for one in schema["allOf"] if one["if"]["properties"]["do"].get("const") == "create"]
    assert "description" in create["properties"].get(switch.name, ()), "what it means, in docs/schemas/bot-client.json"


async def test_that_machines_may_sit_down_is_no_term_of_the_match(lobby: OpenLobby) -> None:
    settings = agreed(ROOM, machines=True)
    assert from_json(to_json(opened("K7QX4MRW", settings, MIRA))).settings == settings
    room = await room_of_two(lobby, settings)
    await room.ready(MIRA)
    await room.ready(TARN)
    match = await lobby.table.matches.open(room.snapshot().match or "")
    assert not match.terms.agreement.machines


def test_what_the_release_before_can_t_read_stands_beside_a_room_s_settings() -> None:
    stored = to_json(opened("K7QX4MRW", agreed(ROOM, gallery_chat=False, watchable=False), MIRA))
    assert stored["switches"] == {"gallery_chat": False}
    assert "gallery_chat" not in stored["settings"]
    assert stored["settings"]["watchable"] is False


def test_a_match_without_a_clock_or_with_open_hands_is_casual() -> None:
    assert Agreement("rainet", rated=True).checked().rated
    assert not Agreement("tiny", options={"open_hands": True}, rated=True).checked().rated
    assert not Agreement("rainet", speed="untimed", rated=True).checked(may_be_untimed=True).rated
    with pytest.raises(BadNotation):
        Agreement("rainet", speed="untimed").checked()
