from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import ModelIdInvalid
from models.identifiers import SHIPPED, ModelId, Provider

NAMES = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1)


@given(st.sampled_from(get_args(Provider)), NAMES)
def test_an_id_is_read_back_from_its_text(provider: Provider, name: str) -> None:
    model_id = ModelId(provider, name)
    assert ModelId.parse(str(model_id)) == model_id


@pytest.mark.parametrize(
    ("text", "provider", "name"),
    [
        ("ollama:qwen2.5:7b", "ollama", "qwen2.5:7b"),
        (" embedded ", "embedded", SHIPPED),
        ("embedded:gemma-3-270m", "embedded", SHIPPED),
        ("embedded:/models/my model.gguf", "embedded", "/models/my model.gguf"),
        ("openai:gpt-x", "openai", "gpt-x"),
        ("scripted:demo.yaml", "scripted", "demo.yaml"),
    ],
)
def test_the_four_forms_are_read(text: str, provider: str, name: str) -> None:
    assert ModelId.parse(text) == ModelId(provider, name)  # type: ignore[arg-type]  # a test table holds plain text


@pytest.mark.parametrize(
    "text",
    ["", ":", "qwen2.5:7b", "ollama", "ollama:", "ollama: ", "embedded:", "Ollama:x", "ollama:a\nb", "gpt:x"],
)
def test_anything_else_is_refused_with_all_forms_named(text: str) -> None:
    with pytest.raises(ModelIdInvalid) as raised:
        ModelId.parse(text)
    assert repr(text) in raised.value.what
    assert all(f"{form}" in raised.value.remedy for form in ("ollama:", "embedded", "openai:", "scripted:"))
