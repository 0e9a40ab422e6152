"""Relati (連奕): placing, linking and cutting marks on a grid, for two to six players."""
