"""Reads short answers and questions: numbers, dates, names, lists, code, yes and no, and the words between them.

`rules` holds what is decided from that; everything here is pure.
"""
