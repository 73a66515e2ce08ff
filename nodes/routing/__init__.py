"""Which engine a goal goes to, and why."""
