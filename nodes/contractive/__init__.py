"""Branching contractive reasoning: a tree of questions whose uncertainty is measured, not guessed.

What is here measures: the short answer of a sample, whether two answers say the same, the entropy of many,
and whether repeated answers draw together.
"""
