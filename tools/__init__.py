"""Floor 2: typed tools, the command parser, policy and sandbox. Imports models and configs only."""
