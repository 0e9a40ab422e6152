"""Facts printed on the cards: names, numbers, types; no texts."""
