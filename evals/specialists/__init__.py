"""How well specialists are chosen, and whether what they answer is so."""
