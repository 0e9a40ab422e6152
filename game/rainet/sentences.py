"""The command line's English sentences for these rules' refusals; the catalogues have them in every language."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "rainet.error.unreadable": "Moves are written like d2d3, +c2 or d8>; this can’t be read.",
    "rainet.error.position": "That position can’t be read.",
    "rainet.error.over": "The match is over.",
    "rainet.error.not-your-turn": "It is not your turn.",
    "rainet.error.in-setup": "The cards are still being placed.",
    "rainet.error.in-play": "The cards are placed already.",
    "rainet.error.ready-already": "You are ready already.",
    "rainet.error.not-four-and-four": "Place four links and four viruses.",
    "rainet.error.no-card": "None of your cards stands there.",
    "rainet.error.too-far": "A step goes one square up, down, left or right.",
    "rainet.error.own-card": "Your own card stands there.",
    "rainet.error.own-exit": "Your cards can't stop on your own EXITs.",
    "rainet.error.enemy-firewall": "A firewall is in the way.",
    "rainet.error.not-boosted": "Only a boosted card can go two steps.",
    "rainet.error.blocked": "A card stands in the way.",
    "rainet.error.back-again": "A move can't end where it began.",
    "rainet.error.not-on-exit": "Only a card on an EXIT of the other side can enter its server.",
    "rainet.error.exit-then-server": "Step onto the EXIT now, and into the server next turn.",
    "rainet.error.face-up-already": "A face-up card can't be hidden: it enters as it is.",
    "rainet.error.reveal-or-hide": "Choose whether to reveal or to hide it.",
    "rainet.error.not-in-hand": "That card is not in your hand.",
    "rainet.error.used": "That card is used up.",
    "rainet.error.no-target": "No hidden card of the other side stands there.",
    "rainet.error.firewall-exit": "An EXIT can't hold a firewall.",
    "rainet.error.firewall-card": "A card of the other side stands there.",
    "rainet.error.firewall-taken": "The other side’s firewall is there.",
    "rainet.error.no-firewall": "Your firewall is not there.",
    "rainet.error.404-same": "Choose two different cards.",
    "rainet.error.404-order": "Write the squares in alphabetical order.",
}
