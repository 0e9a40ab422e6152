"""The text of cards, in phrases that any language's catalogue puts into words.

    text = card_text(code)                     # CardText(code, title, kind, facts, rules)
    sentence(text.kind, look.t)                # "NBN, ice: Sentry, Tracer"
    [spoken(fact, look.t) for fact in text.facts]      # ["rez 1", "strength 4"]
    [(rule.kind, sentence(rule.phrase, look.t)) for rule in text.rules]    # [("sub", "Trace 3: if it …")]

    sentence(effect_text(code, "on.0.do.0"), look.t)    # what a question about this effect is about
    answer_texts(code, "on.0.do.0", 3, "Ice Wall")      # what yes and what no brings, a Phrase each or None

The words are in the catalogues `words/LANGUAGE/cards.po`; `all_keys()` lists the keys they must have. The n-th rule of
kind 'sub' is subroutine n, the n-th of kind 'ability' is what `use REF n` uses.
"""

from game.netrunner.text.asked import answer_texts, bid_texts, effect_text
from game.netrunner.text.lines import CardText, Rule, all_keys, card_text, gained_sub
from game.netrunner.text.phrase import Phrase, Translate, sentence, spoken

__all__ = [
    "CardText",
    "Phrase",
    "Rule",
    "Translate",
    "all_keys",
    "answer_texts",
    "bid_texts",
    "card_text",
    "effect_text",
    "gained_sub",
    "sentence",
    "spoken",
]
