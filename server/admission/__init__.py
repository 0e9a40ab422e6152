"""Who gets a place among the connections: limits by source and network, counted for every door of the server."""
