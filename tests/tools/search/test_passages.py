from hypothesis import given, settings
from hypothesis import strategies as st

from tools.search.passages import TARGET, passages_of

PIECES = [
    "The sea rose. ",
    "出口成長百分之三。",
    "\n\n",
    "\n",
    " ",
    "Dr. Wu said 3.5 was right! ",
    "x" * 700,
    "「好。」",
]


@settings(max_examples=40)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=300))
def test_passages_are_in_order_and_leave_out_nothing_but_blanks(text: str) -> None:
    passages = passages_of(text)
    at = 0
    for start, end in passages:
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        assert end - start <= 2 * TARGET
        at = end
    assert not text[at:].strip()


def test_sentences_of_both_languages_stay_whole() -> None:
    chinese, english = (
        "經濟部週二表示，第二季出口成長。",
        "The ministry said on Tuesday that exports rose 3.4 percent. ",
    )
    text = chinese * 40 + "\n\n" + english * 40
    for start, end in passages_of(text):
        assert text[end - 1] in "。."
        assert text[start] in "經T"


def test_a_chinese_passage_holds_fewer_characters_for_as_much_said() -> None:
    longest = max(end - start for start, end in passages_of("出口成長百分之三。" * 200))
    assert TARGET / 4 < longest <= TARGET / 2.5 + 9
