"""Sentences of answers, made of what code counted and measured."""

from __future__ import annotations

from collections.abc import Sequence

from configs.redaction import escaped
from nodes.specialists.claims import Coverage, Row, code, counted, figure
from nodes.specialists.reading.operation import Bound
from nodes.specialists.reading.question import Question
from tools.audit.report import Skipped

MOST_NAMED = 3


class Wording:
    """How one question's rows are spoken of.

    Args:
        question: what is asked.
        bound: figures that are asked for; None without.
    """

    def __init__(self, question: Question, bound: Bound | None) -> None:
        self._question = question
        self._bound = bound
        topic = question.topic
        nouns = [one.noun for one in question.narrowings if one.noun is not None]
        self._one, self._more = nouns[-1] if nouns else topic.noun
        written = f"{question.language.capitalize()} " if question.language else ""
        self._before = written + "".join(one.before for one in question.narrowings)
        self._after = "".join(one.after for one in question.narrowings)

    @property
    def where(self) -> str:
        """The part of the tree, as the end of a sentence."""
        scope = self._question.scope
        by_name = (
            "within"
            if self._question.topic.standing and self._question.topic.id != "docstrings"
            else "called"
        )
        named = f" {by_name} {_or([code(one) for one in scope.names])}" if scope.names else ""
        these = " among these" if scope.spots is not None else ""
        between = " between " if self._question.every_path else " in "
        groups = [_or([escaped(one) for one in group]) for group in scope.groups]
        paths = f"{between}{(_and if self._question.every_path else _or)(groups)}" if groups else ""
        outside = f" outside {_or([escaped(one) for one in scope.outside])}" if scope.outside else ""
        return f"{these}{named}{paths}{outside}"

    def rows(self, number: int) -> str:
        """So many of what is asked for: "2 functions with a nesting depth over 4 in cli/"."""
        noun = self._one if number == 1 else self._more
        return f"{self._before}{noun}{self._after}{self.where}{self.compared}"

    def looked(self, number: int) -> str:
        """So many rows before the bound was applied: "340 functions"."""
        return f"{number} {self._before}{self._one if number == 1 else self._more}"

    @property
    def have(self) -> str:
        """The bound, as what rows have."""
        return f"have{self.compared.removeprefix(' with')}"

    @property
    def compared(self) -> str:
        """The bound, behind a noun."""
        bound, topic = self._bound, self._question.topic
        if bound is None:
            return ""
        article = "an" if topic.measure[0] in "aeiou" else "a"
        return f" with {article} {topic.measure} {bound_words(bound, topic.unit)}"


def bound_words(bound: Bound, unit: str) -> str:
    """A bound: "over 15", "of at least 3", "from 2 to 5"."""
    if bound.low is not None and bound.high is not None:
        if bound.low == bound.high:
            return f"of exactly {figure(bound.low)}{unit}"
        return f"from {figure(bound.low)}{unit} to {figure(bound.high)}{unit}"
    if bound.low is not None:
        words = f"of at least {figure(bound.low)}" if bound.low_in else f"over {figure(bound.low)}"
    else:
        words = (
            f"of at most {figure(bound.high or 0)}" if bound.high_in else f"under {figure(bound.high or 0)}"
        )
    return f"{words}{unit}{', the limit' if bound.limit else ''}"


def subject(row: Row) -> str:
    """What a row is about, with its place."""
    claim = row.claim
    return f"{code(claim.name)} ({claim.place})" if claim.name and claim.name != claim.file else claim.place


def read_words(coverage: Coverage) -> str:
    """What was looked at: "12 Python files"."""
    kind = f"{coverage.reads} " if coverage.reads and "," not in coverage.reads else ""
    return f"{len(coverage.files)} {kind}{'file' if len(coverage.files) == 1 else 'files'}"


def gaps(coverage: Coverage) -> str:
    """What was not looked at, as a sentence; empty if that is nothing."""
    parts = []
    if coverage.skipped:
        named = _some([_left_out(one) for one in coverage.skipped])
        parts.append(f"{counted(len(coverage.skipped), 'file', 'files')} could not be looked at: {named}")
    if coverage.others:
        reads = f", for only {coverage.reads} is read" if coverage.reads else ""
        kept = counted(len(coverage.others), "other file was", "other files were")
        parts.append(f"{kept} not looked at{reads}")
    return f"{'; '.join(parts)}." if parts else ""


def _left_out(one: Skipped) -> str:
    place = escaped(one.file) if one.line is None else f"{escaped(one.file)}:{one.line}"
    return f"{place} ({one.reason})"


def _some(named: Sequence[str]) -> str:
    more = len(named) - MOST_NAMED
    return ", ".join([*named[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])


def _or(named: Sequence[str]) -> str:
    return " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else list(named))


def _and(named: Sequence[str]) -> str:
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else list(named))
