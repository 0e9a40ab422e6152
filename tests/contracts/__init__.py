"""What we rely on in other packages beyond their public names: the only tests that touch private ones."""
