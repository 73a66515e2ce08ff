"""What a line states is checked wherever it stands; what only frames a report passes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.research.framing import Ground, check_all
from nodes.research.report_text import asked_in, heading
from nodes.research.splicing import tidied
from tests.nodes.research.corpus import DRAFT, GOOD_SENTENCE, ITEMS, PASS, QUERY, REPORT, researched
from tools.search.items import Item

SOURCES = [Item.model_validate(one) for one in ITEMS]
SHAPES = {
    "heading": "## {}\n\n",
    "cited heading": "## {} {{cite:1}}\n\n",
    "title": "# {}\n\n",
    "bold": "**{}**\n\n",
    "code": "```\n{}\n```\n\n",
    "question": "Did you know of {}?\n\n",
    "silence": "The sources do not say anything of {}.\n\n",
    "about itself": "This report covers {}.\n\n",
    "row": "| what | then |\n|---|---|\n| noted | {} |\n\n",
}
INVENTED = (
    "9.9 million tonnes in 2023",
    "the 2024 closure",
    "the strike of 5 May 2031",
    "the 14 deaths at the harbour",
    "its new director Jane Whitlock",
    "the words “we shall never sail from this harbour again”",
)


def failing(report: str, known: str = QUERY) -> list[str]:
    checks = check_all(report, SOURCES, known)
    return [check.sentence for check in checks if check.verdict in ("contradicted", "unsupported")]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("invented", INVENTED)
def test_an_invented_fact_fails_wherever_it_stands(shape: str, invented: str) -> None:
    (found,) = failing(SHAPES[shape].format(invented) + GOOD_SENTENCE)
    assert invented in found


@given(st.integers(6 * 10**6, 10**9), st.sampled_from(sorted(SHAPES)))
def test_any_number_no_source_has_fails(number: int, shape: str) -> None:
    told = f"{number:,} tonnes"
    assert failing(SHAPES[shape].format(told) + GOOD_SENTENCE)


@pytest.mark.parametrize(
    "line",
    [
        "# Lindow harbour in 2023",
        "## Cargo of 4.2 million tonnes",
        "## What the Sources Say",
        "## 1. Background",
        "## 2.1 Cargo and Trade",
        "## Part 2: Cargo",
        "## Three key findings",
        "## 一、背景",
        "## 三項重點",
        "**Key figure: 4.2 million tonnes (2023)**",
        "This report gathers what was found on Lindow harbour for 2023.",
        "This report rests on 2 sources, published in 2024.",
        "How much cargo did Lindow harbour handle in 2023?",
        "The sources do not say who followed Mara Voss.",
        "There is not enough evidence to say more.",
        "本報告整理以下各主題的查證結果。",
        "其餘部分證據不足，無法說明。",
        "Overall, the picture is mixed.",
        "Confidence level: it is Medium.",
    ],
)
def test_an_honest_line_passes(line: str) -> None:
    assert failing(f"{line}\n\n{GOOD_SENTENCE}") == []


def test_a_query_may_hold_what_no_source_does() -> None:
    asked = "Did 14 sailors die at Lindow harbour in May 2031?"
    report = f"# {heading('x')}\n\nThe sources do not say that 14 sailors died in May 2031.\n"
    assert failing(report, asked) == [] and failing(report, "")
    assert asked_in(f"# {heading(asked)}\n\ntext") == asked
    assert asked_in(f"# {asked}\n") == ""


def test_a_section_is_held_against_what_it_cites() -> None:
    wrong = "## The 3.9 million tonnes of 2023\n\n"
    assert failing(wrong + GOOD_SENTENCE) and not failing(wrong)


def test_a_definition_is_a_claim() -> None:
    line = "Overall assessment\n: The harbour is closed and dangerous"
    assert failing(f"{GOOD_SENTENCE}\n\n{line}") == [line]


@given(st.text(max_size=60))
def test_any_line_can_be_read(text: str) -> None:
    assert isinstance(Ground(QUERY, tuple(SOURCES)).stray(text), str)


async def test_an_invented_heading_is_taken_out_and_listed(tmp_path: Path) -> None:
    report = f"## Harbour handled 9.9 million tonnes in 2024\n\n{GOOD_SENTENCE}"
    writer = [{**REPORT, "final_report": report}, {"fixes": []}]
    state = await researched(tmp_path, "invented-heading", analyst=[DRAFT], critic=[PASS], writer=writer)
    facts = state.result[0]["schema_object"]
    assert "9.9" not in state.result[0]["description"] and "4.2 million" in state.result[0]["description"]
    assert ["9.9" in one["sentence"] for one in facts["removed_sentences"]] == [True]


@pytest.mark.parametrize(
    "left", ["=====\n\n", "\n=====\n", "> \n\n", "```\n\n```\n\n", "| a |\n|---|\n| b |\n| |  |\n"]
)
def test_nothing_is_left_of_what_was_taken_out(left: str) -> None:
    found = tidied(f"{left}\nThe end.")
    assert found in ("The end.", "| a |\n|---|\n| b |\n\nThe end.")
