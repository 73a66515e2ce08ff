"""Is any false claim accepted, and is every honest one? Probes, runner, generator, truth."""
