import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.research.lines import lines_of

SHEET = (
    "Compiled from public filings.\n- Workforce: 1,170 employees\nEntries are updated when filings change.\n"
    "- Capacity: 40 beds\n"
)
WRAPPED = (
    "The harbour of Lindow handled 4.2 million tonnes of cargo in 2023,\nwhich is more than in any year "
    "since the war and more than anybody\nhad expected when the cranes were ordered."
)


def test_a_line_ended_on_purpose_ends_a_sentence() -> None:
    found = [line.text for line in lines_of(SHEET)]
    assert "Workforce: 1,170 employees" in found and "Capacity: 40 beds" in found
    assert "Entries are updated when filings change." in found


def test_a_wrapped_sentence_stays_whole() -> None:
    (line,) = lines_of(WRAPPED)
    assert line.text == WRAPPED and not line.entry


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "看到又有人在吵，來補一下\n修正錯字\n我朋友說林都港2023年貨物吞吐量為420萬公噸。",
            "我朋友說林都港2023年貨物吞吐量為420萬公噸。",
        ),
        ("- 併網：2017年9月17日\n用字依申報資料。", "併網：2017年9月17日"),
        ("so it cost 30 dollars lol.\nnot from there originally", "so it cost 30 dollars lol."),
    ],
)
def test_posts_and_fact_sheets_are_read_line_by_line(text: str, words: str) -> None:
    assert words in [line.text for line in lines_of(text)]


def test_a_line_knows_its_heading() -> None:
    found = lines_of(
        "# Minutes\n\n## Budget 2024\n\nThe council approved it.\n\n## Roads\n\nNone were built."
    )
    assert [(line.heading, line.text) for line in found] == [
        ("Budget 2024", "The council approved it."),
        ("Roads", "None were built."),
    ]


@given(st.text(alphabet="aB1.,:：。 \n-#貨物年", max_size=120))
def test_every_line_stands_where_it_says(text: str) -> None:
    found = lines_of(text)
    assert all(text[line.start : line.end] == line.text and line.text.strip() for line in found)
    assert all(one.end <= other.start for one, other in zip(found, found[1:], strict=False))
