"""Why a notice was not sent."""

from __future__ import annotations


class NotPosted(Exception):
    """A notice did not arrive. `why` holds nothing of the topic.

    `is_final`: the same again would not arrive either. `is_answer`: the host said so, and works for other topics.
    """

    def __init__(self, why: str, is_final: bool = False, is_answer: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.is_final = is_final
        self.is_answer = is_answer
