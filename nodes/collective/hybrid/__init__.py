"""The hybrid of two engines: one analyses a goal, the other carries out what the analysis recommends."""
