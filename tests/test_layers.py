"""Who may import whom: the arrows of docs/architecture.md, no import circle, no import inside a function."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from game.registry import KEYS

ROOT = Path(__file__).parents[1]

# Each layer of the server by its modules, lowest first; a layer imports itself and those above it in this list.
LAYERS = (
    (
        "errors",
        "address",
        "config",
        "settingvalues",
        "serviceurls",
        "settingsreference",
        "clock",
        "tokenbucket",
        "log",
        "callbacks",
        "sanitize",
        "tasks",
        "roundrobin",
        "metrics",
        "gctuning",
        "starting",
        "stopping",
        "datalock",
        "textfile",
        "ownership",
        "noticehosts",
    ),
    ("store",),
    ("bus", "periodic", "sharedtime", "upkeep", "readiness", "hostkeys"),
    ("accounts", "ratings", "chat"),
    ("presence", "admission"),
    ("matches",),
    ("lobby",),
    ("notices", "services", "reporting", "i18n", "exits"),
    ("terminal",),
    ("boards",),
    ("session",),
    ("screens",),
    ("admin",),
    ("ssh", "web"),
    ("preparing",),
    ("app", "supervisor", "worker", "commands", "__main__"),
)
FLOORS = ("terminal", "boards", "session", "screens")  # each a layer: what a person sees, from below
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
STRANGERS = ("accounts", "ratings", "chat")  # services that do not know each other, but who people are and count as
PEOPLE = ("server.accounts.identity", "server.accounts.sources")
SQL = ("sqlalchemy", "aiosqlite", "asyncpg")
# A service holds a transaction (`Connection`) and hears that it failed; it writes no SQL.
HELD = ("sqlalchemy.Connection", "sqlalchemy.exc")
SPEAKERS = ("server.store", "server.bus", "server.admin.backup")  # a backup copies whole tables, and knows none of them
PLAYS = RANK["presence"]  # from here on the server knows that there are games
LADDERS = "server.ratings.ladders"  # asks them how they are rated
WITHOUT_EFFECTS = frozenset(
    ("asyncio", "datetime", "logging", "random", "secrets", "socket", "sqlite3", "threading", "time")
)
OUTSIDE = frozenset(("multiprocessing", "os", "pathlib", "subprocess", "sys"))  # in game: for the command line only
SHELL = ("game.__main__", "game.cli", "game.duel")
ADAPTERS = "game.adapters"  # the games for other libraries: the extra `research`
TRAINING = "game.training"  # learning: the command line may use it, rules, bots and the server may not
ADAPTED = frozenset(("gymnasium", "numpy", "pettingzoo"))


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
        yield from below(package)


@cache
def below(package: str) -> tuple[Arrow, ...]:
    """Return every import below one package; its files are read once."""
    found: list[Arrow] = []
    for path in sorted((ROOT / package).rglob("*.py")):
        source = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found += arrows_of(path.read_text(), source)
    return tuple(found)


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
        learns = within(arrow.target, TRAINING) and not within(arrow.source, TRAINING, "game.cli")
        return learns or (within(arrow.target, ADAPTERS) and not within(arrow.source, ADAPTERS))
    if top in ADAPTED:
        return not within(arrow.source, ADAPTERS, TRAINING)
    if top not in sys.stdlib_module_names or top in WITHOUT_EFFECTS:
        return True
    return top in OUTSIDE and not within(arrow.source, *SHELL)


def games_fault(arrow: Arrow) -> bool:
    """Tell whether a game, or what all games share, knows a game other than itself."""
    own = next((key for key in KEYS if within(arrow.source, f"game.{key}", f"{TRAINING}.{key}")), None)
    return any(within(arrow.target, f"game.{key}") for key in KEYS if key != own)


def server_fault(arrow: Arrow) -> bool:
    """Tell whether a module of the server knows a layer below its own, a stranger, or a game or urwid unasked."""
    layer, rank = layer_of(arrow.source)
    if within(arrow.target, "urwid"):
        return layer != "terminal"
    if arrow.target.split(".")[0] == "game":
        return (rank < PLAYS and arrow.source != LADDERS) or knows_a_game(arrow) or within(arrow.target, TRAINING)
    if not within(arrow.target, "server") or layer == "":
        return False
    other, other_rank = layer_of(arrow.target)
    if layer in STRANGERS and other in STRANGERS:
        return layer != other and not any(within(arrow.target, one) for one in PEOPLE)
    return other_rank > rank or (layer in FLOORS and other == "store")


def layer_of(module: str) -> tuple[str, int]:
    """Return a module's layer and its rank; the package itself knows nothing. Raises KeyError for an unlisted layer."""
    parts = module.split(".")
    return (parts[1], RANK[parts[1]]) if len(parts) > 1 else ("", 0)


def knows_a_game(arrow: Arrow) -> bool:
    """Tell whether this module names a game without being its board."""
    known = [key for key in KEYS if within(arrow.target, f"game.{key}")]
    return any(not within(arrow.source, f"server.boards.games.{key}") for key in known)


def test_game_is_pure() -> None:
    assert [str(arrow) for arrow in arrows("game") if game_fault(arrow)] == []


def test_games_do_not_know_each_other() -> None:
    assert [str(arrow) for arrow in arrows("game") if games_fault(arrow)] == []


def test_the_server_s_layers_point_one_way() -> None:
    assert [str(arrow) for arrow in arrows("server") if server_fault(arrow)] == []


def test_the_two_doors_do_not_know_each_other() -> None:
    for one, other in (("server.ssh", "server.web"), ("server.web", "server.ssh")):
        found = [arrow for arrow in arrows("server") if within(arrow.source, one)]
        assert found
        assert [str(arrow) for arrow in found if within(arrow.target, other)] == []


def sql_fault(arrow: Arrow) -> bool:
    """Tell whether a module outside the store writes SQL."""
    return within(arrow.target, *SQL) and not within(arrow.target, *HELD) and not within(arrow.source, *SPEAKERS)


def test_only_the_store_speaks_sql() -> None:
    assert any(within(arrow.target, *SQL) for arrow in arrows("server"))
    assert [str(arrow) for arrow in arrows("server") if sql_fault(arrow)] == []


def test_commands_of_admins_and_programs_know_no_screen() -> None:
    no_screens = ("server.admin", "server.ssh.bot", "server.i18n", "server.ssh.commands.table")
    found = [arrow for arrow in arrows("server") if within(arrow.source, *no_screens)]
    assert found
    assert [str(arrow) for arrow in found if within(arrow.target, "server.session", "server.screens")] == []


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
        (game_fault, Arrow("game.replay", "numpy", 1)),
        (game_fault, Arrow("game.replay", "game.adapters.pettingzoo", 1)),
        (game_fault, Arrow("game.adapters.pettingzoo", "msgspec", 1)),
        (game_fault, Arrow("game.passage.bots.levels", "game.training.logit", 1)),
        (games_fault, Arrow("game.training.rainet.fitting", "game.passage.rules", 1)),
        (server_fault, Arrow("server.matches.model", "game.training.spsa", 1)),
        (game_fault, Arrow("game.replay", "random.choice", 1)),
        (game_fault, Arrow("game.rainet.rules", "os.path", 1)),
        (games_fault, Arrow("game.rainet.rules", "game.relati.board", 1)),
        (games_fault, Arrow("game.contract", "game.rainet", 1)),
        (server_fault, Arrow("server.store.tables", "server.matches", 1)),
        (server_fault, Arrow("server.store.tables", "game.contract", 1)),
        (server_fault, Arrow("server.accounts.identity", "server.chat", 1)),
        (server_fault, Arrow("server.ratings.ratings", "game.registry", 1)),
        (server_fault, Arrow("server.ratings.ladders", "game.netrunner.facts", 1)),
        (server_fault, Arrow("server.screens.lobby", "server.store.tables", 1)),
        (server_fault, Arrow("server.terminal.frame", "server.boards.keymap", 1)),
        (server_fault, Arrow("server.boards.outcome", "server.session.page", 1)),
        (server_fault, Arrow("server.session.places", "server.screens.routes", 1)),
        (server_fault, Arrow("server.boards.keymap", "urwid", 1)),
        (server_fault, Arrow("server.boards.games.rainet.board", "game.relati.view", 1)),
        (server_fault, Arrow("server.lobby.pairing", "game.rainet.rules", 1)),
        (server_fault, Arrow("server.matches.model", "server.ssh.listener", 1)),
        (sql_fault, Arrow("server.matches.model", "sqlalchemy.select", 1)),
        (sql_fault, Arrow("server.screens.lobby", "aiosqlite", 1)),
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
        (game_fault, Arrow("game.adapters.pettingzoo", "numpy", 1)),
        (game_fault, Arrow("game.training.passage.ppo", "numpy", 1)),
        (game_fault, Arrow("game.cli.tuning", "game.training.spsa", 1)),
        (games_fault, Arrow("game.rainet.rules", "game.rainet.board", 1)),
        (games_fault, Arrow("game.training.rainet.fitting", "game.rainet.rules", 1)),
        (server_fault, Arrow("server.boards.games.rainet.board", "game.rainet.view", 1)),
        (server_fault, Arrow("server.ratings.ladders", "game.registry", 1)),
        (server_fault, Arrow("server.matches.checkpoint", "game.replay.Fold", 1)),
        (server_fault, Arrow("server.ssh.listener", "server.accounts.identity", 1)),
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


@dataclass(frozen=True, slots=True)
class Import:
    """One module that a module imports when it runs; `is_inner`: not at the top level."""

    source: str
    target: str
    line: int
    is_inner: bool
    names: tuple[str, ...] = ()  # what it takes from the target, where that is one module

    def __str__(self) -> str:
        return f"{self.source}:{self.line} imports {self.target}"


def runtime_imports(text: str, source: str, modules: frozenset[str]) -> Iterator[Import]:
    """Yield what a module imports when it runs: not what stands below `if TYPE_CHECKING`.

    `from package import name` is an import of `package.name` where that is one of `modules`, else of `package`.
    """

    def walk(node: ast.AST, is_inner: bool) -> Iterator[Import]:
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=orelse):
                for statement in orelse:
                    yield from walk(statement, is_inner)
                return
            case ast.Import(names):
                yield from (Import(source, name.name, node.lineno, is_inner) for name in names)
            case ast.ImportFrom(module, names):
                for name in names:
                    full = f"{module}.{name.name}"
                    target = full if full in modules else str(module)
                    yield Import(source, target, node.lineno, is_inner, (name.name,))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                is_inner = True
        for child in ast.iter_child_nodes(node):
            yield from walk(child, is_inner)

    return walk(ast.parse(text), is_inner=False)


def tree(*packages: str) -> dict[str, str]:
    """Return the text of every module below these packages by its dotted name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path.read_text()
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
    }


def imports_of(texts: dict[str, str]) -> list[Import]:
    """Return every import that runs in these modules."""
    modules = frozenset(texts)
    return [one for source, text in texts.items() for one in runtime_imports(text, source, modules)]


def circles(imports: Iterable[Import]) -> list[list[str]]:
    """Return the import circles: each a sorted list of modules that reach each other (strongly connected components).

    Imports inside functions count: they put off a circle, they don't undo it.
    """
    imports = tuple(imports)
    graph: dict[str, set[str]] = {one.source: set() for one in imports}
    for one in imports:
        if one.target in graph:
            graph[one.source].add(one.target)
    reach = {module: reachable(graph, module) for module in graph}
    found = {tuple(sorted(other for other in reach[m] if m in reach[other])) for m in graph if m in reach[m]}
    return [list(circle) for circle in sorted(found)]


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """Return every module that one imports, directly or through others."""
    found: set[str] = set()
    left = [start]
    while left:
        fresh = graph[left.pop()] - found
        found |= fresh
        left += fresh
    return found


def named_imports(*packages: str) -> list[Import]:
    """Return every import in these packages, those for types only and those by a whole name too."""
    texts = tree(*packages)
    loaded = [
        Import(source, found[1], 0, False)
        for source, text in texts.items()
        for found in re.finditer(r'import_module\("([a-z0-9_.]+)"\)', text)
    ]
    return loaded + [
        Import(
            arrow.source, target if (target := arrow.target) in texts else target.rpartition(".")[0], arrow.line, False
        )
        for source, text in texts.items()
        for arrow in arrows_of(text, source)
    ]


@cache
def running() -> tuple[Import, ...]:
    """Return every import that runs in `game` and `server`."""
    return tuple(imports_of(tree("game", "server")))


@cache
def running_anywhere() -> tuple[Import, ...]:
    """Return every import that runs in the whole tree, tests and migrations too."""
    return tuple(imports_of(tree("game", "server", "tests", "migrations")))


def test_no_module_imports_inside_a_function() -> None:
    """Eleven functions of the tests did, which were not looked at."""
    assert [str(one) for one in running_anywhere() if one.is_inner] == []


def test_no_module_reaches_itself_through_its_imports() -> None:
    assert circles(running_anywhere()) == []


def test_no_module_of_the_server_names_itself_through_others_even_for_types() -> None:
    """Fourteen modules of a session knew each other for their types: who read one had to read all."""
    assert circles(named_imports("server")) == []


def test_screens_are_reached_by_their_routes() -> None:
    """Screens name each other by places, and whoever begins a session has its screens by the routes."""
    screens = "server.screens"
    known = {one.target for one in running() if within(one.target, screens) and not within(one.source, screens)}
    assert known == {"server.screens.routes"}
    assert {one.source for one in running() if one.target == "server.screens.routes"} == {"server.app"}


# Who loads modules by name: the tables of games, the bots' processes, the starts of programs, which load while nothing
# looks for garbage, and what is loaded only where it is needed: the client of a bus or database, Alembic, and what
# compiles catalogues.
REGISTRIES = {
    *("game.registry", "game.sentences", "game.training.tunable"),
    *("server.boards.games", "server.matches.botprocess"),
    *("server.__main__", "server.commands", "server.worker"),
    *("server.bus.choose", "server.store.choose", "server.store.migrate", "server.store.upsert"),
    *("server.i18n.catalogues", "server.app"),
}


def test_only_registries_load_modules_by_name() -> None:
    """A module loaded by its name in a function would be an import inside a function that no test sees."""
    loading = {one.source for one in running() if within(one.target, "importlib") and "import_module" in one.names}
    assert loading == REGISTRIES
    assert not [source for source, text in tree("game", "server").items() if "__import__" in text]


def test_what_few_servers_need_is_loaded_only_there() -> None:
    """The clients of Redis, PostgreSQL and HTTP, Alembic and Babel took 30 MB of every process."""
    postgres = {"server.bus.postgres", "server.store.postgres"}
    seldom = {
        "redis": {"server.bus.redis"},
        "alembic": {"server.store.revisions"},
        "aiohttp": {"server.notices.posting"},
        "babel": {"server.i18n.compiling"},
        "asyncpg": postgres,
        "sqlalchemy.ext": {"server.store.postgres"},
        "sqlalchemy.dialects": set[str](),
    }
    for package, modules in seldom.items():
        using = {one.source for one in running() if within(one.target, package)}
        assert {source for source in using if within(source, "server")} == modules
        assert [one.source for one in running() if one.target in modules and within(one.source, "server")] == []


def test_an_import_inside_a_function_is_found() -> None:
    text = "import a\ndef f():\n    from b import c\nclass K:\n    async def g(self):\n        import d\n"
    assert [(one.target, one.is_inner) for one in imports_of({"m": text, "b": "", "b.c": ""})] == [
        *(("a", False), ("b.c", True), ("d", True))
    ]


def test_an_import_for_types_does_not_run() -> None:
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\nelse:\n    import b\n"
    assert [one.target for one in imports_of({"m": text})] == ["typing", "b"]


def test_a_circle_is_found_through_functions_too() -> None:
    texts = {"a": "import b", "b": "from c import x", "c": "def f():\n    import a", "d": "import a"}
    assert circles(imports_of(texts)) == [["a", "b", "c"]]
