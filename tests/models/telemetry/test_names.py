"""The names are those of the conventions' packages; an upgrade that renames one must not go unseen."""

from __future__ import annotations

import importlib.metadata
import warnings

import pytest
from openinference.semconv.trace import (
    EmbeddingAttributes,
    MessageAttributes,
    OpenInferenceSpanKindValues,
    SpanAttributes,
)
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.semconv._incubating.metrics import gen_ai_metrics
from opentelemetry.semconv.attributes import error_attributes, server_attributes, service_attributes
from opentelemetry.semconv.schemas import Schemas

from models.telemetry import names


def constants(*holders: object) -> set[str]:
    """Every text that the holders define under a name in capitals."""
    return {
        value
        for holder in holders
        for name in dir(holder)
        if name.isupper() and isinstance(value := getattr(holder, name), str)
    }


OURS = {name: value for name, value in vars(names).items() if name.isupper()}
GENERAL = constants(error_attributes, server_attributes, service_attributes)
INFERENCE = constants(SpanAttributes, MessageAttributes, EmbeddingAttributes)
KINDS = {"AGENT_KIND", "CHAIN_KIND", "LLM_KIND", "TOOL_KIND", "EMBEDDING_KIND", "RETRIEVER_KIND"}
OPERATIONS = {"INVOKE_AGENT", "CHAT", "EXECUTE_TOOL", "EMBEDDINGS", "RETRIEVAL"}


@pytest.mark.parametrize("name", sorted(OURS))
def test_each_name_is_one_of_a_convention_or_says_that_it_is_ours(name: str) -> None:
    value = OURS[name]
    if name in ("SCHEMA_URL", "INSTRUMENTATION"):
        return
    if name in KINDS:
        assert value in {kind.value for kind in OpenInferenceSpanKindValues}
    elif name in OPERATIONS:
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            known = {one.value for one in gen_ai_attributes.GenAiOperationNameValues}
        assert value in known
    elif value.startswith("gen_ai."):
        assert value in constants(gen_ai_attributes, gen_ai_metrics)
    else:
        assert value.startswith("reflect.") or value in GENERAL | INFERENCE


def test_the_versions_told_are_those_installed() -> None:
    assert names.SCHEMA_URL == list(Schemas)[-1].value
    assert importlib.metadata.version("opentelemetry-semantic-conventions").startswith("0.66b")
    assert importlib.metadata.version("openinference-semantic-conventions") == "0.1.42"
    assert "1.44.0" in str(names.__doc__) and "0.1.42" in str(names.__doc__)


def test_no_name_stands_for_two_things() -> None:
    assert len(set(OURS.values())) == len(OURS)
