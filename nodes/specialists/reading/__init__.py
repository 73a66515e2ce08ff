"""What a question asks: which part of the tree, which names, which operation, which topic. Pure."""
