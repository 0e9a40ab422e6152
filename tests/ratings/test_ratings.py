"""Ratings: by placements, in the order of ends, the same when made again."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from game import registry
from game.levels import ANCHOR_RATING, POINTS_PER_LOGIT
from server.accounts.identity import Player
from server.ratings.bradley_terry import MODEL, SHOWN_PER_MU, START_MU, Rating, rated, shown
from server.ratings.ladders import all_ladders, ladder_of, of_machines
from server.ratings.ratings import (
    PAIR_PER_DAY,
    SOURCE_PER_DAY,
    Projection,
    RatedMatch,
    Ratings,
    differing,
    project,
    rebuild,
)
from server.store import accounts, matches
from server.store import ratings as stored
from server.store.database import Database
from server.store.logwriter import LogWriter
from server.store.matches import StoredSeat
from tests import seeds
from tests.clocks import FakeClock
from tests.store.builders import START, append, match

NAMES = ("mira", "tarn", "zoe", "omid", "akio", "lio")


async def people(database: Database) -> dict[str, Player]:
    def work(connection: object) -> dict[str, Player]:
        made = {name: accounts.create(connection, name, [name], START) for name in NAMES}  # type: ignore[arg-type]
        return {name: Player("account", name, account.id) for name, account in made.items()}

    return await database.write(work)


async def play(
    writer: LogWriter, ratings: Ratings, match_id: str, game: str, table: list[Player], places: list[list[int]]
) -> None:
    seats = [StoredSeat(player.kind, player.name, player.account_id) for player in table]
    await writer.database.write(matches.create, match(match_id, *seats, game=game, rated=True))
    tiers = tuple(map(tuple, places))
    result = {"reason": "x", "placements": places}
    finish = matches.finish(match_id, result, "00", START + timedelta(minutes=1))
    await writer.append(append(match_id, 1, finish, ratings.effect(RatedMatch(match_id, game, tuple(table), tiers))))


async def dump(database: Database) -> list[tuple[object, ...]]:
    def work(connection: object) -> list[tuple[object, ...]]:
        rows = connection.exec_driver_sql(  # type: ignore[attr-defined]
            "SELECT account_id, ladder, mu, sigma, matches FROM ratings ORDER BY account_id, ladder"
        ).all()
        events = connection.exec_driver_sql(  # type: ignore[attr-defined]
            "SELECT * FROM rating_events ORDER BY finish_no, seat"
        ).all()
        return [tuple(row) for row in (*rows, *events)]

    return await database.read(work)


def test_the_winner_gains_what_the_loser_loses() -> None:
    won, lost = rated([Rating(), Rating()], [0, 1])
    assert won.shown > 1500 > lost.shown
    assert won.shown - 1500 == 1500 - lost.shown
    assert won.sigma < Rating().sigma
    tied = rated([Rating(), Rating()], [0, 0])
    assert tied[0].mu == tied[1].mu == Rating().mu


def test_beating_a_stronger_one_gains_more() -> None:
    weak, strong = Rating(20, 4, 20), Rating(30, 4, 20)
    upset = rated([weak, strong], [0, 1])[0].mu - weak.mu
    expected = rated([weak, strong], [1, 0])[1].mu - strong.mu
    assert upset > 3 * expected > 0


def test_sides_and_sizes_have_their_own_ladders() -> None:
    assert ladder_of("netrunner", 2, 0) == "netrunner-corp"
    assert ladder_of("passage", 5, 4) == "passage-many"
    assert ladder_of("rainet", 2, 1) == "rainet"
    people = {ladder for key in registry.KEYS for ladder in registry.get(key).spec.ladders}
    assert set(all_ladders()) == people | {of_machines(ladder) for ladder in people}
    assert {"rainet", "relati", "relati-many", "netrunner-corp", "netrunner-runner"} <= set(all_ladders())


def test_a_game_that_is_not_played_any_more_keeps_its_ladders() -> None:
    assert ladder_of("forgotten", 2, 1) == "forgotten"
    assert ladder_of("forgotten", 3, 1) == "forgotten-many"


async def test_a_match_is_rated_in_the_transaction_that_ends_it(either: Database) -> None:
    ratings, writer, who = Ratings(either, FakeClock()), LogWriter(either), await people(either)
    writer.start()
    await play(writer, ratings, "m1", "rainet", [who["mira"], who["tarn"]], [[1], [0]])
    table = await ratings.of_seats("rainet", [who["mira"], who["tarn"], Player("bot", "bot:hard")])
    assert table == (Rating(), Rating(), None)  # three seats would be another ladder
    mira, tarn = await ratings.of_seats("rainet", [who["mira"], who["tarn"]])
    assert mira is not None
    assert tarn is not None
    assert mira.shown < 1500 < tarn.shown
    assert await ratings.changes("m1") == {0: (1500, mira.shown), 1: (1500, tarn.shown)}
    assert (mira.provisional, mira.matches) == (True, 1)
    await writer.close()


async def test_people_are_compared_across_bots_and_sides(database: Database) -> None:
    ratings, writer, who = Ratings(database, FakeClock()), LogWriter(database), await people(database)
    writer.start()
    bot = Player("bot", "bot:easy")
    await play(writer, ratings, "m1", "relati", [bot, who["mira"], bot, who["tarn"]], [[1], [3]])
    assert (await ratings.of(who["mira"].account_id or 0, "relati-many")).shown > 1500
    await play(writer, ratings, "m2", "netrunner", [who["mira"], who["tarn"]], [[1], [0]])
    assert set(await ratings.all_of(who["mira"].account_id or 0)) == {"relati-many", "netrunner-corp"}
    assert set(await ratings.all_of(who["tarn"].account_id or 0)) == {"relati-many", "netrunner-runner"}
    await writer.close()


async def test_rebuilding_gives_the_same_bytes(either: Database) -> None:
    seed = seeds.drawn()
    rng = random.Random(seed)
    ratings, writer, who = Ratings(either, FakeClock()), LogWriter(either), await people(either)
    writer.start()
    for i in range(30):
        game = rng.choice(["rainet", "relati", "netrunner"])
        table = rng.sample(list(who.values()), 2 if game != "relati" else rng.randint(2, 6))
        order = rng.sample(range(len(table)), len(table))
        places = [[seat] for seat in order] if rng.random() < 0.8 else [order]
        await play(writer, ratings, f"m{i}", game, table, places)
    before = await dump(either)
    assert len(before) > 60
    assert await either.read(differing) == []
    await either.write(lambda c: c.exec_driver_sql("UPDATE ratings SET mu = 0 WHERE account_id = 1"))
    assert {account_id for account_id, _ in await either.read(differing)} == {1}
    assert await dump(either) != before
    assert await ratings.rebuild() == 30
    assert await dump(either) == before
    await writer.close()


async def test_a_rebuild_takes_in_what_happened_since_it_was_prepared(database: Database) -> None:
    ratings, writer, who = Ratings(database, FakeClock()), LogWriter(database), await people(database)
    writer.start()
    pair = [who["mira"], who["tarn"]]
    for i in range(4):
        await play(writer, ratings, f"m{i}", "rainet", pair, [[0], [1]])
    prepared = await database.read(project, Projection())
    await play(writer, ratings, "m4", "rainet", pair, [[1], [0]])
    after_five = await dump(database)
    assert await database.write(rebuild, prepared) == 5
    assert await dump(database) == after_five
    prepared = await database.read(project, Projection())
    await database.write(matches.finish("m0", None, "00", START))
    assert await database.write(rebuild, prepared) == 4
    assert (await ratings.of(who["mira"].account_id or 0, "rainet")).matches == 4
    assert await database.read(differing) == []
    await writer.close()


async def test_matches_from_before_the_weights_are_rebuilt_as_they_were(either: Database) -> None:
    ratings, writer, who = Ratings(either, FakeClock()), LogWriter(either), await people(either)
    writer.start()
    table = [who["mira"], who["tarn"], who["zoe"]]
    await play(writer, ratings, "m0", "relati", table, [[2], [0], [1]])
    await play(writer, ratings, "m1", "relati", table, [[0, 1], [2]])
    await either.write(lambda c: c.exec_driver_sql("UPDATE matches SET rated_by = NULL WHERE id = 'm0'"))
    await ratings.rebuild()
    before = rated([Rating()] * 3, [1, 2, 0])
    made = await ratings.changes("m0")
    assert {seat: after for seat, (_, after) in made.items()} == {i: one.shown for i, one in enumerate(before)}
    dumped = await dump(either)
    await ratings.rebuild()
    assert await dump(either) == dumped
    assert await either.read(differing) == []
    await writer.close()


async def test_the_leaderboard_asks_for_enough_matches(database: Database) -> None:
    ratings, writer, who = Ratings(database, FakeClock()), LogWriter(database), await people(database)
    writer.start()
    for i in range(9):
        await play(writer, ratings, f"m{i}", "rainet", [who["mira"], who["tarn"]], [[0], [1]])
    assert await ratings.top("rainet") == []
    await play(writer, ratings, "m9", "rainet", [who["mira"], who["tarn"]], [[0], [1]])
    await play(writer, ratings, "m10", "rainet", [who["zoe"], who["tarn"]], [[0], [1]])
    assert [(line.place, line.handle) for line in await ratings.top("rainet")] == [(1, "mira"), (2, "tarn")]
    curve = await ratings.history(who["mira"].account_id or 0, "rainet")
    assert [change.match_id for change in curve] == [f"m{i}" for i in range(10)]
    assert curve[-1].mu_after > curve[0].mu_before
    assert curve[0].at == START + timedelta(minutes=1)
    await writer.close()


async def test_a_match_with_the_same_person_twice_changes_nothing(database: Database) -> None:
    ratings, writer, who = Ratings(database, FakeClock()), LogWriter(database), await people(database)
    writer.start()
    await play(writer, ratings, "m1", "rainet", [who["mira"], who["mira"]], [[0], [1]])
    assert await ratings.changes("m1") == {}
    await writer.close()


async def test_two_people_can_not_farm_ratings(database: Database) -> None:
    clock = FakeClock(START + timedelta(minutes=5))
    ratings, who = Ratings(database, clock), await people(database)
    pair = [who["mira"], who["tarn"]]
    assert await ratings.casual_because(pair) is None
    assert await ratings.casual_because([who["mira"], Player("guest", "guest-a", guest_id="a")]) == "few"
    assert await ratings.casual_because([who["mira"], who["mira"]]) == "few"
    assert await ratings.casual_because([who["mira"], Player("bot", "bot:hard")]) == "few"
    seats = [StoredSeat("account", player.name, player.account_id) for player in pair]
    for i in range(PAIR_PER_DAY):
        await database.write(matches.create, match(f"m{i}", *seats, rated=True))
    assert await ratings.casual_because(pair) == "often"
    assert await ratings.casual_because([who["mira"], who["zoe"]]) is None
    clock.shift(86_400)
    assert await ratings.casual_because(pair) is None


async def test_nobody_farms_ratings_with_many_accounts_of_their_own(database: Database) -> None:
    clock = FakeClock(START + timedelta(minutes=5))
    ratings, who = Ratings(database, clock), await people(database)
    pair, home = [who["mira"], who["tarn"]], ("192.0.2.1",)
    for _ in range(SOURCE_PER_DAY):
        assert not await ratings.begins_casual(pair, home)
    assert await ratings.begins_casual(pair, home)
    assert await ratings.casual_because(pair, home) == "source"
    assert await ratings.casual_because(pair) is None, "from two places"
    assert await ratings.casual_because(pair, ("192.0.2.2",)) is None
    clock.shift(86_400)
    assert await ratings.casual_because(pair, home) is None


async def test_a_rating_fails_with_its_append(database: Database) -> None:
    ratings, writer, who = Ratings(database, FakeClock()), LogWriter(database), await people(database)
    writer.start()
    pair = (who["mira"], who["tarn"])
    effect = ratings.effect(RatedMatch("m1", "rainet", pair, ((0,), (1,))))
    await database.write(matches.create, match("m1"))
    with pytest.raises(TypeError):
        await writer.append(append("m1", 1, effect))  # no finish before it: it has no place in the order
    assert await database.read(stored.changes_of_match, "m1") == []
    await writer.close()


def test_bots_are_rated_on_the_scale_of_the_ladders() -> None:
    """A logit of `game levels` is what the model expects of two whose ratings are known well."""
    assert round(SHOWN_PER_MU * (2 * MODEL.beta**2) ** 0.5) == POINTS_PER_LOGIT
    assert shown(START_MU) == ANCHOR_RATING
