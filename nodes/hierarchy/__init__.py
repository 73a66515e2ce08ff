"""A contractive master whose questions about files are given to reflective workers."""
