"""A terminal over a channel: what draws on it, reads it and keeps time for it. It knows no person and no game.

All use of urwid is here. What it does for us:

- **decoding of input**: `keys.py` has urwid read escape sequences and mouse reports (`urwid.display.escape`);
- **colours and attributes**: `palette.py` has urwid read palette entries for each colour depth (`AttrSpec`,
  `BaseScreen.register_palette`);
- **the canvas**: a frame goes to the screen as a `LineCanvas` (`sheet.py`), and any other canvas can be drawn too;
- **the life of a raw screen**: `ChannelScreen` (`screen.py`) is urwid's raw screen: start, stop and their guards.

What it does not:

- **widths**: `lines.py` measures by wcwidth after our sanitiser, because what is measured must be what is sent;
- **the main loop**: it wants an event loop with descriptors, signals and idle callbacks, of which a channel has none.
  With it a key cost 0.71 ms of CPU time, without 0.66, within the spread: less code, not speed
  (docs/decisions/urwid-without-main-loop.md);
- **widget trees**: a page is a function that returns lines, which can be compared, cached, shared and tested without a
  terminal. A move to 500 watchers takes 2.1 ms before the writes, because it is composed once; urwid's trees would be
  500 (docs/decisions/screens-are-frames.md);
- **painting**: `paint.py` compares lines, not rows of canvases, and sends what differs: 77 bytes for a cursor key on
  RaiNet's board, in 0.5 ms from bytes to bytes. Rows that have only moved are moved by the terminal, and
  of a larger change each style is selected once (`tests/screens/test_bytes_of_keys.py`: what a key costs on each page);
- **terminals that are asked**: what a terminal says of its ground and widths is read by `keys.py` and `screen.py`
  (docs/decisions/terminals-are-asked.md).
"""
