"""One short match of each game as text, to be read line by line when it changes."""
