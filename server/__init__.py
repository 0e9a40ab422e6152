"""The server: everything with side effects, in layers; each imports only those above it (docs/architecture.md)."""

from importlib.util import find_spec

if find_spec("asyncssh") is None:  # `pip install patchbay` installs the rules and bots alone
    raise SystemExit("The server needs its own packages: pip install 'patchbay[server]'")
