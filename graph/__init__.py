"""Floor 4: one file per system, its wiring and its routing."""
