"""Every game: each kind of event is classified, and what may not be taken back is told by what everybody may know."""

from __future__ import annotations

import pytest

from tests.conformance.play import Case, cases, game_of, keys, module_of, played


@pytest.mark.parametrize("key", keys())
def test_each_kind_of_event_is_revealing_or_harmless_and_not_both(key: str) -> None:
    events: dict[str, tuple[str, ...]] = module_of(key, "messages").EVENTS
    spec = game_of(key).spec
    kinds = {name.removeprefix(f"{key}.event.") for name in events}
    assert kinds == {*spec.revealing, *spec.harmless}
    assert not spec.harmless & {*spec.revealing}
    for kind, told in spec.revealing.items():
        assert not told or told in events[f"{key}.event.{kind}"]


@pytest.mark.parametrize("case", [one for one in cases() if one.is_base], ids=str)
def test_everybody_is_told_that_somebody_learns_something(case: Case) -> None:
    revealing = case.game.spec.revealing
    for moment in played(case) + played(case, disturbed=True):
        for event in moment.events:
            assert event.kind not in revealing or event.public is not None, event
