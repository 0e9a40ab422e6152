"""What is heard of a choice: the question, short where a prompt has little room, and the answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from game.choices import tokens
from game.contract import Action, Number, OneOf, Subset
from game.netrunner.facts import CODES, HIDDEN, plain_title, title
from server.boards import saying
from server.boards.board import MoveGroup
from server.boards.games.netrunner import dangers, prompts, selection
from server.boards.games.netrunner.cardtext import credits, title_of
from server.boards.games.netrunner.labels import server_name
from server.boards.games.netrunner.rowtext import action_words, item_words
from server.boards.games.netrunner.scene import ACTION, Shown, holder, named, table_of
from server.boards.saying import Move, sentence
from server.boards.seats import is_you
from server.terminal.look import Look

KINDS: Final = {
    **dict.fromkeys(("credit", "draw", "purge", "remove-tag"), "basic"),
    **dict.fromkeys(("advance", "install", "play", "run", "use", "rez", "score"), ""),
    "trash-resource": "basic",
}  # of actions, by verb: a heading of their own, or the verb's
MONEY: Final = ("spend", "bid", "take")  # verbs of numbers that are credits, unless the question is of cards
OF_CARDS: Final = ("more-access", "draw-up-to")
MOST_WORDS, MOST_CHARACTERS = 12, 24  # of a prompt, and of one in Chinese


def moves(snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
    """Return what the viewer may do now: actions of a turn or window by their kind, else under the question.

    Last, in a window, how it goes by itself for the rest of the turn.
    """
    quiet = selection.quieting(snapshot)
    if quiet is None:
        return _answers(snapshot, look)
    once = MoveGroup(look.t("netrunner.say.group.auto"), ((quiet.text, look.t("netrunner.say.quiet")),))
    return (*_answers(snapshot, look), once)


def _answers(snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
    pending = snapshot.pending
    if pending is None:
        return ()
    asked = question(snapshot, look)
    match pending.choice:
        case Number(verb, low, high):
            is_money = verb in MONEY and pending.prompt not in OF_CARDS
            numbers = ((f"{verb} {n}", credits(n, look) if is_money else str(n)) for n in range(low, high + 1))
            return (MoveGroup(asked, tuple(numbers)),)
        case Subset(verb, items, least, most):
            words = tuple((one, item_words(verb, one, snapshot, look)) for one in items)
            return (MoveGroup(asked, words, verb, least, most),)
        case OneOf(actions):
            if (ordered := _ordered(actions)) is not None:
                words = tuple((one, item_words("order", one, snapshot, look)) for one in ordered)
                return (MoveGroup(asked, words, "order", len(ordered), len(ordered), is_ordered=True),)
            rare = look.t("netrunner.say.group.install-trashing")
            found = saying.grouped(_told(snapshot, action.text, asked, look) for action in actions)
            return tuple(replace(group, is_rare=group.title == rare) for group in found)


def _ordered(actions: tuple[Action, ...]) -> list[str] | None:
    """Return the items that actions put in order; None: they do something else."""
    split = [tokens(action.text) for action in actions]
    is_order = all(words[0] == "order" and len(words) > 2 for words in split)
    return split[0][1:] if is_order else None


def _told(snapshot: Shown, text: str, asked: str, look: Look) -> Move:
    verb, *rest = tokens(text)
    pending = snapshot.pending
    kind = KINDS.get(verb) if pending is not None and pending.prompt in (ACTION, "window") else None
    title_key = f"netrunner.say.group.{(kind or verb) if 'trash' not in rest else 'install-trashing'}"
    return (asked if kind is None else look.t(title_key)), text, action_words(text, snapshot, look)


def said_as(snapshot: Shown, text: str, look: Look) -> tuple[str, ...]:
    """Return an action with the names of its cards and servers: titles as printed, and in the reader's language."""
    words = tokens(text)
    return tuple(dict.fromkeys(" ".join(name(snapshot, word, look) for word in words) for name in (_title, _name)))


def _title(snapshot: Shown, word: str, look: Look) -> str:
    card = named(snapshot, word)
    return title(card.code) if card is not None and card.code != HIDDEN else word


def _name(snapshot: Shown, word: str, look: Look) -> str:
    card = named(snapshot, word)
    if card is not None and card.code != HIDDEN:
        return title_of(card.code, look)
    if word == "new" or word in table_of(snapshot).servers():
        return server_name(word, look)
    quoted = plain_title(word.strip('"')) if word.startswith('"') else ""
    return title_of(CODES[quoted], look) if quoted in CODES else word


def passes_by(snapshot: Shown) -> bool:
    """Tell whether what the viewer is asked is answered by itself."""
    return selection.goes_by(snapshot, selection.Selection())


def question(snapshot: Shown, look: Look) -> str:
    """Return the whole question that is asked; it names no key."""
    pending, nothing = snapshot.pending, selection.Selection()
    if pending is None:
        return ""
    if passes_by(snapshot):
        return look.t("netrunner.say.window.by-itself")
    if pending.prompt != "window":
        return prompts.prompt_words(snapshot, nothing, look)
    name, params = prompts.window_asked(snapshot, nothing, look)
    heard = f"netrunner.say.{name}"
    return look.t(heard if look.has(heard) else f"netrunner.prompt.{name}", **params)


def whole_question(snapshot: Shown, look: Look) -> str:
    """Return the question where the prompt has no room for it; none where nobody needs to answer."""
    said = "" if passes_by(snapshot) else question(snapshot, look)
    return sentence(said, look) if said and said != prompt(snapshot, look) else ""


def prompt(snapshot: Shown, look: Look) -> str:
    """Say what the viewer is asked now, or for whom they wait: the question, or its kind where that is too long."""
    pending, seat = snapshot.pending, holder(snapshot)
    is_own = seat is not None and is_you(snapshot, seat)
    if passes_by(snapshot) or (pending is None and is_own):
        return look.t("lines.prompt.waiting")
    if pending is None:
        return prompts.waiting(snapshot, look)
    asked = question(snapshot, look)
    if _is_short(asked, look):
        return asked
    card = _asking(snapshot, look)
    match pending.choice:
        case Number(_, low, high):
            key, numbers = "number", {"low": low, "high": high}
        case OneOf(actions) if {action.text for action in actions} <= {"yes", "no"}:
            key, numbers = "may", {}
        case _:
            key, numbers = "choose", {}
    said = look.t(f"netrunner.say.short.{key}", card=card, **numbers)
    return said if card and _is_short(said, look) else look.t(f"netrunner.say.bare.{key}", **numbers)


def _asking(snapshot: Shown, look: Look) -> str:
    """Return the title of the card that asks; empty: none does."""
    pending = snapshot.pending
    name = dict(pending.params).get("card") if pending is not None else None
    if isinstance(name, str) and plain_title(name) in CODES:
        return title_of(CODES[plain_title(name)], look)
    found = prompts.asking(snapshot)
    return title_of(found[0], look) if found is not None else ""


def _is_short(said: str, look: Look) -> bool:
    if look.language == "en":
        return len(said.split()) <= MOST_WORDS
    return len(said) <= MOST_CHARACTERS


def ask(snapshot: Shown, look: Look, text: str) -> str:
    """Ask about what the screens ask about too: a whole turn that is spent, damage that may flatline."""
    return prompts.sure_words(snapshot, text, look) if dangers.danger(snapshot, text) else ""
