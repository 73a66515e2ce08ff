"""From facts to a verdict on a claim."""
