"""Public keys as files have them: OpenSSH's line, PuTTYgen's own form, UTF-16, byte order marks; no private key."""

from __future__ import annotations

import textwrap

import pytest

from server.accounts.errors import AccountError
from server.accounts.publickeys import decoded, is_whole_key, read_public_key

BLOB = "AAAAC3NzaC1lZDI1NTE5AAAAIGTsR3Kk5mQJtZ3kB7m0Z8K3h1qk2f3v4w5x6y7z8A9B"
LINE = f"ssh-ed25519 {BLOB} mira@home"
PUTTY = "\n".join(
    [
        "---- BEGIN SSH2 PUBLIC KEY ----",
        'Comment: "mira@home"',
        *textwrap.wrap(BLOB, 40),
        "---- END SSH2 PUBLIC KEY ----",
        "",
    ]
)
FORMS = {
    "line": LINE,
    "with a comment above": f"# mine\n\n{LINE}\n",
    "putty": PUTTY,
    "windows": PUTTY.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_public_key_is_read_from_every_file(form: str, encoding: str) -> None:
    """UTF-16, a byte order mark and PuTTYgen's own form could not be read."""
    key = read_public_key(decoded(FORMS[form].encode(encoding)))
    assert (key.line, key.comment) == (f"ssh-ed25519 {BLOB}", "mira@home")
    assert key.fingerprint == read_public_key(LINE).fingerprint


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----",
        f"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: mira\nPublic-Lines: 2\n{BLOB}\n",
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----",
    ],
)
def test_a_private_key_is_called_one(text: str) -> None:
    assert is_whole_key(text), "its rest is not waited for"
    with pytest.raises(AccountError) as refused:
        read_public_key(text)
    assert refused.value.key == "key.private"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        PUTTY.replace("AAAA", "AAAB", 1),
        PUTTY.replace(BLOB[:40], ""),
        LINE.replace("ed25519", "ed448"),
        BLOB,
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(AccountError) as refused:
        read_public_key(text)
    assert refused.value.key == "key.unreadable"
