"""What a question wants, read by code, and whether a model's restatement of it may take its place. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.contractive.constraint_reading import constraints_of, ends_of
from nodes.contractive.reading.asked import Wanted, asked
from nodes.contractive.reading.kinds import Kind, kinds_asked
from nodes.contractive.restating.guard import why_not
from nodes.contractive.state import Normalization

_WANTED: dict[Kind, Wanted] = {
    "number": "number", "when": "date", "who": "who", "yes_no": "yes_no", "either": "either",
}  # fmt: skip


def by_code(question: str) -> Normalization:
    """What code can say of a question: the type of its answer, and what the answer has to keep to.

    Args:
        question: as it was asked; it is not restated.
    """
    return Normalization(
        question=" ".join(question.split()) if "\n" not in question.strip() else question.strip(),
        answer_type=answer_type(question),
        constraints=[one.words for one in constraints_of(question)],
    )


def answer_type(question: str) -> Wanted:
    """The kind of answer a question wants, as `reading.asked.Wanted` names them; "open" for several parts."""
    told = ends_of(question)
    wanted, kinds = asked(told).wanted, kinds_asked(told)
    if len(set(kinds)) > 1:
        return "open"
    return _WANTED.get(kinds[0], "open") if wanted == "open" and kinds else wanted


def guarded(question: str, restated: str, earlier: Sequence[str] = ()) -> str:
    """Why a model's restatement loses, adds or changes something; "" if it may take the question's place.

    Every number with its unit, name, quotation, identifier of code, negation, direction of a comparison,
    quantifier, time and constraint of the question must stand in it, and what it asks for; it may hold no
    number, name or claim that the question and the turns before do not, may not answer it, and not be much
    longer.

    Args:
        question: as it was asked.
        restated: by a model.
        earlier: turns of the chat before, oldest first; a follow-up takes names and numbers from them.
    """
    return why_not(question, restated, earlier)
