"""Cards of other sets that show what the Core Set has none of: costs to steal, secret bids, other resources saved."""

from __future__ import annotations

from game.netrunner.vocabulary import (
    Ability,
    CannotSteal,
    Cost,
    Entry,
    Gain,
    Prevent,
    Psi,
    Static,
)

CARDS: dict[str, Entry] = {
    "Fall Guy": Entry(
        abilities=(
            Ability(Cost(trash_self=True), (Prevent(1),), "prevent:trash-resource", "other"),
            Ability(Cost(trash_self=True), (Gain(2),)),
        ),
    ),
    "NAPD Contract": Entry(static=(Static("own-requirement", "bad_publicity"),), steal=Cost(credits=4)),
    "The Future Perfect": Entry(access=(Psi(2, (CannotSteal(),)),), no_access_in="-"),
    "Obokata Protocol": Entry(steal=Cost(net=4)),
    "Ikawah Project": Entry(steal=Cost(credits=2, clicks=1)),
    "Degree Mill": Entry(steal=Cost(shuffle=2)),
}
