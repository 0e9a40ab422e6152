"""What the auditors' tool says of the algorithms we speak: nothing that fails."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.ssh.door import open_door, run

SSH_AUDIT = Path(sys.executable).with_name("ssh-audit")


async def test_the_auditors_tool_finds_nothing_that_fails() -> None:
    async with open_door() as door:
        _, out, err = await run([str(SSH_AUDIT), "-j", "-p", str(door.port), "127.0.0.1"], timeout_s=120)
    report = json.loads(out)
    offered = [(kind, one) for kind in ("kex", "key", "enc", "mac") for one in report[kind]]
    assert len(offered) >= 8, (out, err)
    failed = [(kind, one["algorithm"], one["notes"]["fail"]) for kind, one in offered if one["notes"].get("fail")]
    assert failed == []
    assert not report.get("cves")
