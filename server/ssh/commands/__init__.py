"""The commands of `ssh HOST COMMAND`: one module a topic, one table of all commands."""
