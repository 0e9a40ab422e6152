"""Accounts by key, their codes, roles and preferences; bans, mutes, blocks and reports."""
