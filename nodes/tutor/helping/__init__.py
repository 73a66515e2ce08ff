"""What a weak player is told. Pure functions of the game, its turns and its graph."""
