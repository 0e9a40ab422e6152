"""Chat: a bounded ring for each channel, stored, rate-limited, sanitised."""
