"""A status bar's text, a line at each change: `python statusbar.py -p 2222 localhost`"""
# ruff: noqa: S603, T201

import json
import subprocess
import sys

if len(sys.argv) < 2:
    sys.exit(__doc__)
command = ["ssh", *sys.argv[1:], "events", "--follow", "--json"]
waiting, challenges = {}, 0
with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as ssh:
    for line in ssh.stdout:
        event = json.loads(line)
        if event["kind"] == "my_turn":
            waiting[event["match"]] = event["who"] or "bots"
        elif event["kind"] == "ended":
            waiting.pop(event["match"], None)
        elif event["kind"] == "challenge":
            challenges += 1
        against = ", ".join(sorted(set(waiting.values()))) or "nobody"
        print(f"turns {len(waiting)} (against {against})  challenges {challenges}", flush=True)
sys.exit(ssh.returncode)
