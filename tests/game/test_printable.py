"""What is written to terminals: every character that could steer one or hide is escaped in JSON, replaced in text."""

from __future__ import annotations

import json
import unicodedata

from game.printable import escaped, printable
from server.sanitize import clean
from server.terminal.paint import UNSAFE

HARMFUL = ("Cc", "Cf", "Cs", "Zl", "Zp")
EVERY = [chr(code) for code in range(0x110000)]
WORDS = "Déjà Vu, 你好，世界。“Kate” ’s ♥ 3×\u3000😀"


def test_no_control_or_format_character_is_left_and_json_keeps_its_value() -> None:
    """JSON escapes C0 only: C1 controls, bidi overrides and line separators went to terminals as they were."""
    told = [char for char in EVERY if unicodedata.category(char) in HARMFUL or UNSAFE.match(char)]
    for char in told:
        line = escaped(json.dumps(f"a{char}b", ensure_ascii=False))
        assert char not in line, ascii(char)
        assert json.loads(line) == f"a{char}b"
        assert char in "\t\n" or char not in printable(f"a{char}b"), ascii(char)


def test_what_people_read_stays_as_it_is() -> None:
    assert escaped(json.dumps(WORDS, ensure_ascii=False)) == json.dumps(WORDS, ensure_ascii=False)
    assert printable(f"{WORDS}\n\tusage") == f"{WORDS}\n\tusage"
    assert clean(WORDS) == clean(printable(WORDS))
