"""A RaiNet player: `python bot.py '{"do":"seek","game":"rainet","against":"bot:easy"}' -p 2222 localhost`"""
# ruff: noqa: S603, S607, T201

import json
import subprocess
import sys

ssh = subprocess.Popen(["ssh", *sys.argv[2:], "bot"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def cards(position):
    """Map squares to cards: L and V are South's, l and v North's, O and o face down."""
    for rank, row in zip("87654321", position.split()[0].split("/"), strict=True):
        row = "".join(" " * int(c) if c.isdigit() else c for c in row if c not in "+*")
        yield from ((file + rank, card) for file, card in zip("abcdefgh", row, strict=True) if card != " ")


def worth(action, board, step):
    """Run links to the exits and in, take what can be taken; terminal cards are for better players."""
    start, end = action[:2], action[-2:]
    if start not in board:
        return -1
    if ">" in action:
        return 100 if board[start] in "Ll" else -100
    aside = abs("abcdefgh".index(start[0]) - 3.5) - abs("abcdefgh".index(end[0]) - 3.5)
    return 3 * (end in board) + (2 if board[start] in "Ll" else 0.5) * (aside + step * (int(end[1]) - int(start[1])))


print(sys.argv[1], file=ssh.stdin, flush=True)
for message in map(json.loads, ssh.stdout):
    if message["type"] == "turn":
        view, legal = message["view"], message["pending"]["choice"]["one_of"]
        board = dict(cards(view["position"])) if view["phase"] != "setup" else {}
        step = 1 if view["viewer"] == "S" else -1
        best = max(legal, key=lambda action: worth(action, board, step))
        answer = {"do": "act", "match": message["match"], "seq": message["seq"], "action": best}
        print(json.dumps(answer), file=ssh.stdin, flush=True)
    elif message["type"] == "end":
        sys.exit(print(json.dumps(message["result"])))
