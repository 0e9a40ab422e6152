"""What is said of a card: its name, its types and numbers, what it does; made from its entry (game.netrunner.text)."""

from __future__ import annotations

from game.netrunner.facts import FACTS, HIDDEN
from game.netrunner.table import entry
from game.netrunner.text import Translate, answer_texts, bid_texts, card_text, effect_text, gained_sub, sentence, spoken
from game.netrunner.text.parts import cost, slug
from game.netrunner.vocabulary import Cost
from server.terminal.lines import joined
from server.terminal.look import Look


def say_in(look: Look) -> Translate:
    """Return what puts a card's phrases into a look's words."""

    def say(key: str, **params: object) -> str:
        return look.t(key, **params)

    return say


def credits(n: object, look: Look) -> str:
    """Write an amount of credits.

    >>> credits(5, Look()), credits(5, Look(glyph_set="ascii")), credits(5, Look().heard())
    ('5¢', '5c', '5 credits')
    """
    if look.is_heard:
        return look.t("netrunner.say.credits", n=n)
    return f"{n}c" if look.glyph_set == "ascii" else f"{n}¢"


def title_of(code: str, look: Look) -> str:
    """Return a card's name; an identity's without what it is called besides."""
    if code == HIDDEN:
        return look.t("netrunner.hidden-card")
    facts = FACTS[code]
    return facts.title.partition(":")[0] if facts.type == "identity" else facts.title


def counted_title(code: str, count: int, look: Look) -> str:
    """Return a card's name, with how many of it there are where these are several."""
    name = title_of(code, look)
    return look.t("netrunner.times", card=name, count=count) if count > 1 else name


def kind_words(code: str, look: Look) -> str:
    """Return a card's faction, type and subtypes."""
    return sentence(card_text(code).kind, say_in(look))


def number_words(code: str, look: Look) -> str:
    """Return a card's printed numbers."""
    return look.t("list.comma" if look.is_heard else "netrunner.dot").join(number_parts(code, look))


def number_parts(code: str, look: Look) -> tuple[str, ...]:
    """Return a card's printed numbers, one by one."""
    return tuple(spoken(fact, say_in(look)) for fact in card_text(code).facts)


def cost_words(paid: Cost, look: Look) -> str:
    """Return a cost in words: '4 net damage'."""
    return spoken(cost(paid), say_in(look))


def condition_words(code: str, look: Look) -> str:
    """Return the condition of playing a card as what is missing; of one that its text need not say, that."""
    play_if = entry(code).play_if
    key = f"netrunner.barred.{slug(play_if)}" if play_if is not None else ""
    return look.t(key) if look.has(key) else look.t("netrunner.barred.target")


def rules_of(code: str, kind: str, look: Look) -> tuple[str, ...]:
    """Return a card's sentences of a kind: its subroutines top to bottom, its abilities in printed order."""
    return tuple(sentence(rule.phrase, say_in(look)) for rule in card_text(code).rules if rule.kind == kind)


def text_lines(code: str, look: Look) -> tuple[str, ...]:
    """Return what a card does, a sentence a line; subroutines begin with an arrow, or with that word."""
    arrow = look.t("netrunner.say.sub") if look.is_heard else "->" if look.glyph_set == "ascii" else "↳"
    told = ((rule.kind == "sub", sentence(rule.phrase, say_in(look))) for rule in card_text(code).rules)
    return tuple(joined((arrow, said)) if is_sub else said for is_sub, said in told)


def ability_words(code: str, index: int, look: Look) -> str:
    """Return what a paid ability costs and does; empty where there is no such ability."""
    found = rules_of(code, "ability", look)
    return found[index].rstrip(".。") if index < len(found) else ""


def effect_words(code: str, place: str, look: Look) -> str:
    """Return what one effect of a card does: what a question is about."""
    return spoken(effect_text(code, place), say_in(look))


def effect_sentence(code: str, place: str, look: Look) -> str:
    """Return what one effect of a card does as a sentence of its own."""
    return sentence(effect_text(code, place), say_in(look))


def may_words(code: str, place: str, credits: int, target: str, look: Look) -> tuple[str, str]:
    """Return what yes and what no brings where a card asks for `credits` about `target`; empty: nothing to be said."""
    yes, no = answer_texts(code, place, credits, target)
    return sentence(yes, say_in(look)) if yes else "", sentence(no, say_in(look)) if no else ""


def bid_words(code: str, place: str, look: Look) -> tuple[str, str]:
    """Return what secret bids bring where they differ, and where they are alike; empty: nothing, or it is no bid."""
    differ, alike = bid_texts(code, place)
    comma = look.t("list.comma")
    return comma.join(spoken(one, say_in(look)) for one in differ), comma.join(spoken(o, say_in(look)) for o in alike)


def sub_words(code: str, index: int, look: Look) -> str:
    """Return what a subroutine does; behind the printed ones stands what the ice has gained."""
    found = rules_of(code, "sub", look)
    if index >= len(found) and (gained := gained_sub(code)) is not None:
        return sentence(gained, say_in(look)).rstrip(".。")
    return found[index].rstrip(".。") if index < len(found) else look.t("netrunner.subroutine", number=index + 1)
