"""The battery that every game passes, and a tiny game that uses every part of the contract."""
