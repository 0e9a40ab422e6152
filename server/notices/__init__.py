"""Notices to people who are away: topics outside this server, who is told what, and the sending."""
