"""What a session shows as values that know what they are, for a terminal that has elements for them (a browser)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from server.session.page import Page
from server.session.prompts import Prompts, Typing
from server.terminal import itemwords
from server.terminal.frame import key_name
from server.terminal.hint import Hint
from server.terminal.lines import text_of
from server.terminal.look import Look
from server.terminal.meaning import Button, Meaning, TypedEntry

SIGNS = {"up": "↑", "down": "↓", "left": "←", "right": "→", "page up": "⇞", "page down": "⇟"}  # of keys in a pair
MOST_SAID = 60  # of the last things that happened, and of the chat


def meaning_of(
    pages: Sequence[Page], prompts: Prompts, elsewhere: str, hints: Sequence[Hint], holds: bool, look: Look
) -> Meaning:
    """Return what the last of these pages means now.

    `elsewhere`: what is asked that is not the page's; `holds`: as in `Meaning`.
    """
    page = pages[-1]
    places = [place for one in pages if (place := one.landing())]
    question, typing = prompts.question, prompts.typing
    speech = page.speech()
    own = text_of(page.message()) if question is None else ""
    told = (*(one.text for one in (prompts.said, page.banner()) if one is not None), " ".join(own.split()))
    return Meaning(
        title=page.full_title(),
        place=places[-1] if places else "",
        under=tuple(places[:-1]),
        cursor=page.cursor(),
        half_done=page.half_done(),
        kept_s=max(one.kept_s() for one in pages),
        keys=tuple(_buttons(page, hints, look)),
        holds=holds,
        asked=question.text if question is not None else elsewhere,
        entry=_entry(typing, comes_back=len(pages) == 1 or bool(page.landing())) if typing is not None else None,
        said=tuple(filter(None, told)),
        items=tuple(itemwords.told(speech.stands(), look.heard())),
        happened=tuple(speech.happened()[-MOST_SAID:]),
        times=tuple(speech.times()),
        chat=tuple((one.name, one.text) for one in page.chat()[-MOST_SAID:]),
    )


def _entry(typing: Typing, comes_back: bool) -> TypedEntry:
    """Return a line being typed; `comes_back`: to who comes back the same page shows."""
    field, command = typing.field, typing.command if comes_back else ""
    return TypedEntry(typing.prompt, field.text, field.limit, typing.stays, field.keeps_lines, command)


def _buttons(page: Page, hints: Sequence[Hint], look: Look) -> Iterator[Button]:
    """Yield a button for each key; for digits that stand for something, what that is."""
    for hint in hints:
        if hint.is_digits:
            words = page.digits()
            yield from (Button(key, key, words.get(key, "")) for key in hint.keys if key in words or not words)
        else:
            *others, last = hint.keys
            yield from (Button(key, _sign(key, look), "") for key in others)
            yield Button(last, _sign(last, look) if others else key_name(hint.shown, look), look.t(hint.label))


def _sign(key: str, look: Look) -> str:
    return SIGNS.get(key) or key_name(key, look)
