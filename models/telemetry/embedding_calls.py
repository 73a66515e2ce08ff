"""A call of an embedding model: a span, and its time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from models.telemetry import names
from models.telemetry.scope import Scope, Value, recorded, within


@contextmanager
def embedding_call(model: str, dimensions: int, texts: Sequence[str]) -> Iterator[None]:
    """A call of an embedding model.

    Args:
        model: its name, as vectors are kept under.
        dimensions: of a vector.
        texts: that are embedded.
    """
    at = recorded()
    if at is None:
        yield
        return
    above, recorder = at
    provider, name = ("ollama", model[7:]) if model.startswith("ollama-") else ("embedded", model)
    about: dict[str, Value] = {
        names.OPERATION: names.EMBEDDINGS,
        names.PROVIDER: provider,
        names.REQUEST_MODEL: name,
    }
    attributes = about | {
        names.SPAN_KIND: names.EMBEDDING_KIND,
        names.EMBEDDING_MODEL: name,
        names.DIMENSIONS: dimensions,
        names.TEXTS: len(texts),
    }
    scope = Scope(f"{names.EMBEDDINGS} {name}", above, client=True, attributes=attributes)
    started = time.perf_counter()
    try:
        with within(scope):
            yield
            scope.outcome = "ok"
    finally:
        if names.ERROR_TYPE in scope.attributes:
            about[names.ERROR_TYPE] = scope.attributes[names.ERROR_TYPE]
        recorder.measure(names.OPERATION_DURATION, time.perf_counter() - started, about)
