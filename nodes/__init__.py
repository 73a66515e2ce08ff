"""Floor 3: one folder per reasoning system, one file per node."""
