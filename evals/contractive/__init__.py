"""Contractive reasoning held against tasks with exact answers, and against the bare model."""
