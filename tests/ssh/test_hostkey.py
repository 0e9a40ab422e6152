"""Host keys: what is damaged is refused at the start, not by everybody who comes."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from server.hostkeys.files import BESIDE, HostKeyError, load_or_make, load_or_make_all

FIRST, LAST = "-----BEGIN OPENSSH PRIVATE KEY-----", "-----END OPENSSH PRIVATE KEY-----"


def test_keys_are_made_once_and_read_again(tmp_path: Path) -> None:
    made = load_or_make_all(tmp_path / "host_key")
    again = load_or_make_all(tmp_path / "host_key")
    assert [key.get_algorithm() for key in made] == ["ssh-ed25519", *(kind for kind, _ in BESIDE)]
    assert [key.get_fingerprint() for key in again] == [key.get_fingerprint() for key in made]


@pytest.mark.parametrize("part", ["a number of the private half", "a prime"])
def test_an_rsa_key_with_a_damaged_byte_is_refused(tmp_path: Path, part: str) -> None:
    """Its factors are not tested at each start; a signature that does not fit tells as much."""
    file = tmp_path / "host_key_rsa"
    load_or_make(file, "ssh-rsa", key_size=3072)
    file.write_text(damaged(file.read_text(), 0.55 if part == "a number of the private half" else 0.85))
    with pytest.raises(HostKeyError, match="can't be read"):
        load_or_make(file, "ssh-rsa", key_size=3072)


def damaged(text: str, at: float) -> str:
    """Return a private key in OpenSSH's format with one byte changed, so far into it."""
    inside = bytearray(base64.b64decode(text.strip().removeprefix(FIRST).removesuffix(LAST)))
    inside[round(len(inside) * at)] ^= 0x55
    body = base64.b64encode(inside).decode()
    lines = [body[i : i + 70] for i in range(0, len(body), 70)]
    return "\n".join((FIRST, *lines, LAST, ""))
