"""Scenarios about a generated project: `reflect eval reflective`. `__main__` says what is measured."""
