"""Questions about files: how a tool is run so that its answer is certain, and the facts in the answer."""
