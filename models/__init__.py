"""Floor 1: chat models by role, structured output, embeddings. Imports configs only."""
