"""One person's session: terminal, pages, prompts, input, sharing, coming back. It knows no screen."""
