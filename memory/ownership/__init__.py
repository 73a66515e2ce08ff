"""Who is at work: how a process is told from others, whether it still lives, and what it holds."""
