"""A search of deep research: a span."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from models.telemetry import names
from models.telemetry.scope import Scope, Value, recorded, within


@contextmanager
def retrieval_call(source: str, query: str) -> Iterator[Callable[[int], None]]:
    """A search; what it gives is told how many documents were found.

    Args:
        source: who searches, such as a folder or a search engine.
        query: what is searched for.
    """
    at = recorded()
    if at is None:
        yield _nobody
        return
    above, recorder = at
    attributes: dict[str, Value] = {
        names.OPERATION: names.RETRIEVAL,
        names.SPAN_KIND: names.RETRIEVER_KIND,
        names.DATA_SOURCE: source,
    }
    scope = Scope(
        f"{names.RETRIEVAL} {source}",
        above,
        client=True,
        attributes=attributes | recorder.text("input", query),
    )

    def found(documents: int) -> None:
        scope.outcome = "ok"
        scope.attributes[names.FOUND] = documents

    with within(scope):
        yield found


def _nobody(documents: int) -> None:
    """Nobody is told."""
