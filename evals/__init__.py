"""Floor 5: evaluation suites and benchmarks."""
