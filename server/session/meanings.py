"""What a session shows as values that know what they are, for a terminal that has elements for them (a browser)."""

from __future__ import annotations

from collections.abc import Sequence

from server.session.page import Page
from server.session.prompts import Prompts
from server.terminal import itemwords
from server.terminal.frame import key_name
from server.terminal.hint import Hint
from server.terminal.lines import text_of
from server.terminal.look import Look
from server.terminal.meaning import Button, Meaning, TypedEntry

MOST_SAID = 60  # of the last things that happened, and of the chat


def meaning_of(page: Page, prompts: Prompts, elsewhere: str, hints: Sequence[Hint], look: Look) -> Meaning:
    """Return what a page means now. `elsewhere`: what is asked that does not belong to the page."""
    question, typing = prompts.question, prompts.typing
    speech = page.speech()
    own = text_of(page.message()) if question is None else ""
    told = (*(one.text for one in (prompts.said, page.banner()) if one is not None), " ".join(own.split()))
    return Meaning(
        title=page.title(),
        place=page.landing(),
        keys=tuple(Button(one.press, key_name(one.shown, look), look.t(one.label)) for one in hints),
        asked=question.text if question is not None else elsewhere,
        entry=TypedEntry(typing.prompt, typing.field.text, typing.field.limit) if typing is not None else None,
        said=tuple(filter(None, told)),
        items=tuple(itemwords.told(speech.entered(), look.heard())),
        happened=tuple(speech.happened()[-MOST_SAID:]),
        clocks=tuple(speech.clocks()),
        chat=tuple((one.name, one.text) for one in page.chat()[-MOST_SAID:]),
    )
