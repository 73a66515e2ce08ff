"""What the words of a goal say, however it is typed."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recipes.exemplars import load_exemplars
from memory.recipes.signals import fold, is_english, names_own_material, signals

TYPED = st.text(max_size=60)


@settings(max_examples=40)
@given(TYPED)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@settings(max_examples=40)
@given(st.lists(st.sampled_from("aé file ü datei 文件 ?".split()), min_size=1, max_size=6))
def test_accents_case_and_invisible_characters_change_no_signal(words: list[str]) -> None:
    goal = " ".join(words)
    typed = "\u200b".join(unicodedata.normalize("NFD", goal.upper()))
    assert fold(typed) == fold(goal)


@settings(max_examples=40)
@given(TYPED)
def test_every_signal_lies_between_its_bounds(text: str) -> None:
    counted = signals(text)
    assert counted.shape == signals("hello").shape
    assert np.isfinite(counted).all() and counted.min() >= 0 and counted.max() <= 1.2


@settings(max_examples=40)
@given(
    st.sampled_from(["hi! thanks. ", "explain recursion, then ", "谢谢！对了，", "danke! ", ""]),
    st.from_regex(r"[a-z_]{1,12}\.(py|csv|md|toml)|(\.\./|~/)[a-z]{1,8}|\*\.[a-z]{2,4}", fullmatch=True),
    st.sampled_from(["", "?", " bitte", " 有多少行"]),
)
def test_a_named_file_is_seen_whatever_stands_around_it(before: str, name: str, after: str) -> None:
    assert names_own_material(f"{before}{name}{after}")


@pytest.mark.parametrize(
    "goal",
    [
        "what is TCP/IP",
        "node.js or deno?",
        "see https://example.org/a/b.html",
        "is 24/7 support worth it",
        "pros and/or cons",
        "tree sap is sticky, why?",
        "can git track empty directories?",
    ],
)
def test_what_only_looks_like_a_path_names_nothing(goal: str) -> None:
    assert not names_own_material(goal)


@pytest.mark.parametrize("goal", ["ls", "ls -la src", "git status", "du -sh docs", "git log --oneline"])
def test_a_bare_command_asks_for_what_it_prints(goal: str) -> None:
    assert names_own_material(goal)


def test_one_endless_word_costs_no_more_than_many() -> None:
    assert not names_own_material("x" * 20_000)
    assert names_own_material("hello " * 3_000 + "notes.txt")


def test_languages_are_told_apart() -> None:
    exemplars = [exemplar for exemplar in load_exemplars() if len(exemplar.goal.split()) > 5]
    by_right = [is_english(exemplar.goal) == (exemplar.language == "en") for exemplar in exemplars]
    assert len(by_right) > 500 and sum(by_right) / len(by_right) > 0.98
