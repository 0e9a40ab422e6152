"""The only place that speaks SQL: tables, the database, the group-committing log writer, one module per concept.

A unit of work is a plain function over a `Connection`, run by `Database.read` or `Database.write` in one transaction.
"""
