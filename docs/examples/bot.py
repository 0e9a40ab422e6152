"""A RaiNet player: `python bot.py '{"do":"seek","game":"rainet","against":"bot:easy"}' -p 2222 localhost`"""
# ruff: noqa: S603, S607, T201

import json
import subprocess
import sys

if len(sys.argv) < 3 or not {"rainet", "join"}.intersection(sys.argv[1].split('"')):
    sys.exit(__doc__)
ssh = subprocess.Popen(["ssh", *sys.argv[2:], "bot"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def cards(position):
    """Map squares to cards: L and V are South's, l and v North's, O and o face down."""
    for rank, row in zip("87654321", position.split()[0].split("/"), strict=True):
        row = "".join(" " * int(c) if c.isdigit() else c for c in row if c not in "+*")
        yield from ((file + rank, card) for file, card in zip("abcdefgh", row, strict=True) if card != " ")


def worth(action, board, step):
    """Run links to the exits and in, take what can be taken; terminal cards are for better players."""
    start, end = action[:2], action[-2:]
    if start not in board or ">" in action:
        return -1 if start not in board else 100 if board[start] in "Ll" else -100
    aside = abs("abcdefgh".index(start[0]) - 3.5) - abs("abcdefgh".index(end[0]) - 3.5)
    return 3 * (end in board) + (2 if board[start] in "Ll" else 0.5) * (aside + step * (int(end[1]) - int(start[1])))


print(sys.argv[1], file=ssh.stdin, flush=True)
running, mine = [], None
for message in map(json.loads, ssh.stdout):
    running = message.get("running", running)  # what `hello` lists was begun before, and is left alone here
    if message["type"] == "start" and mine is None and message["match"] not in running:
        mine = message["match"]
    elif message["type"] == "turn" and message["match"] == mine:
        view, legal = message["view"], message["pending"]["choice"]["one_of"]
        board = dict(cards(view["position"])) if view["phase"] != "setup" else {}
        best = max(legal, key=lambda action: worth(action, board, 1 if view["viewer"] == "S" else -1))
        answer = {"do": "act", "match": mine, "seq": message["seq"], "action": best}
        print(json.dumps(answer), file=ssh.stdin, flush=True)
    elif message["type"] == "error" or (message["type"] == "end" and message["match"] == mine):
        sys.exit(print(json.dumps(message.get("result", message))))
