"""Floor 5: the `reflect` command."""
