"""RaiNet Access Battlers: two companies, sixteen face-down cards, four links to win."""
