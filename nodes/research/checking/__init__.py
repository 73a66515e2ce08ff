"""Checks each sentence of a report against the text it cites, by code alone.

A sentence is taken apart into facts (numbers, dates, names, quotations, negations, comparisons), the passage
of the cited source that fits best is found by its words, and each fact is held against that passage.
"""
