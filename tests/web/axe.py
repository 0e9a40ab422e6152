"""The checker of accessibility, axe-core from npm: one version, one checksum, kept in the virtual environment."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import pytest

VERSION = "4.14.1"
SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
KEPT = Path(sys.prefix) / f"axe-core-{VERSION}.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The lines of a board are drawn, not read: of them a contrast of 3 is asked, not 4.5 (tests/terminal/test_theme.py).
RUN = """
const done = arguments[arguments.length - 1];
axe.run({exclude: [[".s-grid"]]}, {runOnly: arguments[0], resultTypes: ["violations"]}).then(
  (found) => done(found.violations.map((one) => one.id + ": " + one.nodes.slice(0, 3).map((node) =>
    node.target.join(" ") + " " + node.html.slice(0, 120) + " " + node.any.map((why) => why.message)).join("; "))),
  (error) => done(["axe failed: " + error]));
"""


def axe_or_skip() -> str:
    """Return the checker; skip where it can't be had, or fail where browsers are required."""
    if not KEPT.exists():
        _fetch()
    if not KEPT.exists():
        line = f"axe-core {VERSION} can't be had from npm: accessibility is NOT checked"
        if os.environ.get("PATCHBAY_REQUIRE_BROWSER") == "1":
            pytest.fail(line)
        pytest.skip(line)
    text = KEPT.read_bytes()
    assert hashlib.sha256(text).hexdigest() == SHA256, f"another file than axe-core {VERSION}: {KEPT}"
    return text.decode()


def _fetch() -> None:
    npm = shutil.which("npm")
    if npm is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", f"axe-core@{VERSION}", "--pack-destination", folder]
        done = subprocess.run(command, capture_output=True, check=False)
        for packed in Path(folder).glob("*.tgz") if done.returncode == 0 else ():
            with tarfile.open(fileobj=io.BytesIO(packed.read_bytes())) as archive:
                found = archive.extractfile("package/axe.min.js")
                assert found is not None
                made = KEPT.with_suffix(f".{os.getpid()}")
                made.write_bytes(found.read())
                made.replace(KEPT)


def violations(browser: Any, axe: str) -> list[str]:
    """Return what the checker finds on the page that shows."""
    browser.execute_script(axe)
    found: list[str] = browser.execute_async_script(RUN, RULES)
    return found
