"""Presence: who is connected to which process, with which match or room before them."""
