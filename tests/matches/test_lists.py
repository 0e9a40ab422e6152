"""Which matches are listed where more run than fit."""

from __future__ import annotations

from server.matches.lists import some_of_everybodys
from server.store.matches import MatchPeople


def test_two_with_many_matches_against_each_other_hide_no_others() -> None:
    many = [MatchPeople(f"m{number}", ("a:1", "a:2")) for number in range(200)]
    others = MatchPeople("late", ("a:3", "a:4"))
    assert some_of_everybodys(3, {}, [*many, others]) == ["m0", "late", "m1"]


def test_one_with_many_matches_against_everybody_hides_no_others() -> None:
    many = [MatchPeople(f"m{number}", ("a:1", f"a:{number + 10}")) for number in range(200)]
    assert some_of_everybodys(2, {}, [*many, MatchPeople("late", ("a:3", "a:4"))]) == ["m0", "late"]


def test_matches_of_one_person_come_after_those_of_two_and_in_turn() -> None:
    alone = [MatchPeople(f"alone{number}", ("a:1",)) for number in range(9)]
    found = [*alone, MatchPeople("other", ("a:2",)), MatchPeople("two", ("a:1", "a:2")), MatchPeople("bots", ())]
    assert some_of_everybodys(4, {}, found)[0] == "two"
    assert "other" in some_of_everybodys(4, {}, found)


def test_guests_of_one_address_have_their_matches_listed_as_one_persons() -> None:
    many = [MatchPeople(f"m{number}", (f"g:{number}", f"g:{number + 100}")) for number in range(50)]
    sources = {f"g:{number}": "192.0.2.1" for number in range(200)}
    assert some_of_everybodys(2, sources, [*many, MatchPeople("late", ("a:3", "a:4"))]) == ["m0", "late"]
