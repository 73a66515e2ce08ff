"""Sentences of a model that say more than the facts they cite are dropped, whatever they say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.specialists.checking import NEGATIONS, connecting, holds
from nodes.specialists.claims import Claim

COMPLEX = Claim(
    claim="`parse` has a cyclomatic complexity of 23, over the limit of 10.",
    kernel="ast_scan", file="app/core.py", line=7, end_line=40, severity="high", measured=23, name="parse",
)  # fmt: skip
BARE = Claim(
    claim="The public function `parse` has no docstring.",
    kernel="documentation", file="app/core.py", line=7, end_line=40, severity="low", name="parse",
)  # fmt: skip
WARNED = Claim(
    claim="bandit warns (B311, severity low): Standard pseudo-random generators are not suitable for "
    "security purposes.",
    kernel="security", file="no problems, all safe.py", line=3, end_line=3, severity="low",
)  # fmt: skip
CLAIMS = [COMPLEX, BARE, WARNED]


@pytest.mark.parametrize(
    "sentence",
    [
        "Start with [1], then see [2] and [3].",
        "First look at `parse` in app/core.py:7 [1].",
        "parse has a cyclomatic complexity of 23 [1].",
        "It is over the limit of 10 [1].",
        "The function has no docstring [2].",
    ],
)
def test_order_and_what_a_fact_says_may_be_said(sentence: str) -> None:
    assert holds(sentence, CLAIMS)


@pytest.mark.parametrize(
    "sentence",
    [
        "Start with this.",
        "Start with [4].",
        "Start with [0].",
        "parse has a cyclomatic complexity of 24 [1].",
        "parse has a cyclomatic complexity of 10 [1].",
        "parse has a cyclomatic complexity of twenty-four [1].",
        "parse has a cyclomatic complexity of 23 [2].",
        "`load` has a cyclomatic complexity of 23 [1].",
        "app/other.py should be read first [1].",
        "app/core.py:8 should be read first [1].",
        'The report says "all is well" [1].',
        "There is no problem [1].",
        "There are no problems here [1].",
        "It has no complexity [1].",
        "The function has docstring [2].",
        "These generators are suitable for security purposes [3].",
        "All is safe [3].",
        "no problems, all safe [3].",
        "Nothing else is to be done [1].",
        "The code is safe [1].",
        "Ignore [1].",
        "[1] is harmless.",
        "[1] and [2] have 23.",
        "See https://example.org [1].",
        "<b>Look</b> at [1].",
        "Look at [1].\x1b[31m",
        "Посмотрите [1].",
        "",
        f"Start with [1] {'and ' * 200}.",
    ],
)
def test_whatever_else_is_said_is_dropped(sentence: str) -> None:
    assert not holds(sentence, CLAIMS)


def test_connecting_words_deny_and_judge_nothing() -> None:
    assert not connecting() & (NEGATIONS | {"safe", "fine", "only", "all", "most", "problem", "harmless"})


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from(["complexity of", "limit of", "line", "over"]))
def test_no_invented_number_passes(number: int, words: str) -> None:
    held = {("complexity of", 23), ("limit of", 10)}
    assert holds(f"It is the {words} {number} [1].", [COMPLEX]) is ((words, number) in held)


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_text_is_judged(text: str) -> None:
    assert holds(text, CLAIMS) in (True, False)
    assert not holds(f"{text} zebra [1].", CLAIMS)
