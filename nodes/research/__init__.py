"""Deep research: an analyst and a critic over sources, and a check of every sentence that results."""
