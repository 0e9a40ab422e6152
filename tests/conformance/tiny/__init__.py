"""Tiny: a game of secret bids that uses every part of the contract, for the tests of what all games share.

Two to six seats hold four cards each, numbers and vetoes. Each round every seat bids a card in secret; the highest
number that nobody else bid wins the round's prize, unless another seat vetoes it; the lowest number that nobody else
bid costs a life. Who has no life left is out. The last one in wins, or who has most coins after the last round.
"""
