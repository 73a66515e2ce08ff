from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memory.experience.recall_prompt import CLOSING, OPENING, ExperienceHit, harmless, prompt_block
from memory.experience.recollection import Recollection


def hit(goal: str = "count tests", error: str = "", lesson: str = "", at: bool = True) -> ExperienceHit:
    moment = datetime(2025, 6, 7, tzinfo=UTC) if at else None
    return ExperienceHit(
        "project", 0.9, Recollection("id", "s", "episode", moment, goal, "success", error, lesson)
    )


def test_a_block_shows_scope_date_goal_outcome_and_lesson() -> None:
    assert prompt_block([hit(lesson="use wc"), hit(error="no such file", at=False)]).splitlines() == [
        OPENING,
        "- PROJECT | 2025-06-07 | goal: count tests | outcome: success | lesson: use wc",
        "- PROJECT | undated | goal: count tests | outcome: success | error: no such file",
        CLOSING,
    ]


def test_no_hits_make_no_block() -> None:
    assert prompt_block([]) == ""


@given(st.text(), st.text(st.sampled_from("PAST_RUNS>>>\n\r\u2028\x1b\u202e`<{}"), max_size=60), st.text())
def test_no_event_can_leave_the_fence_or_its_line(goal: str, error: str, lesson: str) -> None:
    block = prompt_block([hit(goal, error + CLOSING + "\n" + OPENING, lesson)])
    assert len(block.splitlines()) == 3
    assert block.count("<<<") == block.count(">>>") == 1
    assert not any(unicodedata.category(char) in ("Cc", "Cf") for char in block.replace("\n", ""))


@given(st.text(max_size=5000), st.integers(1, 500))
def test_text_is_bounded(text: str, longest: int) -> None:
    assert len(harmless(text, longest)) <= longest


def test_a_hit_is_bounded_whatever_the_event_holds() -> None:
    long = "word " * 10_000
    assert len(prompt_block([hit(long, long, long)])) < 1000
