"""What researchers use: the Python API, environments, suites, tuning."""
