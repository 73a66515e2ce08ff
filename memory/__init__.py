"""Floor 2: experience corpus, recipes, checkpoints. Imports models and configs only."""
