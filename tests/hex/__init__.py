"""Hex, the living example of a plain game: two sides, open information, one option, and no ceremony.

Red joins the top and bottom edges of a rhombus of cells, blue the left and right ones; the first who has a chain from
edge to edge wins, and somebody always does. docs/adding-a-game.md is the tour; `screens/` holds what a
server would have in `server/boards/games/hex/`.
"""
