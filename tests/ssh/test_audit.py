"""What the auditors' tool says of the algorithms we speak: nothing that fails, but what we offer all the same."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.ssh.bare import bare_listener
from tests.ssh.client import run

SSH_AUDIT = Path(sys.executable).with_name("ssh-audit")

# NIST's curve, for clients that are held to FIPS 140 (docs/clients.md): a doubt about where it comes from, no weakness.
KNOWN = {
    (kind, name): ["using elliptic curves that are suspected as being backdoored by the U.S. National Security Agency"]
    for kind, name in (("kex", "ecdh-sha2-nistp256"), ("key", "ecdsa-sha2-nistp256"))
}
WARNED = {  # encrypt-and-MAC, for clients without better; the generator of a machine that has a bad one
    "hmac-sha2-256": ["using encrypt-and-MAC mode"],
    "hmac-sha2-512": ["using encrypt-and-MAC mode"],
    "ecdsa-sha2-nistp256": ["using weak random number generator could reveal the key"],
}


async def test_the_auditors_tool_finds_nothing_that_fails_but_what_is_offered_all_the_same() -> None:
    async with bare_listener() as bare:
        _, out, err = await run([str(SSH_AUDIT), "-j", "-p", str(bare.port), "127.0.0.1"], timeout_s=120)
    report = json.loads(out)
    offered = [(kind, one) for kind in ("kex", "key", "enc", "mac") for one in report[kind]]
    assert len(offered) >= 8, (out, err)
    failed = {(kind, one["algorithm"]): one["notes"]["fail"] for kind, one in offered if one["notes"].get("fail")}
    assert failed == KNOWN
    warned = {one["algorithm"]: one["notes"]["warn"] for _, one in offered if one["notes"].get("warn")}
    assert {name: why for name, why in warned.items() if "post-quantum" not in str(why)} == WARNED
    sizes = {one["algorithm"]: one.get("keysize") for one in report["key"]}
    assert sizes["rsa-sha2-512"] == sizes["rsa-sha2-256"] == 3072
    assert "ssh-rsa" not in sizes
    assert not report.get("cves")
