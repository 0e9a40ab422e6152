"""One person's session: its terminal, pages, prompts, input and sharing. It knows no screen."""
