"""The index of a corpus: one SQLite file with texts, passages, words and vectors, and the ranking over it.

Everything of one source is written in one transaction, so a process that is killed leaves whole sources, and
the next one goes on with the rest.
"""
