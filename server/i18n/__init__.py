"""Languages: catalogues, durations and refusals in words, for screens, commands and programs alike."""
