"""Limits of work in progress: the table loads, and small models may have less open than others."""

import pytest

from configs.errors import SettingsError
from configs.work_limits import RECENT_TURNS, WorkLimits, limits_of, load_limits, parse_limits


def test_the_longest_entry_a_name_begins_with_counts_and_its_provider_does_not() -> None:
    table = load_limits()
    assert limits_of("ollama:llama3.2:1b-instruct") == table.models["llama3.2:1b"]
    assert limits_of("openai:llama3.2:3b") == limits_of("ollama:llama3.2") == table.models["llama3.2"]
    assert limits_of("embedded:gemma-3-270m") == table.models["gemma-3-270m"]
    assert limits_of("ollama:another-model") == table.default


def test_no_model_of_the_table_may_have_more_open_than_one_outside_of_it() -> None:
    table = load_limits()
    for limits in table.models.values():
        for name in WorkLimits.model_fields:
            most = getattr(table.default, name)
            assert 0 < getattr(limits, name) <= (most or RECENT_TURNS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "default: {}",
        "default: {open_questions: 0}\nmodels: {}",
        "default: {unproved_claims: 11}\nmodels: {}",
        "models: [",
    ],
)
def test_a_file_without_a_table_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        parse_limits(text)
    assert "`default` and `models`" in refused.value.remedy
