"""The proof game, measured: players to compare models with."""
