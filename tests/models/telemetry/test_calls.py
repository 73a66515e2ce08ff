from __future__ import annotations

import pytest

from models.telemetry import names
from models.telemetry.embedding_calls import embedding_call
from models.telemetry.retrieval_calls import retrieval_call
from models.telemetry.scope import Scope, attach, within
from tests.support.telemetry import Kept


@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [("minilm-l6-v2-int8", "embedded", "minilm-l6-v2-int8"), ("ollama-all-minilm", "ollama", "all-minilm")],
)
def test_an_embedding_tells_how_many_texts_and_none_of_them(model: str, provider: str, name: str) -> None:
    kept = Kept.anew(content=True)
    with within(Scope("run")):
        attach(kept.recorder, {})
        with embedding_call(model, 384, ["zebra", "walrus"]):
            pass
        with pytest.raises(OSError), embedding_call(model, 384, ["zebra"]):
            raise OSError("it broke")
    first, second = [span for span in kept.spans() if span.name == f"embeddings {name}"]
    told = dict(first.attributes or {})
    assert (told[names.PROVIDER], told[names.REQUEST_MODEL], told[names.TEXTS]) == (provider, name, 2)
    assert told[names.DIMENSIONS] == 384 and first.status.is_ok
    assert second.status.status_code.name == "ERROR" and "zebra" not in kept.everything()
    kinds = {dict(key).get(names.ERROR_TYPE) for key in kept.sums(names.OPERATION_DURATION)}
    assert kinds == {None, "OSError"}


@pytest.mark.parametrize("content", [False, True])
def test_a_search_tells_who_searched_and_how_much_was_found(content: bool) -> None:
    kept = Kept.anew(content=content)
    with within(Scope("run")):
        attach(kept.recorder, {})
        with retrieval_call("folder", "where is the zebra") as found:
            found(3)
    span = kept.span("retrieval folder")
    told = dict(span.attributes or {})
    assert (told[names.SPAN_KIND], told[names.DATA_SOURCE], told[names.FOUND]) == ("RETRIEVER", "folder", 3)
    assert (told.get(names.INPUT_VALUE) == "where is the zebra") == content and span.status.is_ok


def test_calls_outside_of_a_recorded_run_do_nothing() -> None:
    with embedding_call("m", 1, ["x"]), retrieval_call("folder", "x") as found:
        found(1)
