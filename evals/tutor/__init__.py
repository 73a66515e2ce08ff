"""The proof game, measured: models, and players to compare them with."""
