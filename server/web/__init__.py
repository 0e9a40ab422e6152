"""The door for browsers: pages for everybody, and sessions over a socket. Loaded only where it is switched on."""
