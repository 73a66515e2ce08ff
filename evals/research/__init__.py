"""Invented worlds of documents, and what a research report about them should say: `reflect eval research`."""
