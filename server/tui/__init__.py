"""The screens: pages, boards, keys, themes and languages. Everything a player sees is drawn from here."""
