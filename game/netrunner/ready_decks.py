"""Ready decks: six a side, every faction at least once, with the cards of Reign and Reverie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LISTS: Final[Mapping[str, str]] = {
    "sportsmetal": """
Sportsmetal: Go Big or Go Home
3 Accelerated Beta Test
3 Hyperloop Extension
3 Priority Requisition
1 Ikawah Project
3 Meridian
2 Gatekeeper
2 Viktor 1.0
3 Ichi 1.0
2 Heimdall 1.0
3 Enigma
3 Wall of Static
3 Hedge Fund
3 PAD Campaign
3 Adonis Campaign
2 Melange Mining Corp.
2 Giordano Memorial Field
3 Biotic Labor
1 Game Changer
""",
    "engineering": """
Haas-Bioroid: Engineering the Future
3 Accelerated Beta Test
2 Priority Requisition
3 Hyperloop Extension
2 Ikawah Project
2 Viktor 1.0
3 Ichi 1.0
2 Heimdall 1.0
3 Meridian
3 Enigma
3 Wall of Static
3 Hedge Fund
3 PAD Campaign
3 Adonis Campaign
2 Melange Mining Corp.
1 Divert Power
1 Malia Z0L0K4
3 Biotic Labor
2 Giordano Memorial Field
1 Kill Switch
""",
    "saraswati": """
Saraswati Mnemonics: Endless Exploration
3 Nisei MK II
1 Jumon
2 Private Security Force
2 Obokata Protocol
1 The Future Perfect
3 Otoroshi
2 Thimblerig
2 Chum
3 Neural Katana
2 Wall of Thorns
3 Enigma
3 Wall of Static
3 Hedge Fund
3 PAD Campaign
3 API-S Keeper Isobel
2 Daruma
2 Neurostasis
2 Hangeki
3 Snare!
""",
    "evolution": """
Jinteki: Personal Evolution
3 Nisei MK II
2 Jumon
2 Obokata Protocol
1 The Future Perfect
1 Private Security Force
3 Otoroshi
3 Neural Katana
2 Data Mine
2 Wall of Thorns
2 Chum
3 Enigma
2 Wall of Static
3 Hedge Fund
3 PAD Campaign
1 API-S Keeper Isobel
3 Snare!
2 Project Junebug
3 Shi.Kyū
2 Neural EMP
2 Neurostasis
""",
    "acme": """
Acme Consulting: The Truth You Need
2 AstroScript Pilot Program
2 Breaking News
3 Fly on the Wall
2 Priority Requisition
2 Degree Mill
3 Peeping Tom
1 Hydra
3 Data Raven
2 Tollbooth
3 Enigma
3 Wall of Static
3 Hedge Fund
3 PAD Campaign
3 Beanstalk Royalties
2 Melange Mining Corp.
3 Attitude Adjustment
1 Eavesdrop
1 Arella Salvatore
2 SEA Source
2 Scorched Earth
""",
    "outfit": """
The Outfit: Family Owned and Operated
3 Hostile Takeover
3 Broad Daylight
1 Posted Bounty
3 Priority Requisition
1 NAPD Contract
2 Blockchain
3 Formicary
3 Ice Wall
1 Hadrian's Wall
2 Archer
2 Shadow
3 Enigma
1 Hunter
3 Hedge Fund
3 Beanstalk Royalties
3 PAD Campaign
2 Too Big to Fail
1 Under the Bus
2 Building Blocks
2 Scorched Earth
1 Drudge Work
""",
    "gnat": """
Nathaniel "Gnat" Hall: One-of-a-Kind
3 Sure Gamble
3 Guinea Pig
2 Divide and Conquer
2 Déjà Vu
2 Stimhack
1 Reboot
2 Patchwork
2 Hijacked Router
2 Cyberfeeder
2 Cradle
2 Corroder
2 Mimic
2 Datasucker
2 Medium
3 Parasite
2 Crypsis
3 Armitage Codebusting
1 District 99
1 Wyldside
1 DJ Fenris
""",
    "noise": """
Noise: Hacker Extraordinaire
3 Sure Gamble
2 Déjà Vu
1 Stimhack
3 Divide and Conquer
2 Guinea Pig
1 Grimoire
3 Cyberfeeder
3 Hijacked Router
2 Datasucker
3 Medium
3 Parasite
2 Corroder
2 Mimic
1 Yog.0
3 Cradle
2 Djinn
3 Crypsis
3 Armitage Codebusting
1 District 99
1 Wyldside
1 Bank Job
""",
    "liza": """
Liza Talking Thunder: Prominent Legislator
3 Sure Gamble
3 Easy Mark
3 Hot Pursuit
2 Account Siphon
2 Inside Job
2 Special Order
2 Infiltration
2 Paragon
1 Lemuria Codecracker
3 Tycoon
2 Ninja
1 Femme Fatale
3 Bankroll
2 Sneakdoor Beta
3 Crypsis
2 Gordian Blade
2 Thunder Art Gallery
2 Miss Bones
2 Bank Job
2 Decoy
2 Fall Guy
3 Armitage Codebusting
1 Crash Space
""",
    "gabriel": """
Gabriel Santiago: Consummate Professional
3 Sure Gamble
3 Easy Mark
2 Account Siphon
3 Hot Pursuit
3 Inside Job
2 Special Order
2 Infiltration
2 Desperado
2 Tycoon
1 Aurora
2 Ninja
1 Femme Fatale
3 Bankroll
2 Sneakdoor Beta
3 Crypsis
1 Algernon
2 Bank Job
3 Armitage Codebusting
2 Miss Bones
2 Fall Guy
1 Data Dealer
""",
    "akiko": """
Akiko Nisei: Head Case
3 Sure Gamble
3 Diesel
3 The Maker's Eye
2 Modded
1 Insight
2 Office Supplies
2 Infiltration
2 Mind's Eye
2 Mâché
1 Rabbit Hole
2 Gordian Blade
2 Battering Ram
3 Ika
1 Pipeline
2 Kyuban
2 Magnum Opus
2 Crypsis
1 Medium
2 Psych Mike
3 Armitage Codebusting
2 Access to Globalsec
2 Sacrificial Construct
""",
    "kate": """
Kate "Mac" McCaffrey: Digital Tinker
3 Sure Gamble
3 Diesel
2 The Maker's Eye
2 Modded
2 Tinkering
3 Office Supplies
1 The Toolbox
2 Mâché
2 Akamatsu Mem Chip
3 Gordian Blade
2 Battering Ram
2 Ika
2 Pipeline
2 Magnum Opus
2 Kyuban
1 Net Shield
1 Algernon
2 Psych Mike
3 Armitage Codebusting
3 Access to Globalsec
1 Aesop's Pawnshop
1 DJ Fenris
""",
}
