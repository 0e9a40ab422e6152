"""The screens: one module a page, what several share, and the routes that lead to them."""
