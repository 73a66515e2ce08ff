"""How often `reflect auto` chooses the right engine."""
