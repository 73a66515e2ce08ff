"""The gate of proposed parts on labelled questions: on topic or off, repeats and what only looks like one."""
