"""Wall two: where a tool runs. `probe` finds the level, `bwrap` and `policy_only` wrap the command line."""
