from hypothesis import given
from hypothesis import strategies as st

from nodes.research.splicing import spliced, tidied
from nodes.research.state import Finding


def findings(text: str, *sentences: str) -> list[Finding]:
    return [Finding(sentence=one, start=text.index(one), end=text.index(one) + len(one)) for one in sentences]


def test_a_sentence_goes_with_its_bullet_and_an_empty_heading() -> None:
    text = "# T\n\n## A\n\n- One rose.\n- Two fell.\n\n## B\n\n- Three stood.\n"
    edits = {0: "", 2: ""}
    assert (
        spliced(text, findings(text, "One rose.", "Two fell.", "Three stood."), edits)
        == "# T\n\n## A\n\n- Two fell."
    )


def test_a_replacement_stands_where_the_sentence_stood() -> None:
    text = "One rose. Two fell. Three stood."
    assert spliced(text, findings(text, "Two fell."), {0: "Two rose."}) == "One rose. Two rose. Three stood."


@given(st.lists(st.sampled_from(["One rose.", "Two fell.", "三上升。"]), min_size=1, max_size=8), st.data())
def test_what_is_not_edited_stays(parts: list[str], data: st.DataObject) -> None:
    numbered = [f"{n}: {part}" for n, part in enumerate(parts)]
    text = " ".join(numbered)
    gone = data.draw(st.sets(st.integers(0, len(parts) - 1)))
    result = spliced(text, findings(text, *numbered), dict.fromkeys(gone, ""))
    assert result.split() == " ".join(one for n, one in enumerate(numbered) if n not in gone).split()
    assert tidied(result) == result
