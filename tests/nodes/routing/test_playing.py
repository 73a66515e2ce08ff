"""What goals of the tutor come to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.routing.playing import FREE, Advice, Game, game_of, model_named


@given(st.integers(1, 10), st.integers(0, 999_999))
def test_a_game_that_is_named_is_played_with_its_seed(number: int, seed: int) -> None:
    assert game_of(f"play game B{number:02} with seed {seed}", "slim_model") == Game(f"B{number:02}", seed)


@pytest.mark.parametrize("goal", ["prove that a.txt has two lines", "Beweise, dass lib/ leer ist"])
def test_a_claim_about_files_is_a_game_of_its_own(goal: str) -> None:
    assert game_of(goal, "proof") == Game(FREE, goal=goal)


@pytest.mark.parametrize("goal", ["play a game", "let us play", "play B01 and B02"])
def test_where_no_single_game_is_meant_the_person_is_told(goal: str) -> None:
    advice = game_of(goal, "slim_model")
    assert isinstance(advice, Advice) and "reflect play --list" in advice.text


@pytest.mark.parametrize(
    ("goal", "command"),
    [
        ("benchmark llama3.2:1b", "reflect eval tutor --model ollama:llama3.2:1b"),
        ("score qwen2.5:0.5b on B07", "reflect play B07 --model ollama:qwen2.5:0.5b"),
        ("benchmark my small model", "reflect eval tutor --model P:M"),
    ],
)
def test_a_benchmark_names_the_command_and_plays_nothing(goal: str, command: str) -> None:
    advice = game_of(goal, "benchmark")
    assert isinstance(advice, Advice) and command in advice.text


@given(st.text(max_size=80))
def test_what_stands_for_a_model_holds_nothing_a_shell_would_read(text: str) -> None:
    assert not set(model_named(f"benchmark llama3{text}")) & set(" ;|&$`'\"<>(){}\n\\*?!")
