"""Effects with a price that depends on the table: rezzing or trashing, tolls."""

from __future__ import annotations

from game.contract import OneOf
from game.netrunner import harm
from game.netrunner import vocabulary as v
from game.netrunner.costs import available, can_pay, pay
from game.netrunner.facts import CORP, RUNNER
from game.netrunner.frames import Vars
from game.netrunner.moves import end_run
from game.netrunner.ops import ask, choice, one_of
from game.netrunner.queries import rez_cost
from game.netrunner.resolve import handles
from game.netrunner.table import Table, entry


@handles(v.RezOrTrash)
def rez_or_trash(t: Table, f: Vars, e: v.RezOrTrash, stage: int) -> bool:
    if stage == 0:
        ask(t, "rez-or-trash", CORP, "rez-or-trash", iid=f["target"])
        return False
    if f.pop("answer")[0] == "yes":
        harm.rez(t, f["target"])
    else:
        harm.trash_installed(t, f["target"])
    return True


@choice("rez-or-trash")
def rez_or_trash_choice(t: Table, f: Vars) -> OneOf:
    """Offer to rez, if that can be paid; nobody but the Corp learns whether it could."""
    card = t.cards[f["iid"]]
    cost = v.Cost(credits=rez_cost(t, card), forfeit=entry(card.code).rez_forfeit)
    return one_of(["yes", "no"] if can_pay(t, CORP, cost, card.iid, "rez") else ["no"])


@handles(v.Toll)
def toll(t: Table, f: Vars, e: v.Toll, stage: int) -> bool:
    if available(t, RUNNER) >= e.n:
        pay(t, RUNNER, v.Cost(credits=e.n), f["iid"], "toll")
    else:
        end_run(t)
    return True
