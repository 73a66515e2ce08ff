"""Whether a restatement of a question asks the same, by what code can read of both. Pure."""
