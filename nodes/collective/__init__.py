"""Engines together: what they hand to each other, and what becomes of their answers."""
