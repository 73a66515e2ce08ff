"""To be completed: takes what it is given."""

from __future__ import annotations
from nodes.contractive.state import Answer, Question, Review


def pre_review(question: Question, answer: Answer) -> Review:
    return Review(by="code", verdict="approved", score=1.0)
