"""What `ssh HOST COMMAND` does (interface.md, section 4): one module a topic, one table of all commands."""
