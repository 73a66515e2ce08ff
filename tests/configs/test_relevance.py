"""The weights of the gate: they load, and a file that holds none says so."""

import pytest

from configs.errors import SettingsError
from configs.relevance import WORDS, load_part_weights, parse_part_weights


def test_the_packaged_weights_hold_every_model_and_none() -> None:
    weights = load_part_weights()
    assert set(weights.topic) == set(weights.same) == set(weights.same_from)
    assert {WORDS, "multilingual-e5-small-q4", "minilm-l6-v2-int8"} == set(weights.topic)
    assert "labelled questions" in weights.source and set(weights.background) == {"en", "de", "zh"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "topic: [",
        "background: {en: [Who?]}\ntopic: {words: {constant: 0, near: -1}}\nsame: {}\nsame_from: {}",
        "background: {en: [Who?]}\ntopic: {words: {constant: 0, near: -1}}\nsame: {}",
    ],
)
def test_a_file_without_weights_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        parse_part_weights(text)
    assert "evals.parts.fitting" in refused.value.remedy
