"""Specialists for a tree of source code: what the audit kernels measured, chosen and put in words.

A run goes through the files like this:

    state.py           what a run knows
    route.py           which specialists answer, and why (votes.py: by exemplars)
    audit.py           the kernels run once; their report lies in a file
    specialist.py      one specialist answers: reads the question, picks facts, words them
      reading/         what is asked: topic, operation, limits, paths and names
      topics.py        what a topic is; claims.py: what is said of a fact
      security.py, analysis.py, documentation.py: the three specialists and their topics
      answering.py     facts into an answer, by code (answered.py, forms.py); phrases.py: its sentences
      composing.py     what a model may add: an order, and connecting words (checking.py)
    synthesise.py      the answers of all of them as one

No sentence of an answer holds a figure, a path or a name that no kernel's fact holds.
"""
