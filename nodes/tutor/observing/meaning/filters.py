"""What is left of a question when what was printed for it goes through a filter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nodes.tutor.observing.meaning.calls import Call
from nodes.tutor.observing.meaning.literals import literal_of
from nodes.tutor.observing.meaning.matching import DIALECTS
from nodes.tutor.observing.meaning.reading_tools import WHOLE
from nodes.tutor.observing.questions.base import Asked
from nodes.tutor.observing.questions.contents import Content, Sizes
from nodes.tutor.observing.questions.entries import Listing, Located
from nodes.tutor.observing.questions.matching import Selected

# One line a file, or one an entry: their order tells nothing.
UNORDERED = (Listing, Located, Selected, Sizes)


def filtered(questions: Sequence[Asked], call: Call) -> list[Asked] | None:
    """The questions the output of a filter still answers; None if it is not understood."""
    if call.from_input or (call.operands and call.tool != "grep"):
        return None
    kept = [_filtered(question, call) for question in questions]
    return [question for question in kept if question] if all(kept) else None


def _filtered(question: Asked, call: Call) -> Asked | None:
    if call.tool in ("cat", "nl"):
        return question if call.names <= WHOLE[call.tool] else None
    if call.tool == "sort":
        return question if call.names <= WHOLE["sort"] and isinstance(question, UNORDERED) else None
    if call.tool == "grep":
        return _named(question, call) if isinstance(question, Listing) else None
    if call.tool == "wc":
        return _counted(question) if call.names == {"l"} else None
    if call.tool in ("head", "tail") and call.names <= {"n"}:
        number = re.fullmatch(r"(\+?)([0-9]+)", call.value("n") or "10")
        if number is None:
            return None
        if call.tool == "head":
            return None if number[1] else _beginning(question, int(number[2]))
        return _rest(question, int(number[2]) if number[1] else None)
    return None


def _counted(question: Asked) -> Asked | None:
    if isinstance(question, Selected) and question.first is None:
        return question.model_copy(update={"counts": True})
    return question if isinstance(question, Listing | Located) and question.first is None else None


def _named(question: Listing, call: Call) -> Listing | None:
    """Of a list of paths, those whose name holds a text, or ends with it: all such are left by `grep TEXT`.

    What else is left, as files in a directory whose name holds it, is not told.
    """
    patterns = [value or "" for name, value in call.options if name == "e"]
    dialects = [DIALECTS[name] for name in call.names if name in DIALECTS]
    known = {"e", "i", "c", "n", "color"} | DIALECTS.keys()
    if question.names or question.first is not None or len(patterns) != 1 or call.operands:
        return None
    if not call.names <= known or len(dialects) > 1:
        return None
    dialect = dialects[0] if dialects else "basic"
    at_end = dialect != "fixed" and patterns[0].endswith("$") and not patterns[0].endswith("\\$")
    literal = literal_of(patterns[0].removesuffix("$") if at_end else patterns[0], dialect)
    if not literal or "/" in literal or ("i" in call.names and not literal.isascii()):
        return None
    glob = "".join(_sign(sign, "i" in call.names) for sign in literal)
    return question.model_copy(update={"names": (f"*{glob}" if at_end else f"*{glob}*",)})


def _sign(sign: str, either_case: bool) -> str:
    """A character as a glob has it."""
    if either_case and sign.isalpha():
        return f"[{sign.upper()}{sign.lower()}]"
    return f"\\{sign}" if sign in "*?[]\\" else sign


def _beginning(question: Asked, most: int) -> Asked | None:
    if isinstance(question, Content):
        return question.model_copy(update={"most": _least(question.most, most)})
    if isinstance(question, Listing | Located) or (isinstance(question, Selected) and not question.counts):
        return question.model_copy(update={"first": _least(question.first, most)})
    return None


def _least(before: int | None, most: int) -> int:
    return most if before is None else min(before, most)


def _rest(question: Asked, start: int | None) -> Asked | None:
    """`tail`, from a line on, or the last lines; of sizes, that is the line with the total."""
    if start is None:
        return question if isinstance(question, Sizes) else None
    skipped = max(start, 1) - 1
    if not isinstance(question, Content) or (question.most is not None and question.most <= skipped):
        return None
    most = question.most - skipped if question.most is not None else None
    return question.model_copy(update={"start": question.start + skipped, "most": most})
