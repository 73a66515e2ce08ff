"""What a model says beside the report: plain words, and nothing that was not asked."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.research.analyst import NOT_ALL_SAID, NOTHING_SAID
from nodes.research.framing import Ground
from nodes.research.model_words import plain_words, without_strays
from tests.nodes.research.corpus import DRAFT, GOOD_SENTENCE, PASS, QUERY, REPORT, researched

JUDGED = "The port began operating in 1987 {cite:1}."
SUPPORTED = {
    "verdicts": [{"number": 1, "verdict": "supported", "reason": "[so](https://evil.example) it is"}]
}


@given(st.text(alphabet="ab1 .[](){}<>!`*#|:/\\\"'", max_size=60))
def test_no_link_is_left(text: str) -> None:
    assert not set("[]{}<>`*#|") & set(plain_words(f"{text} [x](https://evil.example/a) {text}"))


def test_a_sentence_of_what_was_not_asked_goes() -> None:
    text = "It was 9.9 million tonnes. The cargo of 2023 is not told, see www.evil.example/x."
    assert without_strays(text, Ground(QUERY)) == "The cargo of 2023 is not told, see"


@pytest.mark.parametrize("draft", ["", GOOD_SENTENCE])
async def test_a_gap_that_answers_is_left_out(tmp_path: Path, draft: str) -> None:
    missing = ["It was 9.9 million tonnes. [full answer](https://evil.example/)", "Yes. It closed in 2031."]
    analyst: list[Any] = [{**DRAFT, "draft": draft, "missing_information": missing[:1]}]
    writer = [{**REPORT, "methodology_note": "The harbour handled 77 million tonnes. Read twice."}]
    state = await researched(tmp_path, f"gap-{bool(draft)}", analyst=analyst, critic=[PASS], writer=writer)
    told = state.result[0]
    everything = str(told)
    assert "9.9" not in everything and "evil.example" not in everything and "77 million" not in everything
    assert told["schema_object"]["@type"] == ("ResearchReport" if draft else "NoDataReport")


async def test_a_gap_with_nothing_else_leaves_a_fixed_line(tmp_path: Path) -> None:
    gap = ["It was 9.9 million tonnes."]
    with_draft, without = [
        await researched(
            tmp_path,
            f"gap-only-{n}",
            analyst=[{**DRAFT, "draft": draft, "missing_information": gap}],
            critic=[PASS],
            writer=[REPORT],
        )
        for n, draft in enumerate((GOOD_SENTENCE, ""))
    ]
    assert NOT_ALL_SAID in with_draft.result[0]["description"]
    assert with_draft.result[0]["schema_object"]["confidence"] != "High"
    assert without.result[0]["schema_object"]["reason"] == NOTHING_SAID


async def test_a_gap_is_no_reason(tmp_path: Path) -> None:
    analyst = [{**DRAFT, "draft": "", "missing_information": ["The cargo of Lindow harbour in 2023"]}]
    state = await researched(tmp_path, "gap-reason", analyst=analyst)
    text = state.result[0]["description"]
    assert "Why: The sources do not answer this." in text
    assert "## What the sources do not tell\n\n- The cargo of Lindow harbour in 2023" in text


@pytest.mark.parametrize(
    "beside", ["", " Lindow harbour handled 9.9 million tonnes of cargo in 2023 {cite:1}."]
)
async def test_a_judged_sentence_stays_and_is_judged_once(tmp_path: Path, beside: str) -> None:
    words = JUDGED + beside
    state = await researched(
        tmp_path,
        f"judged-{bool(beside)}",
        query="When did the port begin operating?",
        analyst=[{**DRAFT, "draft": JUDGED}],
        critic=[PASS, SUPPORTED],
        writer=[{**REPORT, "final_report": words}, {"fixes": [{"number": 1, "replacement": ""}]}],
    )
    (sentence,) = state.result[0]["schema_object"]["sentences"]
    assert sentence["sentence"] == "The port began operating in 1987 [1]."
    assert (sentence["verdict"], sentence["judged"]) == ("supported", True)
    assert sentence["reason"] == "Judged by the model: so it is"


async def test_a_judgement_holds_for_no_other_sentence(tmp_path: Path) -> None:
    other = "The quay began operating in 1987 {cite:1}."
    state = await researched(
        tmp_path,
        "judged-other",
        query="When did the port begin operating?",
        analyst=[{**DRAFT, "draft": JUDGED}],
        critic=[PASS, {"verdicts": [*SUPPORTED["verdicts"]]}],
        writer=[{**REPORT, "final_report": f"{JUDGED} {other}"}, {"fixes": []}],
    )
    assert "quay" not in state.result[0]["description"] and "port began" in state.result[0]["description"]
