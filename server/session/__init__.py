"""One person's session: pages, prompts, input and sharing; `routes` alone knows the screens."""
