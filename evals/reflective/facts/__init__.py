"""What is true of a project, computed from its files by Python alone; nothing of the product is used.

A fact is a function of the project's directory and of named arguments. Files that git ignores, hidden
directories and `.reflect` do not count, unless a pattern names them.
"""

from evals.reflective.facts import of_code, of_files, of_history, of_tables, of_text
from evals.reflective.facts.registry import FACTS, Value
from evals.reflective.facts.tree import visible_files

__all__ = ["FACTS", "Value", "of_code", "of_files", "of_history", "of_tables", "of_text", "visible_files"]
