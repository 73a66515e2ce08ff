"""Deep research: an analyst drafts from sources, a critic reviews, a writer reports, code checks each sentence.

One file per node, the state in `state.py`, the wiring in `graph/research.py`.
"""
