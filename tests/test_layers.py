"""Who may import whom: the arrows of docs/architecture.md, walked over every import statement there is."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from game.registry import KEYS

ROOT = Path(__file__).parents[1]
GAMES = (*KEYS, "passage", "netrunner")

# Each layer of the server by its modules, lowest first; a layer imports itself and those above it in this list.
LAYERS = (
    ("errors", "config", "clock", "pace", "log", "words", "metrics", "collector", "starting", "stopping"),
    ("store",),
    ("bus",),
    ("accounts", "ratings", "chat"),
    ("matches",),
    ("lobby",),
    ("services",),
    ("tui",),
    ("admin",),
    ("ssh",),
    ("opening",),
    ("app", "supervisor", "worker", "__main__"),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
STRANGERS = ("accounts", "ratings", "chat")  # services that do not know each other, but who people are
PEOPLE = "server.accounts.identity"
SQL = ("sqlalchemy", "aiosqlite", "asyncpg")
# A service holds a transaction (`Connection`) and hears that it failed; it writes no SQL.
HELD = ("sqlalchemy.Connection", "sqlalchemy.exc")
SPEAKERS = ("server.store", "server.bus", "server.admin.backup")  # a backup copies whole tables, and knows none of them
PLAYS = RANK["matches"]  # from here on the server knows that there are games
LADDERS = "server.ratings.ladders"  # asks them how they are rated
WITHOUT_EFFECTS = frozenset(
    ("asyncio", "datetime", "logging", "random", "secrets", "socket", "sqlite3", "threading", "time")
)
OUTSIDE = frozenset(("multiprocessing", "os", "pathlib", "subprocess", "sys"))  # in game: for the command line only
SHELL = ("game.__main__", "game.cli", "game.duel")


@dataclass(frozen=True, slots=True)
class Arrow:
    """One import: `source` is a dotted module, `target` what it names."""

    source: str
    target: str
    line: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line} imports {self.target}"


def arrows(*packages: str) -> Iterator[Arrow]:
    """Yield every import below these packages, those inside functions and for types only too."""
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            source = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            yield from arrows_of(path.read_text(), source)


def arrows_of(text: str, source: str) -> Iterator[Arrow]:
    """Yield the imports of one module's text."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names):
                yield from (Arrow(source, name.name, node.lineno) for name in names)
            case ast.ImportFrom(module, names, level):
                assert level == 0, f"{source}:{node.lineno} is relative"
                yield from (Arrow(source, f"{module}.{name.name}", node.lineno) for name in names)


def within(module: str, *packages: str) -> bool:
    """Tell whether a dotted name is one of these packages or below it."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def game_fault(arrow: Arrow) -> bool:
    """Tell whether `game` reaches out: beyond the standard library, to time or chance, or to files."""
    top = arrow.target.split(".")[0]
    if top == "game":
        return False
    if top not in sys.stdlib_module_names or top in WITHOUT_EFFECTS:
        return True
    return top in OUTSIDE and not within(arrow.source, *SHELL)


def games_fault(arrow: Arrow) -> bool:
    """Tell whether a game, or what all games share, knows a game other than itself."""
    own = next((key for key in GAMES if within(arrow.source, f"game.{key}")), None)
    return any(within(arrow.target, f"game.{key}") for key in GAMES if key != own)


def server_fault(arrow: Arrow) -> bool:
    """Tell whether a module of the server knows a layer below its own, a stranger, or a game it must not know."""
    layer, rank = layer_of(arrow.source)
    if arrow.target.split(".")[0] == "game":
        return (rank < PLAYS and arrow.source != LADDERS) or knows_a_game(arrow)
    if not within(arrow.target, "server") or layer == "":
        return False
    other, other_rank = layer_of(arrow.target)
    if layer in STRANGERS and other in STRANGERS:
        return layer != other and not within(arrow.target, PEOPLE)
    return other_rank > rank or (layer == "tui" and other == "store")


def layer_of(module: str) -> tuple[str, int]:
    """Return a module's layer and its rank; the package itself knows nothing. Raises KeyError for an unlisted layer."""
    parts = module.split(".")
    return (parts[1], RANK[parts[1]]) if len(parts) > 1 else ("", 0)


def knows_a_game(arrow: Arrow) -> bool:
    """Tell whether this module names a game without being its board."""
    known = [key for key in GAMES if within(arrow.target, f"game.{key}")]
    return any(not within(arrow.source, f"server.tui.boards.{key}") for key in known)


def test_game_is_pure() -> None:
    assert [str(arrow) for arrow in arrows("game") if game_fault(arrow)] == []


def test_games_do_not_know_each_other() -> None:
    assert [str(arrow) for arrow in arrows("game") if games_fault(arrow)] == []


def test_the_server_s_layers_point_one_way() -> None:
    assert [str(arrow) for arrow in arrows("server") if server_fault(arrow)] == []


def sql_fault(arrow: Arrow) -> bool:
    """Tell whether a module outside the store writes SQL."""
    return within(arrow.target, *SQL) and not within(arrow.target, *HELD) and not within(arrow.source, *SPEAKERS)


def test_only_the_store_speaks_sql() -> None:
    assert any(within(arrow.target, *SQL) for arrow in arrows("server"))
    assert [str(arrow) for arrow in arrows("server") if sql_fault(arrow)] == []


def test_the_source_knows_no_test() -> None:
    assert [str(arrow) for arrow in arrows("game", "server") if within(arrow.target, "tests")] == []


def named(value: object) -> str:
    """Return a test's name for a value: the same in every process that runs the tests."""
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize(
    ("fault", "arrow"),
    ids=named,
    argvalues=[
        (game_fault, Arrow("game.replay", "server.clock", 1)),
        (game_fault, Arrow("game.replay", "msgspec", 1)),
        (game_fault, Arrow("game.replay", "random.choice", 1)),
        (game_fault, Arrow("game.rainet.rules", "os.path", 1)),
        (games_fault, Arrow("game.rainet.rules", "game.relati.board", 1)),
        (games_fault, Arrow("game.contract", "game.rainet", 1)),
        (server_fault, Arrow("server.store.tables", "server.matches", 1)),
        (server_fault, Arrow("server.store.tables", "game.contract", 1)),
        (server_fault, Arrow("server.accounts.identity", "server.chat", 1)),
        (server_fault, Arrow("server.ratings.ratings", "game.registry", 1)),
        (server_fault, Arrow("server.ratings.ladders", "game.netrunner.facts", 1)),
        (server_fault, Arrow("server.tui.screens.lobby", "server.store.tables", 1)),
        (server_fault, Arrow("server.tui.boards.rainet", "game.relati.view", 1)),
        (server_fault, Arrow("server.lobby.pairing", "game.rainet.rules", 1)),
        (server_fault, Arrow("server.matches.model", "server.ssh.server", 1)),
        (sql_fault, Arrow("server.matches.model", "sqlalchemy.select", 1)),
        (sql_fault, Arrow("server.tui.screens.lobby", "aiosqlite", 1)),
    ],
)
def test_forbidden_arrows_are_found(fault: object, arrow: Arrow) -> None:
    assert callable(fault)
    assert fault(arrow)


@pytest.mark.parametrize(
    ("fault", "arrow"),
    ids=named,
    argvalues=[
        (game_fault, Arrow("game.cli.positions", "pathlib.Path", 1)),
        (games_fault, Arrow("game.rainet.rules", "game.rainet.board", 1)),
        (server_fault, Arrow("server.tui.boards.rainet", "game.rainet.view", 1)),
        (server_fault, Arrow("server.ratings.ladders", "game.registry", 1)),
        (server_fault, Arrow("server.matches.standing", "game.replay.Fold", 1)),
        (server_fault, Arrow("server.ssh.server", "server.accounts.identity", 1)),
        (server_fault, Arrow("server.chat.chat", "server.accounts.identity.Player", 1)),
        (sql_fault, Arrow("server.chat.chat", "sqlalchemy.Connection", 1)),
        (sql_fault, Arrow("server.store.chat", "sqlalchemy.select", 1)),
    ],
)
def test_the_others_are_allowed(fault: object, arrow: Arrow) -> None:
    assert callable(fault)
    assert not fault(arrow)


def test_imports_inside_functions_and_for_types_are_seen() -> None:
    text = "if TYPE_CHECKING:\n    import a.b\ndef f():\n    from c import d, e\n"
    assert [arrow.target for arrow in arrows_of(text, "m")] == ["a.b", "c.d", "c.e"]
