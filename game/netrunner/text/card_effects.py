"""In phrases: effects on cards wherever they are, and on where they lie."""

from __future__ import annotations

from game.netrunner import vocabulary as v
from game.netrunner.text.effects import About, effects, phrases
from game.netrunner.text.parts import measured, up_to
from game.netrunner.text.phrase import Phrase, counted, phrase


@phrases(v.DrawUpTo)
def _draw_up_to(e: v.DrawUpTo, about: About) -> Phrase:
    if isinstance(e.n, int):
        return up_to("do.draw.me", e.n)
    return measured(e.n, lambda n: counted("do.draw-up-to", n))


@phrases(v.TrashGrip)
def _trash_grip(e: v.TrashGrip, about: About) -> Phrase:
    return phrase("do.trash-grip")


@phrases(v.TakeAll)
def _take_all(e: v.TakeAll, about: About) -> Phrase:
    return phrase("do.take-all")


@phrases(v.PeekBottom)
def _peek_bottom(e: v.PeekBottom, about: About) -> Phrase:
    return phrase("do.peek-bottom")


@phrases(v.RevealTop)
def _reveal_top(e: v.RevealTop, about: About) -> Phrase:
    return counted("do.reveal-top", e.n)


@phrases(v.AccessFrom)
def _access_from(e: v.AccessFrom, about: About) -> Phrase:
    return phrase(f"do.access.{e.server}")


@phrases(v.AccessTarget)
def _access_target(e: v.AccessTarget, about: About) -> Phrase:
    return phrase(f"do.access.target.{about.doer}", what=about.target)


@phrases(v.BecomeAgenda)
def _become_agenda(e: v.BecomeAgenda, about: About) -> Phrase:
    return phrase("do.become-agenda", points=e.points)


@phrases(v.AddToScore)
def _add_to_score(e: v.AddToScore, about: About) -> Phrase:
    return phrase("do.add-to-score", what=about.target)


@phrases(v.RemoveSelf)
def _remove_self(e: v.RemoveSelf, about: About) -> Phrase:
    return phrase("do.remove-self")


@phrases(v.Return)
def _return(e: v.Return, about: About) -> Phrase:
    return phrase("do.return-each" if about.several else "do.return", what=about.target)


@phrases(v.ShuffleIn)
def _shuffle_in(e: v.ShuffleIn, about: About) -> Phrase:
    return phrase("do.shuffle-in")


@phrases(v.MarkUsed)
def _mark_used(e: v.MarkUsed, about: About) -> Phrase:
    return phrase("do.mark-used")


@phrases(v.PlaceUpTo)
def _place_up_to(e: v.PlaceUpTo, about: About) -> Phrase:
    return phrase("do.place-up-to", most=e.most, on=about.target)


@phrases(v.HostSelf)
def _host_self(e: v.HostSelf, about: About) -> Phrase:
    return phrase("do.host-self", on=about.target)


@phrases(v.HostIdentity)
def _host_identity(e: v.HostIdentity, about: About) -> Phrase:
    return phrase("do.host-identity", subtype=phrase(f"subtype.{e.subtype}"))


@phrases(v.InstallFacedown)
def _install_facedown(e: v.InstallFacedown, about: About) -> Phrase:
    return phrase("do.install-facedown", what=about.target)


@phrases(v.InstallInOneRemote)
def _install_in_one_remote(e: v.InstallInOneRemote, about: About) -> Phrase:
    return measured(e.n, lambda n: counted("do.install-in-one-remote", n))


@phrases(v.RezCheaper)
def _rez_cheaper(e: v.RezCheaper, about: About) -> Phrase:
    return measured(e.n, lambda n: counted("do.rez-cheaper", n))


@phrases(v.Bar)
def _bar(e: v.Bar, about: About) -> Phrase:
    return phrase("do.bar", what=about.target)


@phrases(v.SwapIce)
def _swap_ice(e: v.SwapIce, about: About) -> Phrase:
    return phrase("do.swap-ice", what=about.target)


@phrases(v.SwapAttacked)
def _swap_attacked(e: v.SwapAttacked, about: About) -> Phrase:
    return phrase("do.swap-attacked")


@phrases(v.RezSelf)
def _rez_self(e: v.RezSelf, about: About) -> Phrase:
    return phrase("do.rez-self")


@phrases(v.MoveAndMeet)
def _move_and_meet(e: v.MoveAndMeet, about: About) -> Phrase:
    return phrase("do.move-and-meet")


@phrases(v.NameType)
def _name_type(e: v.NameType, about: About) -> Phrase:
    return phrase("do.name-type")


@phrases(v.SpendAny)
def _spend_any(e: v.SpendAny, about: About) -> Phrase:
    return phrase("do.spend-any", then=effects(e.then, about))
