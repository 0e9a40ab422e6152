"""What each version of Netrunner's rules changed, one name a difference (Netrunner §6). New matches get `NEWEST`.

Version 1 is what was released first. A difference is asked where it matters: `changes.NAME(t.version)`.
"""

from __future__ import annotations

from typing import Final

from game.changes import Change

NEWEST: Final = 2

# A pass closes a window only where whoever passes has done nothing since getting priority, twice in succession.
windows_need_two_idle_passes: Final = Change(2, "Netrunner §1.3")

# A seat that can only pass, as everybody sees, is passed for when the other side goes on without waiting for it.
open_passes_go_without_saying: Final = Change(2, "Netrunner §1.8, 2.3 and the worked example of §5")

# Facts of a turn that only cards of Reign and Reverie need are recorded: what was trashed, tags that went away.
later_sets_are_told: Final = Change(2, "Netrunner §2.2")

# As the Runner approaches a server the Corp may use abilities of unrezzed ice, and is asked as long as there is any.
ice_springs_up: Final = Change(2, "Netrunner §2.2, Formicary")

# At the rez of the approached ice the Corp waits for a Runner who could do something, as in any other window.
runner_speaks_first_at_ice: Final = Change(2, "Netrunner §1.8, 2.3")

# The window of an encounter stays open to its end though the ice was uninstalled in it.
windows_outlive_their_ice: Final = Change(2, "Netrunner §1.8 [3]")

# What an event says about its own run being successful comes before everything that waits for a success.
if_successful_comes_first: Final = Change(2, "Netrunner §1.8, 5.4")

# Wyrm weakens only ice that it is strong enough for.
interface_needs_strength: Final = Change(2, "Netrunner §1.8, Breaking")

# A choice with nothing to choose from is not offered, nor a question asked where everybody sees that yes can't be.
vain_questions_are_not_asked: Final = Change(2, "Netrunner §6.6")

# What both players are told, the public is told: which card is accessed in HQ or in a root.
what_both_know_is_public: Final = Change(2, "Netrunner §1.8, Access; §6.7")

# A position that no match can reach is refused.
impossible_positions_are_unreadable: Final = Change(2, "Netrunner §6.8")

# Cards of Archives that do nothing are accessed, too, and ice that a Parasite trashes is a card that was trashed.
every_access_and_trash_is_told: Final = Change(2, "Netrunner §1.8, Access; §2.2, Under the Bus and Hangeki")

# What a card's effect does says which card it is, and credits say how many there are then. States are the same.
effects_name_their_source: Final = Change(2, "Netrunner §1.9")

# A question that picks one of several cards says which pick of how many it is. States are the same.
picks_are_counted: Final = Change(2, "Netrunner §1.9")

# A card whose choice finds nothing may be played for the rest of its effect.
rest_of_an_effect_suffices: Final = Change(2, "Netrunner §2.2, Under the Bus")

# A payment says how many credits come from which source. States are the same.
payments_name_their_sources: Final = Change(2, "Netrunner §1.6")
