"""How strong somebody is, by ladder: made from placements in the transaction that ends a match."""
