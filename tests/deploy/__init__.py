"""What it is deployed with: the image, the compose files, the unit."""
