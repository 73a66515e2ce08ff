"""What code can see of an answer without knowing the right one. Pure."""
