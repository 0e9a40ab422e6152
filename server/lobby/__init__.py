"""The lobby: rooms, seeks and pairing, challenges, who is here."""
