"""Effects on a run; those on an encounter are in `encounters`."""

from __future__ import annotations

from dataclasses import replace

from game.netrunner import harm
from game.netrunner import vocabulary as v
from game.netrunner.facts import RUNNER, title
from game.netrunner.frames import Vars
from game.netrunner.moves import end_run, shown
from game.netrunner.ops import ask
from game.netrunner.queries import amount
from game.netrunner.resolve import handles
from game.netrunner.state import Lasting
from game.netrunner.table import Table


@handles(v.EndRun)
def end_the_run(t: Table, f: Vars, e: v.EndRun, stage: int) -> bool:
    end_run(t)
    return True


@handles(v.RunOn)
def run_on(t: Table, f: Vars, e: v.RunOn, stage: int) -> bool:
    if stage == 0:
        servers = t.servers() if e.servers == "any" else e.servers.split()
        if len(servers) > 1:
            ask(t, "words", RUNNER, "server", words=tuple(servers), card=title(f["code"]))
        else:
            f["answer"] = ("choose", servers[0])
        return False
    if stage == 1:
        t.push("run", server=f.pop("answer")[1], mods=e.mods, source=f["iid"], stage=-1)
        return False
    return True


@handles(v.Last)
def last(t: Table, f: Vars, e: v.Last, stage: int) -> bool:
    run_ice = t.run.ice if t.run is not None else 0
    target = {"self": f["iid"], "ice": run_ice}.get(e.on, f.get("target", 0))
    if target in t.cards:
        t.lasting.append(Lasting(e.kind, target, amount(t, f, e.n), e.until))
        t.tell(
            "changed",
            {
                "card": shown(t.cards[target]),
                "place": t.cards[target].place,
                "kind": e.kind,
                "count": amount(t, f, e.n),
            },
        )
    return True


@handles(v.Modify)
def modify(t: Table, f: Vars, e: v.Modify, stage: int) -> bool:
    if t.run is not None:
        t.run = replace(t.run, mods=(*t.run.mods, e.mod))
    return True


@handles(v.Prevent)
def prevent(t: Table, f: Vars, e: v.Prevent, stage: int) -> bool:
    harm.prevented(t, e.n)
    return True


@handles(v.MoreAccess)
def more_access(t: Table, f: Vars, e: v.MoreAccess, stage: int) -> bool:
    card = t.cards.get(f["iid"])
    if card is None or card.virus < 2:
        return True
    if stage == 0:
        ask(t, "number", RUNNER, "more-access", verb="spend", low=0, high=card.virus - 1)
        return False
    if t.run is not None:
        t.run = replace(t.run, mods=(*t.run.mods, *(["more"] * int(f.pop("answer")[1]))))
    return True
