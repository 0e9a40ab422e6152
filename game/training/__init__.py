"""Learning: what finds the numbers that bots play by. A server never imports it."""
