"""Pure rules: what each game is and how it is played. Standard library only, no clock, no I/O."""
