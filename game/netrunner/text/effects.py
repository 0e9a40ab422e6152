"""Effects in phrases: one function for each kind of effect, found by its type like the handlers that carry it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from game.netrunner import vocabulary as v
from game.netrunner.facts import SIDES
from game.netrunner.measures import Everything
from game.netrunner.text.parts import cost, measured, noun, signed, slug, up_to
from game.netrunner.text.phrase import Phrase, counted, phrase

DECKS: Final = ("stack", "rd")


@dataclass(frozen=True, slots=True)
class About:
    """What an effect's words depend on: whose card it is, what is chosen, what a prevention is against."""

    side: int
    target: Phrase
    pool: str = ""  # the pool that the target was chosen from
    against: str = ""
    several: bool = False  # more than one target may be chosen
    doer: str = "corp"  # who is told to do it


Phrased = Callable[[Any, About], Phrase]
PHRASES: Final[dict[type[v.Effect], Phrased]] = {}


def phrases(kind: type[v.Effect]) -> Callable[[Phrased], Phrased]:
    """Register the function that puts a kind of effect into phrases."""

    def register(function: Phrased) -> Phrased:
        PHRASES[kind] = function
        return function

    return register


def effect(e: v.Effect, about: About) -> Phrase:
    """Return one effect in a phrase. Raises KeyError for a kind without a function."""
    return PHRASES[type(e)](e, about)


def effects(many: v.Effects, about: About) -> tuple[Phrase, ...]:
    """Return several effects in phrases, in order; after the first, the target is called 'it'."""
    later = replace(about, target=phrase("it"))
    said = [effect(e, later if i else about) for i, e in enumerate(many)]
    after = [i > 0 and isinstance(many[i - 1], v.RunOn) for i in range(len(many))]
    return tuple(phrase("after-run", text=s) if a else s for s, a in zip(said, after, strict=True))


def whom(name: str, about: About) -> str:
    """Return 'me' for the owner of the card, else the other side's name."""
    return "me" if name in ("me", SIDES[about.side]) else name


# Credits, clicks, cards, tags, damage, counters.


@phrases(v.Gain)
def _gain(e: v.Gain, about: About) -> Phrase:
    return measured(e.n, lambda n: counted(f"do.gain.{whom(e.who, about)}", n))


@phrases(v.Lose)
def _lose(e: v.Lose, about: About) -> Phrase:
    if isinstance(e.n, Everything):
        return phrase(f"do.lose-all.{whom(e.who, about)}")
    return measured(e.n, lambda n: counted(f"do.lose.{whom(e.who, about)}", n))


@phrases(v.Draw)
def _draw(e: v.Draw, about: About) -> Phrase:
    return measured(e.n, lambda n: counted(f"do.draw.{whom(e.who, about)}", n))


@phrases(v.GainClicks)
def _gain_clicks(e: v.GainClicks, about: About) -> Phrase:
    return measured(e.n, lambda n: counted("do.gain-clicks", n))


@phrases(v.LoseClick)
def _lose_click(e: v.LoseClick, about: About) -> Phrase:
    return phrase(f"do.lose-click.{whom(e.who, about)}")


@phrases(v.GiveTags)
def _give_tags(e: v.GiveTags, about: About) -> Phrase:
    return measured(e.n, lambda n: counted(f"do.tags.{SIDES[about.side]}", n))


@phrases(v.RemoveTags)
def _remove_tags(e: v.RemoveTags, about: About) -> Phrase:
    return counted("do.remove-tags", e.n)


@phrases(v.Damage)
def _damage(e: v.Damage, about: About) -> Phrase:
    kind = phrase(f"damage.{e.kind}")
    done = measured(e.n, lambda n: counted(f"do.damage.{SIDES[about.side]}", n, kind=kind))
    return phrase("unpreventable", text=done) if e.unpreventable else done


@phrases(v.TakeBadPublicity)
def _bad_publicity(e: v.TakeBadPublicity, about: About) -> Phrase:
    return counted("do.bad-publicity", e.n)


@phrases(v.Mill)
def _mill(e: v.Mill, about: About) -> Phrase:
    return counted("do.mill", e.n)


@phrases(v.AddCounters)
def _add_counters(e: v.AddCounters, about: About) -> Phrase:
    kind, on = phrase(f"counter.{e.kind}"), phrase("this") if e.on == "self" else about.target
    if e.kind == "credit":
        return measured(e.n, lambda n: counted("do.load", n, on=on))
    if isinstance(e.n, int) and e.n < 0:
        return counted("do.remove-counters", -e.n, kind=kind, on=on)
    verb = "counters-each" if about.several and e.on != "self" else "counters"
    return measured(e.n, lambda n: counted(f"do.{verb}", n, kind=kind, on=on))


@phrases(v.TakeHosted)
def _take_hosted(e: v.TakeHosted, about: About) -> Phrase:
    return counted("do.take-hosted", e.n)


@phrases(v.TakeAny)
def _take_any(e: v.TakeAny, about: About) -> Phrase:
    return phrase("do.take-any")


@phrases(v.Siphon)
def _siphon(e: v.Siphon, about: About) -> Phrase:
    return phrase("do.siphon", lost=counted("cost.credits", e.most), gained=counted("cost.credits", e.each))


# Deciding.


@phrases(v.May)
def _may(e: v.May, about: About) -> Phrase:
    who = whom(e.who, about)
    then = effects(e.then, replace(about, doer=e.who)) if e.then else ()
    if not e.then:
        return phrase(f"unless.{who}", cost=cost(e.cost), otherwise=effects(e.or_else, about))
    if e.cost == v.Cost(trash_self=True):
        text = phrase(f"may-trash.{who}", then=then)
        return phrase("may-else", text=text, otherwise=effects(e.or_else, about)) if e.or_else else text
    text = (
        phrase(f"may.{who}", then=then)
        if e.cost == v.Cost()
        else phrase(f"may-pay.{who}", cost=cost(e.cost), then=then)
    )
    if e.or_else:
        text = phrase("may-else", text=text, otherwise=effects(e.or_else, about))
    return phrase(f"if.{slug(e.only_if)}", then=text) if e.only_if else text


@phrases(v.If)
def _if(e: v.If, about: About) -> Phrase:
    text = phrase(f"if.{slug(e.condition)}", then=effects(e.then, about))
    return phrase("may-else", text=text, otherwise=effects(e.or_else, about)) if e.or_else else text


@phrases(v.Either)
def _either(e: v.Either, about: About) -> Phrase:
    if not e.do_first:
        return phrase(f"may.{whom(e.who, about)}", then=effects(e.do_second, about))
    first, second = effects(e.do_first, about), effects(e.do_second, about)
    return phrase(f"either.{whom(e.who, about)}", first=first, second=second)


@phrases(v.Choose)
def _choose(e: v.Choose, about: About) -> Phrase:
    """Name what is chosen as the object of what is done with it: 'trash 1 installed program'."""
    many = e.count is None or (isinstance(e.count, int) and e.count > 1)

    def chosen(count: int | str) -> Phrase:
        what = noun(e.what, count, at_most=e.optional and many and e.count is not None)
        if e.count is None:
            what = phrase(f"what.{slug(e.what)}", count=phrase("any-number"), n=2)
        pool = e.what.pool
        done = effects(e.do, replace(about, target=what, pool=pool, several=many)) or (phrase("do.pick", what=what),)
        return done[0] if len(done) == 1 else phrase("all", text=done)

    text = chosen(2) if e.count is None else measured(e.count, chosen)
    if e.optional and not many:
        text = phrase("may.me", then=text)
    if e.after:
        text = phrase("then", text=text, then=effects(e.after, replace(about, target=phrase("it"))))
    return text if whom(e.who, about) == "me" else phrase(f"chooses.{e.who}", text=text)


@phrases(v.Trace)
def _trace(e: v.Trace, about: About) -> Phrase:
    return phrase("do.trace", base=e.base, then=effects(e.then, about))


@phrases(v.Psi)
def _psi(e: v.Psi, about: About) -> Phrase:
    if not e.then:
        return counted("do.psi-equal", e.most, then=effects(e.equal, about))
    return counted("do.psi", e.most, then=effects(e.then, about))


# Cards.


@phrases(v.CannotSteal)
def _cannot_steal(e: v.CannotSteal, about: About) -> Phrase:
    return phrase("do.cannot-steal")


@phrases(v.Trash)
def _trash(e: v.Trash, about: About) -> Phrase:
    return phrase("do.trash", what=phrase("this") if e.what == "self" else about.target)


@phrases(v.Rez)
def _rez(e: v.Rez, about: About) -> Phrase:
    return phrase("do.rez-free" if e.free else "do.rez", what=about.target)


@phrases(v.Derez)
def _derez(e: v.Derez, about: About) -> Phrase:
    return phrase("do.derez") if e.what == "self" else phrase("do.derez-target", what=about.target)


@phrases(v.Expose)
def _expose(e: v.Expose, about: About) -> Phrase:
    return phrase("do.expose", what=about.target)


@phrases(v.Take)
def _take(e: v.Take, about: About) -> Phrase:
    verb = "take" if about.pool not in DECKS else "find-shown" if e.reveal else "find"
    return phrase(f"do.{verb}.{SIDES[about.side]}", what=about.target)


@phrases(v.Shuffle)
def _shuffle(e: v.Shuffle, about: About) -> Phrase:
    return phrase(f"do.shuffle.{SIDES[about.side]}")


@phrases(v.Remember)
def _remember(e: v.Remember, about: About) -> Phrase:
    return phrase("do.remember", what=about.target)


@phrases(v.Forfeit)
def _forfeit(e: v.Forfeit, about: About) -> Phrase:
    return phrase("do.forfeit")


@phrases(v.InstallTarget)
def _install(e: v.InstallTarget, about: About) -> Phrase:
    if e.free:
        text = phrase("do.install-free" if e.rezzed else "do.install-free-unrezzed", what=about.target)
    elif e.discount:
        text = counted("do.install-cheaper", e.discount, what=about.target)
    else:
        text = phrase(f"do.install-in.{e.within}" if e.within else "do.install", what=about.target)
    if not e.then:
        return text
    return phrase("then", text=text, then=effects(e.then, replace(about, target=phrase("it"))))


@phrases(v.RezOrTrash)
def _rez_or_trash(e: v.RezOrTrash, about: About) -> Phrase:
    return phrase("do.rez-or-trash", what=about.target)


@phrases(v.Arrange)
def _arrange(e: v.Arrange, about: About) -> Phrase:
    return counted("do.arrange", e.n)


@phrases(v.BetaTest)
def _beta_test(e: v.BetaTest, about: About) -> Phrase:
    return counted("do.beta-test", e.n)


# Runs.


@phrases(v.EndRun)
def _end_run(e: v.EndRun, about: About) -> Phrase:
    return phrase("do.end-run")


@phrases(v.RunOn)
def _run_on(e: v.RunOn, about: About) -> Phrase:
    text = phrase(f"do.run.{slug(e.servers)}")
    for mod in dict.fromkeys(e.mods):
        text = phrase("during", text=text, then=counted(f"mod.{mod}", e.mods.count(mod)))
    return text


@phrases(v.Modify)
def _modify(e: v.Modify, about: About) -> Phrase:
    return counted(f"mod.{e.mod}", 1)


@phrases(v.NextIce)
def _next_ice(e: v.NextIce, about: About) -> Phrase:
    return phrase("do.next-ice", strength=f"{e.strength:+}", damage=e.damage)


@phrases(v.Break)
def _break(e: v.Break, about: About) -> Phrase:
    name = f"do.break.{e.subtype.replace(' ', '-')}"
    if e.most is None:
        return phrase(name, count=phrase("any-number"), n=2)
    return up_to(name, e.most) if e.most > 1 else counted(name, 1)


@phrases(v.Last)
def _last(e: v.Last, about: About) -> Phrase:
    until = phrase(f"until.{e.until}")
    if e.on == "target":
        return signed(f"do.last.{e.kind}.target", e.n, on=about.target, until=until)
    return signed(f"do.last.{e.kind}.{e.on}", e.n, until=until)


@phrases(v.Bypass)
def _bypass(e: v.Bypass, about: About) -> Phrase:
    return phrase("do.bypass")


@phrases(v.BypassFor)
def _bypass_for(e: v.BypassFor, about: About) -> Phrase:
    return phrase("do.bypass-for", cost=counted("cost.credits", e.each))


@phrases(v.Toll)
def _toll(e: v.Toll, about: About) -> Phrase:
    return phrase("do.toll", cost=counted("cost.credits", e.n))


@phrases(v.MoveOutermost)
def _move_outermost(e: v.MoveOutermost, about: About) -> Phrase:
    return phrase("do.move-outermost")


@phrases(v.MoreAccess)
def _more_access(e: v.MoreAccess, about: About) -> Phrase:
    return phrase("do.more-access")


@phrases(v.Prevent)
def _prevent(e: v.Prevent, about: About) -> Phrase:
    return counted(f"do.prevent.{about.against.replace(',', '.')}", e.n)
