"""Ratings by ladder, computed from placements in the transaction that ends a match."""
