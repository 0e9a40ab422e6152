"""SSH, tried with a terminal emulator and with the real OpenSSH client."""
