"""Floor 0: typed settings, YAML defaults, prompts, starter recipes. Imports nothing of ours."""
