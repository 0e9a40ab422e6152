"""What to do instead, for clients that ask for something this server does not offer."""

from __future__ import annotations

import asyncssh

from server.accounts.publickeys import RSA_BITS
from server.ssh.algorithms import RSA_KEY

COPIES = frozenset(("scp", "rsync", "sftp-server", "internal-sftp", "tar", "git-upload-pack", "git-receive-pack"))
SHELLS = ("sh ", "bash ", "umask ", "mkdir ")  # how the commands of ssh-copy-id begin, by version

# During the login the client's language is not known.
NEW_KEY = "make a key with `ssh-keygen -t ed25519` and log in with it"
NO_PASSWORDS = f"No passwords are asked here: {NEW_KEY}, or choose keyboard-interactive to be a guest."
TOO_OLD = f"Your client signs with SHA-1, which is no longer safe: update it, or {NEW_KEY}."
TOO_MANY_ATTEMPTS = "Too many authentication attempts. Name the key to use: ssh -i KEY -o IdentitiesOnly=yes"


def about_command(line: str) -> str | None:
    """Return the message key of the advice for another program's command line; None for any other line.

    >>> about_command("mosh-server new -s -c 256"), about_command("scp -t /tmp"), about_command("games")
    ('advice.mosh', 'advice.copy', None)
    """
    said = line.strip().removeprefix("exec ").lstrip()
    program = said.split(" ", 1)[0].rpartition("/")[2]
    if program == "mosh-server":
        return "advice.mosh"
    if program in COPIES:
        return "advice.copy"
    return "advice.keys" if said.startswith(SHELLS) or "authorized_keys" in said else None


def about_key(key: asyncssh.SSHKey) -> str:
    """Return why a key can't be an account's."""
    if key.get_algorithm() == RSA_KEY:
        return f"An RSA key under {RSA_BITS} bits is no longer safe: {NEW_KEY}."
    return f"Keys of the kind {key.get_algorithm()} are not accepted here: {NEW_KEY}."
