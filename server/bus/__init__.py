"""Hints between processes: «something changed, look». Losing or doubling one does no harm: readers look anyway."""
