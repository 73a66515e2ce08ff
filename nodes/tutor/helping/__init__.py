"""Help for weak players: what a game's own state says of how it goes. Nothing here knows what is true."""
